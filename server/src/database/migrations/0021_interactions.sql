create table interactions (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  module_id smallint not null,
  reference_id varchar(25) collate "C" not null,
  content text not null,
  interaction_type text not null default 'interaction',
  parent_interaction_id varchar(25) collate "C",
  -- the first of the thread; itself where it has no parent
  thread_id varchar(25) collate "C" not null,
  thread_level integer not null default 0,
  is_pinned boolean not null default false,
  is_resolved boolean not null default false,
  is_private boolean not null default false,
  -- user ids
  visible_to_users jsonb not null default '[]',
  mentions jsonb not null default '[]',
  is_system_generated boolean not null default false,
  -- a deleted one that has replies: its text is gone, its place stays
  is_deleted boolean not null default false,
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint interactions_parent_interaction_id_fkey
    foreign key (organization_id, parent_interaction_id) references interactions on delete cascade,
  constraint interactions_thread_id_fkey
    foreign key (organization_id, thread_id) references interactions on delete cascade
);
create index interactions_reference on interactions (organization_id, module_id, reference_id, id) where deleted_at is null;
create index interactions_thread on interactions (organization_id, thread_id, id);
create index interactions_parent on interactions (organization_id, parent_interaction_id) where parent_interaction_id is not null;
select make_tenant('interactions');

create table interaction_reactions (
  organization_id varchar(25) collate "C" not null,
  interaction_id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  reaction text not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, interaction_id, user_id, reaction),
  constraint interaction_reactions_interaction_id_fkey
    foreign key (organization_id, interaction_id) references interactions on delete cascade,
  constraint interaction_reactions_user_id_fkey foreign key (organization_id, user_id) references users
);
create index interaction_reactions_user on interaction_reactions (organization_id, user_id);
select make_tenant('interaction_reactions');

create table interaction_reads (
  organization_id varchar(25) collate "C" not null,
  user_id varchar(25) collate "C" not null,
  interaction_id varchar(25) collate "C" not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, user_id, interaction_id),
  constraint interaction_reads_interaction_id_fkey
    foreign key (organization_id, interaction_id) references interactions on delete cascade,
  constraint interaction_reads_user_id_fkey foreign key (organization_id, user_id) references users
);
create index interaction_reads_interaction on interaction_reads (organization_id, interaction_id);
select make_tenant('interaction_reads');
