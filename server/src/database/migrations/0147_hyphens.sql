-- Words with a hyphen are found as one word too: "kickoff" finds "Kick-off".
set local app.organization = '*';

-- the words of a text that hold hyphens, each without them; null where there are none
create function joined_words(name text) returns text immutable parallel safe language sql
  return case when name ~ '\w[-‐‑]\w' then plain_words((
    select string_agg(translate(w, '-‐‑', ''), ' ') from regexp_split_to_table(name, '\s+') w
    where w ~ '\w[-‐‑]\w')) end;

-- what is looked through of a record: its name and what is known beside it
create function search_text(name text, also text) returns text immutable parallel safe language sql
  return ' ' || coalesce(plain_words(name), '') || ' ' || coalesce(plain_words(also), '')
    || coalesce(' ' || joined_words(concat_ws(' ', name, also)), '');

-- the function of the triggers of a table, as `make_searchable` says
create function make_search_function(shelf text, name text, also text)
returns void language plpgsql as $$
begin
  execute format($make$
    create or replace function search_keep_%1$s() returns trigger language plpgsql
      security definer set search_path = perennial, public as $keep$
    begin
      if tg_op <> 'INSERT' then
        delete from search_entries where organization_id = old.organization_id and source = %1$L
          and title_key = left(coalesce(plain_words(%4$s), ''), 100) and id = old.id;
      end if;
      if tg_op = 'DELETE' then return null; end if;
      insert into search_entries (organization_id, source, title_key, id, words)
      values (new.organization_id, %1$L, left(coalesce(plain_words(%2$s), ''), 100), new.id,
        search_text(%2$s, %3$s));
      return null;
    end $keep$ $make$, shelf, name, also, replace(name, 'new.', 'old.'));
end $$;

create or replace function make_searchable(source regclass, name text, also text, columns text[])
returns void language plpgsql as $$
declare
  shelf text := (select relname from pg_class where oid = source);
begin
  perform make_search_function(shelf, name, coalesce(also, 'null::text'));
  execute format('create trigger search_made after insert or delete on %s
    for each row execute function search_keep_%s()', source, shelf);
  execute format('create trigger search_changed after update of %s on %s
    for each row when ((%s) is distinct from (%s)) execute function search_keep_%s()',
    array_to_string(columns, ', '), source,
    (select string_agg('old.' || c, ', ') from unnest(columns) c),
    (select string_agg('new.' || c, ', ') from unnest(columns) c), shelf);
  execute format($fill$
    insert into search_entries (organization_id, source, title_key, id, words)
    select organization_id, %1$L, left(coalesce(plain_words(%2$s), ''), 100), id,
      search_text(%2$s, %3$s) from %4$s new$fill$,
    shelf, name, coalesce(also, 'null::text'), source);
end $$;

do $$
declare
  one record;
begin
  for one in select * from (values
    ('contacts', 'new.full_name', 'new.primary_email'),
    ('companies', 'new.company_name', 'new.domain'),
    ('users', 'new.full_name', 'new.email'),
    ('tags', 'new.tag_name', 'null::text'),
    ('accounts', 'new.account_name', 'null::text'),
    ('projects', 'new.project_name', 'null::text'),
    ('milestones', 'new.name', 'null::text'),
    ('tasks', 'new.title', 'null::text'),
    ('documents', 'new.document_name', 'new.file_name'),
    ('surveys', 'new.name', 'null::text'),
    ('meetings', 'new.title', 'null::text'),
    ('dashboards', 'new.dashboard_name', 'null::text'),
    ('templates', 'new.template_name', 'null::text'),
    ('interactions', 'left(new.content, 500)', 'null::text')
  ) as v (shelf, name, also)
  loop
    perform make_search_function(one.shelf, one.name, one.also);
    -- what is there already
    execute format($fill$
      update search_entries e set words = search_text(%2$s, %3$s) from %1$I new
      where e.organization_id = new.organization_id and e.source = %1$L and e.id = new.id
        and e.title_key = left(coalesce(plain_words(%2$s), ''), 100)
        and concat_ws(' ', %2$s, %3$s) ~ '\w[-‐‑]\w'$fill$, one.shelf, one.name, one.also);
  end loop;
end $$;
