-- Personal access tokens: what scripts of a user call the application surface with. The token is shown
-- once; its secret is stored as a keyed hash.
create table access_tokens (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  name text not null,
  secret_hash bytea not null,
  scopes jsonb not null,
  expires_at timestamptz(3) not null,
  -- to some minutes
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint access_tokens_user_id_fkey foreign key (organization_id, user_id) references users
);
create index access_tokens_user on access_tokens (organization_id, user_id);
create index access_tokens_expiry on access_tokens (expires_at);
select make_tenant('access_tokens');
create trigger tell after delete or update of revoked_at on access_tokens
  for each row execute function tell_changed();
