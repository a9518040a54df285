create table surveys (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  item_type text not null default 'survey' check (item_type in ('survey', 'survey_template', 'form')),
  name text not null,
  name_key text collate "C" generated always as (lower(name)) stored,
  description text,
  account_id varchar(25) collate "C",
  -- {pages, version}: the version in force; each response keeps the one it answered
  form_structure jsonb not null default '{"pages": [], "version": 1}',
  field_count integer not null default 0,
  form_style text not null default 'IN_APP',
  form_container_style text not null default 'POPUP',
  background_color text,
  background_url text,
  field_border text not null default 'Rounded',
  action_color text,
  status text not null default 'draft' check (status in ('draft', 'published', 'closed')),
  is_active boolean not null default true,
  end_date timestamptz(3),
  response_limit integer,
  one_per_email boolean not null default false,
  closing_text text,
  view_count integer not null default 0,
  response_count integer not null default 0,
  tags jsonb,
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint surveys_account_id_fkey foreign key (organization_id, account_id) references accounts
);
create index surveys_type on surveys (organization_id, item_type, id) where deleted_at is null;
create index surveys_name on surveys (organization_id, name_key, id) where deleted_at is null;
create index surveys_account on surveys (organization_id, account_id) where account_id is not null;
create index surveys_ending on surveys (organization_id, end_date) where status = 'published' and end_date is not null;
select make_tenant('surveys');

-- every structure that a survey has had, so that old answers stay readable
create table survey_versions (
  organization_id varchar(25) collate "C" not null,
  survey_id varchar(25) collate "C" not null,
  version integer not null,
  pages jsonb not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, survey_id, version),
  constraint survey_versions_survey_id_fkey foreign key (organization_id, survey_id) references surveys on delete cascade
);
select make_tenant('survey_versions');

create table survey_responses (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  survey_id varchar(25) collate "C" not null,
  structure_version integer not null,
  answers jsonb not null default '{}',
  respondent_email text,
  -- the e-mail, folded, where the survey takes one answer each
  unique_key text collate "C",
  finished boolean not null default false,
  finished_at timestamptz(3),
  created_by varchar(25) collate "C",
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint survey_responses_survey_id_fkey foreign key (organization_id, survey_id) references surveys on delete cascade
);
create index survey_responses_survey on survey_responses (organization_id, survey_id, id);
create index survey_responses_email on survey_responses (organization_id, survey_id, lower(respondent_email));
create unique index survey_responses_once on survey_responses (organization_id, survey_id, unique_key);
select make_tenant('survey_responses');
