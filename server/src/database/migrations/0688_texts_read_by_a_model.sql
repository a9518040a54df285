-- What a language model found in texts of answers. It has no text itself: quotes are places in the answers, so that
-- what is erased or deleted there is gone here, too.
create table survey_theme_readings (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  survey_id varchar(25) collate "C" not null,
  -- what the results were restricted to
  filters jsonb not null,
  -- the texts that were sent, each as the ids of its response and its question
  texts jsonb not null,
  texts_hash text not null,
  -- null until they are read, and where that failed
  themes jsonb,
  model text not null,
  sent_bytes integer,
  is_asked boolean not null default true,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  unique (organization_id, survey_id, texts_hash),
  constraint survey_theme_readings_survey_id_fkey foreign key (organization_id, survey_id)
    references surveys on delete cascade deferrable
);
select make_tenant('survey_theme_readings');
