-- Whether references are checked at the end of the transaction, or at once: called for an organization, it holds on
-- the machine that has the organization too, where the tables are distributed.
create function references_at_commit(is_late boolean) returns boolean
language plpgsql volatile
set search_path = perennial, public as $$
begin
  if is_late then
    set constraints all deferred;
  else
    set constraints all immediate;
  end if;
  return is_late;
end $$;
