import type { Context, Query } from '../kit/ground/context.ts'
import { conflict, notFound } from '../kit/ground/errors.ts'
import type { Operation } from '../kit/ground/operation.ts'
import { all, sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import { eventNames } from './catalogue.ts'
import { boundTo, pageOf, pageQuery, pageSchema } from './cursor.ts'
import { byId, listed, own } from './subscription.ts'

const statuses = ['pending', 'delivered', 'failing', 'exhausted', 'dropped']

/** What was delivered and what not, kept for 30 days. */
export function deliveryLogOperations(runtime: Runtime) {
  const resend: Operation = {
    name: 'resend_delivery',
    summary: 'Deliver once more, with the same webhook-id and body',
    description: 'Its attempts start anew. One that is on its way just now is left to it.',
    ...listed,
    writes: true,
    input: { params: byId },
    output: delivery,
    async run(ctx, { params }) {
      const found = await ctx.one<{ subscription_status: string; is_in_hand: boolean }>(sql`
        select t.status as subscription_status, d.status in ('pending', 'failing')
          and coalesce(d.leased_until > now(), false) as is_in_hand
        from deliveries d
        join subscriptions t on t.organization_id = d.organization_id and t.id = d.subscription_id
        where ${own(ctx)} and d.id = ${params.id} for update of d`)
      if (!found) throw notFound('Delivery')
      if (found.subscription_status !== 'active') {
        throw conflict('The subscription is disabled: subscribe again first', 'disabled')
      }
      if (!found.is_in_hand) {
        await ctx.run(sql`
          update deliveries d set status = 'pending', attempts = 0, leased_until = null,
            next_attempt_at = ${ctx.now().toISOString()}, response_status = null,
            response_excerpt = null, error = null, duration_ms = null, delivered_at = null
          where d.organization_id = ${ctx.organization.id} and d.id = ${params.id}`)
        ctx.afterCommit(() => runtime.wake(ctx.organization.id))
      }
      const [row] = await read(ctx, { condition: sql`d.id = ${params.id}`, size: 0 })
      return row
    },
  }
  return { listDeliveries, resend }
}

const nullable = (schema: object, type: string) => ({ ...schema, type: [type, 'null'] })

const delivery = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'the webhook-id' },
    subscriptionId: { type: 'string' },
    event: { type: 'string' },
    event_id: nullable({}, 'string'),
    status: { type: 'string', enum: statuses },
    attempts: { type: 'integer' },
    next_attempt_at: nullable({ format: 'date-time' }, 'string'),
    response_status: nullable({}, 'integer'),
    response_excerpt: nullable({}, 'string'),
    error: nullable({ description: 'why there was no answer' }, 'string'),
    duration_ms: nullable({}, 'integer'),
    creation_time: { type: 'string', format: 'date-time' },
    delivered_at: nullable({ format: 'date-time' }, 'string'),
  },
  required: ['id', 'subscriptionId', 'event', 'status', 'attempts', 'creation_time'],
}

const listDeliveries: Operation = {
  name: 'list_deliveries',
  summary: 'List the deliveries of your subscriptions, newest first',
  ...listed,
  writes: false,
  input: {
    query: {
      type: 'object',
      properties: {
        subscriptionId: { type: 'string', description: 'only those of this subscription' },
        subscription_id: { type: 'string', description: 'the same' },
        status: { type: 'string', enum: statuses },
        event: { type: 'string', enum: eventNames },
        ...pageQuery,
      },
    },
  },
  output: pageSchema(delivery),
  async run(ctx, { query }) {
    const { status, event } = query
    const subscriptionId = query.subscriptionId ?? query.subscription_id
    const list = ['deliveries', subscriptionId, status, event].join()
    const { size, after } = boundTo(list, query)
    if (subscriptionId !== undefined) {
      const found = await ctx.one(sql`select from subscriptions t
        where ${own(ctx)} and t.id = ${subscriptionId}`)
      if (!found) throw notFound('Subscription')
    }
    const condition = all(
      status && sql`d.status = ${status}`,
      event && sql`e.type = ${event}`,
      after ? sql`d.id < ${after}` : undefined,
    )
    const rows = await read(ctx, { condition, size, subscriptionId })
    return pageOf(list, rows, size)
  },
}

type Row = { id: string; [column: string]: unknown }

/** By subscription, which an index serves; of one that was dropped not even the event is named. */
function read(
  ctx: Context,
  wanted: { condition: Query; size: number; subscriptionId?: string },
): Promise<Row[]> {
  const { condition, size, subscriptionId } = wanted
  const which = subscriptionId === undefined ? undefined : sql`t.id = ${subscriptionId}`
  return ctx.all<Row>(sql`
    select d.id, t.id as "subscriptionId", d.type as event,
      case when d.status <> 'dropped' then d.event_id end as event_id, d.status, d.attempts,
      case when d.status in ('pending', 'failing') then d.next_attempt_at end as next_attempt_at,
      d.response_status, d.response_excerpt, d.error, d.duration_ms, d.creation_time, d.delivered_at
    from subscriptions t cross join lateral (
      select d.*, e.type from deliveries d
      join events e on e.organization_id = d.organization_id and e.id = d.event_id
      where d.organization_id = t.organization_id and d.subscription_id = t.id and ${condition}
      order by d.id desc limit ${size + 1}
    ) d
    where ${all(own(ctx), which)} order by d.id desc limit ${size + 1}`)
}
