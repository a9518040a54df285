-- One way of comparing texts: searches, `q` of lists, parts of texts in filters and records named in bodies fold them
-- alike. `kit/ground/fold.ts` does the same in TypeScript, and a test holds the two equal. What is unique, and
-- possible duplicates, are still compared as 0012 says.
set local app.organization = '*';

-- The letters of a text with more than ASCII in it, as below. A class of a pattern costs 1 us for a name, and to
-- translate that many characters 10, so that it is asked first whether there is one.
create function folded_other(value text) returns text immutable parallel safe strict language plpgsql as $$
declare
  k text := value;
begin
  if k ~ '[\u00b4\u02b9\u02bc\u2018-\u201f\u2032\u2033\u00ab\u00bb\u2039\u203a\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d\u0085\u1680\u2028\u2029\u2122\u00ae\u00a9\u2120]' then
    k := translate(k,
      U&'\00B4\02B9\02BC\2018\2019\201A\201B\2032\2039\203A\00AB\00BB\201C\201D\201E\201F\2033\2010\2011\2012\2013\2014\2015\2212\FE58\FE63\FF0D\0085\1680\2028\2029\00AD\2122\00AE\00A9\2120',
      repeat('''', 10) || repeat('"', 7) || repeat('-', 10) || repeat(' ', 4));
  end if;
  -- to bring many marks in order takes quadratic time, and nothing ends it: of a long run each character by itself
  if k ~ '[^\u0020-\u02ff]{60}' then
    select string_agg(normalize(c, nfkd), '' order by n) into k
    from unnest(string_to_array(k, null)) with ordinality each (c, n);
  else
    k := normalize(k, nfkd);
  end if;
  k := regexp_replace(lower(k collate "und-x-icu"),
    '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff]+', '', 'g');
  if octet_length(k) > length(k) and k ~ '[\u00df\u00e6\u0153\u00fe\u00f8\u0111\u00f0\u0142\u0131\u0127\u0167\u014b\u03c2\u0671\u0629\u0649\u06cc\u06a9\u06c1\u06be\u0660-\u0669\u06f0-\u06f9]' then
    k := translate(replace(replace(replace(replace(k, U&'\00DF', 'ss'), U&'\00E6', 'ae'), U&'\0153', 'oe'), U&'\00FE', 'th'),
      U&'\00F8\0111\00F0\0142\0131\0127\0167\014B\03C2\0671\0629\0649\06CC\06A9\06C1\06BE\0660\0661\0662\0663\0664\0665\0666\0667\0668\0669\06F0\06F1\06F2\06F3\06F4\06F5\06F6\06F7\06F8\06F9',
      U&'oddlihtn\03C3\0627\0647\064A\064A\0643\0647\064701234567890123456789');
  end if;
  return k;
end $$;

-- The letters of a text in lower case, without what is written above, below or in them, and signs in one form:
-- typographic quotes as ' and ", dashes as -. Of ASCII it is the lower case alone.
create function folded_letters(value text) returns text immutable parallel safe language sql
  return case when octet_length(value) = length(value) then lower(value collate "C") collate "default"
    else perennial.folded_other(value) end;

-- A text as it is compared from its beginning or its end: the letters, with one blank for hyphens, dashes and blanks.
create function folded_text(value text) returns text immutable parallel safe language sql
  return btrim(regexp_replace(perennial.folded_letters(value), '[- \t\n\r\f\v]+', ' ', 'g'));

-- The words of a text: the letters, with one blank for all signs between them.
create function folded_words(value text) returns text immutable parallel safe language sql
  return btrim(regexp_replace(perennial.folded_letters(value),
    '[][ \t\n\r\f\v!-/:-@\\^_`{|}~\u00a1\u00a7\u00b6\u00b7\u00bf\u2020-\u2027\u060c\u061b\u061f\u066a-\u066d\u06d4\u3001\u3002\u300a-\u3011]+', ' ', 'g'));

-- Whether a text holds each of some pieces of letters, in any order; one with a hyphen or an apostrophe is also
-- held without it: `kickoff` is in `Kick-off`.
create function folded_holds(value text, pieces text[]) returns boolean
immutable parallel safe strict language plpgsql as $$
declare
  k text := perennial.folded_letters(value);
  joined text;
  piece text;
begin
  foreach piece in array pieces loop
    if strpos(k, piece) = 0 then
      joined := coalesce(joined, case when k ~ '\w[-'']\w' then translate(k, '-''', '') else '' end);
      if strpos(joined, piece) = 0 then return false; end if;
    end if;
  end loop;
  return true;
