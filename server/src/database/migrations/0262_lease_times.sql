-- when a lane was leased, beside until when: an upsert compares both without asking for the time
alter table delivery_lanes add column leased_at timestamptz(3);
