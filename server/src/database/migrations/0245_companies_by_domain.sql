-- Bodies name a company by its domain: among 300,000 companies that read them all, 139 ms of a create of a contact
-- where the name took 5 ms.
create index companies_domain on companies (organization_id, domain, id)
  where deleted_at is null and domain is not null;
