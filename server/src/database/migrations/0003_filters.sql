-- what people save of a list: its conditions, columns and sort
create table filters (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  name text not null,
  module text not null,
  conditions jsonb not null default '[]',
  columns jsonb not null default '[]',
  sort text,
  visibility text not null default 'private' check (visibility in ('private', 'team', 'public')),
  is_default boolean not null default false,
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id)
);
create unique index filters_default_key on filters (organization_id, created_by, module)
  where is_default and deleted_at is null;
select make_tenant('filters');
