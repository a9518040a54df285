-- whether milestones are completed with the last of their tasks
alter table organizations add column complete_milestones boolean not null default true;
