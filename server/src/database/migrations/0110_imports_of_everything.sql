-- Imports of every module, from spreadsheets as people have them.

alter table imports drop constraint imports_module_check;
alter table imports add constraint imports_module_check check (module in ('companies', 'contacts',
  'accounts', 'deals', 'projects', 'milestones', 'tasks', 'meetings', 'tags', 'holidays')) not valid;

-- how the file is read: {type, encoding, delimiter, sheet, sheets, header_line}
alter table imports add column reading json not null default '{}';
-- what all values of each column say about how it is written, in the order of the columns
alter table imports add column profiles json not null default '[]';
-- what each column becomes, and what came of the rows that were checked
alter table imports add column column_report json not null default '[]';
alter table imports add column checked json;
-- mapping and formats are those of an earlier import with the same header
alter table imports add column is_remembered boolean not null default false;
-- cells that were left empty
alter table imports add column cell_errors integer not null default 0;

-- `cell`: cells of a row that was imported without them; `skipped`: a row whose record exists
alter table import_errors drop constraint import_errors_phase_check;
alter table import_errors add constraint import_errors_phase_check
  check (phase in ('import', 'cell', 'skipped', 'undo')) not valid;

-- of another module than the import's, such as a company that a row named; null for the import's own
alter table import_records add column module text;

-- The mapping and the formats that an organization chose for a header, the last ones each.
create table import_choices (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  module text not null,
  -- of the header's names, in whatever order
  header_hash text collate "C" not null,
  mapping json not null,
  formats json not null default '{}',
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  unique (organization_id, module, header_hash)
);
select make_tenant('import_choices');
