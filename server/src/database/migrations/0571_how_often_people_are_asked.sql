-- For how many days after a mail with a survey a person gets no other; null for no limit.
alter table mail_defaults add column survey_rest_days integer;

-- How many a mailing has left out for it, and how those who have not answered are reminded.
alter table survey_schedules
  add column rested_count integer,
  add column remind_after_days integer,
  add column remind_at_most integer;
alter table survey_recipients
  add column reminders integer not null default 0,
  add column reminded_at timestamptz(3);

-- Whether a person was asked lately is looked up for each of a mailing.
create index survey_recipients_person on survey_recipients (organization_id, email_key, sent_at);
