-- Projects and deals (one resource), their stages, milestones and tasks.

-- labels that people edit; logic reads the category
create table statuses (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  -- projects, milestones or tasks
  module text not null,
  status_key text collate "C" not null,
  status_name text not null,
  category text not null check (category in ('not_started', 'in_progress', 'on_hold', 'completed', 'cancelled')),
  color text,
  icon text,
  position integer not null default 0,
  is_default boolean not null default false,
  is_archived boolean not null default false,
  primary key (organization_id, id),
  unique (organization_id, module, status_key)
);
select make_tenant('statuses');

create table pipelines (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  pipeline_name text not null,
  description text,
  is_default boolean not null default false,
  position integer not null default 0,
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id)
);
create unique index pipelines_name_key on pipelines (organization_id, lower(pipeline_name)) where deleted_at is null;
select make_tenant('pipelines');

create table stages (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  pipeline_id varchar(25) collate "C" not null,
  stage_key text collate "C" not null,
  stage_name text not null,
  category text not null default 'open' check (category in ('open', 'won', 'lost')),
  -- per cent
  probability integer not null default 0 check (probability between 0 and 100),
  color text,
  icon text,
  position integer not null default 0,
  is_archived boolean not null default false,
  primary key (organization_id, id),
  unique (organization_id, pipeline_id, stage_key),
  constraint stages_pipeline_id_fkey foreign key (organization_id, pipeline_id) references pipelines
);
select make_tenant('stages');

create table holiday_sets (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  country text,
  state text,
  -- [{name, date, is_repeat_annually}]
  holidays jsonb not null default '[]',
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id)
);
select make_tenant('holiday_sets');

create table templates (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  template_name text not null,
  template_name_key text collate "C" generated always as (lower(template_name)) stored,
  description text,
  -- project, pipelines or deal_stages
  template_type text not null default 'project' check (template_type in ('project', 'pipelines', 'deal_stages')),
  -- {stages: [{stage_id, name, color, status, milestones: [{name, start_offset_days, duration_days, tasks}]}]}
  template_config jsonb not null default '{}',
  options jsonb not null default '{}',
  is_predefined boolean not null default false,
  is_default boolean not null default false,
  tags jsonb,
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id)
);
create index templates_name on templates (organization_id, template_name_key, id) where deleted_at is null;
create unique index templates_default on templates (organization_id, template_type) where is_default and deleted_at is null;
select make_tenant('templates');

create table projects (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  display_id text,
  project_type text not null default 'project' check (project_type in ('project', 'deal')),
  project_name text not null,
  project_name_key text collate "C" generated always as (lower(project_name)) stored,
  description text,
  account_id varchar(25) collate "C",
  company_id varchar(25) collate "C",
  -- the customer's contact who speaks for it
  customer_contact varchar(25) collate "C",
  project_owner varchar(25) collate "C",
  project_manager varchar(25) collate "C",
  template_id varchar(25) collate "C",
  status_id varchar(25) collate "C",
  pipeline_id varchar(25) collate "C",
  stage_id varchar(25) collate "C",
  stage_entered_at timestamptz(3),
  lost_reason text,
  closed_at timestamptz(3),
  completed_at timestamptz(3),
  -- the deal that a project was made from
  converted_from varchar(25) collate "C",
  holidays_id varchar(25) collate "C",
  current_milestone_id varchar(25) collate "C",
  start_date date,
  due_date date,
  forecasted_date date,
  show_forecasted_date boolean not null default false,
  is_arr boolean not null default false,
  revenue double precision,
  other_revenue double precision,
  project_fee double precision,
  expected_deal_value double precision,
  expected_onboarding_fee double precision,
  hourly_rate double precision,
  monthly_rate double precision,
  currency_unit text,
  billing_model text,
  billing_frequency text,
  contract_duration integer,
  deal_resources integer,
  project_duration integer,
  position integer,
  phase jsonb,
  tags jsonb,
  partner_orgs jsonb,
  external_map jsonb,
  invite_type text,
  visible_to_all boolean not null default true,
  is_private boolean not null default false,
  object_source text not null default 'application',
  custom_fields jsonb not null default '{}',
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint projects_account_id_fkey foreign key (organization_id, account_id) references accounts,
  constraint projects_company_id_fkey foreign key (organization_id, company_id) references companies,
  constraint projects_customer_contact_fkey foreign key (organization_id, customer_contact) references contacts,
  constraint projects_project_owner_fkey foreign key (organization_id, project_owner) references users,
  constraint projects_project_manager_fkey foreign key (organization_id, project_manager) references users,
  constraint projects_template_id_fkey foreign key (organization_id, template_id) references templates,
  constraint projects_status_id_fkey foreign key (organization_id, status_id) references statuses,
  constraint projects_pipeline_id_fkey foreign key (organization_id, pipeline_id) references pipelines,
  constraint projects_stage_id_fkey foreign key (organization_id, stage_id) references stages,
  constraint projects_converted_from_fkey foreign key (organization_id, converted_from) references projects,
  constraint projects_holidays_id_fkey foreign key (organization_id, holidays_id) references holiday_sets
);
create index projects_type on projects (organization_id, project_type, id) where deleted_at is null;
create index projects_name on projects (organization_id, project_name_key, id) where deleted_at is null;
create index projects_due on projects (organization_id, project_type, due_date, id) where deleted_at is null;
create index projects_account on projects (organization_id, account_id) where account_id is not null;
create index projects_company on projects (organization_id, company_id) where company_id is not null;
create index projects_contact on projects (organization_id, customer_contact) where customer_contact is not null;
create index projects_owner on projects (organization_id, project_owner) where project_owner is not null;
create index projects_manager on projects (organization_id, project_manager) where project_manager is not null;
create index projects_template on projects (organization_id, template_id) where template_id is not null;
create index projects_status on projects (organization_id, status_id);
create index projects_stage on projects (organization_id, stage_id) where stage_id is not null;
create index projects_pipeline on projects (organization_id, pipeline_id) where pipeline_id is not null;
create index projects_converted on projects (organization_id, converted_from) where converted_from is not null;
create index projects_holidays on projects (organization_id, holidays_id) where holidays_id is not null;
select make_tenant('projects');

