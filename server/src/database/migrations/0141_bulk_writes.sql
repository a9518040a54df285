-- Changes of many records at once, so that they can be taken back together.
create table bulk_writes (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  -- whose records: the name of their list, such as companies
  list text not null,
  action text not null,
  undone_at timestamptz(3),
  created_by varchar(25) collate "C",
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create index bulk_writes_creation on bulk_writes (creation_time);
select make_tenant('bulk_writes');

-- which records, the version that each then had, and what the change replaced
create table bulk_write_records (
  organization_id varchar(25) collate "C" not null,
  bulk_id varchar(25) collate "C" not null,
  record_id varchar(25) collate "C" not null,
  version integer,
  before jsonb,
  primary key (organization_id, bulk_id, record_id),
  constraint bulk_write_records_bulk_id_fkey foreign key (organization_id, bulk_id)
    references bulk_writes on delete cascade
);
select make_tenant('bulk_write_records');
