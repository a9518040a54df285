import type { Query } from '../../../kit/ground/context.ts'
import { sql } from '../../../kit/ground/sql.ts'

/** Whose rows they are: the organization's of the statement, or the user's where it looks for users. */
type Organization = '$organization' | 'u.organization_id'

/** Whether the user `u` signs in with one-time codes. */
export function hasCodes(organization: Organization = '$organization'): Query {
  return sql`exists (select from one_time_codes c where c.organization_id = ${sql.raw(organization)}
    and c.user_id = u.id and c.confirmed_at is not null)`
}

/** Whether the user `u` of the organization `o` first has to set up one-time codes. */
export function mustEnrol(organization?: Organization): Query {
  return sql`(o.requires_one_time_codes and not ${hasCodes(organization)})`
}

/** The same of the session `s` of that user: who came from a provider has a second factor there. */
export const sessionMustEnrol = sql`(s.method <> 'openid' and ${mustEnrol()})`
