-- What a recipient is asked for before the page opens, and the code that was mailed for it.
alter table signature_requests add column check_by text;
alter table signature_recipients add column code_hash bytea, add column code_until timestamptz(3),
  add column code_tries smallint not null default 0;
