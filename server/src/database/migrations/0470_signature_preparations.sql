-- What is prepared for signature of a document and not sent yet: who signs, and where on its pages.
create table signature_preparations (
  organization_id varchar(25) collate "C" not null references organizations deferrable,
  document_id varchar(25) collate "C" not null,
  -- recipients, fields, message and last day, as the API has them; empty once it is sent
  content jsonb not null,
  version integer not null,
  updated_by varchar(25) collate "C",
  last_update_time timestamptz(3) not null default now(),
  primary key (organization_id, document_id),
  foreign key (organization_id, document_id) references documents on delete cascade deferrable
);
select make_tenant('signature_preparations');
