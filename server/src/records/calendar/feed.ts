import type { Context } from '../../kit/ground/context.ts'
import { computationOf } from '../../kit/ground/computation.ts'
import { forbidden } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import { meetingsAsText } from './list.ts'

/** The fields of meetings that a feed shows; other attendees are not in the feed. */
const feedFields =
  'title,description,location,link,start,end,all_day,is_meeting_cancelled,repeat,timezone'

/** Runs in a separate process: five hundred meetings take half a second. */
const publishing = computationOf(
  import.meta.resolve('./ics.ts'),
  'feedText',
  async () => (await import('./ics.ts')).feedText,
)

/** The content of a feed's token. A new generation invalidates earlier tokens. */
export type FeedTicket = { feed: string; organization: string; generation: number }

/** The secret address of the caller's own feed. */
export async function feedUrl(ctx: Context): Promise<{ url: string }> {
  return { url: urlOf(ctx, await generationOf(ctx, ctx.actor.user_id)) }
}

/** Invalidates the earlier addresses and returns a new one. */
export async function renewFeedUrl(ctx: Context): Promise<{ url: string }> {
  const { user_id, full_name } = ctx.actor
  const renewed = await ctx.one<{ generation: number }>(sql`
    insert into calendar_feeds (organization_id, id, generation)
    values (${ctx.organization.id}, ${user_id}, 1)
    on conflict (organization_id, id)
      do update set generation = calendar_feeds.generation + 1
    returning generation`)
  const generation = renewed?.generation ?? 1
  await announce(ctx, { module: 'calendar', word: 'calendar_feed' }, 'renewed', {
    id: user_id,
    title: 'Calendar feed renewed',
    name: full_name,
    changes: [{ field: 'feed', from: null, to: generation }],
  })
  return { url: urlOf(ctx, generation) }
}

/** The content of a feed's token; undefined for anything else. */
export function readFeedTicket(secrets: Context['secrets'], token: string): FeedTicket | undefined {
  const ticket = secrets.unseal(token) as FeedTicket | undefined
  return typeof ticket?.feed === 'string' ? ticket : undefined
}

/** Whether a ticket belongs to the user's latest address. */
export async function isCurrent(ctx: Context, { feed, generation }: FeedTicket): Promise<boolean> {
  return (await generationOf(ctx, feed)) === generation
}

/** The caller's own meetings of the last 90 days and all to come, as iCalendar text. */
export async function feedOf(ctx: Context): Promise<string> {
  const since = new Date(+ctx.now() - 90 * 86_400_000).toISOString()
  const me = JSON.stringify([{ type: 'user', id: ctx.actor.user_id }])
  const own = sql`(t.ends_at > ${since} or t.repeat is not null)
    and (t.created_by = ${ctx.actor.user_id} or t.attendees @> ${me}::jsonb)`
  const page = { items_per_page: most, sort: 'start', reverse: true, fields: feedFields }
  const [meetings, versions] = await Promise.all([
    meetingsAsText(ctx, page, own),
    ctx.all<{ id: string; version: number }>(sql`select t.id, t.version from meetings t
      where ${mine(ctx)} and t.deleted_at is null and ${own}
      order by t.starts_at desc, t.id desc limit ${most}`),
  ])
  return ctx.services.computations.run(ctx.organization.id, publishing, {
    meetings,
    versions: Object.fromEntries(versions.map(({ id, version }) => [id, version])),
    zone: ctx.organization.timezone,
    host: new URL(ctx.public_url).hostname,
    name: ctx.organization.name,
  })
}

/** The maximum number of meetings in a feed, the latest ones. */
const most = 500

/** How often the address has been renewed. */
async function generationOf(ctx: Context, user_id: string | null): Promise<number> {
  const feed = await ctx.one<{ generation: number }>(sql`select t.generation
    from calendar_feeds t where ${mine(ctx)} and t.id = ${user_id}`)
  return feed?.generation ?? 0
}

function urlOf(ctx: Context, generation: number): string {
  const { user_id } = ctx.actor
  if (user_id === null) throw forbidden('Only users have a calendar feed')
  const ticket: FeedTicket = { feed: user_id, organization: ctx.organization.id, generation }
  const token = ctx.secrets.seal(ticket)
  return `${ctx.public_url}/calendar/${token}.ics`
}
