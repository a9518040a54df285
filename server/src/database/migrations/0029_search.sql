-- What people look for, by name: one row a record, kept by triggers in the write itself.

create extension if not exists btree_gin schema public;

-- what is looked through: the words of a record's name and of what is known beside it
create table search_entries (
  organization_id varchar(25) collate "C" not null,
  -- the table that the record is a row of
  source text collate "C" not null,
  id varchar(25) collate "C" not null,
  -- plain words of the name, cut at 100 characters
  title_key text collate "C" not null,
  -- plain words of all of it behind a blank, so that each word starts with one
  words text not null,
  primary key (organization_id, source, id)
);
create index search_entries_title on search_entries (organization_id, source, title_key);
create index search_entries_words on search_entries
  using gin (organization_id, source, words public.gin_trgm_ops);
select make_tenant('search_entries');

-- Each word once, to find what a mistyped one may have meant. Words outlive their records: whatever
-- they lead to is looked up with the caller's rights. Two writers at once may add a word twice.
create table search_words (
  organization_id varchar(25) collate "C" not null,
  word text collate "C" not null,
  number bigint generated always as identity,
  primary key (organization_id, word, number)
);
create index search_words_like on search_words
  using gin (organization_id, word public.gin_trgm_ops);
select make_tenant('search_words');

-- Row-level security lets no operator of trigrams into the condition of an index. The service reads
-- both tables through the functions below, which run as their owner and name the organization
-- themselves; the owner is not bound by the policy, everybody else is.
alter table search_entries no force row level security;
alter table search_words no force row level security;

-- Makes the rows of a table be found: by a name, and by more that is known of them. Both are SQL over
-- `new`; the columns are those they are made of.
create function make_searchable(source regclass, name text, also text, columns text[])
returns void language plpgsql as $$
declare
  shelf text := (select relname from pg_class where oid = source);
