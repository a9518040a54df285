-- The log by an action or an event that few entries have, or none. Most entries are creations and updates, of which the
-- newest are found without an index, so that writing them costs nothing more. Queries repeat these conditions. The
-- action is no column of the index: row-level security lets no condition on a member of JSON search an index.
create index events_by_rare_action on events (organization_id, id)
  where raw_description ->> 'action' not in ('created', 'updated');
create index events_by_rare_type on events (organization_id, type, id) where type !~ '_(created|updated)$';
