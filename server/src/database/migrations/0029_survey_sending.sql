create table survey_schedules (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  survey_id varchar(25) collate "C" not null,
  email_addresses jsonb not null,
  custom_message text,
  -- as asked for: local time in a zone; when it is in UTC
  local_time text not null,
  timezone text not null,
  scheduled_at timestamptz(3) not null,
  status text not null default 'scheduled' check (status in ('scheduled', 'sent', 'failed', 'cancelled')),
  sent_count integer,
  failure text,
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint survey_schedules_survey_id_fkey foreign key (organization_id, survey_id) references surveys on delete cascade
);
create index survey_schedules_survey on survey_schedules (organization_id, survey_id, id);
select make_tenant('survey_schedules');

create table survey_automations (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  survey_id varchar(25) collate "C" not null,
  name text not null,
  is_active boolean not null default true,
  trigger jsonb not null,
  conditions jsonb not null default '[]',
  actions jsonb not null default '[]',
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint survey_automations_survey_id_fkey foreign key (organization_id, survey_id) references surveys on delete cascade
);
create index survey_automations_survey on survey_automations (organization_id, survey_id);
select make_tenant('survey_automations');

-- what automations did, one row for each occasion: an answer, or a move of the survey
create table survey_automation_runs (
  organization_id varchar(25) collate "C" not null,
  automation_id varchar(25) collate "C" not null,
  occasion varchar(25) collate "C" not null,
  survey_id varchar(25) collate "C" not null,
  response_id varchar(25) collate "C",
  status text not null check (status in ('done', 'skipped', 'failed')),
  error text,
  results jsonb not null default '[]',
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, automation_id, occasion),
  constraint survey_automation_runs_survey_id_fkey foreign key (organization_id, survey_id) references surveys on delete cascade
);
create index survey_automation_runs_survey on survey_automation_runs (organization_id, survey_id, creation_time);
select make_tenant('survey_automation_runs');
