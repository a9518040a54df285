-- An organization comes from an archive in one transaction, whose tables refer to each other in
-- circles: links may be checked at its end. Nothing else changes: they are checked at once by default.
do $$
declare
  link record;
begin
  for link in
    select conname, conrelid::regclass as relation from pg_constraint
    where contype = 'f' and not condeferrable
      and connamespace = current_schema()::regnamespace
  loop
    execute format('alter table %s alter constraint %I deferrable initially immediate',
      link.relation, link.conname);
  end loop;
end
$$;
