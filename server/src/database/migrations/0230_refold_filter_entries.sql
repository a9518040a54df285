-- Hashes all terms of filters anew: where another engine, or another version of its collations, folds
-- letters differently, a restored backup would hold terms that conditions no longer lead to.
create function rehash_filter_entries() returns void language plpgsql
  security definer set search_path = perennial, public as $$
declare
  shelf text;
  organization text := current_setting('app.organization', true);
begin
  perform set_config('app.organization', '*', true);
  for shelf in select distinct source from filter_entries loop
    execute format(
      'update filter_entries e set terms = filter_terms_%1$s(t) from %1$I t
        where e.source = %1$L and t.organization_id = e.organization_id and t.id = e.id
          and e.terms is distinct from filter_terms_%1$s(t)', shelf);
  end loop;
  perform set_config('app.organization', coalesce(organization, ''), true);
end $$;
