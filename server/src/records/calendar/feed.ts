import type { Context } from '../../kit/ground/context.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Json } from '../../kit/ground/operation.ts'
import { icsOf } from './ics.ts'
import { shownOf } from './invitations.ts'
import { Meeting } from './meeting.ts'

/** What a feed's token holds. A new generation makes the tokens before good for nothing. */
export type FeedTicket = { feed: string; organization: string; generation: number }

const output = {
  title: 'CalendarFeed',
  type: 'object',
  properties: { url: { type: 'string', description: 'for calendar programs to subscribe to' } },
  required: ['url'],
}

/** The secret address under which a user's own calendar program reads their meetings. */
export const calendarFeed = {
  read: {
    name: 'read_calendar_feed_url',
    summary: 'The secret address of your meetings, for calendar programs',
    can: { module: 'calendar', action: 'read' },
    writes: false,
    input: {},
    output,
    async run(ctx: Context) {
      const known = await ctx.one<{ generation: number }>(sql`select t.generation
        from calendar_feeds t where ${mine(ctx)} and t.id = ${ctx.actor.user_id}`)
      return { url: urlOf(ctx, known?.generation ?? 0) }
    },
  } satisfies Operation,
  renew: {
    name: 'renew_calendar_feed_url',
    summary: 'Make a new secret address; the one before stops working',
    can: { module: 'calendar', action: 'read' },
    writes: true,
    input: {},
    output,
    async run(ctx: Context) {
      const renewed = await ctx.one<{ generation: number }>(sql`
        insert into calendar_feeds (organization_id, id, generation)
        values (${ctx.organization.id}, ${ctx.actor.user_id}, 1)
        on conflict (organization_id, id)
          do update set generation = calendar_feeds.generation + 1
        returning generation`)
      ctx.emit({
        type: null,
        title: 'Calendar feed renewed',
        module_id: null,
        reference_id: ctx.actor.user_id,
        changes: [{ field: 'feed', from: null, to: renewed!.generation }],
        raw_description: { action: 'renewed', module: 'calendar', name: ctx.actor.full_name },
      })
      return { url: urlOf(ctx, renewed!.generation) }
    },
  } satisfies Operation,
}

/** What a token holds; undefined for what is no token of a feed. */
export function readFeedTicket(secrets: Context['secrets'], token: string): FeedTicket | undefined {
  try {
    const ticket = JSON.parse(secrets.open(token)) as FeedTicket
    return typeof ticket.feed === 'string' ? ticket : undefined
  } catch {
    return undefined
  }
}

/** Whether a ticket is the last that its user was given. */
export async function isCurrent(ctx: Context, { feed, generation }: FeedTicket): Promise<boolean> {
  const known = await ctx.one<{ generation: number }>(sql`select t.generation
    from calendar_feeds t where ${mine(ctx)} and t.id = ${feed}`)
  return (known?.generation ?? 0) === generation
}

/** The caller's own meetings of the last 90 days and all that come, as iCalendar text. */
export async function feedOf(ctx: Context): Promise<string> {
  const since = new Date(+ctx.now() - 90 * 86_400_000).toISOString()
  const me = JSON.stringify([{ type: 'user', id: ctx.actor.user_id }])
  const page = { items_per_page: 500, sort: 'start', reverse: true }
  const { body } = await listPage(
    ctx,
    Meeting,
    page,
    sql`(t.ends_at > ${since} or t.repeat is not null)
      and (t.created_by = ${ctx.actor.user_id} or t.attendees @> ${me}::jsonb)`,
  )
  const meetings = JSON.parse((body as Json).text) as { [field: string]: any }[] // oxlint-disable-line typescript/no-explicit-any
  const versions = await ctx.all<{ id: string; version: number }>(sql`select t.id, t.version
    from meetings t where ${mine(ctx)} and t.id = any(${meetings.map((each) => each.calendar_id)})`)
  const byId = new Map(versions.map(({ id, version }) => [id, version]))
  const shown = meetings.map((meeting) =>
    // who else is invited is for those who look at the meeting itself
    ({ ...shownOf(ctx, meeting, byId.get(meeting.calendar_id) ?? 1, null), attendees: [] }),
  )
  return icsOf(shown, { host: new URL(ctx.public_url).hostname, name: ctx.organization.name })
}

function urlOf(ctx: Context, generation: number): string {
  const ticket: FeedTicket = {
    feed: ctx.actor.user_id!,
    organization: ctx.organization.id,
    generation,
  }
  const token = ctx.secrets.encrypt(JSON.stringify(ticket)).toString('base64url')
  return `${ctx.public_url}/calendar/${token}.ics`
}
