import type { Job } from '../../kit/ground/job.ts'
import { all, sql } from '../../kit/ground/sql.ts'

/** One request resends at most so many deliveries. */
export const mostResent = 10_000
/** One transaction takes so many of them. */
const batch = 500

type Failed = {
  subscription_id: string
  /** the ids after which the next part begins */
  after: string
  event: string | null
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
  async run({ write, signal }, { subscription_id, after, event, left }) {
    let from = after
    for (let open = left; open > 0;) {
      signal.throwIfAborted()
      const ids = await write(async (ctx) => {
        const found = await ctx.all<{ id: string }>(sql`
          select d.id from deliveries d
          join events e on e.organization_id = d.organization_id and e.id = d.event_id
          join subscriptions t on t.organization_id = d.organization_id and t.id = d.subscription_id
          where ${all(
            sql`d.organization_id = ${ctx.organization.id}`,
            sql`d.subscription_id = ${subscription_id} and t.status = 'active' and d.id > ${from}`,
            sql`d.status in ('failing', 'exhausted')`,
            sql`(d.leased_until is null or d.leased_until <= now())`,
            event ? sql`e.type = ${event}` : undefined,
          )}
          order by d.id limit ${Math.min(batch, open)} for update of d skip locked`)
        const batchIds = found.map(({ id }) => id)
        if (!batchIds.length) return []
        await ctx.run(sql`
          update deliveries d set status = 'pending', attempts = 0, leased_until = null,
            next_attempt_at = ${ctx.now().toISOString()}, response_status = null,
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
