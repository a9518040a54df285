-- A comment that is the rating of a completed milestone has it, from 1 to 5.
select add_field('interactions', 'rating', 'smallint');
-- Whom the portal does not ask for a rating of a milestone: until a day, or since they have answered.
create table milestone_ratings (
  organization_id varchar(25) collate "C" not null,
  milestone_id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  put_off_until date,
  is_answered boolean not null default false,
  primary key (organization_id, milestone_id, user_id),
  constraint milestone_ratings_milestone_id_fkey foreign key (organization_id, milestone_id) references milestones on delete cascade deferrable,
  constraint milestone_ratings_user_id_fkey foreign key (organization_id, user_id) references users on delete cascade deferrable
);
create index milestone_ratings_user on milestone_ratings (organization_id, user_id);
select make_tenant('milestone_ratings');