end $$;

-- The digits of a phone number without zeros before them, so that they are in those with the country's prefix.
create function phone_word(number text) returns text immutable parallel safe language sql
  return nullif(ltrim(regexp_replace(replace(perennial.folded_letters(number), '(0)', ''), '[^0-9]', '', 'g'), '0'), '');


-- Searches, as 0147, 0194 and 0030 say, with this folding: a word with an apostrophe is one word too, and companies,
-- contacts, deals, projects and tasks are found by their number, people by the digits of their phone.
create or replace function joined_words(name text) returns text immutable parallel safe language sql
  return case when name ~ '[-‐-―−''‘’ʼ´]' and folded_letters(name) ~ '\w[-'']\w' then folded_words((
    select string_agg(translate(w, '-''', ''), ' ') from regexp_split_to_table(folded_letters(name), '\s+') w
    where w ~ '\w[-'']\w')) end;

create or replace function search_text_of(named text, name text, also text)
returns text immutable parallel safe language sql
  return ' ' || named || ' ' || coalesce(folded_words(also), '')
    || case when concat_ws(' ', name, also) ~ '\w[-‐-―−''‘’ʼ´]\w'
      then coalesce(' ' || joined_words(concat_ws(' ', name, also)), '') else '' end;

create or replace function search_text(name text, also text)
returns text immutable parallel safe language sql
  return search_text_of(coalesce(folded_words(name), ''), name, also);

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
          and title_key = left(coalesce(folded_words(%4$s), ''), 100) and id = old.id;
      end if;
      if tg_op = 'DELETE' then return null; end if;
      named := coalesce(folded_words(%2$s), '');
      insert into search_entries (organization_id, source, title_key, id, words)
      values (new.organization_id, %1$L, left(named, 100), new.id,
        search_text_of(named, %2$s, %3$s));
      return null;
    end $keep$ $make$, shelf, name, also, replace(name, 'new.', 'old.'));
end $$;

create or replace function make_searchable(source regclass, name text, also text, columns text[])
returns void language plpgsql as $$
declare
  shelf text := (select relname from pg_class where oid = source);
