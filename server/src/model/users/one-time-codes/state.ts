import { anywhere, sql } from '../../../kit/ground/sql.ts'

/** Conditions about the user `u` of the organization `o`. */
function conditionsIn(organization: string) {
  /** the user signs in with one-time codes */
  const hasCodes = sql`exists (select from one_time_codes c
    where ${anywhere('c')} and c.organization_id = ${sql.raw(organization)}
    and c.user_id = u.id and c.confirmed_at is not null)`
  /** the user must set them up first */
  const mustEnrol = sql`(o.requires_one_time_codes and not ${hasCodes})`
  return { hasCodes, mustEnrol }
}

export const { hasCodes, mustEnrol } = conditionsIn('$organization')

/** The same for a statement that looks for users in all organizations. */
export const ofAnyone = conditionsIn('u.organization_id')

/** The same for the session `s` of that user: those who sign in with a provider have a second factor there. */
export const sessionMustEnrol = sql`(s.method <> 'openid' and ${mustEnrol})`
