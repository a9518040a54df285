-- A policy without subqueries, which distributed engines do not take: the setting is read for each row,
-- about 0.1 µs, and the planner has two plans fewer to make for each table of a statement. The CASE still
-- hides the equality from the planner, which would count it a second time beside the query's own.
create or replace function make_tenant(tenant regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant);
  execute format('alter table %s force row level security', tenant);
  execute format(
    'create policy tenant on %s using (
       case when organization_id = current_setting(''app.organization'', true) then true
       else current_setting(''app.organization'', true) = ''*'' end)', tenant);
end $$;

do $$
declare
  tenant regclass;
begin
  for tenant in
    select polrelid::regclass from pg_policy where polname = 'tenant'
      and polrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)
  loop
    execute format(
      'alter policy tenant on %s using (
         case when organization_id = current_setting(''app.organization'', true) then true
         else current_setting(''app.organization'', true) = ''*'' end)', tenant);
  end loop;
end $$;
