-- Citus alone: the organizations that there are, on the coordinator, so that those of the machines that answer are
-- known while another one is down.
create table known_organizations (
  is_only boolean primary key default true check (is_only),
  ids text[] not null
);
