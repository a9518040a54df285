-- how much of a quota was used in a window of time; the id is a keyed hash of what is counted and when
create table quota_counts (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  name text not null,
  ends_at timestamptz(3) not null,
  count integer not null default 0,
  primary key (organization_id, id)
);
select make_tenant('quota_counts');

-- a mail has its row once it is counted; it is done when it was sent, or when a later job has it
alter table sent_mails add column is_done boolean not null default true;
alter table sent_mails add column deferred_until timestamptz(3);
create index sent_mails_deferred on sent_mails (organization_id, deferred_until)
  where deferred_until is not null;

-- the storage that an organization uses; versions may share a file
create index documents_files on documents (organization_id, storage_key) include (file_size)
  where storage_key is not null;
