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

alter table time_entries
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
alter table time_entries alter column date set not null, drop column started_at, drop column stopped_at;
drop index time_entries_user;
create index time_entries_user on time_entries (organization_id, user_id, date);
create index time_entries_date on time_entries (organization_id, date, id) where deleted_at is null;

-- The time of a task is the sum of its entries, whoever writes them.
create function sum_time(organizations text[], ids text[]) returns void language plpgsql as $$
begin
  -- one after the other: a sum does not see entries of writes that are not committed
  perform from tasks t where t.organization_id = any (organizations) and t.id = any (ids)
  order by t.organization_id, t.id for no key update;
  update tasks t set total_elapsed_time = s.seconds
  from (
    select k.organization_id, k.id, least(2147483647, (select coalesce(sum(e.seconds), 0) from time_entries e
      where e.organization_id = k.organization_id and e.task_id = k.id and e.deleted_at is null))::integer as seconds
    from unnest(organizations, ids) k (organization_id, id)
  ) s
  where t.organization_id = s.organization_id and t.id = s.id and t.total_elapsed_time <> s.seconds;
end $$;

create function sum_time_of_tasks() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform sum_time(array_agg(organization_id), array_agg(task_id)) from
      (select organization_id, task_id from entries union select organization_id, task_id from former) e;
  else
    perform sum_time(array_agg(organization_id), array_agg(task_id)) from
      (select distinct organization_id, task_id from entries) e;
  end if;
  return null;
end $$;

create trigger time_summed_on_insert after insert on time_entries
referencing new table as entries for each statement execute function sum_time_of_tasks();
create trigger time_summed_on_update after update on time_entries
referencing old table as former new table as entries for each statement execute function sum_time_of_tasks();
create trigger time_summed_on_delete after delete on time_entries
referencing old table as entries for each statement execute function sum_time_of_tasks();
