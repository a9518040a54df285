-- Tasks and documents stayed with the account that their project had before. Documents of tasks and milestones
-- had neither project nor account: who is attached to the project did not see them, however they were shared,
-- and everybody saw those of a project that is hidden. Now a task or document that has its project's account
-- gets the new one with it, whichever write changes the project's, and a document follows its task.
create function follow_project() returns trigger language plpgsql as $$
begin
  update perennial.tasks t set account_id = new.account_id, version = t.version + 1,
      last_update_time = greatest(t.last_update_time, new.last_update_time)
    where t.organization_id = new.organization_id and t.project_id = new.id
      and t.account_id is not distinct from old.account_id;
  update perennial.documents t set account_id = new.account_id, version = t.version + 1,
      last_update_time = greatest(t.last_update_time, new.last_update_time)
    where t.organization_id = new.organization_id and t.project_id = new.id
      and t.account_id is not distinct from old.account_id;
  return null;
end $$;

-- not "of account_id": the trigger derive_account sets it in updates that name other columns
create trigger parts_follow_project after update on projects for each row
  when (new.account_id is distinct from old.account_id)
  execute function follow_project();

create function follow_task() returns trigger language plpgsql as $$
begin
  update perennial.documents t set version = t.version + 1,
      project_id = case when t.project_id is not distinct from old.project_id
        then new.project_id else t.project_id end,
      account_id = case when t.account_id is not distinct from old.account_id
        then new.account_id else t.account_id end,
      last_update_time = greatest(t.last_update_time, new.last_update_time)
    where t.organization_id = new.organization_id and t.module_id = 1 and t.reference_id = new.id
      and (t.project_id is not distinct from old.project_id
        or t.account_id is not distinct from old.account_id);
  return null;
end $$;

create trigger documents_follow_task after update on tasks for each row
  when (new.project_id is distinct from old.project_id
    or new.account_id is distinct from old.account_id)
  execute function follow_task();

-- Those of before, where nobody chose another project or account.
update documents t set project_id = a.project_id from tasks a
  where a.organization_id = t.organization_id and a.id = t.reference_id and t.module_id = 1
    and t.project_id is null and a.project_id is not null;
update documents t set project_id = a.project_id from milestones a
  where a.organization_id = t.organization_id and a.id = t.reference_id and t.module_id = 10
    and t.project_id is null;
update tasks t set account_id = p.account_id from projects p
  where p.organization_id = t.organization_id and p.id = t.project_id
    and t.account_id is null and p.account_id is not null;
update documents t set account_id = p.account_id from projects p
  where p.organization_id = t.organization_id and p.id = t.project_id
    and t.account_id is null and p.account_id is not null;
update documents t set account_id = a.account_id from tasks a
  where a.organization_id = t.organization_id and a.id = t.reference_id and t.module_id = 1
    and t.account_id is null and a.account_id is not null;
