-- Whether a record is shared with the customers and partners of its account. New ones are internal.
set local app.organization = '*';
alter table projects add column is_shared boolean not null default false;
alter table milestones add column is_shared boolean not null default false;
alter table tasks add column is_shared boolean not null default false;
alter table documents add column is_shared boolean not null default false;
alter table meetings add column is_shared boolean not null default false;
alter table interactions add column is_shared boolean not null default false;
alter table tags add column is_shared boolean not null default false;
-- of a field: whether customers and partners are shown its values
alter table field_definitions add column is_shared boolean not null default false;

-- What customers and partners could read until now they still read: nobody loses a project, task or
-- document by the upgrade. Deals are closed to them, and what the team wrote in comments is internal,
-- but for threads in which one of them took part.
update projects set is_shared = true
  where project_type = 'project' and visible_to_all and not is_private;
update milestones m set is_shared = true from projects p
  where p.organization_id = m.organization_id and p.id = m.project_id and p.is_shared
    and not m.is_private;
update tasks t set is_shared = true
  where t.visibility = 'shared' and not t.is_private
    and (t.project_id is not null or t.account_id is not null)
    and not exists (select from projects p where p.organization_id = t.organization_id
      and p.id = t.project_id and not p.is_shared);
update documents d set is_shared = true
  where d.document_status = 'published' and not d.is_private
    and (d.project_id is not null or d.account_id is not null)
    and not exists (select from projects p where p.organization_id = d.organization_id
      and p.id = d.project_id and not p.is_shared);
update meetings m set is_shared = true from projects p
  where p.organization_id = m.organization_id and p.id = m.project_id and p.is_shared
    and not m.is_private;
with outsiders as (
  select u.organization_id, u.id from users u
  join roles r on r.organization_id = u.organization_id and r.id = u.role_id
  where r.kind in ('customer', 'partner')
)
update interactions i set is_shared = true
  from (
    select distinct t.organization_id, t.thread_id from interactions t
    join outsiders o on o.organization_id = t.organization_id
      and (t.created_by = o.id or t.mentions ? o.id::text)
    where not t.is_private
  ) joined
  where joined.organization_id = i.organization_id and joined.thread_id = i.thread_id
    and not i.is_private;

-- until now every customer role had it by default: who wants it grants it again
update roles set permission = jsonb_set(permission, '{deals}',
    '{"create": "none", "read": "none", "update": "none", "delete": "none"}')
  where kind in ('customer', 'partner') and permission ? 'deals';
