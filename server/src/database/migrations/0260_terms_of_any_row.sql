-- The functions that hash the values of a row for filters take a row of any type: each part of a table of a
-- distributed PostgreSQL has a row type of its own, for which there would be no such function.
do $$
declare
  shelf text;
  definition text;
begin
  for shelf in
    select c.relname from pg_class c join pg_proc p on p.pronamespace = c.relnamespace
      and p.proname = 'filter_terms_' || c.relname
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
  loop
    definition := pg_get_functiondef(format('filter_terms_%1$s(%1$I)', shelf)::regprocedure);
    execute format('drop function filter_terms_%1$s(%1$I)', shelf);
    execute regexp_replace(definition, '\(new [^)]*\)', '(new anyelement)');
  end loop;
  -- and those of tables that are yet to come
  execute replace(
    pg_get_functiondef('make_filterable(regclass, text[], text[], boolean)'::regprocedure),
    'filter_terms_%1$s(new %1$s)', 'filter_terms_%1$s(new anyelement)');
end $$;
