-- What a survey becomes when it is published next: its pages, texts and look; null where nothing is changed.
alter table surveys add column draft jsonb;
