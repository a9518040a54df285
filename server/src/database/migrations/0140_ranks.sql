-- Where a record stands among those of the same position: text that is compared byte by byte. Null is
-- the place that follows from the id. See kit/record/rank.ts.
alter table projects add column rank text collate "C";
alter table tasks add column rank text collate "C";
alter table milestones add column rank text collate "C";
