-- To whom a saved report is mailed every Monday, by their own choice, and the Monday of the last mail.
create table report_mails (
  organization_id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  filter_id varchar(25) collate "C" not null,
  is_on boolean not null,
  week date,
  version integer not null default 2,
  primary key (organization_id, user_id, filter_id),
  constraint report_mails_user_id_fkey foreign key (organization_id, user_id) references users on delete cascade deferrable,
  constraint report_mails_filter_id_fkey foreign key (organization_id, filter_id) references filters on delete cascade deferrable
);
create index report_mails_filter_id on report_mails (organization_id, filter_id);
select make_tenant('report_mails');
