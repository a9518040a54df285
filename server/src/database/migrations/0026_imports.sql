-- Companies and contacts from CSV: the upload, what each row became, and what undo needs.

create table imports (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  module text not null check (module in ('companies', 'contacts')),
  status text not null default 'uploaded'
    check (status in ('uploaded', 'running', 'completed', 'failed', 'cancelled', 'undoing', 'undone')),
  file_name text not null,
  file_size integer not null default 0,
  -- the header's names in order
  columns json not null default '[]',
  -- {column: target}; a column without one is left out
  mapping json not null default '{}',
  options json not null default '{}',
  preview json not null default '[]',
  warnings json not null default '[]',
  total integer not null default 0,
  done integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  -- of an undo: records taken back, and those that were changed since and stay
  undone integer not null default 0,
  kept integer not null default 0,
  -- the batch that comes next, and how often it was begun in vain
  next_batch integer not null default 0,
  tries integer not null default 0,
  error text,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  undone_at timestamptz(3),
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint imports_created_by_fkey foreign key (organization_id, created_by) references users
);
create index imports_creator on imports (organization_id, created_by) where created_by is not null;
create index imports_age on imports (creation_time);
select make_tenant('imports');

-- The rows as they were read, a batch a row: [[line, [cell, …]], …]. In the database and not on a
-- disk, since another process may run the import; already parsed, so that it goes on at any batch.
create table import_batches (
  organization_id varchar(25) collate "C" not null,
  import_id varchar(25) collate "C" not null,
  number integer not null,
  rows json not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, import_id, number),
  constraint import_batches_import_id_fkey foreign key (organization_id, import_id) references imports on delete cascade
);
create index import_batches_age on import_batches (creation_time);
select make_tenant('import_batches');

-- what an import made or changed, a record once: the version it left, and the columns it replaced
create table import_records (
  organization_id varchar(25) collate "C" not null,
  import_id varchar(25) collate "C" not null,
  record_id varchar(25) collate "C" not null,
  line integer not null,
  is_created boolean not null,
  version integer not null,
  -- {column: value} of what was replaced; null for a record that was created
  before jsonb,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, import_id, record_id),
  constraint import_records_import_id_fkey foreign key (organization_id, import_id) references imports on delete cascade
);
create index import_records_age on import_records (creation_time);
select make_tenant('import_records');

-- rows that failed, and records that an undo left alone
create table import_errors (
  organization_id varchar(25) collate "C" not null,
  import_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  line integer not null,
  -- what failed: the row, or its undo
  phase text not null check (phase in ('import', 'undo')),
  message text not null,
  -- [{field, message}]
  errors json not null default '[]',
  cells json,
  record_id varchar(25) collate "C",
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, import_id, id),
  constraint import_errors_import_id_fkey foreign key (organization_id, import_id) references imports on delete cascade
);
create index import_errors_line on import_errors (organization_id, import_id, line, id);
create index import_errors_age on import_errors (creation_time);
select make_tenant('import_errors');
