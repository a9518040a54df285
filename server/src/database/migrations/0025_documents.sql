-- each version of a document is a row; chain_id is the id of the first of them
create table documents (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  chain_id varchar(25) collate "C" not null,
  document_name text not null,
  document_name_key text collate "C" generated always as (lower(document_name)) stored,
  description text,
  -- what it hangs on: a record by its module's number and its id
  module_id smallint,
  sub_module text,
  reference_id varchar(25) collate "C",
  account_id varchar(25) collate "C",
  project_id varchar(25) collate "C",
  -- the file, where there is one, under its key in the store
  storage_type text,
  storage_key text collate "C",
  file_name text,
  zip_file_name text,
  file_type text,
  file_size integer,
  file_hash text,
  file_icon text,
  file_time timestamptz(3),
  external_file_url text,
  editorjs_content jsonb,
  editor_html_content text,
  is_editorjs_document boolean not null default false,
  in_line_type integer,
  menu_type text,
  is_private boolean not null default false,
  -- user ids
  private_users jsonb not null default '[]',
  show_download_icon boolean not null default true,
  show_in_document boolean not null default true,
  public_config jsonb not null default '{}',
  tags jsonb not null default '[]',
  custom_fields jsonb not null default '{}',
  document_version integer not null default 1,
  parent_attach_id varchar(25) collate "C",
  latest_version boolean not null default true,
  version_type text check (version_type in ('edit', 'signature')),
  is_signed_version boolean not null default false,
  document_status text not null default 'draft' check (document_status in ('draft', 'published')),
  published_at timestamptz(3),
  signature_status text not null default 'none'
    check (signature_status in ('none', 'pending', 'partial', 'signed', 'declined')),
  signature_enabled boolean not null default false,
  signatures_required integer not null default 0,
  signatures_completed integer not null default 0,
  -- the request whose recipients it shows; a signed version has that of the one it was made from
  signature_request varchar(25) collate "C",
  signed_at timestamptz(3),
  external_template integer,
  external_template_slug text,
  external_frozen_template integer,
  external_frozen_template_slug text,
  external_submission integer,
  external_signed_document_url text,
  external_audit_log_url text,
  view_count integer not null default 0,
  download_count integer not null default 0,
  share_count integer not null default 0,
  document_template jsonb,
  document_owner varchar(25) collate "C",
  start_date date,
  due_date date,
  forecasted_date date,
  show_forecasted_date boolean not null default false,
  revenue numeric,
  is_arr boolean not null default false,
  document_fee numeric,
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint documents_account_id_fkey foreign key (organization_id, account_id) references accounts,
  constraint documents_project_id_fkey foreign key (organization_id, project_id) references projects,
  constraint documents_document_owner_fkey foreign key (organization_id, document_owner) references users
);
create unique index documents_latest on documents (organization_id, chain_id) where latest_version and deleted_at is null;
create index documents_chain on documents (organization_id, chain_id, document_version);
create index documents_list on documents (organization_id, id) where latest_version and deleted_at is null;
create index documents_name on documents (organization_id, document_name_key, id) where latest_version and deleted_at is null;
create index documents_account_key on documents (organization_id, account_id) where account_id is not null;
create index documents_project_key on documents (organization_id, project_id) where project_id is not null;
create index documents_owner_key on documents (organization_id, document_owner) where document_owner is not null;
create index documents_reference on documents (organization_id, module_id, reference_id, id) where reference_id is not null;
create index documents_status on documents (organization_id, document_status, id) where latest_version and deleted_at is null;
create index documents_signature on documents (organization_id, signature_status, id) where signature_status <> 'none';
create unique index documents_submission on documents (organization_id, external_submission) where external_submission is not null and latest_version and deleted_at is null;
create index documents_storage on documents (storage_key) where storage_key is not null;
select make_tenant('documents');

-- how often a document was seen on a day (UTC)
create table document_days (
  organization_id varchar(25) collate "C" not null,
  document_id varchar(25) collate "C" not null,
  day date not null,
  views integer not null default 0,
  downloads integer not null default 0,
  shares integer not null default 0,
  primary key (organization_id, document_id, day),
  constraint document_days_document_id_fkey
    foreign key (organization_id, document_id) references documents on delete cascade
);
create index document_days_day on document_days (organization_id, day);
select make_tenant('document_days');

-- the asking of people to sign one version of a document
create table signature_requests (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  document_id varchar(25) collate "C" not null,
  status text not null default 'open'
    check (status in ('open', 'signed', 'declined', 'voided', 'expired')),
  is_sequential boolean not null,
  -- asked for by an outside signing service, which mails and reminds itself
  is_external boolean not null default false,
  message text,
  -- SHA-256 of what is signed
  content_hash text not null,
  expires_at timestamptz(3),
  reminded_at timestamptz(3),
  reminders integer not null default 0,
  reason text,
  ended_at timestamptz(3),
  created_by varchar(25) collate "C",
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint signature_requests_document_id_fkey
    foreign key (organization_id, document_id) references documents on delete cascade
);
create index signature_requests_document on signature_requests (organization_id, document_id);
create index signature_requests_open on signature_requests (organization_id, id) where status = 'open';
select make_tenant('signature_requests');

create table signature_recipients (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  request_id varchar(25) collate "C" not null,
  -- as given, from 0
  position integer not null,
  name text not null,
  email text not null,
  role text not null check (role in ('signer', 'approver', 'viewer', 'cc')),
  -- whose turn it is where they sign one after the other
  turn integer not null,
  status text not null default 'waiting'
    check (status in ('waiting', 'sent', 'viewed', 'signed', 'approved', 'declined', 'voided')),
  -- the link's token: its hash to know it by, itself encrypted for reminders
  token_hash bytea not null,
  token_sealed bytea not null,
  sent_at timestamptz(3),
  viewed_at timestamptz(3),
  acted_at timestamptz(3),
  reason text,
  -- the name typed, or the strokes drawn as SVG path data in a box of 600 × 200
  signature_name text,
  signature_path text,
  address text,
  user_agent text,
  primary key (organization_id, id),
  constraint signature_recipients_request_id_fkey
    foreign key (organization_id, request_id) references signature_requests on delete cascade
);
create index signature_recipients_request on signature_recipients (organization_id, request_id, position);
create unique index signature_recipients_token on signature_recipients (organization_id, token_hash);
create index signature_recipients_by_token on signature_recipients (token_hash);
select make_tenant('signature_recipients');

create table interaction_attachments (
  organization_id varchar(25) collate "C" not null,
  interaction_id varchar(25) collate "C" not null,
  document_id varchar(25) collate "C" not null,
  position integer not null,
  primary key (organization_id, interaction_id, document_id),
  constraint interaction_attachments_interaction_id_fkey
    foreign key (organization_id, interaction_id) references interactions on delete cascade,
  constraint interaction_attachments_document_id_fkey
    foreign key (organization_id, document_id) references documents on delete cascade
);
create index interaction_attachments_document on interaction_attachments (organization_id, document_id);
select make_tenant('interaction_attachments');

-- what an outside signing service has told already
create table external_signature_events (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  fingerprint text not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create unique index external_signature_events_fingerprint on external_signature_events (organization_id, fingerprint);
select make_tenant('external_signature_events');
