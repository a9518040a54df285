import { type Static, Type } from 'typebox'
import type { Context, Query } from '../kit/ground/context.ts'
import { conflict } from '../kit/ground/errors.ts'
import { enumeration } from '../kit/ground/json-schema.ts'
import type { Job } from '../kit/ground/job.ts'
import { all, sql } from '../kit/ground/sql.ts'
import { announce } from '../kit/write/announce.ts'
import { eventNames } from './catalogue.ts'
import { idBefore, idFrom, instantFrom } from './delivery-search.ts'

/** The maximum number of deliveries per request. */
export const mostResent = 10_000
/** The number of deliveries per transaction. */
const batch = 500

const instant = Type.String({ format: 'date-time' })

/** The filter of a request for deliveries to resend, besides their subscription. */
export const resentInput = {
  since: instant,
  until: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'only deliveries created before this time, or up to this day',
    }),
  ),
  event: Type.Optional(enumeration(eventNames, { title: 'EventName' })),
  status: Type.Optional(
    enumeration(['failing', 'exhausted', 'dropped', 'delivered'], {
      title: 'ResentStatus',
      description: 'only deliveries with this status; failing and exhausted by default',
    }),
  ),
  response_status: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 599,
      description: 'only deliveries whose last answer had this status',
    }),
  ),
}

/** The answer: what is resent. */
export const resentOutput = {
  since: instant,
  failed: Type.Integer({ description: 'deliveries that will be sent again' }),
  has_more: Type.Boolean({ description: 'whether there are more; repeat the request for them' }),
}

const wantedBody = Type.Object(resentInput)
type Wanted = Static<typeof wantedBody>

/** 409 if a subscription with this status sends nothing. */
export function checkActive(status: string): void {
  if (status === 'active') return
  throw conflict(
    'The subscription is disabled: enable it in the workspace, or subscribe again',
    'disabled',
  )
}

/**
 * Enqueues a job that resends deliveries of a subscription that the caller may change; 409 if that is
 * disabled, 400 for an invalid time.
 */
export async function startResend(
  ctx: Context,
  { id, url, status: state }: { id: string; url: string; status: string },
  wanted: Wanted,
) {
  const { since, until, event = null, status = null, response_status = null } = wanted
  checkActive(state)
  const from = idFrom('since', since, ctx)
  const which = {
    subscription_id: id,
    event,
    before: until === undefined ? null : idBefore('until', until, ctx),
    status,
    response_status,
    as_of: ctx.now().toISOString(),
  }
  const [{ failed } = { failed: 0 }] = await ctx.all<{ failed: number }>(sql`
    select count(*)::int as failed from (select from deliveries d
      join events e on e.organization_id = $organization and e.id = d.event_id
      where ${all(resendable(ctx, which), sql`d.id >= ${from}`)} limit ${mostResent + 1}) d`)
  const most = Math.min(failed, mostResent)
  if (most) ctx.enqueue(resendFailed, { ...which, after: from, left: most })
  const more = { since, until, event, status, response_status, deliveries: most }
  const entry = { id, name: new URL(url).host, more }
  await announce(ctx, { module: 'apps', word: 'webhook subscription' }, 'resent', entry)
  return {
    since: instantFrom('since', since, ctx).toISOString(),
    failed: most,
    has_more: failed > mostResent,
  }
}

/** Which deliveries of a subscription are resent. */
export type Resent = {
  subscription_id: string
  event: string | null
  /** only ids before this; jobs of an earlier version have none of these properties */
  before?: string | null
  /** failing and exhausted ones by default */
  status?: string | null
  response_status?: number | null
  /** what has been delivered since is not resent if the job runs again */
  as_of?: string
}

type Failed = Resent & {
  /** the ids after which the next part begins */
  after: string
  /** how many may still be resent */
  left: number
}

/**
 * Resends failed deliveries of a subscription, the oldest first, one batch per transaction. Running it twice
 * resends a delivery again only if all its new attempts have failed.
 */
export const resendFailed: Job<Failed> = {
  name: 'webhooks.resend_failed',
  async run({ write, signal }, { after, left, ...which }) {
    let from = after
    for (let open = left; open > 0;) {
      signal.throwIfAborted()
      const ids = await write(async (ctx) => {
        const found = await ctx.all<{ id: string }>(sql`
          select d.id from deliveries d
          join events e on e.organization_id = $organization and e.id = d.event_id
          join subscriptions t on t.organization_id = $organization and t.id = d.subscription_id
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

/** The condition over `deliveries d` and `events e` for the chosen deliveries. */
function resendable(ctx: Context, which: Resent): Query | undefined {
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
