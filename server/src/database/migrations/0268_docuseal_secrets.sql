-- which secret of an organization DocuSeal sends: they are derived from its id and this number; and until when the one before is good
alter table organizations
  add column docuseal_secret_number integer not null default 0,
  add column docuseal_previous_until timestamptz(3);
