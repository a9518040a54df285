-- dates of a plan as they were once, to which it is compared
create table plan_baselines (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  project_id varchar(25) collate "C" not null,
  name text not null,
  -- of each task and milestone: id, start_date, due_date
  dates jsonb not null,
  created_by varchar(25) collate "C",
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint plan_baselines_project_id_fkey foreign key (organization_id, project_id)
    references projects on delete cascade deferrable initially immediate
);
create index plan_baselines_project on plan_baselines (organization_id, project_id);
select make_tenant('plan_baselines');
