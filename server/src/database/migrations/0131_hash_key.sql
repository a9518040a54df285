-- The key under which tokens are hashed, encrypted with SECRET_KEY: it stays when that is replaced, so
-- that sessions, connections and links stay good. Belongs to no organization; has one row.
create table hash_keys (
  is_only boolean primary key default true check (is_only),
  sealed bytea not null
);
