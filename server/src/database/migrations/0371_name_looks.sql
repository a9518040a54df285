-- what the name `name_looks_of` looks like, in three ways, computed by the service; where that is not the name, it is
-- computed again. Each has a column, since row-level security uses an index for the equality of texts only
alter table organizations
  add column name_looks_of text,
  add column name_small text,
  add column name_skeleton text,
  add column name_skeleton_of_capitals text;
create index organizations_name_small on organizations (name_small);
create index organizations_name_skeleton on organizations (name_skeleton);
create index organizations_name_skeleton_of_capitals on organizations (name_skeleton_of_capitals);
create index organizations_name_unlooked on organizations (organization_id)
  where name_looks_of is distinct from name;