begin
  perform make_search_function(shelf, name, coalesce(also, 'null::text'));
  execute format('create or replace trigger search_made after insert or delete on %s
    for each row execute function search_keep_%s()', source, shelf);
  execute format('create or replace trigger search_changed after update of %s on %s
    for each row when ((%s) is distinct from (%s)) execute function search_keep_%s()',
    array_to_string(columns, ', '), source,
    (select string_agg('old.' || c, ', ') from unnest(columns) c),
    (select string_agg('new.' || c, ', ') from unnest(columns) c), shelf);
  -- what is there already
  execute format($fill$
    insert into search_entries as e (organization_id, source, title_key, id, words)
    select organization_id, %1$L, left(coalesce(folded_words(%2$s), ''), 100), id, search_text(%2$s, %3$s)
    from %4$s new
    on conflict (organization_id, source, title_key, id) do update set words = excluded.words
    where e.words is distinct from excluded.words$fill$,
    shelf, name, coalesce(also, 'null::text'), source);
  -- and was found by another folding of its name
  execute format($clear$
    delete from search_entries e using %3$s new
    where e.organization_id = new.organization_id and e.source = %1$L and e.id = new.id
      and e.title_key <> left(coalesce(folded_words(%2$s), ''), 100)$clear$, shelf, name, source);
end $$;

select make_searchable('contacts', 'new.full_name',
  $$concat_ws(' ', new.primary_email, new.display_id, phone_word(new.phone), phone_word(new.whatsapp_number))$$,
  '{full_name,primary_email,display_id,phone,whatsapp_number}');
select make_searchable('companies', 'new.company_name', $$concat_ws(' ', new.domain, new.display_id)$$,
  '{company_name,domain,display_id}');
select make_searchable('users', 'new.full_name', $$concat_ws(' ', new.email, phone_word(new.phone_no))$$,
  '{full_name,email,phone_no}');
select make_searchable('tags', 'new.tag_name', null, '{tag_name}');
select make_searchable('accounts', 'new.account_name', null, '{account_name}');
select make_searchable('projects', 'new.project_name', 'new.display_id', '{project_name,display_id}');
select make_searchable('milestones', 'new.name', null, '{name}');
select make_searchable('tasks', 'new.title', 'new.display_id', '{title,display_id}');
select make_searchable('documents', 'new.document_name', 'new.file_name', '{document_name,file_name}');
select make_searchable('surveys', 'new.name', null, '{name}');
select make_searchable('meetings', 'new.title', null, '{title}');
select make_searchable('dashboards', 'new.dashboard_name', null, '{dashboard_name}');
select make_searchable('templates', 'new.template_name', null, '{template_name}');
select make_searchable('interactions', 'left(new.content, 500)', null, '{content}');

-- The records of one source that hold each word of a text, in any order; null where they are too many to be named.
create or replace function search_ids(shelf text, needle text, most integer) returns text[]
language plpgsql stable security definer set search_path = perennial, public
set enable_seqscan = off as $$
declare
  organization text := current_setting('app.organization', true);
  pieces text[] := string_to_array(folded_words(needle), ' ');
  by_index text;
  held text;
  seen integer;
  found text[];
begin
  -- The index is asked for the two longest: more would have it read on in long lists that leave hardly anything out.
  select string_agg(format($like$e.words like '%%' || %L || '%%'$like$, w), ' and ') filter (where nth <= 2),
    string_agg(format('position(%L in e.words) > 0', w), ' and ')
  into by_index, held
  from (select w, row_number() over (order by length(w) desc, w) as nth from unnest(pieces) w) each;
  -- Most entries are a large organization's own: to read which ones takes longer than to look at what
  -- the words lead to.
  if exists (select from search_words w where w.organization_id = organization) then
    execute format($find$
      select count(*), array_agg(e.id) filter (
        where e.organization_id = $1 and e.source = $2 and %s)
      from (select * from search_entries e where %s limit $3) e $find$, held, by_index)
    into seen, found using organization, shelf, 4 * most;
    if cardinality(found) > most then return null; end if;
    if seen < 4 * most then return coalesce(found, '{}'); end if;
  end if;
  execute format($find$
    select array_agg(id) from (select e.id::text as id from search_entries e
      where e.organization_id = %L and e.source = %L and %s and %s
      limit %s) e $find$, organization, shelf, by_index, held, most + 1)
  into found;
  return case when coalesce(cardinality(found), 0) <= most then coalesce(found, '{}') end;
end $$;

-- The records of one source that have one of these names, which are words as `folded_words` gives them.
create function search_named(shelf text, names text[]) returns table (name text, id text)
language plpgsql stable security definer rows 10 set search_path = perennial, public
set enable_seqscan = off as $$
begin
  return query select e.title_key, e.id::text from search_entries e
    where e.organization_id = current_setting('app.organization', true) and e.source = shelf
      and e.title_key = any (names);
end $$;

-- The beginnings of a text have their terms as it is compared from its beginning; all of it, as `eq` compares it.
create or replace function filter_text_terms(field text, value text) returns integer[]
immutable parallel safe language plpgsql as $$
declare
  k text := left(lower(left(value, 400) collate "default"), 100);
  b text := k;
  n integer;
begin
  if octet_length(value) > length(value) or value ~ '[-\t\n\r\f\v]|  |^ ' then
    b := perennial.folded_text(left(ltrim(value, E'- \t\n\r\f\v'), 400));
    if length(b) < 10 and length(value) > 400 then b := perennial.folded_text(left(value, 10000)); end if;
  end if;
  n := length(b);
  return case when n < 3 then array[hashtext((field || '=' || k) collate "C")]
    else array[hashtext((field || '=' || k) collate "C"), hashtext((field || '^3' || left(b, 3)) collate "C"),
      case when n >= 5 then hashtext((field || '^5' || left(b, 5)) collate "C") end,
      case when n >= 7 then hashtext((field || '^7' || left(b, 7)) collate "C") end,
      case when n >= 10 then hashtext((field || '^10' || left(b, 10)) collate "C") end] end;
end $$;
select rehash_filter_entries();
