-- The ground: organizations, people, credentials, events, webhooks.
-- Every tenant table has the primary key (organization_id, id); foreign keys carry
-- organization_id; unique keys begin with it. make_tenant() adds row-level security.
-- Tables with many writes have no foreign key to organizations: each insert would lock the same row
-- of it, and row-level security lets no other organization_id through anyway.

create function make_tenant(tenant regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant);
  execute format('alter table %s force row level security', tenant);
  -- Scalar subqueries are evaluated once per statement, not once per row; '*' is the service
  -- itself. The CASE hides the equality from the planner, which would count it a second time
  -- beside the query's own and expect far too few rows.
  execute format(
    'create policy tenant on %s using (
       case when organization_id = (select current_setting(''app.organization'', true)) then true
       else (select current_setting(''app.organization'', true)) = ''*'' end)', tenant);
end $$;

-- Tells every process that something it may have cached about an organization has changed.
-- Only on tables that rarely change: NOTIFY takes a lock that all committing writers share.
create function tell_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('perennial_changed', coalesce(new.organization_id, old.organization_id));
  return null;
end $$;

create table organizations (
  organization_id varchar(25) collate "C" primary key,
  name text not null,
  timezone text not null default 'UTC',
  currency_unit text not null default 'USD',
  is_demo_data boolean not null default false,
  creation_time timestamptz(3) not null default now()
);
select make_tenant('organizations');

create table roles (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  role_name text not null,
  kind text not null check (kind in ('admin', 'manager', 'member', 'customer', 'partner', 'observer')),
  permission jsonb not null,
  is_system_role boolean not null default false,
  is_pre_sales_consultant boolean not null default false,
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id)
);
create unique index roles_name_key on roles (organization_id, lower(role_name)) where deleted_at is null;
select make_tenant('roles');

create table accounts (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  account_name text not null,
  account_name_key text collate "C" generated always as (lower(account_name)) stored,
  description text,
  account_owner varchar(25) collate "C",
  company_id varchar(25) collate "C",
  -- the customer's contact who speaks for it
  customer_contact varchar(25) collate "C",
  -- set by hand; computed where it is null
  health_score integer,
  total_revenue double precision,
  vertical text,
  segment text,
  region text,
  website_url text,
  is_favourite boolean not null default false,
  currency_unit text,
  logo_path text,
  insight jsonb not null default '{}',
  is_internal_account boolean not null default false,
  tags jsonb,
  custom_fields jsonb not null default '{}',
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id)
);
create index accounts_name on accounts (organization_id, account_name_key, id) where deleted_at is null;
create index accounts_owner on accounts (organization_id, account_owner) where account_owner is not null;
create index accounts_customer on accounts (organization_id, customer_contact) where customer_contact is not null;
create index accounts_vertical on accounts (organization_id, vertical) where vertical is not null;
create index accounts_company on accounts (organization_id, company_id) where company_id is not null;
select make_tenant('accounts');

create table users (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  email text not null,
  email_key text collate "C" not null,
  password_hash text,
  full_name text not null,
  role_id varchar(25) collate "C" not null,
  account_id varchar(25) collate "C",
  reports_to varchar(25) collate "C",
  is_active boolean not null default true,
  is_fir_login boolean not null default true,
  phone_no text,
  designation text,
  department text,
  tags jsonb not null default '[]',
  profile_image text,
  cover_image text,
  background_image text,
  joining_date date,
  is_team_head boolean not null default false,
  is_demo_data boolean not null default false,
  custom_fields jsonb not null default '{}',
  -- an invitation that nobody has accepted yet
  invite_hash bytea,
  invite_expires_at timestamptz(3),
  -- one open way to a new password: only the last one that was asked for works
  reset_hash bytea,
  reset_expires_at timestamptz(3),
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint users_role_id_fkey foreign key (organization_id, role_id) references roles,
  constraint users_account_id_fkey foreign key (organization_id, account_id) references accounts,
  constraint users_reports_to_fkey foreign key (organization_id, reports_to) references users
);
create unique index users_email_key on users (organization_id, email_key) where deleted_at is null;
create index users_email on users (email_key) where deleted_at is null;
create index users_reports_to on users (organization_id, reports_to);
create index users_role on users (organization_id, role_id);
create index users_invite on users (invite_hash) where invite_hash is not null;
create index users_reset on users (reset_hash) where reset_hash is not null;
create index users_account on users (organization_id, account_id) where account_id is not null;
select make_tenant('users');

-- what a reference to a person shows
create view people with (security_invoker = true) as
  select u.organization_id, u.id, u.full_name, u.email, r.role_name, u.profile_image, u.is_active
  from users u join roles r on r.organization_id = u.organization_id and r.id = u.role_id;

