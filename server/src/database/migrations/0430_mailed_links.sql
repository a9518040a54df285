-- The links in mails to customers and partners: each opens a page of the portal once, or does one task.
create table mailed_links (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  -- the task that is done by it without a sign-in
  task_id varchar(25) collate "C",
  -- the page that it leads to
  path text not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (organization_id, id),
  constraint mailed_links_user_id_fkey foreign key (organization_id, user_id) references users on delete cascade deferrable,
  constraint mailed_links_task_id_fkey foreign key (organization_id, task_id) references tasks on delete cascade deferrable
);
create index mailed_links_user on mailed_links (organization_id, user_id);
create index mailed_links_task on mailed_links (organization_id, task_id);
create index mailed_links_expiry on mailed_links (expires_at);
select make_tenant('mailed_links');
