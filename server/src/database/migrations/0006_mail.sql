-- Mails that have left, or never will: a job that runs again looks here first.
create table sent_mails (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  -- what the server said, where it refused for good
  refusal text,
  sent_at timestamptz(3) not null,
  primary key (organization_id, id)
);
select make_tenant('sent_mails');

-- One open way to a new password for each user: only the last one that was asked for works.
alter table users add reset_hash bytea, add reset_expires_at timestamptz(3);
create index users_reset on users (reset_hash) where reset_hash is not null;
