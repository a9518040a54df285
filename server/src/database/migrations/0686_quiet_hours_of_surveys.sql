-- Between which times of the day no mail about a survey leaves: {from, to} by the clock of its recipient; null for none.
alter table mail_defaults add column survey_quiet_hours jsonb;
