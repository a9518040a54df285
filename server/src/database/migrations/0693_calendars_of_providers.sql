-- Calendars of Google and Microsoft 365 are connected as those of CalDAV servers are; before `wait_until` the server
-- wants no requests.
alter table calendar_connections add column wait_until timestamptz(3);
alter table calendar_connections drop constraint calendar_connections_kind_check;
alter table calendar_connections add constraint calendar_connections_kind_check
  check (kind in ('caldav', 'google', 'microsoft')) not valid;
