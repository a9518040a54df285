-- Whom a reply was meant for, where it is more private than its thread: user ids, none for the whole
-- team. `is_private` and `visible_to_users` hold what follows from this and from the thread.
alter table interactions add column reply_readers jsonb;
