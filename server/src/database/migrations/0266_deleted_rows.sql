-- Which records were deleted, for conditions on links to them: few, and among a million rows all would be read.
create index companies_deleted on companies (organization_id, id) where deleted_at is not null;
create index contacts_deleted on contacts (organization_id, id) where deleted_at is not null;
create index tasks_deleted on tasks (organization_id, id) where deleted_at is not null;
