-- The pictures in the texts of documents: of all versions, by the first one, and files in the store.
create table document_images (
  organization_id varchar(25) collate "C" not null references organizations deferrable,
  chain_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  storage_key text collate "C" not null,
  media_type text not null,
  -- bytes, and pixels
  file_size integer not null,
  width integer not null,
  height integer not null,
  -- SHA-256 in hex
  hash text not null,
  created_by varchar(25) collate "C",
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, chain_id, id),
  foreign key (organization_id, chain_id) references documents on delete cascade deferrable
);
create index document_images_storage on document_images (storage_key);
select make_tenant('document_images');
