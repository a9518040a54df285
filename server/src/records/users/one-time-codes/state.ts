import { sql } from '../../../kit/ground/sql.ts'

/** About the user `u` of the organization `o`, as conditions. */
function conditionsIn(organization: string) {
  /** the user signs in with one-time codes */
  const hasCodes = sql`exists (select from one_time_codes c where c.organization_id = ${sql.raw(organization)}
    and c.user_id = u.id and c.confirmed_at is not null)`
  /** the user first has to set them up */
  const mustEnrol = sql`(o.requires_one_time_codes and not ${hasCodes})`
  return { hasCodes, mustEnrol }
}

export const { hasCodes, mustEnrol } = conditionsIn('$organization')

/** The same for a statement that looks for users in all organizations. */
export const ofAnyone = conditionsIn('u.organization_id')

/** The same of the session `s` of that user: who came from a provider has a second factor there. */
export const sessionMustEnrol = sql`(s.method <> 'openid' and ${mustEnrol})`
