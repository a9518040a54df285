create table dashboards (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  dashboard_name text not null,
  description text,
  dashboard_type text not null default 'custom'
    check (dashboard_type in ('overview', 'deals', 'projects', 'revenue', 'activities', 'custom')),
  is_system_defined boolean not null default true,
  -- shipped with the product: nobody changes or deletes it
  is_protected boolean not null default false,
  is_default boolean not null default false,
  visibility text not null default 'private' check (visibility in ('public', 'private', 'restricted')),
  -- [{widget_id, widget_type, position, config, is_visible, refresh_interval, last_refreshed}]
  widgets jsonb not null default '[]',
  -- [{access_type, access_id, permission_level, granted_by, granted_at}]
  access_list jsonb not null default '[]',
  -- seconds
  cache_ttl integer not null default 300,
  layout_config jsonb not null default '{}',
  theme_config jsonb not null default '{}',
  time_range_default text not null default '30_days',
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id)
);
create index dashboards_created on dashboards (organization_id, creation_time, id) where deleted_at is null;
select make_tenant('dashboards');

-- what the widgets count
create index projects_closed on projects (organization_id, closed_at) where closed_at is not null;
-- of tasks that are not private these say all that most callers' rights need: no row is read
create index tasks_open on tasks (organization_id, due_date) include (status_id, creation_time, completed_at, project_id)
  where completed_at is null and deleted_at is null and not is_private;
create index tasks_completed on tasks (organization_id, completed_at) include (status_id, creation_time, due_date, project_id)
  where completed_at is not null and deleted_at is null and not is_private;
create index tasks_private on tasks (organization_id, completed_at) where is_private and deleted_at is null;
create index projects_hidden on projects (organization_id, id) where is_private or not visible_to_all;
create index projects_deleted on projects (organization_id, id) where deleted_at is not null;
create index survey_responses_finished on survey_responses (organization_id, finished_at) where finished;
