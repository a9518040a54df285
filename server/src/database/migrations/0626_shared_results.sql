-- Links at which others see the results of a survey, as their maker restricted them.
create table survey_result_links (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  survey_id varchar(25) collate "C" not null,
  names boolean not null,
  texts boolean not null,
  -- what the results are restricted to, as the query of `insights/` names it
  filters jsonb not null,
  expires_at timestamptz(3),
  created_by varchar(25) collate "C",
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint survey_result_links_survey_id_fkey foreign key (organization_id, survey_id)
    references surveys on delete cascade deferrable
);
create index survey_result_links_survey on survey_result_links (organization_id, survey_id);
select make_tenant('survey_result_links');