-- project_team: who is attached to a project
create table project_members (
  organization_id varchar(25) collate "C" not null,
  project_id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  role text,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, project_id, user_id),
  constraint project_members_project_id_fkey foreign key (organization_id, project_id) references projects on delete cascade,
  constraint project_members_user_id_fkey foreign key (organization_id, user_id) references users
);
create index project_members_user on project_members (organization_id, user_id, project_id);
select make_tenant('project_members');

-- each stay of a deal or project in a stage; the open one has no left_at
create table stage_changes (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  project_id varchar(25) collate "C" not null,
  stage_id varchar(25) collate "C" not null,
  lost_reason text,
  changed_by varchar(25) collate "C",
  entered_at timestamptz(3) not null,
  left_at timestamptz(3),
  primary key (organization_id, id),
  constraint stage_changes_project_id_fkey foreign key (organization_id, project_id) references projects on delete cascade,
  constraint stage_changes_stage_id_fkey foreign key (organization_id, stage_id) references stages
);
create index stage_changes_project on stage_changes (organization_id, project_id, id);
create index stage_changes_stage on stage_changes (organization_id, stage_id);
select make_tenant('stage_changes');

create table milestones (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  project_id varchar(25) collate "C" not null,
  name text not null,
  description text,
  status_id varchar(25) collate "C",
  owner varchar(25) collate "C",
  start_date date,
  due_date date,
  completed_at timestamptz(3),
  position integer not null default 0,
  is_private boolean not null default false,
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint milestones_project_id_fkey foreign key (organization_id, project_id) references projects on delete cascade,
  constraint milestones_status_id_fkey foreign key (organization_id, status_id) references statuses,
  constraint milestones_owner_fkey foreign key (organization_id, owner) references users
);
create index milestones_project on milestones (organization_id, project_id, position, id);
create index milestones_status on milestones (organization_id, status_id) where status_id is not null;
create index milestones_owner on milestones (organization_id, owner) where owner is not null;
select make_tenant('milestones');
alter table projects add constraint projects_current_milestone_id_fkey
  foreign key (organization_id, current_milestone_id) references milestones on delete set null (current_milestone_id);
create index projects_current_milestone on projects (organization_id, current_milestone_id) where current_milestone_id is not null;

