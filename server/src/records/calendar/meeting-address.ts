import type { Context, Queries } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

/** The meeting behind an address that calendar programs answer to. */
export type MeetingTarget = { organization_id: string; calendar_id: string }

/**
 * The address that calendar programs answer to, the same for a meeting in all its mails; undefined if no domain for
 * replies is configured, and for a meeting without one unless this mail is the first invitation to everybody. With
 * `isAsking` everybody is asked about this version: answers to earlier ones are stale.
 */
export async function meetingAddress(
  ctx: Context,
  {
    calendar_id,
    version,
    isAsking,
    isFirst,
  }: { calendar_id: string; version: number; isAsking: boolean; isFirst: boolean },
): Promise<string | undefined> {
  const { inboundDomain } = ctx.services
  if (!inboundDomain) return undefined
  const { id } = ctx.organization
  const token = ctx.secrets.hash(`meeting ${id} ${calendar_id}`).toString('hex').slice(0, 32)
  const known = await ctx.one(sql`select from meeting_addresses t
    where ${mine(ctx)} and t.calendar_id = ${calendar_id}`)
  if (!known && !isFirst) return undefined
  await ctx.run(sql`insert into meeting_addresses as t (organization_id, calendar_id, token_hash,
      asked_version)
    values (${id}, ${calendar_id}, ${ctx.secrets.hash(token)}, ${version})
    on conflict (organization_id, calendar_id) do update set token_hash = excluded.token_hash,
      asked_version = case when ${isAsking} then excluded.asked_version else t.asked_version end`)
  return `meeting+${token}@${inboundDomain}`
}

/** The meeting behind the token of an address; undefined for an unknown one, and for a meeting that was deleted. */
export function findMeetingTarget(
  queries: Queries,
  token_hash: Buffer,
): Promise<MeetingTarget | undefined> {
  return queries.one<MeetingTarget>(sql`
    select t.organization_id, t.calendar_id from meeting_addresses t
    join meetings m on m.organization_id = t.organization_id and m.id = t.calendar_id
      and m.deleted_at is null
    where t.token_hash = ${token_hash}`)
}
