-- Functions of generated columns in PL/pgSQL, which remembers its plans: PostgreSQL plans the expressions of generated
-- columns anew for each statement, and took what stands in a function of SQL into them each time. That was a
-- fourteenth of an insert of a contact. What they return stays as it was. A restore has no search path, hence the names.
create or replace function person_words(name text) returns text
immutable parallel safe language plpgsql as $$
begin
  return regexp_replace(perennial.plain_words(name), '^(.*) (\S+)$', '\2 \1');
end $$;

create or replace function phone_digits(number text) returns text
immutable parallel safe language plpgsql as $$
begin
  return right(substring(regexp_replace(number, '\D', '', 'g') from '^\d{7,}$'), 9);
end $$;

create or replace function company_words(name text) returns text
immutable parallel safe language plpgsql as $$
begin
  return regexp_replace(perennial.plain_words(name), '( (inc|incorporated|llc|llp|ltd|limited|plc|corp|corporation|co|company|gmbh|ag|kg|sa|sas|sarl|srl|spa|bv|nv|ab|as|oy|pty|pvt|holding|holdings|group))+$', '');
end $$;

create or replace function company_host(domain text, website text) returns text
immutable parallel safe language plpgsql as $$
begin
  return coalesce(domain, nullif(regexp_replace(lower(website), '^([a-z]+://)?(www\.)?([^/:?#]*).*$', '\3'), ''));
end $$;
