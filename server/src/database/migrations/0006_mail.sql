-- Mails that have left, or never will: a job that runs again looks here first.
create table sent_mails (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  -- what the server said, where it refused for good
  refusal text,
  sent_at timestamptz(3) not null,
  primary key (organization_id, id)
);
select make_tenant('sent_mails');
