-- How many finished answers have each choice of a limited question, by question and value. It is changed with the
-- answers, in the row that a submission locks, so that no page counts answers; null until a choice is limited.
alter table surveys add column taken jsonb;

-- How many steps of a page were stored, and how often the page of the last one was left since: what is stored when a
-- page is left never replaces a later step.
alter table survey_responses
  add column steps integer not null default 0,
  add column keeps integer not null default 0;
