-- In which language a response was given, and which mailing asked for it.
alter table survey_responses add column language text,
  add column schedule_id varchar(25) collate "C";

-- Whom a mailing was sent to, and what came of it.
create table survey_recipients (
  organization_id varchar(25) collate "C" not null,
  schedule_id varchar(25) collate "C" not null,
  survey_id varchar(25) collate "C" not null,
  email text not null,
  email_key text collate "C" not null,
  sent_at timestamptz(3) not null,
  -- when the link was first followed
  opened_at timestamptz(3),
  primary key (organization_id, schedule_id, email_key),
  constraint survey_recipients_schedule_id_fkey foreign key (organization_id, schedule_id)
    references survey_schedules on delete cascade deferrable
);
create index survey_recipients_survey on survey_recipients (organization_id, survey_id, sent_at);
select make_tenant('survey_recipients');
