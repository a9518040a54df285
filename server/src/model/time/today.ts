/** The zone of the caller's organization, as SQL. */
export const zoneHere = `(select o.timezone from organizations o where o.organization_id = $organization)`

/** Today where the organization is, as SQL. */
export const todayHere = `(now() at time zone ${zoneHere})::date`
