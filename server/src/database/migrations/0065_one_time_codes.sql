-- One-time codes (TOTP, RFC 6238) of a user; in use from the first right code on.
create table one_time_codes (
  organization_id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  -- encrypted
  secret bytea not null,
  confirmed_at timestamptz(3),
  -- the time step of the last code that was used: none is good twice
  last_step bigint not null default 0,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, user_id),
  constraint one_time_codes_user_id_fkey foreign key (organization_id, user_id) references users
);
select make_tenant('one_time_codes');
create trigger tell after insert or update of confirmed_at or delete on one_time_codes for each row execute function tell_changed();

-- What a user has instead when the device is gone; each is good once.
create table recovery_codes (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  code_hash bytea not null,
  used_at timestamptz(3),
  primary key (organization_id, id),
  constraint recovery_codes_user_id_fkey foreign key (organization_id, user_id) references users
);
create index recovery_codes_user on recovery_codes (organization_id, user_id);
select make_tenant('recovery_codes');

-- whether everybody who signs in with a password needs one-time codes
alter table organizations add column requires_one_time_codes boolean not null default false;