create table tasks (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  display_id text,
  title text not null,
  title_key text collate "C" generated always as (lower(title)) stored,
  description text,
  -- 1 task, 2 subtask, 3 form, 4 approval
  item_type smallint not null default 1,
  account_id varchar(25) collate "C",
  project_id varchar(25) collate "C",
  milestone_id varchar(25) collate "C",
  parent_id varchar(25) collate "C",
  status_id varchar(25) collate "C",
  is_completed boolean not null default false,
  completed_at timestamptz(3),
  priority text,
  owner varchar(25) collate "C",
  -- ids of further people
  users jsonb not null default '[]',
  tags jsonb,
  start_date date,
  due_date date,
  -- set once the overdue event was made for this due date
  overdue_told_for date,
  due_told_for date,
  is_private boolean not null default false,
  visibility text not null default 'shared',
  is_starred boolean not null default false,
  is_predefined boolean not null default false,
  is_risk boolean not null default false,
  -- the flag; open predecessors block too
  is_blocked boolean not null default false,
  total_elapsed_time integer not null default 0,
  position integer not null default 0,
  is_recurring boolean not null default false,
  parent_recurring_id varchar(25) collate "C",
  recurrence_pattern jsonb,
  recurrence_status text check (recurrence_status in ('active', 'paused', 'completed', 'cancelled')),
  -- the day of the series that this task stands for
  recurrence_date date,
  form_id varchar(25) collate "C",
  form_structure jsonb,
  form_responses jsonb,
  meeting_summary_id varchar(25) collate "C",
  calendar_id varchar(25) collate "C",
  -- the template's own id of the task, while it is laid out
  template_ref text,
  external_map jsonb,
  custom_fields jsonb not null default '{}',
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint tasks_account_id_fkey foreign key (organization_id, account_id) references accounts,
  constraint tasks_project_id_fkey foreign key (organization_id, project_id) references projects on delete cascade,
  constraint tasks_milestone_id_fkey foreign key (organization_id, milestone_id) references milestones on delete cascade,
  constraint tasks_parent_id_fkey foreign key (organization_id, parent_id) references tasks on delete cascade,
  constraint tasks_status_id_fkey foreign key (organization_id, status_id) references statuses,
  constraint tasks_owner_fkey foreign key (organization_id, owner) references users,
  constraint tasks_parent_recurring_id_fkey foreign key (organization_id, parent_recurring_id) references tasks on delete cascade
);
create index tasks_project on tasks (organization_id, project_id, milestone_id, position, id) where project_id is not null;
-- those of one parent, newest first: without the id a plan for any value may walk all tasks instead
create index tasks_newest on tasks (organization_id, project_id, id) where project_id is not null;
create index tasks_milestone on tasks (organization_id, milestone_id, id) where milestone_id is not null;
create index tasks_account on tasks (organization_id, account_id, id) where account_id is not null;
create index tasks_parent on tasks (organization_id, parent_id, id) where parent_id is not null;
create index tasks_status on tasks (organization_id, status_id);
create index tasks_owner on tasks (organization_id, owner, id) where owner is not null;
create index tasks_title on tasks (organization_id, title_key, id) where deleted_at is null;
create index tasks_due on tasks (organization_id, due_date, id) where not is_completed and deleted_at is null;
-- lists in these orders: what has no date comes as if before all
create index tasks_in_due_order on tasks (organization_id, coalesce(due_date, '-infinity'::date), id)
  where deleted_at is null;
create index tasks_made on tasks (organization_id, creation_time, id) where deleted_at is null;
create index tasks_form on tasks (organization_id, form_id) where form_id is not null;
create index tasks_recurring on tasks (organization_id, parent_recurring_id) where parent_recurring_id is not null;
create unique index tasks_series on tasks (organization_id, parent_recurring_id, recurrence_date) where deleted_at is null;
select make_tenant('tasks');

create table task_dependencies (
  organization_id varchar(25) collate "C" not null,
  task_id varchar(25) collate "C" not null,
  predecessor_id varchar(25) collate "C" not null,
  type text not null default 'FS' check (type in ('FS', 'SS', 'FF', 'SF')),
  lag_days integer not null default 0,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, task_id, predecessor_id),
  constraint task_dependencies_task_id_fkey foreign key (organization_id, task_id) references tasks on delete cascade,
  constraint task_dependencies_predecessor_id_fkey foreign key (organization_id, predecessor_id) references tasks on delete cascade
);
create index task_dependencies_predecessor on task_dependencies (organization_id, predecessor_id);
select make_tenant('task_dependencies');

-- time spent; the running timer of a user has no stopped_at
create table time_entries (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  task_id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  started_at timestamptz(3) not null,
  stopped_at timestamptz(3),
  primary key (organization_id, id),
  constraint time_entries_task_id_fkey foreign key (organization_id, task_id) references tasks on delete cascade,
  constraint time_entries_user_id_fkey foreign key (organization_id, user_id) references users
);
create index time_entries_task on time_entries (organization_id, task_id);
create unique index time_entries_running on time_entries (organization_id, user_id) where stopped_at is null;
create index time_entries_user on time_entries (organization_id, user_id);
select make_tenant('time_entries');

create trigger tell after insert or update or delete on statuses for each row execute function tell_changed();
create trigger tell after insert or update or delete on pipelines for each row execute function tell_changed();
create trigger tell after insert or update or delete on stages for each row execute function tell_changed();
create trigger tell after insert or update or delete on holiday_sets for each row execute function tell_changed();
