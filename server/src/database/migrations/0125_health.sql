-- What customers and the team did with an account, for silence and for what customers said: a row for
-- each answer, signature, meeting, comment, mail or feedback, put on its account when it is written.
-- It holds no text of anybody's, only when, about which record, and the scores of an answer.
create table account_activity (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  account_id varchar(25) collate "C" not null,
  -- whose answer it is, where that is known
  contact_id varchar(25) collate "C",
  kind text not null
    check (kind in ('answer', 'signature', 'meeting', 'comment', 'mail', 'feedback')),
  -- the record that it is about
  module_id smallint,
  reference_id varchar(25) collate "C",
  -- what it is itself: a response, a signer, a comment; once on each account
  source_id varchar(25) collate "C" not null,
  -- a meeting that is still to come is activity once it begins
  at timestamptz(3) not null,
  -- 0 to 10; whether a rating of satisfaction was one of the two best; -1 to 1
  nps smallint,
  is_satisfied boolean,
  sentiment real,
  primary key (organization_id, id),
  unique (organization_id, account_id, kind, source_id),
  constraint account_activity_account_id_fkey
    foreign key (organization_id, account_id) references accounts on delete cascade
);
create index account_activity_latest on account_activity (organization_id, account_id, at);
create index account_activity_said on account_activity (organization_id, account_id, at)
  include (contact_id, reference_id, nps, is_satisfied, sentiment)
  where nps is not null or is_satisfied is not null or sentiment is not null;
create index account_activity_source on account_activity (organization_id, source_id);
create index account_activity_reference on account_activity (organization_id, module_id, reference_id)
  where reference_id is not null;
create index account_activity_contact on account_activity (organization_id, contact_id)
  where contact_id is not null;
select make_tenant('account_activity');

-- Points that each input of health takes at most; an organization without a row has the usual ones.
create table health_weights (
  organization_id varchar(25) collate "C" primary key references organizations,
  overdue_work smallint not null check (overdue_work between 0 and 100),
  silence smallint not null check (silence between 0 and 100),
  nps smallint not null check (nps between 0 and 100),
  csat smallint not null check (csat between 0 and 100),
  unsigned_documents smallint not null check (unsigned_documents between 0 and 100),
  open_risks smallint not null check (open_risks between 0 and 100),
  sentiment smallint not null check (sentiment between 0 and 100),
  last_update_time timestamptz(3) not null default now()
);
select make_tenant('health_weights');

-- An account's health on a day of the organization's calendar, as it was last that day.
create table account_health_days (
  organization_id varchar(25) collate "C" not null,
  account_id varchar(25) collate "C" not null,
  day date not null,
  score smallint not null,
  -- whether somebody set it by hand
  is_set boolean not null default false,
  -- by input: its value, its weight and the points that it took
  inputs jsonb not null,
  primary key (organization_id, account_id, day),
  constraint account_health_days_account_id_fkey
    foreign key (organization_id, account_id) references accounts on delete cascade
);
create index account_health_days_day on account_health_days (organization_id, day);
select make_tenant('account_health_days');

-- documents that wait for signatures, by what they belong to
create index documents_unsigned on documents (organization_id, account_id, project_id)
  where signature_status in ('pending', 'partial') and latest_version and deleted_at is null;

-- What was said and done before: answers by the survey's account or the respondent's, signatures,
-- comments on accounts and their projects, meetings of their projects and contacts.
select set_config('app.organization', '*', true);

insert into account_activity (organization_id, id, account_id, contact_id, kind, module_id,
  reference_id, source_id, at, nps, is_satisfied)
select r.organization_id, 'h' || left(md5(random()::text || clock_timestamp()::text), 24), a.id, c.id, 'answer', 7, r.survey_id, r.id,
  r.finished_at, n.score, s.is_satisfied
from survey_responses r
join surveys v on v.organization_id = r.organization_id and v.id = r.survey_id
left join lateral (select c.id, c.company_id from contacts c
  where c.organization_id = r.organization_id and c.primary_email_key = lower(r.respondent_email)
    and c.deleted_at is null order by c.id limit 1) c on true
