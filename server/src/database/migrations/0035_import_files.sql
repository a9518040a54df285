-- The file of an import waits in the store of files, or as the text it came as, until the job has read
-- it and stored its rows: then both are null.
alter table imports add column storage_key text collate "C";
alter table imports add column csv text;

-- the first rows as they were read, for a preview: [[line, [cell, …]], …]
alter table imports add column first_rows json not null default '[]';