-- application sessions: one row per sign-in. A refresh token is `family.part`: whoever shows the
-- family has held a token of this session, so that an old one can be told from a made-up one.
create table sessions (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  family_hash bytea not null,
  refresh_hash bytea not null,
  previous_hash bytea,
  rotated_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint sessions_user_id_fkey foreign key (organization_id, user_id) references users
);
create index sessions_family on sessions (family_hash);
create index sessions_user on sessions (organization_id, user_id);
select make_tenant('sessions');

-- browsers signed in on the pages of the identity endpoints; the cookie's token hashed
create table browser_sessions (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  token_hash bytea not null,
  expires_at timestamptz(3) not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  unique (organization_id, token_hash),
  constraint browser_sessions_user_id_fkey foreign key (organization_id, user_id) references users
);
create index browser_sessions_user on browser_sessions (organization_id, user_id);
create index browser_sessions_expiry on browser_sessions (organization_id, expires_at);
select make_tenant('browser_sessions');

-- keys that sign tokens; private halves encrypted with SECRET_KEY. Belongs to no organization.
create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_jwk bytea not null,
  creation_time timestamptz(3) not null default now(),
  retired_at timestamptz(3)
);

create table apps (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  name text not null,
  description text,
  client_id text not null,
  -- the secret keys an HMAC, so it is needed in the clear: encrypted, not hashed
  client_secret bytea not null,
  function_key_hash bytea not null,
  redirect_uris jsonb not null default '[]',
  scopes jsonb not null default '[]',
  endpoints jsonb not null default '[]',
  require_client_auth_on_refresh boolean not null default false,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  unique (organization_id, client_id)
);
create index apps_client on apps (client_id);
create index apps_function_key on apps (function_key_hash);
select make_tenant('apps');

-- a user's approval of an app; every token of it hangs on this row
create table grants (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  app_id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  scopes jsonb not null,
  revoked_at timestamptz(3),
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint grants_app_id_fkey foreign key (organization_id, app_id) references apps on delete cascade,
  constraint grants_user_id_fkey foreign key (organization_id, user_id) references users
);
create index grants_app on grants (organization_id, app_id, user_id);
create index grants_user on grants (organization_id, user_id);
select make_tenant('grants');

create table authorization_codes (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  code_hash bytea not null,
  grant_id varchar(25) collate "C" not null,
  app_id varchar(25) collate "C" not null,
  redirect_uri text not null,
  scopes jsonb not null,
  code_challenge text,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (organization_id, id),
  constraint authorization_codes_grant_id_fkey foreign key (organization_id, grant_id) references grants on delete cascade
);
create index authorization_codes_hash on authorization_codes (code_hash);
create index authorization_codes_grant on authorization_codes (organization_id, grant_id);
create index authorization_codes_expiry on authorization_codes (expires_at);
select make_tenant('authorization_codes');

-- one chain per code exchange: the live token, and the one before it for 60 s of lost answers
create table refresh_tokens (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  token_hash bytea not null,
  grant_id varchar(25) collate "C" not null,
  app_id varchar(25) collate "C" not null,
  scopes jsonb not null,
  replaced_at timestamptz(3),
  expires_at timestamptz(3) not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint refresh_tokens_grant_id_fkey foreign key (organization_id, grant_id) references grants on delete cascade
);
create index refresh_tokens_hash on refresh_tokens (token_hash);
create index refresh_tokens_grant on refresh_tokens (organization_id, grant_id);
create index refresh_tokens_expiry on refresh_tokens (expires_at);
select make_tenant('refresh_tokens');

create table field_definitions (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  module text not null,
  key text not null,
  label text not null,
  type text not null,
  required boolean not null default false,
  is_unique boolean not null default false,
  description text,
  options jsonb not null default '[]',
  default_value jsonb,
  position integer not null default 0,
  field_group text,
  is_archived boolean not null default false,
  is_built_in boolean not null default false,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  unique (organization_id, module, key)
);
select make_tenant('field_definitions');

-- values of custom fields declared unique
create table unique_values (
  organization_id varchar(25) collate "C" not null,
  module text not null,
  key text not null,
  value text collate "C" not null,
  record_id varchar(25) collate "C" not null,
  primary key (organization_id, module, key, value)
);
create index unique_values_record on unique_values (organization_id, module, record_id);
select make_tenant('unique_values');

create table option_sets (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  module text not null,
  set_name text not null,
  value text not null,
  label text not null,
  color text,
  icon text,
  position integer not null default 0,
  is_default boolean not null default false,
  primary key (organization_id, id),
  unique (organization_id, module, set_name, value)
);
select make_tenant('option_sets');

