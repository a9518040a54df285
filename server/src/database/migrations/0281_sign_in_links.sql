-- A mailed link to sign in, of which only the hash is stored, as with the one to a new password.
alter table users
  add column sign_in_hash bytea,
  add column sign_in_expires_at timestamptz(3);
create index users_sign_in on users (sign_in_hash) where sign_in_hash is not null;
