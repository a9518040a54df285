-- The calendars that people already have: at most two connections of each user, a and b.
create table calendar_connections (
  organization_id varchar(25) collate "C" not null references organizations deferrable,
  id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  slot text not null check (slot in ('a', 'b')),
  kind text not null check (kind in ('caldav')),
  -- of a CalDAV server
  address text,
  account text,
  -- encrypted: the password, or the tokens
  secret bytea not null,
  -- what there is to choose from, as the server named it last
  calendars jsonb not null default '[]',
  calendar_ref text,
  calendar_name text,
  reads text not null default 'busy' check (reads in ('nothing', 'busy', 'events')),
  sync_token text,
  synced_at timestamptz(3),
  asked_at timestamptz(3) not null default now(),
  error text,
  error_since timestamptz(3),
  failures integer not null default 0,
  -- the job that synchronizes it, and whether something has happened since it looked
  lease_job varchar(25) collate "C",
  lease_until timestamptz(3),
  again boolean not null default false,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  unique (organization_id, user_id, slot),
  constraint calendar_connections_user_id_fkey foreign key (organization_id, user_id) references users deferrable
);
select make_tenant('calendar_connections');

-- What is on both sides: an entry of a connected calendar (or one date of a series), and the meeting that it is.
create table calendar_copies (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  connection_id varchar(25) collate "C" not null,
  -- none for an entry of which only the times are read
  calendar_id varchar(25) collate "C",
  href text collate "C" not null,
  -- the date of a series that it is, else empty
  part text collate "C" not null default '',
  uid text not null,
  etag text,
  -- whether it began here
  is_ours boolean not null,
  state text not null default 'live' check (state in ('live', 'cancelled', 'dismissed')),
  -- of the meeting when both sides were last compared
  version integer,
  -- both sides as they were then
  ours jsonb,
  theirs jsonb,
  problem text,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  unique (organization_id, connection_id, href, part),
  constraint calendar_copies_connection_id_fkey foreign key (organization_id, connection_id)
    references calendar_connections on delete cascade deferrable,
  constraint calendar_copies_calendar_id_fkey foreign key (organization_id, calendar_id)
    references meetings on delete cascade deferrable
);
create unique index calendar_copies_meeting on calendar_copies (organization_id, calendar_id, connection_id)
  where calendar_id is not null;
select make_tenant('calendar_copies');
