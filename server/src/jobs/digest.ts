import { Temporal } from 'temporal-polyfill'
import { anywhere, sql } from '../kit/ground/sql.ts'
import { mailDigests } from '../records/notifications/mailing.ts'
import type { Organization } from '../kit/ground/context.ts'
import type { Runtime } from '../runtime.ts'
import { inTurns } from './in-turns.ts'
import { allOrganizations } from '../kit/ground/context.ts'

/** When the daily mail is sent, in the organization's zone. */
const hour = 8

/** Until when it is still sent, if the service was not running at eight. */
const latestHour = 12

/**
 * Mails the unread notifications that waited for the daily mail when it was eight in the morning. Runs
 * every quarter of an hour, since zones differ by as much; what was mailed is marked in the same
 * transaction, so that a later run of the day finds what an earlier one missed. Returns how many mails.
 */
export async function notificationDigest(runtime: Runtime): Promise<number> {
  const organizations = await runtime.database.reads(allOrganizations).all<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from organizations o
    where ${anywhere('o')} and exists (select from notifications n where ${anywhere('n')} and n.organization_id = o.organization_id
      and not n.read and n.mailed_at is null)
    order by o.organization_id`)
  const now = Temporal.Instant.fromEpochMilliseconds(+runtime.now())
  const localTime = ({ timezone }: Organization) => now.toZonedDateTimeISO(timezone)
  const due = organizations.filter((organization) => {
    const local = localTime(organization)
    return local.hour >= hour && local.hour < latestHour
  })
  return inTurns(runtime, due, (ctx) => {
    const eight = localTime(ctx.organization).withPlainTime({ hour })
    return mailDigests(ctx, new Date(eight.epochMilliseconds))
  })
}
