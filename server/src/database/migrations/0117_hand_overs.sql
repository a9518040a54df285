-- What somebody handed over to somebody else, so that it can be taken back.
create table hand_overs (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  from_id varchar(25) collate "C" not null,
  to_id varchar(25) collate "C" not null,
  kinds jsonb not null,
  undone_at timestamptz(3),
  created_by varchar(25) collate "C",
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
select make_tenant('hand_overs');

-- which rows of other tables came to name the other user
create table hand_over_moves (
  organization_id varchar(25) collate "C" not null,
  hand_over_id varchar(25) collate "C" not null,
  table_name text not null,
  column_name text not null,
  record_id varchar(25) collate "C" not null,
  kind text not null,
  primary key (organization_id, hand_over_id, table_name, column_name, record_id),
  constraint hand_over_moves_hand_over_id_fkey foreign key (organization_id, hand_over_id)
    references hand_overs on delete cascade
);
select make_tenant('hand_over_moves');
