import { Type } from 'typebox'
import { idInQuery } from '../kit/ground/ids.ts'
import type { Context, Query } from '../kit/ground/context.ts'
import { notFound } from '../kit/ground/errors.ts'
import { orNull } from '../kit/ground/json-schema.ts'
import { operation } from '../kit/ground/operation.ts'
import { all, mine, sql } from '../kit/ground/sql.ts'
import { boundTo, pageOf, pageQuery, pageSchema } from './cursor.ts'
import {
  deliverySearch,
  deliveryStatus,
  eventTypeOf,
  searched,
  searchKey,
} from './delivery-search.ts'
import { checkActive, mostResent, resentInput, resentOutput, startResend } from './resend.ts'
import { byId, oneOf, own, webhookAccess } from './subscription.ts'

const text = Type.String()

const delivery = Type.Object({
  id: Type.String({ description: 'the webhook-id' }),
  subscriptionId: text,
  event: text,
  event_id: Type.Optional(orNull(text)),
  status: deliveryStatus,
  attempts: Type.Integer(),
  next_attempt_at: Type.Optional(orNull(Type.String({ format: 'date-time' }))),
  response_status: Type.Optional(orNull(Type.Integer())),
  response_excerpt: Type.Optional(orNull(text)),
  error: Type.Optional(orNull(Type.String({ description: 'why no answer came' }))),
  duration_ms: Type.Optional(orNull(Type.Integer())),
  creation_time: Type.String({ format: 'date-time' }),
  delivered_at: Type.Optional(orNull(Type.String({ format: 'date-time' }))),
})

/** The log of deliveries, stored for 30 days. */
export const listDeliveries = operation({
  name: 'list_deliveries',
  summary: 'List deliveries',
  description: 'Those of your own subscriptions, newest first. Deliveries are stored for 30 days.',
  ...webhookAccess,
  writes: false,
  input: {
    query: Type.Object({
      subscriptionId: Type.Optional(idInQuery('only those of this subscription')),
      subscription_id: Type.Optional(idInQuery('same as subscriptionId')),
      ...deliverySearch,
      ...pageQuery,
    }),
  },
  output: pageSchema(delivery),
  async run(ctx, { query }) {
    const subscriptionId = oneOf(query.subscriptionId, query.subscription_id, 'subscription_id')
    const list = ['deliveries', subscriptionId, searchKey(query)].join()
    const { size, after } = boundTo(list, query)
    if (subscriptionId !== undefined) {
      const found = await ctx.one(sql`select from subscriptions t
        where ${own(ctx)} and t.id = ${subscriptionId}`)
      if (!found) throw notFound('Subscription')
    }
    const condition = all(searched(ctx, query), after ? sql`d.id < ${after}` : undefined)
    const rows = await read(ctx, { condition, size, subscriptionId })
    return pageOf(list, rows, size)
  },
})

export const resendDelivery = operation({
  name: 'resend_delivery',
  summary: 'Resend a delivery',
  description:
    'Delivers once more, with the same webhook-id and body; its attempts are counted from zero. A delivery that is being sent is left as it is.',
  ...webhookAccess,
  writes: true,
  input: { params: byId },
  output: delivery,
  async run(ctx, { params }) {
    await resend(ctx, own(ctx), params.id)
    const [row] = await read(ctx, { condition: sql`d.id = ${params.id}`, size: 0 })
    return row
  },
})

/** Resends failed deliveries of a subscription, chosen by a filter, in a job. */
export const resendFailedDeliveries = operation({
  name: 'resend_failed_deliveries',
  summary: 'Resend failed deliveries',
  description: `Resends the deliveries of your own subscription since a time that have not arrived, or those with a \`status\`: at most ${mostResent.toLocaleString('en')} at once, in a job.`,
  ...webhookAccess,
  writes: true,
  input: {
    body: Type.Object({
      subscriptionId: Type.String({ maxLength: 255 }),
      ...resentInput,
    }),
  },
  aliases: { subscription_id: 'subscriptionId' },
  output: Type.Object({ subscriptionId: text, ...resentOutput }),
  async run(ctx, { body }) {
    const { subscriptionId } = body
    const found = await ctx.one<{ id: string; url: string; status: string }>(sql`
      select t.id, t.url, t.status from subscriptions t
      where ${own(ctx)} and t.id = ${subscriptionId}`)
    if (!found) throw notFound('Subscription')
    return { subscriptionId, ...(await startResend(ctx, found, body)) }
  },
})

/**
 * Resends a delivery of the subscriptions `t` that meet a condition; one that is being sent just
 * now is not changed. 404 for others, 409 if the subscription is disabled.
 */
export async function resend(ctx: Context, which: Query, id: string): Promise<void> {
  const found = await ctx.one<{ subscription_status: string; is_in_hand: boolean }>(sql`
    select t.status as subscription_status, d.status in ('pending', 'failing')
      and coalesce(d.leased_until > now(), false) as is_in_hand
    from deliveries d
    join subscriptions t on t.organization_id = $organization and t.id = d.subscription_id
    where ${all(mine(ctx, 'd'), which)} and d.id = ${id} for update of d`)
  if (!found) throw notFound('Delivery')
  checkActive(found.subscription_status)
  if (!found.is_in_hand) {
    await ctx.run(sql`
      update deliveries d set status = 'pending', attempts = 0, leased_until = null,
        next_attempt_at = now(), response_status = null,
        response_excerpt = null, error = null, duration_ms = null, delivered_at = null
      where d.organization_id = ${ctx.organization.id} and d.id = ${id}`)
    ctx.afterCommit(() => ctx.services.webhooks.wake(ctx.organization.id))
  }
}

type Row = { id: string; [column: string]: unknown }

/** Reads by subscription, which an index serves; a dropped delivery does not name its event. */
function read(
  ctx: Context,
  {
    condition,
    size,
    subscriptionId,
  }: { condition: Query | undefined; size: number; subscriptionId?: string },
): Promise<Row[]> {
  const which = subscriptionId === undefined ? undefined : sql`t.id = ${subscriptionId}`
  return ctx.all<Row>(sql`
    select d.id, t.id as "subscriptionId", ${eventTypeOf} as event,
      case when d.status <> 'dropped' then d.event_id end as event_id, d.status, d.attempts,
      case when d.status in ('pending', 'failing') then d.next_attempt_at end as next_attempt_at,
      d.response_status, d.response_excerpt, d.error, d.duration_ms, d.creation_time, d.delivered_at
    from subscriptions t cross join lateral (
      select d.* from deliveries d
      where d.organization_id = $organization and d.subscription_id = t.id and ${condition}
      order by d.id desc limit ${size + 1}
    ) d
    where ${all(own(ctx), which)} order by d.id desc limit ${size + 1}`)
}
