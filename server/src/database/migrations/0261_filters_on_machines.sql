-- On a distributed PostgreSQL the entries of filters are looked for on the machine of the organization, and
-- the newest are always sampled. Otherwise as 0244 says.
create or replace function filter_ids(shelf text, wanted jsonb, most integer) returns text[]
-- volatile, since no other function may ask for a plan
language plpgsql volatile security definer set search_path = perennial, public
set enable_seqscan = off as $$
declare
  organization text := current_setting('app.organization', true);
  is_distributed boolean := to_regclass('pg_catalog.pg_dist_partition') is not null;
  pre text := organization || ' ' || shelf || ' ';
  condition text;
  sampled text;
  plan json;
  seen integer;
  found text[];
begin
  with hashed as (
    select g.n, array_agg(hashtext((pre || (t ->> 0) ||
      left(filter_text(t ->> 1), coalesce((t ->> 2)::integer, 100))) collate "C")) as terms
    from jsonb_array_elements(wanted) with ordinality g (terms, n), jsonb_array_elements(g.terms) t
    group by g.n
  )
  select concat_ws(' and ', of_all, any_by_index), concat_ws(' and ', of_all, any_by_hash)
  into condition, sampled
  from (select
    (select format('e.terms @> %L::integer[]', array_agg(terms[1])) from hashed
      where cardinality(terms) = 1 having count(*) > 0) as of_all,
    (select string_agg(format('e.terms && %L::integer[]', terms), ' and ') from hashed
      where cardinality(terms) > 1) as any_by_index,
    (select string_agg(format('exists (select from (select unnest(e.terms) as term offset 0) u where u.term = any (%L::integer[]))', terms),
      ' and ') from hashed where cardinality(terms) > 1) as any_by_hash) parts;
  if is_distributed then
    -- named, since the rows are on one of the machines, which does not say what it expects
    condition := format('e.organization_id = %L and %s', organization, condition);
  else
    execute format('explain (format json) select from filter_entries e where %s', condition) into plan;
  end if;
  if is_distributed or (plan -> 0 -> 'Plan' ->> 'Plan Rows')::numeric > most then
    execute format($probe$
      select count(*) from (select from (select e.terms from filter_entries e
          where e.organization_id = %L and e.source = %L order by e.id desc limit 1000) e
        where %s limit 30) e $probe$, organization, shelf, sampled) into seen;
    if seen >= 30 then return null; end if;
  end if;
  -- the index of the terms alone, whatever the planner expects of the key's
  execute format($find$
    select array_agg(e.id) from (select e.id::text as id from (
        select e.* from filter_entries e where %s offset 0) e
      where e.organization_id = %L and e.source = %L limit %s) e $find$,
    condition, organization, shelf, most + 1)
  into found;
  return case when coalesce(cardinality(found), 0) <= most then coalesce(found, '{}') end;
end $$;
