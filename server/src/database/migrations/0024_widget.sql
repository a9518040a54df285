-- the feedback form that an organization puts on its own pages
create table widget_settings (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  -- public: it names the organization to whoever shows the form
  widget_key text collate "C" not null,
  theme jsonb not null default '{}',
  form jsonb not null default '{}',
  is_active boolean not null default true,
  primary key (organization_id, id),
  unique (organization_id, widget_key)
);
create index widget_settings_widget on widget_settings (widget_key);
select make_tenant('widget_settings');

create table widget_responses (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  answers jsonb not null,
  email text,
  page_url text,
  -- who was signed in, if anybody
  user_id varchar(25) collate "C",
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
select make_tenant('widget_responses');
