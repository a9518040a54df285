-- how a saved filter shows its list: a view
set local app.organization = '*';
alter table filters add column layout text not null default 'table';
alter table filters add column group_by text;
alter table filters add column column_widths jsonb not null default '{}';
alter table filters add column density text;
alter table filters add column is_favourite boolean not null default false;
alter table filters add column position integer;
