-- The fields that a deal needs before it goes on to a stage.
alter table stages add column required_fields text[] not null default '{}';
