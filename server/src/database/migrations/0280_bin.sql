-- Lists of what was deleted, the latest first: few rows of each table, but an organization may delete many.
create index companies_bin on companies (organization_id, deleted_at, id) where deleted_at is not null;
create index contacts_bin on contacts (organization_id, deleted_at, id) where deleted_at is not null;
create index accounts_bin on accounts (organization_id, deleted_at, id) where deleted_at is not null;
create index projects_bin on projects (organization_id, deleted_at, id) where deleted_at is not null;
create index pipelines_bin on pipelines (organization_id, deleted_at, id) where deleted_at is not null;
create index milestones_bin on milestones (organization_id, deleted_at, id) where deleted_at is not null;
create index tasks_bin on tasks (organization_id, deleted_at, id) where deleted_at is not null;
create index templates_bin on templates (organization_id, deleted_at, id) where deleted_at is not null;
create index holiday_sets_bin on holiday_sets (organization_id, deleted_at, id) where deleted_at is not null;
create index documents_bin on documents (organization_id, deleted_at, id) where deleted_at is not null;
create index meetings_bin on meetings (organization_id, deleted_at, id) where deleted_at is not null;
create index meeting_insights_bin on meeting_insights (organization_id, deleted_at, id) where deleted_at is not null;
create index surveys_bin on surveys (organization_id, deleted_at, id) where deleted_at is not null;
create index tags_bin on tags (organization_id, deleted_at, id) where deleted_at is not null;
create index users_bin on users (organization_id, deleted_at, id) where deleted_at is not null;
create index filters_bin on filters (organization_id, deleted_at, id) where deleted_at is not null;
create index dashboards_bin on dashboards (organization_id, deleted_at, id) where deleted_at is not null;
