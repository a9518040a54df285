-- What customers and the team did with an account, company, contact or project: for each of these a
-- row for an answer, signature, meeting, comment, mail or feedback, written with it. Timelines are read
-- from it, silence, and what customers said. It holds no text of anybody's.
create table record_activity (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  -- whose activity it is: 2 projects and deals, 4 companies, 5 contacts, 8 accounts
  subject_module smallint not null,
  subject_id varchar(25) collate "C" not null,
  -- who took part, where it was one contact
  contact_id varchar(25) collate "C",
  kind text not null check (kind in
    ('answer', 'signature', 'opened', 'meeting', 'comment', 'mail', 'feedback')),
  -- the record that it is about
  module_id smallint,
  reference_id varchar(25) collate "C",
  -- what it is itself: a response, a signer, a comment; once of each subject
  source_id varchar(25) collate "C" not null,
  -- a meeting that is still to come is activity once it begins
  at timestamptz(3) not null,
  -- not for everybody who sees the subject, so that health does not know it
  is_private boolean not null default false,
  -- 0 to 10; whether a rating of satisfaction was one of the two best; -1 to 1
  nps smallint,
  is_satisfied boolean,
  sentiment real,
  primary key (organization_id, id),
  unique (organization_id, subject_module, subject_id, kind, source_id),
  constraint record_activity_contact_id_fkey foreign key (organization_id, contact_id)
    references contacts on delete set null (contact_id)
);
create index record_activity_latest on record_activity
  (organization_id, subject_module, subject_id, at) where not is_private;
create index record_activity_kind on record_activity
  (organization_id, subject_module, subject_id, kind, at, source_id);
create index record_activity_said on record_activity (organization_id, subject_id, at)
  where subject_module = 8 and (nps is not null or is_satisfied is not null or sentiment is not null);
create index record_activity_source on record_activity (organization_id, source_id);
create index record_activity_reference on record_activity (organization_id, module_id, reference_id)
  where reference_id is not null;
create index record_activity_contact on record_activity (organization_id, contact_id)
  where contact_id is not null;
select make_tenant('record_activity');

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
create index documents_unsigned on documents (organization_id, account_id)
  where signature_status in ('pending', 'partial') and latest_version and deleted_at is null;
create index documents_unsigned_project on documents (organization_id, project_id)
  where signature_status in ('pending', 'partial') and latest_version and deleted_at is null;

-- What was said and done before: answers by the survey's account or the respondent's, signatures,
-- comments and meetings.
select set_config('app.organization', '*', true);

create temporary table done_before (
  organization_id text, project_id text, account_id text, contact_id text, company_id text, kind text,
  module_id smallint, reference_id text, source_id text, at timestamptz, is_private boolean,
  nps smallint, is_satisfied boolean
) on commit drop;

insert into done_before
select r.organization_id, null, v.account_id, c.id, c.company_id, 'answer', 7, r.survey_id, r.id,
  r.finished_at, false, n.score, s.is_satisfied
from survey_responses r
join surveys v on v.organization_id = r.organization_id and v.id = r.survey_id
left join lateral (select c.id, c.company_id from contacts c
  where c.organization_id = r.organization_id and c.primary_email_key = lower(r.respondent_email)
    and c.deleted_at is null order by c.id limit 1) c on true
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
where r.finished and r.finished_at is not null;

insert into done_before
select s.organization_id, d.project_id, coalesce(p.account_id, d.account_id), c.id, c.company_id,
  k.kind, 6, d.id, s.id, k.at, d.is_private
from signature_recipients s
cross join lateral (values ('signature', s.acted_at), ('opened', s.viewed_at)) k (kind, at)
join signature_requests q on q.organization_id = s.organization_id and q.id = s.request_id
join documents d on d.organization_id = q.organization_id and d.id = q.document_id
left join projects p on p.organization_id = d.organization_id and p.id = d.project_id
left join lateral (select c.id, c.company_id from contacts c
  where c.organization_id = s.organization_id and c.primary_email_key = lower(s.email)
    and c.deleted_at is null order by c.id limit 1) c on true
where k.at is not null;

insert into done_before
select i.organization_id, p.id, coalesce(p.account_id, k.account_id), c.id, y.id, 'comment',
  i.module_id, i.reference_id, i.id, i.creation_time, i.is_private
from interactions i
left join tasks k on k.organization_id = i.organization_id and i.module_id = 1
  and k.id = i.reference_id
left join milestones m on m.organization_id = i.organization_id and i.module_id = 10
  and m.id = i.reference_id
left join projects p on p.organization_id = i.organization_id
  and p.id = coalesce(k.project_id, m.project_id, case when i.module_id in (2, 3) then i.reference_id end)
left join contacts c on c.organization_id = i.organization_id and i.module_id = 5
  and c.id = i.reference_id
left join companies y on y.organization_id = i.organization_id
  and y.id = coalesce(c.company_id, case when i.module_id = 4 then i.reference_id end)
where i.deleted_at is null;

insert into done_before
select i.organization_id, null, i.reference_id, null, null, 'comment', i.module_id, i.reference_id,
  i.id, i.creation_time, i.is_private
from interactions i where i.module_id = 8 and i.deleted_at is null;

insert into done_before
select m.organization_id, p.id, p.account_id, null, m.props_company, 'meeting', 11, m.id, m.id,
  m.starts_at, m.is_private
from meetings m
left join projects p on p.organization_id = m.organization_id and p.id = m.project_id
where m.deleted_at is null and not m.is_meeting_cancelled;

insert into done_before
select m.organization_id, null, null, c.id, c.company_id, 'meeting', 11, m.id, m.id, m.starts_at,
  m.is_private
from meetings m
join meeting_contacts x on x.organization_id = m.organization_id and x.calendar_id = m.id
join contacts c on c.organization_id = x.organization_id and c.id = x.contact_id
where m.deleted_at is null and not m.is_meeting_cancelled;

insert into record_activity (organization_id, id, subject_module, subject_id, contact_id, kind,
  module_id, reference_id, source_id, at, is_private, nps, is_satisfied)
select w.organization_id, 'h' || left(md5(random()::text || clock_timestamp()::text), 24), w.module, w.subject,
  w.contact_id, w.kind, w.module_id, w.reference_id, w.source_id, w.at, w.is_private, w.nps,
  w.is_satisfied
from (
  select b.*, 8 as module, a.id as subject from done_before b
  join accounts a on a.organization_id = b.organization_id and a.id = b.account_id
  union all
  select b.*, 8, a.id from done_before b
  join accounts a on a.organization_id = b.organization_id and a.customer_contact = b.contact_id
  where b.kind <> 'answer' or b.account_id is null
  union all
  select b.*, 8, a.id from done_before b
  join accounts a on a.organization_id = b.organization_id and a.company_id = b.company_id
  where b.kind <> 'answer' or b.account_id is null
  union all
  select b.*, 5, b.contact_id from done_before b where b.contact_id is not null
  union all
  select b.*, 4, c.id from done_before b
  join companies c on c.organization_id = b.organization_id and c.id = b.company_id
  union all
  select b.*, 4, a.company_id from done_before b
  join accounts a on a.organization_id = b.organization_id and a.id = b.account_id
  where a.company_id is not null
  union all
  select b.*, 2, b.project_id from done_before b where b.project_id is not null
) w
on conflict do nothing;
