-- If-Match holds for the choice of a mail, too.
alter table dashboard_mails add column version integer not null default 2;
