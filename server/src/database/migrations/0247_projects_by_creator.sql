-- What customers, partners and observers are attached to is found by indexes alone: also what they created.
create index projects_creator on projects (organization_id, created_by) where created_by is not null;
