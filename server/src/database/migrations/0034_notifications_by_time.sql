-- a notification may bring an id of its own, so that ids do not tell which is newer
create index notifications_time on notifications (organization_id, user_id, creation_time, id);
