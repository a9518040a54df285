-- A column for a field of a record in one step: `add_field` and `add_reference` do what each field needs (CONTRIBUTING,
-- "Add a field"), and filters find rows by it. What the trigger of a table leaves out is stored with it, as
-- a comment of its function, so that it is said only once.

-- Writes the function with which the trigger of a table hashes its columns, as 0220 and 0260 say.
create function make_filter_terms(source regclass, unread text[], whole text[]) returns void
language plpgsql as $make_filter_terms$
declare
  shelf text := (select relname from pg_class where oid = source);
  ids text;
  others text;
begin
  select string_agg(case
      when format_type(atttypid, null) = 'boolean'
        then format($f$case when new.%1$I then hashtext((pre || '%1$s=true') collate "C") end$f$, attname)
      else format($f$hashtext((pre || '%1$s=' || lower(nullif(new.%1$I, '') collate "default")) collate "C")$f$, attname) end, ', ')
      filter (where format_type(atttypid, null) in ('boolean', 'character varying')),
    string_agg(format('if new.%1$I %2$s then terms := terms || %3$s; end if;', attname,
      case when format_type(atttypid, null) = 'text' then '<> ''''' else 'is not null' end,
      format(case
        when attname = 'custom_fields' then 'filter_custom_terms(pre, new.%1$I)'
        when format_type(atttypid, null) = 'text' and attname = any (whole)
          then 'hashtext((pre || ''%1$s='' || filter_text(new.%1$I)) collate "C")'
        when format_type(atttypid, null) = 'text' then 'filter_text_terms(pre || ''%1$s'', new.%1$I)'
        when format_type(atttypid, null) = 'jsonb' then 'filter_list_terms(pre || ''%1$s'', new.%1$I)'
        when format_type(atttypid, null) = 'date'
          then 'filter_day_terms(pre || ''%1$s'', filter_day(new.%1$I))'
        when format_type(atttypid, null) like 'timestamp%%'
          then 'filter_day_terms(pre || ''%1$s'', filter_day((new.%1$I at time zone ''UTC'')::date))'
        else 'filter_number_terms(pre || ''%1$s'', new.%1$I)' end, attname)), E'\n      ' order by attnum)
      filter (where format_type(atttypid, null) in ('text', 'jsonb', 'date', 'timestamp with time zone',
        'integer', 'smallint', 'bigint', 'double precision', 'numeric'))
  into ids, others
  from pg_attribute
  where attrelid = source and attnum > 0 and not attisdropped and attgenerated = ''
    and attname <> all (unread || array['organization_id', 'id', 'version', 'deleted_at', 'unique_key']);

  execute format($make$
    create or replace function filter_terms_%1$s(new anyelement) returns integer[]
    immutable language plpgsql as $terms$
    declare
      pre text := new.organization_id || ' %1$s ';
      terms integer[] := array[%2$s]::integer[];
    begin
      %3$s
      return array_remove(terms, null);
    end $terms$ $make$, shelf, coalesce(ids, ''), others);
end $make_filter_terms$;

-- What was said of a table when it was made filterable.
create function filter_choices(source regclass) returns jsonb stable language sql as $$
  select coalesce(obj_description(p.oid, 'pg_proc')::jsonb, '{}')
  from pg_class c left join pg_proc p on p.pronamespace = c.relnamespace and p.proname = 'filter_terms_' || c.relname
  where c.oid = source
$$;

-- Makes the rows of a table be found by what is stored in their columns, but for `unread` ones, and not by the
-- beginnings of `whole` ones; deleted rows have no entry, unless `deleted` are shown somewhere. What is null is as it
-- was when the table was made filterable, where it was.
create or replace function make_filterable(
  source regclass, unread text[] default null, whole text[] default null, deleted boolean default null)
returns void language plpgsql as $make_filterable$
declare
  shelf text := (select relname from pg_class where oid = source);
  has_deletion boolean := exists (select from pg_attribute
    where attrelid = source and attname = 'deleted_at' and not attisdropped);
  before jsonb := filter_choices(source);
begin
  unread := coalesce(unread, array(select jsonb_array_elements_text(before -> 'unread')));
  whole := coalesce(whole, array(select jsonb_array_elements_text(before -> 'whole')));
  deleted := coalesce(deleted, (before -> 'deleted')::boolean, false);
  perform make_filter_terms(source, unread, whole);
  execute format('comment on function filter_terms_%s is %L', shelf,
    jsonb_build_object('unread', unread, 'whole', whole, 'deleted', deleted));

  execute format($make$
    create or replace function filter_keep_%1$s() returns trigger language plpgsql
      security definer set search_path = perennial, public as $keep$
    begin
      if tg_op = 'INSERT' then
        insert into filter_entries (organization_id, source, id, terms)
        values (new.organization_id, %1$L, new.id, filter_terms_%1$s(new));
      elsif tg_op = 'DELETE' or %2$s then
        delete from filter_entries e
        where e.organization_id = old.organization_id and e.source = %1$L and e.id = old.id;
      else
        insert into filter_entries as e (organization_id, source, id, terms)
        values (new.organization_id, %1$L, new.id, filter_terms_%1$s(new))
        on conflict (organization_id, source, id) do update set terms = excluded.terms
        where e.terms is distinct from excluded.terms;
      end if;
      return null;
    end $keep$ $make$, shelf,
    case when has_deletion and not deleted then 'new.deleted_at is not null' else 'false' end);

  execute format('create or replace trigger filter_kept after insert or update or delete on %s
    for each row execute function filter_keep_%s()', source, shelf);
  -- what is there already
  perform set_config('app.organization', '*', true);
  delete from filter_entries e where e.source = shelf;
  execute format($fill$
    insert into filter_entries (organization_id, source, id, terms)
    select t.organization_id, %1$L, t.id, filter_terms_%1$s(t) from %2$s t where %3$s$fill$,
    shelf, source, case when has_deletion and not deleted then 't.deleted_at is null' else 'true' end);
end $make_filterable$;

-- Lets filters read the columns that a table has now, where its rows are found by filters at all. Their entries are
-- written anew only if the new column `holds` something already.
create function refilter(source regclass, holds boolean) returns void language plpgsql as $$
declare
  choices jsonb := filter_choices(source);
begin
  if not exists (select from pg_trigger where tgrelid = source and tgname = 'filter_kept') then return; end if;
  if holds then
    perform make_filterable(source);
  else
    perform make_filter_terms(source, array(select jsonb_array_elements_text(choices -> 'unread')),
      array(select jsonb_array_elements_text(choices -> 'whole')));
  end if;
end $$;

-- Adds the column of a field. With an `initial` value, an expression of SQL, it is never null and begins with that
-- in every row. Times are instants in milliseconds, as everywhere.
create function add_field(tenant regclass, name text, type text, initial text default null)
returns void language plpgsql as $$
begin
  execute format('alter table %s add column %I %s', tenant, name,
    case when lower(type) in ('timestamptz', 'timestamp with time zone') then 'timestamptz(3)' else type end
      || coalesce(' not null default ' || initial, ''));
  -- what is false has no term
  perform refilter(tenant, coalesce(lower(initial) <> 'false', false));
end $$;

-- Adds the column of a field that names a record of another table of the same organization: with its foreign key,
-- checked at the end of a transaction where one asks for it, and the index by which it is followed backward.
create function add_reference(tenant regclass, name text, target regclass)
returns void language plpgsql as $$
declare
  shelf text := (select relname from pg_class where oid = tenant);
begin
  execute format('alter table %s add column %I varchar(25) collate "C"', tenant, name);
  execute format('alter table %s add constraint %I foreign key (organization_id, %I)
    references %s (organization_id, id) deferrable', tenant, shelf || '_' || name || '_fkey', name, target);
  execute format('create index %I on %s (organization_id, %I) where %I is not null',
    shelf || '_' || name, tenant, name, name);
  perform refilter(tenant, false);
end $$;

-- what 0220 said of these
do $$
declare
  shelf text;
  choices text;
begin
  for shelf, choices in values
    ('contacts', '{"unread": ["creation_time", "last_update_time", "created_by"],
      "whole": ["full_name", "primary_email", "lead_status", "record_source"], "deleted": false}'),
    ('companies', '{"unread": ["creation_time", "last_update_time", "created_by"],
      "whole": ["company_name", "domain", "lead_status", "record_source"], "deleted": false}'),
    ('users', '{"unread": ["password_hash", "email_key", "invite_hash", "reset_hash"],
      "whole": [], "deleted": true}')
  loop
    if to_regproc('filter_terms_' || shelf) is not null then
      execute format('comment on function filter_terms_%s is %L', shelf, choices);
    end if;
  end loop;
end $$;
