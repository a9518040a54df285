-- Merging companies and contacts, undoing it, and finding what may be the same twice.

-- one merge: what it changed on the record that stayed, by column, so that it can be undone
create table merges (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  module text not null check (module in ('companies', 'contacts')),
  primary_id varchar(25) collate "C" not null,
  merged_ids jsonb not null,
  strategy text not null,
  -- {column: {from, to}}
  changed jsonb not null,
  undone_at timestamptz(3),
  created_by varchar(25) collate "C",
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create index merges_age on merges (creation_time);
select make_tenant('merges');

-- the rows of other tables that a merge made point to the record that stayed
create table merge_moves (
  organization_id varchar(25) collate "C" not null,
  merge_id varchar(25) collate "C" not null,
  table_name text not null,
  column_name text not null,
  record_id varchar(25) collate "C" not null,
  from_id varchar(25) collate "C" not null,
  primary key (organization_id, merge_id, table_name, column_name, record_id),
  constraint merge_moves_merge_id_fkey foreign key (organization_id, merge_id) references merges on delete cascade
);
select make_tenant('merge_moves');

-- Where a merged record went. Kept for good, longer than the record and the merge themselves: others
-- may hold the old id.
create table merged_records (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  module text not null,
  primary_id varchar(25) collate "C" not null,
  merge_id varchar(25) collate "C" not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create index merged_records_primary on merged_records (organization_id, primary_id);
create index merged_records_merge on merged_records (organization_id, merge_id);
select make_tenant('merged_records');

-- an option that is kept for the records that have it and offered no more
alter table option_sets add column is_archived boolean not null default false;

create extension if not exists pg_trgm schema public;

-- How names, phone numbers and web addresses are compared. Each is immutable, for the columns below;
-- nothing in them may ever change: a new way of comparing is a new function and a new column.

-- lower case, without accents, punctuation and double blanks; not strict, so that PostgreSQL puts them
-- in place of the call, which would cost more than they do
create function plain_words(name text) returns text immutable parallel safe language sql
  return btrim(regexp_replace(
    case when octet_length(name) = length(name) then lower(name)
      else regexp_replace(normalize(lower(name), nfkd), '[\u0300-\u036f]', '', 'g') end,
    '[][\s!-/:-@\\^_`{|}~‐-―‘-”´•·«»®™©]+', ' ', 'g'));

-- without the legal form that half of the writers leave out
create function company_words(name text) returns text immutable parallel safe language sql
  return regexp_replace(plain_words(name),
    '( (inc|incorporated|llc|llp|ltd|limited|plc|corp|corporation|co|company|gmbh|ag|kg|sa|sas|sarl|srl|spa|bv|nv|ab|as|oy|pty|pvt|holding|holdings|group))+$',
    '');

-- the last name first, where spellings of one person stand side by side
create function person_words(name text) returns text immutable parallel safe language sql
  return regexp_replace(plain_words(name), '^(.*) (\S+)$', '\2 \1');

-- the last nine digits, which are there with and without the country's prefix; null for fewer than seven
create function phone_digits(number text) returns text immutable parallel safe language sql
  return right(substring(regexp_replace(number, '\D', '', 'g') from '^\d{7,}$'), 9);

-- the domain, or the host of the website
create function company_host(domain text, website text) returns text immutable parallel safe language sql
  return coalesce(domain, nullif(regexp_replace(lower(website), '^([a-z]+://)?(www\.)?([^/:?#]*).*$', '\3'), ''));

-- stored, since row-level security lets no function of ours into the condition of an index
alter table companies
  add column words_key text collate "C" generated always as (company_words(company_name)) stored,
  add column host_key text collate "C" generated always as (company_host(domain, website_url)) stored;
alter table contacts
  add column words_key text collate "C" generated always as (person_words(full_name)) stored,
  add column phone_key text collate "C" generated always as (phone_digits(coalesce(phone, whatsapp_number))) stored;

create index companies_words on companies (organization_id, words_key, id) where deleted_at is null;
create index companies_host on companies (organization_id, host_key, id)
  where deleted_at is null and host_key is not null;
create index contacts_words on contacts (organization_id, words_key, id) where deleted_at is null;
create index contacts_phone on contacts (organization_id, phone_key, id)
  where deleted_at is null and phone_key is not null;
