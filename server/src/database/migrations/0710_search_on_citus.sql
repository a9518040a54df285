-- The same without a `case` of entries, whose type has another name for the part of a table that a machine of Citus has:
-- it refused searches there.
create or replace function search_find(sources text[], whole text, asked jsonb, most integer)
returns table (source text, id text, title_key text, words text)
language plpgsql volatile security definer rows 200
set search_path = perennial, public set enable_seqscan = off as $function$
declare
  organization text := current_setting('app.organization', true);
  begun text;
  held text;
  held_by text;
  plan json;
  -- of how many first entries, which cannot be enough where as many are looked for
  near integer := case when most < 1000 then 1000 else 0 end;
begin
  -- Plain words hold nothing that a pattern would take for more than itself. The index is asked for
  -- the two longest ones: more would have it read on in long lists that leave hardly anything out.
  with typed as (
    select n, alternatives,
      case when row_number() over (order by length(alternatives ->> 0) desc, n) <= 2
        then $$e.words like '%%' || %L || '%%'$$ else 'position(%L in e.words) > 0' end as test
    from jsonb_array_elements(asked) with ordinality as g (alternatives, n)
  ), each as (
    select string_agg(format(test, ' ' || w), ' or ') as begun,
      string_agg(format(test, w), ' or ') as held, min(length(w)) as shortest
    from typed, jsonb_array_elements_text(alternatives) w group by n
  )
  select string_agg('(' || each.begun || ')', ' and '), string_agg('(' || each.held || ')', ' and '),
    -- less than three characters inside of a word are in no index: all entries are read until enough are found
    case when max(each.shortest) < 3 then 'not materialized' else 'materialized' end
  into begun, held, held_by from each;
  if near > 0 and to_regclass('pg_catalog.pg_dist_partition') is null then
    execute format('explain (format json) select from search_entries e where e.organization_id = %L and %s',
      organization, held) into plan;
    if (plan -> 0 -> 'Plan' ->> 'Plan Rows')::numeric < 10 * near then near := 0; end if;
  end if;
  return query execute format($find$
    select f.source, f.id::text, f.title_key, f.words
    from unnest($1) s,
      lateral (select array_agg(x.e) as list, count(*) as n from (
        select e from search_entries e
        where e.organization_id = $2 and e.source = s and e.title_key >= $3
          and e.title_key < $3 || U&'\+10FFFF' order by e.title_key limit $4) x) a,
      lateral (select (array_agg(e.entry) filter (where e.is_begun))[:$4] as begun,
          (array_agg(e.entry) filter (where e.is_held and not e.is_begun))[:$4] as held
        from (select e.entry, (%1$s) as is_begun, (%2$s) as is_held
          from (select e as entry, e.words, e.title_key from search_entries e
            where a.n < $4 and e.organization_id = $2 and e.source = s order by e.title_key limit $5) e
          where not starts_with(e.title_key, $3)) e) near,
      lateral (select array_agg(x.e) as list from (
        with e as materialized (select e from search_entries e
          where a.n + coalesce(cardinality(near.begun), 0) < $4 and e.organization_id = $2 and e.source = s
            and %1$s and not starts_with(e.title_key, $3))
        select e.e from e limit $4) x) far,
      lateral (select coalesce(far.list, near.begun) as list) b,
      lateral (select array_agg(x.e) as list from (
        with e as %3$s (select e from search_entries e
          where a.n + coalesce(cardinality(b.list), 0) + coalesce(cardinality(near.held), 0) < $4
            and e.organization_id = $2 and e.source = s and %2$s and not (%1$s))
        select e.e from e limit $4) x) rest,
      lateral (select (coalesce(rest.list, near.held))[:case
        when a.n + coalesce(cardinality(b.list), 0) < $4 then $4 else 0 end] as list) c,
      unnest(a.list || b.list || c.list) f $find$, begun, held, held_by)
  using sources, organization, whole, most, near;
end $function$;
