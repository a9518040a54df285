import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../kit/ground/context.ts'
import type { FanOut } from '../kit/ground/event.ts'
import { fanOutJob } from '../kit/ground/event.ts'
import type { Job } from '../kit/ground/job.ts'
import { mine, sql } from '../kit/ground/sql.ts'
import { awaits, deliveryId } from '../kit/write/events.ts'
import { dropWaiting, keepWithinQuota } from './waiting.ts'

/** One transaction creates about this many deliveries. */
const batch = 1000
/**
 * After each part the job rests for so many times as long as it took. An organization has one such job at a time, so
 * its many subscriptions take no more than this part of one connection and one processor from the others.
 */
const restPerWork = 2
const mostRestMs = 2000
/** So long counts how much room the quota leaves: other processes and writes use it up too. */
const countedMs = 60_000
const mostCounted = 10_000

/** How many deliveries may be created in an organization before those that wait must be counted again. */
const rooms = new Map<string, { room: number; until: number }>()

/**
 * Creates the deliveries of events that are for many subscriptions: those that there were at the event. In parts,
 * each in a transaction that leaves no more waiting than may, and each delivery once however often the job runs.
 */
export const fanOut: Job<FanOut> = {
  ...fanOutJob,
  async run({ write, signal }, { events, due }) {
    const size = Math.max(1, Math.floor(batch / Math.max(1, events.length)))
    for (let after: string | undefined = ''; after !== undefined;) {
      signal.throwIfAborted()
      const begun = performance.now()
      const part: Part = { events, due, after, size }
      const { last, mayBeMore } = await write((ctx) => createPart(ctx, part))
      after = last
      // what waited beyond the quota before, such as after it was made smaller
      while (mayBeMore && (await write(dropWaiting))) signal.throwIfAborted()
      const rest = Math.min(mostRestMs, restPerWork * (performance.now() - begun))
      if (last !== undefined) await sleep(rest, undefined, { signal })
    }
  },
}

type Part = FanOut & { after: string; size: number }

/** The deliveries for the next subscriptions, of which `last` is the last; undefined when there are no more. */
async function createPart(
  ctx: Context,
  { events, due, after, size }: Part,
): Promise<{ last?: string; mayBeMore?: boolean }> {
  const found = await ctx.all<{ id: string }>(sql`
    select s.id from subscriptions s
    where ${mine(ctx, 's')} and s.status = 'active' and s.id > ${after}
      and s.events && array(select e.type from events e
        where e.organization_id = $organization and e.id = any(${events}))
    order by s.id limit ${size} for key share`)
  const last = found.at(-1)?.id
  if (last === undefined) return {}
  const created = await ctx.run(sql`
    insert into deliveries
      (organization_id, id, event_id, subscription_id, next_attempt_at, creation_time)
    select s.organization_id, ${deliveryId(sql`e.id`, sql`s.id`)}, e.id, s.id, ${due},
      ${ctx.now().toISOString()}
    from subscriptions s
    join events e on e.organization_id = $organization and e.id = any(${events})
      and ${awaits('e')} and e.occurred_at >= s.creation_time
    where ${mine(ctx, 's')} and s.id = any(${found.map(({ id }) => id)})
    on conflict do nothing`)
  if (!created) return { last }
  ctx.afterCommit(() => ctx.services.webhooks.wake(ctx.organization.id))
  return { last, mayBeMore: await keepWithin(ctx, created) }
}

/** Drops what waits beyond the quota after so many were created, if that is possible; whether there may be more. */
async function keepWithin(ctx: Context, created: number): Promise<boolean> {
  const { id } = ctx.organization
  const known = rooms.get(id)
  const left = known && known.until > performance.now() ? known.room - created : -1
  const until = known?.until ?? 0
  const counted = left < 0 ? await keepWithinQuota(ctx) : undefined
  ctx.afterCommit(() => {
    if (rooms.size >= mostCounted) rooms.clear()
    rooms.set(
      id,
      counted
        ? { room: counted.room, until: performance.now() + countedMs }
        : { room: left, until },
    )
  })
  return (counted?.dropped ?? 0) > created
}
