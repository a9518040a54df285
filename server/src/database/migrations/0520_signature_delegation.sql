-- Whether recipients may hand their place over to somebody else, and which places were, once.
alter table signature_requests add column allow_delegation boolean not null default false;
alter table signature_recipients add column is_delegated boolean not null default false;
