-- The files that recipients attach at fields of a document that they are to sign: one at each, in the store.
create table signature_files (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  recipient_id varchar(25) collate "C" not null,
  -- of the field among the recipient's
  position integer not null,
  storage_key text collate "C" not null,
  file_name text not null,
  file_type text not null,
  -- bytes
  file_size integer not null,
  -- SHA-256 in hex
  file_hash text not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint signature_files_recipient_id_fkey
    foreign key (organization_id, recipient_id) references signature_recipients on delete cascade deferrable
);
create unique index signature_files_field on signature_files (organization_id, recipient_id, position);
create index signature_files_storage on signature_files (storage_key);
select make_tenant('signature_files');
