import { sql } from '../../../kit/ground/sql.ts'

/** Whether the user `u` signs in with one-time codes. */
export const hasCodes = sql`exists (select from one_time_codes c
  where c.organization_id = u.organization_id and c.user_id = u.id and c.confirmed_at is not null)`

/** Whether the user `u` of the organization `o` first has to set up one-time codes. */
export const mustEnrol = sql`(o.requires_one_time_codes and not ${hasCodes})`

/** The same of the session `s` of that user: who came from a provider has a second factor there. */
export const sessionMustEnrol = sql`(s.method <> 'openid' and ${mustEnrol})`
