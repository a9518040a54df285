-- Whom a dashboard is mailed to every Monday, by their own choice, and the Monday of the last mail.
create table dashboard_mails (
  organization_id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  dashboard_id varchar(25) collate "C" not null,
  is_on boolean not null,
  week date,
  primary key (organization_id, user_id, dashboard_id),
  constraint dashboard_mails_user_id_fkey foreign key (organization_id, user_id) references users on delete cascade deferrable,
  constraint dashboard_mails_dashboard_id_fkey foreign key (organization_id, dashboard_id) references dashboards on delete cascade deferrable
);
create index dashboard_mails_dashboard_id on dashboard_mails (organization_id, dashboard_id);
select make_tenant('dashboard_mails');