begin
  execute format($make$
    create function search_keep_%1$s() returns trigger language plpgsql as $keep$
    declare
      named text := coalesce(plain_words(%2$s), '');
      known text := coalesce(plain_words(%3$s), '');
    begin
      if tg_op = 'INSERT' then
        insert into search_entries (organization_id, source, id, title_key, words)
        values (new.organization_id, %1$L, new.id, left(named, 100), ' ' || named || ' ' || known);
      elsif tg_op = 'UPDATE' then
        update search_entries set title_key = left(named, 100), words = ' ' || named || ' ' || known
        where organization_id = new.organization_id and source = %1$L and id = new.id;
      else
        delete from search_entries
        where organization_id = old.organization_id and source = %1$L and id = old.id;
        return null;
      end if;
      -- numbers and short words are not guessed, and of addresses only what is all letters
      insert into search_words (organization_id, word)
      select distinct new.organization_id, w
      from unnest(string_to_array(named || ' ' || regexp_replace(known, '\S*\d\S*', '', 'g'), ' ')) w
      where length(w) between 4 and 40 and w ~ '[[:alpha:]]{3}'
        and not exists (select from search_words o
          where o.organization_id = new.organization_id and o.word = w);
      return null;
    end $keep$ $make$, shelf, name, coalesce(also, 'null::text'));
  execute format('create trigger search_made after insert or delete on %s
    for each row execute function search_keep_%s()', source, shelf);
  execute format('create trigger search_changed after update of %s on %s
    for each row when ((%s) is distinct from (%s)) execute function search_keep_%s()',
    array_to_string(columns, ', '), source,
    (select string_agg('old.' || c, ', ') from unnest(columns) c),
    (select string_agg('new.' || c, ', ') from unnest(columns) c), shelf);
  -- what is there already
  execute format($fill$
    insert into search_entries (organization_id, source, id, title_key, words)
    select organization_id, %1$L, id, left(named, 100), ' ' || named || ' ' || known
    from (select organization_id, id, coalesce(plain_words(%2$s), '') as named,
        coalesce(plain_words(%3$s), '') as known from %4$s new) new$fill$,
    shelf, name, coalesce(also, 'null::text'), source);
end $$;

-- the tables above are filled for every organization
select set_config('app.organization', '*', true);

select make_searchable('contacts', 'new.full_name', 'new.primary_email', '{full_name,primary_email}');
select make_searchable('companies', 'new.company_name', 'new.domain', '{company_name,domain}');
select make_searchable('users', 'new.full_name', 'new.email', '{full_name,email}');
select make_searchable('tags', 'new.tag_name', null, '{tag_name}');
select make_searchable('accounts', 'new.account_name', null, '{account_name}');
select make_searchable('projects', 'new.project_name', null, '{project_name}');
select make_searchable('milestones', 'new.name', null, '{name}');
select make_searchable('tasks', 'new.title', null, '{title}');
select make_searchable('surveys', 'new.name', null, '{name}');
select make_searchable('meetings', 'new.title', 'new.location', '{title,location}');
select make_searchable('dashboards', 'new.dashboard_name', null, '{dashboard_name}');
select make_searchable('templates', 'new.template_name', null, '{template_name}');
select make_searchable('interactions', 'left(new.content, 500)', null, '{content}');

insert into search_words (organization_id, word)
select distinct organization_id, w
from search_entries, unnest(string_to_array(words, ' ')) w
where length(w) between 4 and 40 and w ~ '[[:alpha:]]{3}'
  and (w !~ '\d' or position(w in title_key) > 0);

-- What the words may lead to, in the organization of the session: at most `most` of each source.
-- `whole` is all of what was typed, `asked` each word of it with what it may have meant. First what
-- begins with the whole, then what has a word that begins with each, then what has them inside words.
create function search_find(sources text[], whole text, asked jsonb, most integer)
returns table (source text, id text, title_key text, words text)
language plpgsql stable security definer rows 200 set search_path = perennial, public as $$
declare
  organization text := current_setting('app.organization', true);
  start text;
  inner_part text;
begin
  -- plain words hold nothing that a pattern would take for more than itself
  select string_agg('(' || each.one || ')', ' and '), string_agg('(' || each.part || ')', ' and ')
  into start, inner_part
  from (
    select string_agg(format('e.words like %L', '% ' || w || '%'), ' or ') as one,
      string_agg(format('e.words like %L', '%' || w || '%'), ' or ') as part
    from jsonb_array_elements(asked) with ordinality as g (alternatives, n),
      jsonb_array_elements_text(g.alternatives) w
    group by n
  ) each;
  return query execute format($find$
    select found.* from unnest($1) s, lateral (
      select * from (select e.source, e.id::text, e.title_key, e.words from search_entries e
        where e.organization_id = $2 and e.source = s and e.title_key >= $3
          and e.title_key < $3 || U&'\+10FFFF' order by e.title_key limit $4) a
      union
      select * from (select e.source, e.id::text, e.title_key, e.words from search_entries e
        where e.organization_id = $2 and e.source = s and %s limit $4) b
      union
      select * from (select e.source, e.id::text, e.title_key, e.words from search_entries e
        where e.organization_id = $2 and e.source = s and %s limit $4) c
    ) found $find$, start, inner_part)
  using sources, organization, whole, most;
end $$;

-- Words like a mistyped one, the likest first; nothing where it is a word or the start of one.
create function search_guess(typed text, even_known boolean, most integer) returns setof text
language plpgsql stable security definer rows 20 set search_path = perennial, public
set pg_trgm.similarity_threshold = 0.22 as $$
declare organization text := current_setting('app.organization', true);
begin
  if not even_known and exists (select from search_words w where w.organization_id = organization
      and w.word >= typed and w.word < typed || U&'\+10FFFF') then
    return;
  end if;
  return query
    select w.word from search_words w
    where w.organization_id = organization and w.word % typed
      and length(w.word) between length(typed) - 2 and length(typed) + 2
    group by w.word order by similarity(w.word, typed) desc, w.word limit most;
end $$;
