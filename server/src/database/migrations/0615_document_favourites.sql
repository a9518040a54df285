-- The documents that somebody likes to have at hand, in whichever version: a row for each person and document.
create table document_favourites (
  organization_id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  -- the first version
  document_id varchar(25) collate "C" not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, user_id, document_id),
  constraint document_favourites_user_id_fkey foreign key (organization_id, user_id) references users on delete cascade deferrable,
  constraint document_favourites_document_id_fkey foreign key (organization_id, document_id) references documents on delete cascade deferrable
);
create index document_favourites_document on document_favourites (organization_id, document_id);
select make_tenant('document_favourites');
