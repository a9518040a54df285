-- The OpenID Connect provider of an organization; at most one.
create table openid_providers (
  organization_id varchar(25) collate "C" primary key references organizations,
  issuer text not null,
  client_id text not null,
  -- encrypted
  client_secret bytea not null,
  -- mail domains whose people may sign in; any where there is none
  allowed_domains jsonb not null default '[]',
  -- the role of people whom nobody has created yet; without one they are refused
  new_users_role_id varchar(25) collate "C",
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  constraint openid_providers_new_users_role_id_fkey foreign key (organization_id, new_users_role_id) references roles
    on delete set null (new_users_role_id)
);
create index openid_providers_role on openid_providers (organization_id, new_users_role_id);
select make_tenant('openid_providers');

-- Who at the provider is which user: the subject stays when the e-mail changes there.
create table openid_subjects (
  organization_id varchar(25) collate "C" not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  user_id varchar(25) collate "C" not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, issuer, subject),
  constraint openid_subjects_user_id_fkey foreign key (organization_id, user_id) references users
);
create index openid_subjects_user on openid_subjects (organization_id, user_id);
select make_tenant('openid_subjects');

-- Sign-ins at the provider that came back: each comes back once.
create table openid_returns (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  expires_at timestamptz(3) not null,
  primary key (organization_id, id)
);
create index openid_returns_expiry on openid_returns (expires_at);
select make_tenant('openid_returns');
