-- What names a removed row is cleared by the statement that removes it, with its organization, and not by the
-- database: `on delete set null` of one column of a key is what a distributed PostgreSQL refuses.
alter table projects drop constraint projects_current_milestone_id_fkey;
alter table meetings drop constraint meetings_milestone_id_fkey;
alter table record_activity drop constraint record_activity_contact_id_fkey;
alter table openid_providers drop constraint openid_providers_new_users_role_id_fkey;
