-- The timers that run, one for each person; and the time of tasks as entries, which people make by hand and timers when
-- they stop.
create table timers (
  organization_id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  task_id varchar(25) collate "C" not null,
  started_at timestamptz(3) not null default now(),
  primary key (organization_id, user_id),
  constraint timers_user_id_fkey foreign key (organization_id, user_id) references users on delete cascade deferrable,
  constraint timers_task_id_fkey foreign key (organization_id, task_id) references tasks on delete cascade deferrable
);
create index timers_task on timers (organization_id, task_id);
select make_tenant('timers');

insert into timers (organization_id, user_id, id, task_id, started_at)
select organization_id, user_id, id, task_id, started_at from time_entries where stopped_at is null;
delete from time_entries where stopped_at is null;

-- the version before knows nothing of timers: what it starts while both run is stopped at once
alter table time_entries
  alter column started_at set default now(),
  alter column stopped_at set default now(),
  add column date date,
  add column seconds integer not null default 0,
  add column note text,
  add column is_billable boolean not null default true,
  add column created_by varchar(25) collate "C",
  add column version integer not null default 1,
  add column creation_time timestamptz(3) not null default now(),
  add column last_update_time timestamptz(3) not null default now(),
  add column deleted_at timestamptz(3);
update time_entries e set date = (e.started_at at time zone o.timezone)::date,
  seconds = greatest(0, extract(epoch from e.stopped_at - e.started_at))::integer,
  created_by = e.user_id, creation_time = e.stopped_at, last_update_time = e.stopped_at
from organizations o where o.organization_id = e.organization_id;
alter table time_entries alter column date set default current_date, alter column date set not null;
create index time_entries_person on time_entries (organization_id, user_id, date);
select make_filterable('time_entries');
create index time_entries_date on time_entries (organization_id, date, id) where deleted_at is null;