join lateral (select a.id from accounts a where a.organization_id = r.organization_id
    and a.deleted_at is null and case when v.account_id is not null then a.id = v.account_id
      else a.customer_contact = c.id or a.company_id = c.company_id end) a on true
left join lateral (select (r.answers ->> (q ->> 'id'))::smallint as score
  from survey_versions e, jsonb_path_query(e.pages, '$[*].fields[*] ? (@.type == "nps")') q
  where e.organization_id = r.organization_id and e.survey_id = r.survey_id
    and e.version = r.structure_version and jsonb_typeof(r.answers -> (q ->> 'id')) = 'number'
  limit 1) n on true
left join lateral (select (r.answers ->> (q ->> 'id'))::numeric
    >= coalesce((q ->> 'maxRating')::numeric, 5) - 1 as is_satisfied
  from survey_versions e, jsonb_path_query(e.pages, '$[*].fields[*] ? (@.type == "csat")') q
  where e.organization_id = r.organization_id and e.survey_id = r.survey_id
    and e.version = r.structure_version and jsonb_typeof(r.answers -> (q ->> 'id')) = 'number'
  limit 1) s on true
where r.finished and r.finished_at is not null
on conflict do nothing;

insert into account_activity (organization_id, id, account_id, kind, module_id, reference_id,
  source_id, at)
select s.organization_id, 'h' || left(md5(random()::text || clock_timestamp()::text), 24), coalesce(p.account_id, d.account_id),
  'signature', 6, d.id, s.id, s.acted_at
from signature_recipients s
join signature_requests q on q.organization_id = s.organization_id and q.id = s.request_id
join documents d on d.organization_id = q.organization_id and d.id = q.document_id
left join projects p on p.organization_id = d.organization_id and p.id = d.project_id
join accounts a on a.organization_id = d.organization_id
  and a.id = coalesce(p.account_id, d.account_id)
where s.acted_at is not null and not d.is_private
on conflict do nothing;

insert into account_activity (organization_id, id, account_id, kind, module_id, reference_id,
  source_id, at)
select i.organization_id, 'h' || left(md5(random()::text || clock_timestamp()::text), 24), a.id, 'comment', i.module_id,
  i.reference_id, i.id, i.creation_time
from interactions i
left join projects p on p.organization_id = i.organization_id and p.id = i.reference_id
  and i.module_id in (2, 3)
join accounts a on a.organization_id = i.organization_id
  and a.id = case when i.module_id = 8 then i.reference_id else p.account_id end
where i.deleted_at is null and not i.is_private
on conflict do nothing;

insert into account_activity (organization_id, id, account_id, kind, module_id, reference_id,
  source_id, at)
select w.organization_id, 'h' || left(md5(random()::text || clock_timestamp()::text), 24), w.account,
  'meeting', 11, w.id, w.id, w.starts_at
from (
  select m.organization_id, m.id, m.starts_at, p.account_id as account from meetings m
  join projects p on p.organization_id = m.organization_id and p.id = m.project_id
  where p.account_id is not null and m.deleted_at is null and not m.is_meeting_cancelled
    and not m.is_private
  union
  select m.organization_id, m.id, m.starts_at, a.id from meetings m
  join accounts a on a.organization_id = m.organization_id and a.company_id = m.props_company
  where m.deleted_at is null and not m.is_meeting_cancelled and not m.is_private
  union
  select m.organization_id, m.id, m.starts_at, a.id from meetings m
  join meeting_contacts x on x.organization_id = m.organization_id and x.calendar_id = m.id
  join contacts c on c.organization_id = x.organization_id and c.id = x.contact_id
  join accounts a on a.organization_id = c.organization_id
    and (a.customer_contact = c.id or a.company_id = c.company_id)
  where m.deleted_at is null and not m.is_meeting_cancelled and not m.is_private
) w
on conflict do nothing;
