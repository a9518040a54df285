-- Contacts in the order of their e-mails: those without one come as if before all, as a cursor needs it.
create index contacts_in_email_order on contacts
  (organization_id, (case when primary_email_key is null then '' else primary_email_key end), id)
  where deleted_at is null;
