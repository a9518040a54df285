-- What was requested of somebody's personal data: an export, or their erasure with its receipt. Who the
-- person is stands encrypted in `sealed`, for as long as the job needs it.
create table personal_data_requests (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  kind text not null check (kind in ('export', 'erasure')),
  status text not null default 'waiting' check (status in ('waiting', 'running', 'completed', 'failed')),
  -- ids of the users and contacts that are the person
  user_ids jsonb not null default '[]',
  contact_ids jsonb not null default '[]',
  sealed bytea,
  -- the step that comes next, and where in it: a process that dies is followed by another one
  step integer not null default 0,
  place jsonb,
  receipt jsonb not null default '{}',
  error text,
  storage_key text,
  file_size bigint,
  file_hash text,
  finished_at timestamptz(3),
  created_by varchar(25) collate "C",
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
select make_tenant('personal_data_requests');
