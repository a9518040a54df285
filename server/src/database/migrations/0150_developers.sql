-- who added an app: roles that may change their own alone; null for those of the operator
alter table apps add column created_by varchar(25) collate "C";
alter table apps add column version integer not null default 1;
alter table subscriptions add column version integer not null default 1;

-- addresses of this installation that store for minutes the deliveries that arrive there
create table webhook_inspectors (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  token_hash bytea not null,
  -- as it is shown to its user, encrypted
  token bytea not null,
  -- signs what the test operation sends there, encrypted
  secret bytea not null,
  expires_at timestamptz(3) not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create index webhook_inspectors_token on webhook_inspectors (token_hash);
create index webhook_inspectors_user on webhook_inspectors (organization_id, user_id);
create index webhook_inspectors_expiry on webhook_inspectors (expires_at);
select make_tenant('webhook_inspectors');

create table inspected_deliveries (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  inspector_id varchar(25) collate "C" not null,
  headers json not null,
  body text not null,
  received_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint inspected_deliveries_inspector_id_fkey foreign key (organization_id, inspector_id)
    references webhook_inspectors on delete cascade
);
create index inspected_deliveries_inspector on inspected_deliveries (organization_id, inspector_id, id);
select make_tenant('inspected_deliveries');
