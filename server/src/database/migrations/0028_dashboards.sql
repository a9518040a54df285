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
create index tasks_completed on tasks (organization_id, completed_at) where completed_at is not null;
create index survey_responses_finished on survey_responses (organization_id, finished_at) where finished;
