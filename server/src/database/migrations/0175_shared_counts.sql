-- What the processes count together within a window: requests of a caller, failed attempts. It is gone
-- after a crash of the database, as it is after each window; the keys of attempts are keyed hashes.
create unlogged table shared_counts (
  key text collate "C" primary key,
  count integer not null,
  most integer not null,
  ends_at timestamptz not null
);
create index shared_counts_ends on shared_counts (ends_at);
