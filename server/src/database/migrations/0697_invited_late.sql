-- The ids of the users and contacts whom somebody else than the organizer or an administrator invited after a meeting had
-- taken place: they are attendees, and do not read what was said in it.
alter table meetings add column invited_late jsonb not null default '[]';
