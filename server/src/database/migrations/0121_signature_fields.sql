-- what a recipient fills in on the pages of the document, and where it stands; the values once they have
alter table signature_recipients add column fields jsonb not null default '[]';
