-- How many have answered a mailing is counted for each of a list.
create index survey_responses_schedule on survey_responses (organization_id, schedule_id)
  where finished and schedule_id is not null;
