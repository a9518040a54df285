-- The transaction that wrote an event: the live stream reads what has been committed since it last
-- looked, by the snapshots of these reads, however late a transaction commits. Entries from before have
-- none, and are in no stream.
set local app.organization = '*';
alter table events add column written_in xid8;
alter table events alter column written_in set default pg_current_xact_id();
