-- Sessions of browsers: recognised by a cookie, whose secret is stored hashed. No refresh token has the
-- hash that such a session stores for one.
alter table sessions add column cookie_hash bytea;

-- What a user's programs remember about how things are shown.
create table preferences (
  organization_id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  content jsonb not null,
  primary key (organization_id, user_id),
  constraint preferences_user_id_fkey foreign key (organization_id, user_id) references users
);
select make_tenant('preferences');
