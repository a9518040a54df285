-- A saved filter may be a report: by what its records are grouped, and what is measured.
set local app.organization = '*';
alter table filters add column report jsonb;
