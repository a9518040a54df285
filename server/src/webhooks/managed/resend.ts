import type { Context, Query } from '../../kit/ground/context.ts'
import type { Job } from '../../kit/ground/job.ts'
import { all, sql } from '../../kit/ground/sql.ts'

/** One request resends at most so many deliveries. */
export const mostResent = 10_000
/** One transaction takes so many of them. */
const batch = 500

/** Which deliveries of a subscription are sent again. */
export type Resent = {
  subscription_id: string
  event: string | null
  /** only ids before; jobs of an earlier version have none of these */
  before?: string | null
  /** failing and exhausted ones by default */
  status?: string | null
  response_status?: number | null
  /** what has arrived since is not sent once more, should the job run again */
  as_of?: string
}

type Failed = Resent & {
  /** the ids after which the next part begins */
  after: string
  /** how many may still be sent again */
  left: number
}

/**
 * Sends again what failed of a subscription, the oldest first, a batch a transaction. Running it twice
 * finds what failed since only where a receiver has refused it again through all attempts.
 */
export const resendFailed: Job<Failed> = {
  name: 'webhooks.resend_failed',
  atOnce: 1,
  async run({ write, signal }, { after, left, ...which }) {
    let from = after
    for (let open = left; open > 0;) {
      signal.throwIfAborted()
      const ids = await write(async (ctx) => {
        const found = await ctx.all<{ id: string }>(sql`
          select d.id from deliveries d
          join events e on e.organization_id = d.organization_id and e.id = d.event_id
          join subscriptions t on t.organization_id = d.organization_id and t.id = d.subscription_id
          where ${all(resendable(ctx, which), sql`t.status = 'active' and d.id > ${from}`)}
          order by d.id limit ${Math.min(batch, open)} for update of d skip locked`)
        const batchIds = found.map(({ id }) => id)
        if (!batchIds.length) return []
        await ctx.run(sql`
          update deliveries d set status = 'pending', attempts = 0, leased_until = null,
            next_attempt_at = now(), response_status = null,
            response_excerpt = null, error = null, duration_ms = null, delivered_at = null
          where d.organization_id = ${ctx.organization.id} and d.id = any(${batchIds})`)
        ctx.afterCommit(() => ctx.services.webhooks.wake(ctx.organization.id))
        return batchIds
      })
      const last = ids.at(-1)
      if (last === undefined) return
      from = last
      open -= ids.length
    }
  },
}

/** The condition over `deliveries d` and `events e` that they are meant. */
export function resendable(ctx: Context, which: Resent): Query | undefined {
  const { subscription_id, event, before, status, response_status, as_of } = which
  return all(
    sql`d.organization_id = ${ctx.organization.id} and d.subscription_id = ${subscription_id}`,
    status ? sql`d.status = ${status}` : sql`d.status in ('failing', 'exhausted')`,
    status === 'delivered' && as_of ? sql`d.delivered_at <= ${as_of}` : undefined,
    event ? sql`e.type = ${event}` : undefined,
    before ? sql`d.id < ${before}` : undefined,
    response_status ? sql`d.response_status = ${response_status}` : undefined,
  )
}
