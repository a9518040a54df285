-- One document sent for signature to many: each line is a document of its own.
create table signature_batches (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  document_id varchar(25) collate "C" not null,
  -- held (nothing has left yet), running, done, cancelled, failed
  status text not null,
  -- what was prepared, the name, the message and the end, as they were when it was started
  content jsonb not null,
  starts_at timestamptz(3) not null,
  finished_at timestamptz(3),
  line_count integer not null,
  sent_count integer not null default 0,
  failed_count integer not null default 0,
  failure text,
  created_by varchar(25) collate "C",
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint signature_batches_document_id_fkey foreign key (organization_id, document_id) references documents on delete cascade deferrable
);
create index signature_batches_document on signature_batches (organization_id, document_id, creation_time);
select make_tenant('signature_batches');

create table signature_batch_lines (
  organization_id varchar(25) collate "C" not null,
  batch_id varchar(25) collate "C" not null,
  line integer not null,
  name text not null,
  email text not null,
  -- who is asked, for what, with which values; null once that is done
  content jsonb,
  -- the document that was made and sent
  document_id varchar(25) collate "C",
  failure text,
  primary key (organization_id, batch_id, line),
  constraint signature_batch_lines_batch_id_fkey foreign key (organization_id, batch_id) references signature_batches on delete cascade deferrable,
  constraint signature_batch_lines_document_id_fkey foreign key (organization_id, document_id) references documents on delete cascade deferrable
);
create index signature_batch_lines_document on signature_batch_lines (organization_id, document_id) where document_id is not null;
create index signature_batch_lines_email on signature_batch_lines (organization_id, lower(email));
select make_tenant('signature_batch_lines');
