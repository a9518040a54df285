-- a task with a fixed date: what follows a move stops at it
alter table tasks add column is_pinned boolean not null default false;
select make_filterable('tasks');
