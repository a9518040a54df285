-- Where a session was started from, and by what: the same of the browsers on the identity pages.
alter table sessions
  add column method text not null default 'password',
  add column address text,
  add column user_agent text;
alter table browser_sessions
  add column method text not null default 'password',
  add column address text,
  add column user_agent text;

-- The security log of a user: each sign-in and each failed one. Removed after SIGN_IN_LOG_DAYS.
create table sign_ins (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  outcome text not null,
  method text not null,
  address text,
  user_agent text,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint sign_ins_user_id_fkey foreign key (organization_id, user_id) references users
);
create index sign_ins_user on sign_ins (organization_id, user_id, creation_time);
create index sign_ins_age on sign_ins (creation_time);
select make_tenant('sign_ins');
