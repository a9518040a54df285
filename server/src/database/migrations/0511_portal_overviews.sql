-- Customers and partners who chose a weekly overview of their portal: the Monday of the last one, and what it showed.
create table portal_overviews (
  organization_id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  is_on boolean not null,
  week date,
  shown text,
  primary key (organization_id, user_id),
  constraint portal_overviews_user_id_fkey foreign key (organization_id, user_id) references users on delete cascade deferrable
);
select make_tenant('portal_overviews');
