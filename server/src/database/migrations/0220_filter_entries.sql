-- What filters find records by: one row a record with hashes of its values, kept by triggers in the
-- write itself. One index serves every field and every organization; a condition of a filter implies
-- some of these hashes, and decides itself about the rows that they lead to.
set local app.organization = '*';

create table filter_entries (
  organization_id varchar(25) collate "C" not null,
  -- the table that the record is a row of
  source text collate "C" not null,
  id varchar(25) collate "C" not null,
  -- of organization, table, field and value, so that no other organization's rows are read
  terms integer[] not null,
  primary key (organization_id, source, id)
);
-- a short list of what is to be added, since each look-up reads it
create index filter_entries_terms on filter_entries using gin (terms) with (gin_pending_list_limit = 512);
alter table filter_entries alter column terms set statistics 1000;
select make_tenant('filter_entries');
-- Row-level security lets no operator of arrays into the condition of an index: like search_entries,
-- the table is read through functions of its owner that name the organization themselves.
alter table filter_entries no force row level security;

-- Text as it is hashed: its beginning, folded as filters fold it. It is cut again after folding, which
-- can make it longer.
create function filter_text(value text) returns text immutable parallel safe language sql
  return left(lower(left(value, 400) collate "default"), 100) collate "C";

-- The terms of a text: all of it, and its first 3, 5, 7 and 10 characters.
create function filter_text_terms(field text, value text) returns integer[]
immutable parallel safe language plpgsql as $$
declare
  k text := left(lower(left(value, 400) collate "default"), 100);
  n integer := length(k);
begin
  return case when n < 3 then array[hashtext((field || '=' || k) collate "C")]
    else array[hashtext((field || '=' || k) collate "C"), hashtext((field || '^3' || left(k, 3)) collate "C"),
      case when n >= 5 then hashtext((field || '^5' || left(k, 5)) collate "C") end,
      case when n >= 7 then hashtext((field || '^7' || left(k, 7)) collate "C") end,
      case when n >= 10 then hashtext((field || '^10' || left(k, 10)) collate "C") end] end;
end $$;

-- A day as `YYYY-MM-DD`; what lies outside these years, infinity too, counts as their end.
create function filter_day(day date) returns text immutable parallel safe language sql
  return to_char(greatest(least(day, date '9999-12-31'), date '0001-01-01'), 'YYYY-MM-DD');

-- The terms of a day `YYYY-MM-DD`: itself, its month and its year. A range is made up of few of them.
create function filter_day_terms(field text, day text) returns integer[]
immutable parallel safe language sql
  return array[hashtext((field || '@' || day) collate "C"),
    hashtext((field || '@' || left(day, 7)) collate "C"),
    hashtext((field || '@' || case when day collate "C" >= '2200' then 'after'
      when day collate "C" < '1900' then 'before' else left(day, 4) end) collate "C")];

-- The terms of a number: the leading bits of its IEEE 754 form, as an integer that sorts as the number
-- does; a range is made up of few of them. Below 2^-10 it counts as 0, above 2^60 as that.
create function filter_number_terms(field text, value double precision) returns integer[]
immutable parallel safe language plpgsql as $$
declare
  size double precision := least(abs(value), 1152921504606846976);
  bits bigint := case when size < 0.0009765625 then 0 else
    ('x' || encode(float8send(size), 'hex'))::bit(64)::bigint - 4562146422526312447 end;
begin
  if value < 0 then bits := -bits; end if;
  return array[hashtext((field || '#0:' || bits) collate "C"),
    hashtext((field || '#32:' || (bits >> 32)) collate "C"),
    hashtext((field || '#38:' || (bits >> 38)) collate "C"),
    hashtext((field || '#44:' || (bits >> 44)) collate "C"),
    hashtext((field || '#50:' || (bits >> 50)) collate "C")];
end $$;

-- The terms of the entries of a JSON array, as JSON texts.
create function filter_list_terms(field text, list jsonb) returns integer[]
immutable parallel safe language sql
  return case when jsonb_typeof(list) = 'array' then coalesce((
    select array_agg(distinct hashtext((field || '[' || filter_text(e::text)) collate "C"))
    from jsonb_array_elements(list) e where jsonb_typeof(e) in ('string', 'boolean')), '{}') else '{}' end;

-- The terms of custom fields: by the type of what is stored, whatever their definitions say.
create function filter_custom_terms(prefix text, custom jsonb) returns integer[]
immutable parallel safe language plpgsql as $$
declare
  one record;
  field text;
  terms integer[] := '{}';
