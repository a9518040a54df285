-- the milestone of a project that is its go-live, and how long a task is expected to take
alter table milestones add column kind text;
alter table tasks add column estimate_minutes integer;
select make_filterable('milestones'), make_filterable('tasks');
