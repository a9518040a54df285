-- What was said in a meeting, and what was read out of it; for those who were there, and for a bounded time.
create table meeting_transcripts (
  organization_id varchar(25) collate "C" not null,
  calendar_id varchar(25) collate "C" not null,
  insight_id varchar(25) collate "C" not null,
  format text not null,
  language text not null,
  -- each with its speaker, its text and the seconds from the start
  lines jsonb not null,
  decisions jsonb not null,
  -- each with the id of the task that it has become, if any
  items jsonb not null,
  source text not null check (source in ('rules', 'model')),
  -- the language model that was asked, and how much was sent to it
  model text,
  sent_bytes integer,
  is_asked boolean not null default false,
  added_by varchar(25) collate "C",
  creation_time timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (organization_id, calendar_id),
  constraint meeting_transcripts_calendar_id_fkey foreign key (organization_id, calendar_id)
    references meetings on delete cascade deferrable
);
select make_tenant('meeting_transcripts');

-- An insight that was read out of a transcript is for those who were there, too, and stays so.
alter table meeting_insights add column transcribed boolean not null default false;
