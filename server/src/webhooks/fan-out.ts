import type { FanOut } from '../kit/ground/event.ts'
import { fanOutJob } from '../kit/ground/event.ts'
import type { Job } from '../kit/ground/job.ts'
import { mine, sql } from '../kit/ground/sql.ts'
import { deliveryId } from '../kit/write/events.ts'
import { dropWaiting } from './waiting.ts'

/** One transaction creates about this many deliveries. */
const batch = 1000

/**
 * Creates the deliveries of events that are for many subscriptions: those that there were at the event. In parts,
 * each in a transaction, and each delivery once however often the job runs.
 */
export const fanOut: Job<FanOut> = {
  ...fanOutJob,
  async run({ write, signal }, { events, due }) {
    const size = Math.max(1, Math.floor(batch / Math.max(1, events.length)))
    for (let after = ''; ;) {
      signal.throwIfAborted()
      const last = await write(async (ctx) => {
        const found = await ctx.all<{ id: string }>(sql`
          select s.id from subscriptions s
          where ${mine(ctx, 's')} and s.status = 'active' and s.id > ${after}
            and s.events && array(select e.type from events e
              where e.organization_id = $organization and e.id = any(${events}))
          order by s.id limit ${size} for key share`)
        const ids = found.map(({ id }) => id)
        if (!ids.length) return undefined
        const created = await ctx.all<{ id: string }>(sql`
          insert into deliveries
            (organization_id, id, event_id, subscription_id, next_attempt_at, creation_time)
          select s.organization_id, ${deliveryId(sql`e.id`, sql`s.id`)}, e.id, s.id, ${due},
            ${ctx.now().toISOString()}
          from subscriptions s
          join events e on e.organization_id = $organization and e.id = any(${events})
            and e.type = any(s.events) and e.occurred_at >= s.creation_time
            and (s.project_id is null or e.type not like 'task\\_%' or s.project_id = e.project_id)
          where ${mine(ctx, 's')} and s.id = any(${ids})
          on conflict do nothing returning id`)
        if (created.length) {
          ctx.afterCommit(() => ctx.services.webhooks.wake(ctx.organization.id))
        }
        return ids.at(-1)
      })
      if (last === undefined) break
      after = last
      // after each part, so that one change of many records makes no more than may wait
      while (await write(dropWaiting)) signal.throwIfAborted()
    }
  },
}
