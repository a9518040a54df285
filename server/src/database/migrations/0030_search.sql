-- What people look for, by name: one row a record, kept by triggers in the write itself.

create extension if not exists btree_gin schema public;

-- What is looked through: the words of a record's name and of what is known beside it. The key leads
-- from the start of a name to its records, so that writes keep one index less.
create table search_entries (
  organization_id varchar(25) collate "C" not null,
  -- the table that the record is a row of
  source text collate "C" not null,
  -- plain words of the name, cut at 100 characters
  title_key text collate "C" not null,
  id varchar(25) collate "C" not null,
  -- plain words of all of it behind a blank, so that each word starts with one
  words text not null,
  primary key (organization_id, source, title_key, id)
);
create index search_entries_words on search_entries
  using gin (organization_id, source, words public.gin_trgm_ops);
select make_tenant('search_entries');

-- The words of large organizations, each once, to find what a mistyped one may have meant: reading
-- them out of all their entries would take too long. Housekeeping adds to them; what they lead to is
-- looked up with the caller's rights, so that they may outlive their records.
create table search_words (
  organization_id varchar(25) collate "C" not null,
  word text collate "C" not null,
  primary key (organization_id, word)
);
create index search_words_like on search_words using gin (organization_id, word public.gin_trgm_ops);
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
    create function search_keep_%1$s() returns trigger language plpgsql
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
        ' ' || named || ' ' || coalesce(plain_words(%3$s), ''));
      return null;
    end $keep$ $make$, shelf, name, coalesce(also, 'null::text'), replace(name, 'new.', 'old.'));
  execute format('create trigger search_made after insert or delete on %s
    for each row execute function search_keep_%s()', source, shelf);
  execute format('create trigger search_changed after update of %s on %s
    for each row when ((%s) is distinct from (%s)) execute function search_keep_%s()',
    array_to_string(columns, ', '), source,
    (select string_agg('old.' || c, ', ') from unnest(columns) c),
    (select string_agg('new.' || c, ', ') from unnest(columns) c), shelf);
  -- what is there already
  execute format($fill$
    insert into search_entries (organization_id, source, title_key, id, words)
    select organization_id, %1$L, left(named, 100), id, ' ' || named || ' ' || known
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
select make_searchable('documents', 'new.document_name', 'new.file_name', '{document_name,file_name}');
select make_searchable('surveys', 'new.name', null, '{name}');
select make_searchable('meetings', 'new.title', null, '{title}');
select make_searchable('dashboards', 'new.dashboard_name', null, '{dashboard_name}');
select make_searchable('templates', 'new.template_name', null, '{template_name}');
select make_searchable('interactions', 'left(new.content, 500)', null, '{content}');

-- What the words may lead to, in the organization of the session: of each source first what begins
-- with all that was typed, then what has a word that begins with each word of it, then what has them
-- inside words. Where the ones before are `most` already, the next are not looked for.
-- `whole` is all of what was typed, `asked` each word of it with what it may have meant.
create function search_find(sources text[], whole text, asked jsonb, most integer)
returns table (source text, id text, title_key text, words text)
language plpgsql stable security definer rows 200 set search_path = perennial, public
-- a source without any match would be looked for in the whole table
set enable_seqscan = off as $function$
declare
  begun text;
  held text;
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
      string_agg(format(test, w), ' or ') as held
    from typed, jsonb_array_elements_text(alternatives) w group by n
  )
  select string_agg('(' || each.begun || ')', ' and '), string_agg('(' || each.held || ')', ' and ')
  into begun, held from each;
  return query execute format($find$
    select f.source, f.id::text, f.title_key, f.words
    from unnest($1) s,
      lateral (select array_agg(x.e) as list, count(*) as n from (
        select e from search_entries e
        where e.organization_id = $2 and e.source = s and e.title_key >= $3
          and e.title_key < $3 || U&'\+10FFFF' order by e.title_key limit $4) x) a,
      lateral (select array_agg(x.e) as list, count(*) as n from (
        select e from search_entries e
        where a.n < $4 and e.organization_id = $2 and e.source = s and %1$s
          and not starts_with(e.title_key, $3) limit $4) x) b,
      lateral (select array_agg(x.e) as list from (
        select e from search_entries e
        where a.n + b.n < $4 and e.organization_id = $2 and e.source = s and %2$s
          and not (%1$s) limit $4) x) c,
      unnest(a.list || b.list || c.list) f $find$, begun, held)
  using sources, current_setting('app.organization', true), whole, most;
end $function$;

-- Words like a mistyped one, the likest first: a large organization's come from its list, a small
-- one's from its entries. A known word or the start of one is guessed at only with `even_known`.
create function search_guess(typed text, even_known boolean, most integer) returns setof text
language plpgsql stable security definer rows 20 set search_path = perennial, public
set pg_trgm.similarity_threshold = 0.22 set pg_trgm.word_similarity_threshold = 0.3
set enable_seqscan = off as $$
declare organization text := current_setting('app.organization', true);
begin
  if exists (select from search_words w where w.organization_id = organization) then
    if not even_known and exists (select from search_words w where w.organization_id = organization
        and w.word >= typed and w.word < typed || U&'\+10FFFF') then
      return;
    end if;
    return query
      select w.word from search_words w
      where w.organization_id = organization and w.word % typed
        and length(w.word) between length(typed) - 2 and length(typed) + 2
      order by similarity(w.word, typed) desc, w.word limit most;
  else
    if not even_known and exists (select from search_entries e
        where e.organization_id = organization and e.words like '% ' || typed || '%') then
      return;
    end if;
    -- each once: comparing is what takes the time
    return query
      with near as materialized (
        select distinct w.word from search_entries e, unnest(string_to_array(e.words, ' ')) w (word)
        where e.organization_id = organization and e.words %> typed
          and length(w.word) between length(typed) - 2 and length(typed) + 2
      )
      select near.word from near where near.word % typed
      order by similarity(near.word, typed) desc, near.word limit most;
  end if;
end $$;

-- The records of one source that hold a text in their words; null where they are too many to be named.
create function search_ids(shelf text, needle text, most integer) returns text[]
language plpgsql stable security definer set search_path = perennial, public
set enable_seqscan = off as $$
declare
  organization text := current_setting('app.organization', true);
  plain text := plain_words(needle);
  seen integer;
  found text[];
begin
  -- Most entries are a large organization's own: to read which ones takes longer than to look at what
  -- the words lead to. The index is asked for the two longest, as others may be in every e-mail.
  if exists (select from search_words w where w.organization_id = organization) then
    execute format($find$
      select count(*), array_agg(e.id) filter (
        where e.organization_id = $1 and e.source = $2 and position($3 in e.words) > 0)
      from (select * from search_entries e where %s limit $4) e $find$,
      (select string_agg(format($like$e.words like '%%' || %L || '%%'$like$, w), ' and ')
        from (select w from unnest(string_to_array(plain, ' ')) w order by length(w) desc limit 2) l))
    into seen, found using organization, shelf, plain, 4 * most;
    if cardinality(found) > most then return null; end if;
    if seen < 4 * most then return coalesce(found, '{}'); end if;
  end if;
  execute format($find$
    select array_agg(id) from (select e.id::text as id from search_entries e
      where e.organization_id = %L and e.source = %L and e.words like '%%' || %L || '%%'
      limit %s) e $find$, organization, shelf, plain, most + 1)
  into found;
  return case when coalesce(cardinality(found), 0) <= most then coalesce(found, '{}') end;
end $$;

-- lists in the order of the latest change, and of their making
create index contacts_changed on contacts (organization_id, last_update_time, id) where deleted_at is null;
create index companies_changed on companies (organization_id, last_update_time, id) where deleted_at is null;
create index contacts_made on contacts (organization_id, creation_time, id) where deleted_at is null;
create index companies_made on companies (organization_id, creation_time, id) where deleted_at is null;