-- What happened. One row is both the event and the activity-log entry; append-only.
create table events (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  -- null for entries that no webhook can subscribe to
  type text,
  title text not null,
  module_id smallint,
  reference_id varchar(25) collate "C",
  project_id varchar(25) collate "C",
  actor_type text not null,
  actor_id varchar(25) collate "C",
  actor_name text not null,
  source text not null,
  raw_description json,
  description text,
  html_description text,
  -- [{field, from, to}]
  changes json,
  -- the record as the integration surface gives it, as of the event; kept where it is delivered
  data json,
  record_version integer,
  occurred_at timestamptz(3) not null default now(),
  -- how the log names an entry whose writer named it; it says nothing of the order, as ids do
  log_id varchar(25) collate "C",
  primary key (organization_id, id)
);
create unique index events_log_id_key on events (organization_id, log_id) where log_id is not null;
create index events_reference on events (organization_id, module_id, reference_id, id);
-- what happened on a project by time: ids rise with it
create index events_project on events (organization_id, project_id, id) where project_id is not null;
create index events_actor on events (organization_id, actor_id, id);
select make_tenant('events');

create table subscriptions (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  app_id varchar(25) collate "C" not null,
  grant_id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  events text[] not null,
  url text not null,
  project_id varchar(25) collate "C",
  -- the hash of app, user, url, events and project: the same again is the same subscription
  unique_key bytea not null,
  status text not null default 'active' check (status in ('active', 'disabled')),
  -- encrypted; the previous one signs too until previous_until
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamptz(3),
  failing_since timestamptz(3),
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  unique (organization_id, unique_key),
  constraint subscriptions_app_id_fkey foreign key (organization_id, app_id) references apps on delete cascade,
  constraint subscriptions_grant_id_fkey foreign key (organization_id, grant_id) references grants on delete cascade
);
create index subscriptions_app on subscriptions (organization_id, app_id);
create index subscriptions_grant on subscriptions (organization_id, grant_id);
select make_tenant('subscriptions');

-- one row per event and subscription, made in the transaction of the write itself
create table deliveries (
  organization_id varchar(25) collate "C" not null,
  -- the webhook-id: the same for every attempt
  id varchar(25) collate "C" not null,
  event_id varchar(25) collate "C" not null,
  subscription_id varchar(25) collate "C" not null,
  -- the record as it is sent, where the event was stored without it
  data text,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failing', 'exhausted', 'dropped')),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null default now(),
  -- a worker that claims the row owns it until then; a killed worker's rows are taken over after it
  leased_until timestamptz(3),
  response_status integer,
  response_excerpt text,
  error text,
  duration_ms integer,
  creation_time timestamptz(3) not null default now(),
  delivered_at timestamptz(3),
  primary key (organization_id, id),
  unique (organization_id, event_id, subscription_id),
  constraint deliveries_subscription_id_fkey foreign key (organization_id, subscription_id) references subscriptions on delete cascade
-- room in each page for the new version of a row that is claimed
) with (fillfactor = 70);
-- by subscription, so that the backlog of one hides nothing of another
create index deliveries_due on deliveries (organization_id, subscription_id, next_attempt_at) where status in ('pending', 'failing');
create index deliveries_subscription on deliveries (organization_id, subscription_id, id);
select make_tenant('deliveries');

create table idempotency_keys (
  organization_id varchar(25) collate "C" not null,
  caller varchar(25) collate "C" not null,
  path text not null,
  key text not null,
  body_hash bytea not null,
  status smallint not null,
  headers json not null,
  -- encrypted: answers may hold secrets
  body bytea,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, caller, path, key)
);
create index idempotency_keys_age on idempotency_keys (creation_time);
select make_tenant('idempotency_keys');

create trigger tell after insert or update or delete on roles for each row execute function tell_changed();
create trigger tell after insert or update or delete on users for each row execute function tell_changed();
create trigger tell after update or delete on organizations for each row execute function tell_changed();
create trigger tell after update or delete on sessions for each row execute function tell_changed();
create trigger tell after insert or update or delete on apps for each row execute function tell_changed();
create trigger tell after update or delete on grants for each row execute function tell_changed();
create trigger tell after insert or update or delete on field_definitions for each row execute function tell_changed();
create trigger tell after insert or update or delete on option_sets for each row execute function tell_changed();
create trigger tell after insert or update or delete on accounts for each row execute function tell_changed();
create trigger tell after insert or delete or update of status, events on subscriptions for each row execute function tell_changed();
