-- What was requested of somebody's personal data: an export, or their erasure with its receipt. Who the
-- person is stands encrypted in `sealed`, for as long as the job needs it.
create table personal_data_requests (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  kind text not null check (kind in ('export', 'erasure')),
  status text not null default 'waiting' check (status in ('waiting', 'running', 'completed', 'failed')),
  -- ids of the users and contacts that are the person
  user_ids jsonb not null default '[]',
  contact_ids jsonb not null default '[]',
  sealed bytea,
  -- the step that comes next, and where in it: a process that dies is followed by another one
  step integer not null default 0,
  place jsonb,
  receipt jsonb not null default '{}',
  error text,
  storage_key text collate "C",
  file_size bigint,
  file_hash text,
  finished_at timestamptz(3),
  created_by varchar(25) collate "C",
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
select make_tenant('personal_data_requests');

-- a mail that an erasure took back while it was being sent; it is done, and was not sent
alter table sent_mails add column is_withdrawn boolean not null default false;

-- The service may add to the log, and change nothing in it. An erasure that is under way is the one
-- exception: these run as the owner of the table, and do nothing without one.
create function erasure_runs(request text) returns boolean language sql stable
set search_path = perennial, public as $$
  select exists (select from personal_data_requests r
    where r.organization_id = current_setting('app.organization', true) and r.id = request
      and r.kind = 'erasure' and r.sealed is not null)
$$;

-- Takes the contents out of entries about the records of a person, and the name out of those that the
-- person wrote; of `most` entries at a time. Returns how many.
create function erase_log(request text, ids text[], name text, most integer) returns integer
language plpgsql security definer set search_path = perennial, public as $$
declare
  done integer;
begin
  if not erasure_runs(request) then
    raise exception 'no such erasure';
  end if;
  update events e set
    actor_name = case when e.actor_id = any(ids) then name else e.actor_name end,
    data = case when e.reference_id = any(ids) then null else e.data end,
    description = case when e.reference_id = any(ids) then null else e.description end,
    html_description = case when e.reference_id = any(ids) then null else e.html_description end,
    changes = case
      when e.reference_id = any(ids) and json_typeof(e.changes) = 'array' then (
        select json_agg(json_build_object('field', c ->> 'field', 'from', null, 'to', null))
        from json_array_elements(e.changes) c)
      else e.changes end
  where e.organization_id = current_setting('app.organization', true) and e.id in (
    select t.id from events t
    where t.organization_id = current_setting('app.organization', true)
      and ((t.actor_id = any(ids) and t.actor_name <> name)
        or (t.reference_id = any(ids) and (t.data is not null or t.description is not null
          or t.html_description is not null or (json_typeof(t.changes) = 'array'
            and exists (select from json_array_elements(t.changes) c
              where c ->> 'from' is not null or c ->> 'to' is not null)))))
    order by t.id limit most);
  get diagnostics done = row_count;
  return done;
end $$;

-- Writes the texts of one entry again; `texts` holds those that change, by column. Returns whether there was one.
create function erase_entry(request text, entry text, texts jsonb) returns integer
language plpgsql security definer set search_path = perennial, public as $$
declare
  done integer;
begin
  if not erasure_runs(request) then
    raise exception 'no such erasure';
  end if;
  update events e set
    title = coalesce(texts ->> 'title', e.title),
    actor_name = coalesce(texts ->> 'actor_name', e.actor_name),
    description = coalesce(texts ->> 'description', e.description),
    html_description = coalesce(texts ->> 'html_description', e.html_description),
    raw_description = coalesce((texts ->> 'raw_description')::json, e.raw_description),
    changes = coalesce((texts ->> 'changes')::json, e.changes),
    data = coalesce((texts ->> 'data')::json, e.data)
  where e.organization_id = current_setting('app.organization', true) and e.id = entry;
  get diagnostics done = row_count;
  return done;
end $$;
