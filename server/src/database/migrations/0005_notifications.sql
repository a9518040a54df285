-- What people are told of. Written by the statement that writes the event, each once.
create table notifications (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  -- 1 mention, 2 assignment, 3 due, 4 overdue, 5 comment, 6 signature, 7 survey response, 8 meeting, 9 system
  notification_type smallint not null,
  title text not null,
  description text,
  notification_obj jsonb not null default '{}',
  notify_time timestamptz(3) not null default now(),
  read boolean not null default false,
  -- when it was mailed too, at once or in the daily digest
  mailed_at timestamptz(3),
  category text not null,
  is_system boolean not null default false,
  event_id varchar(25) collate "C",
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint notifications_user_id_fkey foreign key (organization_id, user_id) references users
);
create unique index notifications_once on notifications (organization_id, event_id, user_id, notification_type);
create index notifications_user on notifications (organization_id, user_id, id);
create index notifications_unread on notifications (organization_id, user_id) where not read;
select make_tenant('notifications');

-- how a user wants to be told, where it differs from the defaults
create table notification_preferences (
  organization_id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  category text not null,
  in_app boolean not null default true,
  email text not null default 'off' check (email in ('off', 'immediately', 'daily')),
  primary key (organization_id, user_id, category),
  constraint notification_preferences_user_id_fkey foreign key (organization_id, user_id) references users
);
select make_tenant('notification_preferences');
