-- in which form somebody reads dates and numbers (BCP 47), where it is another than their language's
alter table users add column locale text;

-- the uploaded pictures of users, a row each
create table user_images (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  media_type text not null,
  content bytea not null,
  hash text not null,
  last_update_time timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint user_images_id_fkey foreign key (organization_id, id) references users on delete cascade
);
select make_tenant('user_images');
