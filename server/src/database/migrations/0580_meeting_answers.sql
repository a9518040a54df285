-- Where calendar programs answer to: the address of a meeting, and the version that everybody was last asked about.
create table meeting_addresses (
  organization_id varchar(25) collate "C" not null,
  calendar_id varchar(25) collate "C" not null,
  token_hash bytea not null,
  asked_version integer not null,
  primary key (organization_id, calendar_id),
  constraint meeting_addresses_calendar_id_fkey foreign key (organization_id, calendar_id)
    references meetings on delete cascade deferrable
);
create index meeting_addresses_token on meeting_addresses (token_hash);
select make_tenant('meeting_addresses');

-- What came in there: answers that were taken, proposals of another time, and what was kept apart, with the reason.
create table meeting_answers (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  calendar_id varchar(25) collate "C" not null,
  message_hash bytea not null,
  kind text not null check (kind in ('reply', 'counter', 'refresh')),
  state text not null check (state in ('taken', 'open', 'accepted', 'kept', 'stale', 'forged')),
  reason text,
  email text not null,
  response text,
  comment text,
  -- the date of a series that it is about
  occurrence timestamptz(3),
  -- the proposed time
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  all_day boolean not null default false,
  -- when the program says that it was given
  stamped_at timestamptz(3),
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  unique (organization_id, calendar_id, message_hash),
  constraint meeting_answers_calendar_id_fkey foreign key (organization_id, calendar_id)
    references meetings on delete cascade deferrable
);
select make_tenant('meeting_answers');
