-- How pages of other sites show a survey: {key, is_active, kind, …}; null where none ever did.
alter table surveys add column embed jsonb;