begin
  if custom = '{}' or jsonb_typeof(custom) <> 'object' then return terms; end if;
  for one in select key, value, jsonb_typeof(value) as type, value #>> '{}' as plain from jsonb_each(custom) loop
    field := prefix || 'custom_fields.' || one.key;
    if one.type = 'array' then
      terms := terms || filter_list_terms(field, one.value);
    elsif one.type in ('string', 'number', 'boolean') then
      terms := terms || filter_text_terms(field, one.plain);
      if one.type = 'number' then
        -- more digits than fit are no number that a filter could name
        if one.value::numeric between -1e300 and 1e300 then
          terms := terms || filter_number_terms(field, one.value::numeric::double precision);
        end if;
      elsif one.plain ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}' then
        terms := terms || filter_day_terms(field, left(one.plain, 10));
      end if;
    end if;
  end loop;
  return terms;
end $$;

-- Makes the rows of a table be found by what is stored in their columns, but for `unread` ones, and not
-- by the beginnings of `whole` ones. Called again after a column is added. Deleted rows have no entry, unless `deleted` are shown somewhere.
create function make_filterable(
  source regclass, unread text[] default '{}', whole text[] default '{}', deleted boolean default false)
returns void language plpgsql as $make_filterable$
declare
  shelf text := (select relname from pg_class where oid = source);
  has_deletion boolean := exists (select from pg_attribute
    where attrelid = source and attname = 'deleted_at' and not attisdropped);
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
    create or replace function filter_terms_%1$s(new %1$s) returns integer[]
    immutable language plpgsql as $terms$
    declare
      pre text := new.organization_id || ' %1$s ';
      terms integer[] := array[%2$s]::integer[];
    begin
      %3$s
      return array_remove(terms, null);
    end $terms$ $make$, shelf, coalesce(ids, ''), others);

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
  delete from filter_entries e where e.source = shelf;
  execute format($fill$
    insert into filter_entries (organization_id, source, id, terms)
    select t.organization_id, %1$L, t.id, filter_terms_%1$s(t) from %2$s t where %3$s$fill$,
    shelf, source, case when has_deletion and not deleted then 't.deleted_at is null' else 'true' end);
end $make_filterable$;

-- The records of one source that may meet conditions, in the organization of the session; null where
-- they are too many to be named, or where reading the newest finds enough of them soon. `wanted` has for
-- each condition the terms of which one must be there: `[field and kind, value, characters of it]`.
create function filter_ids(shelf text, wanted jsonb, most integer) returns text[]
-- volatile, since no other function may ask for a plan
language plpgsql volatile security definer set search_path = perennial, public
set enable_seqscan = off as $$
declare
  organization text := current_setting('app.organization', true);
  pre text := organization || ' ' || shelf || ' ';
  condition text;
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
  select concat_ws(' and ',
    (select format('e.terms @> %L::integer[]', array_agg(terms[1])) from hashed
      where cardinality(terms) = 1 having count(*) > 0),
    (select string_agg(format('e.terms && %L::integer[]', terms), ' and ') from hashed
      where cardinality(terms) > 1))
  into condition;
  execute format('explain (format json) select from filter_entries e where %s', condition) into plan;
  if (plan -> 0 -> 'Plan' ->> 'Plan Rows')::numeric > most then
    execute format($probe$
      select count(*) from (select from (select e.terms from filter_entries e
          where e.organization_id = %L and e.source = %L order by e.id desc limit 2000) e
        where %s limit 60) e $probe$, organization, shelf, condition) into seen;
    if seen >= 60 then return null; end if;
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

do $$
declare
  source text;
begin
  foreach source in array array['projects', 'milestones', 'tasks', 'templates', 'surveys',
    'survey_automations', 'documents', 'meetings', 'meeting_insights', 'interactions', 'accounts',
    'dashboards', 'tags', 'holiday_sets', 'filters', 'roles', 'pipelines', 'imports', 'statuses']
  loop
    perform make_filterable(source::regclass);
  end loop;
  -- Ordinary indexes serve these times, the search the beginnings of names; few words are chosen from.
  perform make_filterable('contacts', '{creation_time,last_update_time,created_by}',
    '{full_name,primary_email,lead_status,record_source}');
  perform make_filterable('companies', '{creation_time,last_update_time,created_by}',
    '{company_name,domain,lead_status,record_source}');
  -- people are shown when they have left, too
  perform make_filterable('users', '{password_hash,email_key,invite_hash,reset_hash}', deleted => true);
end $$;
