-- What is looked through of a record is computed once for an insert, and words with hyphens only where
-- there are any: their function is called as a statement of its own, whose start costs more than the
-- insert into the table.
set local app.organization = '*';

-- the same for a name whose plain words are known
create function search_text_of(named text, name text, also text)
returns text immutable parallel safe language sql
  return ' ' || named || ' ' || coalesce(plain_words(also), '')
    || case when concat_ws(' ', name, also) ~ '\w[-‐‑]\w'
      then coalesce(' ' || joined_words(concat_ws(' ', name, also)), '') else '' end;

create or replace function search_text(name text, also text)
returns text immutable parallel safe language sql
  return search_text_of(coalesce(plain_words(name), ''), name, also);

create or replace function make_search_function(shelf text, name text, also text)
returns void language plpgsql as $$
begin
  execute format($make$
    create or replace function search_keep_%1$s() returns trigger language plpgsql
      security definer set search_path = perennial, public as $keep$
    declare
      named text;
    begin
      if tg_op <> 'INSERT' then
        delete from search_entries where organization_id = old.organization_id and source = %1$L
          and title_key = left(coalesce(plain_words(%4$s), ''), 100) and id = old.id;
      end if;
      if tg_op = 'DELETE' then return null; end if;
      named := coalesce(plain_words(%2$s), '');
      insert into search_entries (organization_id, source, title_key, id, words)
      values (new.organization_id, %1$L, left(named, 100), new.id,
        search_text_of(named, %2$s, %3$s));
      return null;
    end $keep$ $make$, shelf, name, also, replace(name, 'new.', 'old.'));
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
  end loop;
end $$;
