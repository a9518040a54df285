import { Type } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import type { Context, Query } from '../../kit/ground/context.ts'
import { badField, notFound } from '../../kit/ground/errors.ts'
import { enumeration, extend, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { announce } from '../../kit/write/announce.ts'
import { eventNames } from '../catalogue.ts'
import { boundTo, pageOf, pageQuery, pageSchema } from '../cursor.ts'
import { resend } from '../delivery-log.ts'
import {
  deliverySearch,
  deliveryStatus,
  eventTypeOf,
  searched,
  searchKey,
} from '../delivery-search.ts'
import { byId } from '../subscription.ts'
import { mostResent, resentInput, resentOutput, startResend } from '../resend.ts'
import { findSubscription, Subscription } from './subscriptions.ts'

const topic = 'webhooks'
const event = enumeration(eventNames, { title: 'EventName' })
const instant = Type.String({ format: 'date-time' })
const text = Type.String()

const delivery = Type.Object(
  {
    delivery_id: Type.String({ description: 'the webhook-id, the same on every attempt' }),
    subscription_id: text,
    app: Type.Object({ app_id: text, name: text }, { title: 'AppRef' }),
    url: text,
    event,
    event_id: orNull(text),
    status: deliveryStatus,
    attempts: Type.Integer({ description: 'made so far; a resend counts from zero' }),
    next_attempt_at: orNull(instant),
    answer: orNull(
      Type.Object(
        {
          status: orNull(Type.Integer({ description: 'null where no answer came' })),
          excerpt: orNull(Type.String({ description: 'the first 4 KB of the body' })),
          error: orNull(Type.String({ description: 'why no answer came' })),
          duration_ms: orNull(Type.Integer()),
        },
        { title: 'DeliveryAnswer', description: 'to the last attempt; null before the first' },
      ),
    ),
    creation_time: instant,
    delivered_at: orNull(instant),
  },
  { title: 'WebhookDelivery' },
)

const withRequest = extend(
  { ...delivery, title: 'WebhookDeliveryWithRequest' },
  {
    request: Type.Object(
      {
        method: Type.Literal('POST'),
        url: text,
        headers: Type.Object(
          { 'content-type': text, 'user-agent': text, 'webhook-id': text },
          { title: 'DeliveryHeaders', description: 'beside the timestamp and the signature' },
        ),
        body: orNull(
          Type.String({
            description:
              'JSON, as an attempt would send it now, less what you may not see; null where it would not be sent, or you may not see the record',
          }),
        ),
      },
      { title: 'DeliveryRequest' },
    ),
  },
)

/** Deliveries of the organization's webhooks, for those who manage its apps. */
export const managedDeliveries = {
  list: operation({
    name: 'list_webhook_deliveries',
    summary: 'List webhook deliveries',
    description: 'Newest first. Deliveries are stored for 30 days.',
    topic,
    can: { module: 'apps', action: 'read' },
    writes: false,
    input: {
      query: Type.Object({
        subscription_id: Type.Optional(idInQuery('only those of this subscription')),
        ...deliverySearch,
        ...pageQuery,
      }),
    },
    output: pageSchema(delivery),
    async run(ctx, { query }) {
      const { subscription_id } = query
      if (subscription_id !== undefined) await findSubscription(ctx, subscription_id, 'read')
      const list = ['managed deliveries', subscription_id, searchKey(query)].join()
      const { size, after } = boundTo(list, query)
      const condition = all(searched(ctx, query), after ? sql`d.id < ${after}` : undefined)
      const which = all(
        scope(ctx, Subscription, 'read'),
        subscription_id === undefined ? undefined : sql`t.id = ${subscription_id}`,
      )
      const rows = await shown(ctx, which, condition, size + 1)
      const page = pageOf(
        list,
        rows.map((row) => ({ ...row, id: row.delivery_id })),
        size,
      )
      return { ...page, results: page.results.map(({ id: _id, ...row }) => row) }
    },
  }),
  read: operation({
    name: 'read_webhook_delivery',
    summary: 'Retrieve a webhook delivery',
    description: 'With its request, as it would be sent now.',
    topic,
    can: { module: 'apps', action: 'read' },
    writes: false,
    input: { params: byId },
    output: withRequest,
    async run(ctx, { params }) {
      const which = scope(ctx, Subscription, 'read')
      const [found] = await shown(ctx, which, sql`d.id = ${params.id}`, 1)
      if (!found) throw notFound('Delivery')
      const body = await ctx.services.webhooks.bodyShownTo(ctx, params.id)
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Perennial-Webhooks/1',
        'webhook-id': params.id,
      }
      return { ...found, request: { method: 'POST', url: found.url, headers, body } }
    },
  }),
  resend: operation({
    name: 'resend_webhook_delivery',
    summary: 'Resend a webhook delivery',
    description:
      'Delivers once more, with the same webhook-id; its attempts are counted from zero. A delivery that is being sent is left as it is.',
    topic,
    can: { module: 'apps', action: 'update' },
    writes: true,
    input: { params: byId },
    output: delivery,
    async run(ctx, { params }) {
      const which = scope(ctx, Subscription, 'update')
      await resend(ctx, which, params.id)
      const [row] = await shown(ctx, which, sql`d.id = ${params.id}`, 1)
      if (!row) throw notFound('Delivery')
      const more = { delivery_id: params.id, event: row.event }
      const entry = { id: params.id, name: new URL(row.url).host, more }
      await announce(ctx, { module: 'apps', word: 'webhook delivery' }, 'resent', entry)
      return row
    },
  }),
  resendFailed: operation({
    name: 'resend_failed_webhook_deliveries',
    summary: 'Resend failed webhook deliveries',
    description: `Resends the deliveries of a subscription since a time that have not arrived, or those with a \`status\`: at most ${mostResent.toLocaleString('en')} at once, in a job.`,
    topic,
    can: { module: 'apps', action: 'update' },
    writes: true,
    input: {
      body: Type.Object(
        {
          subscription_id: Type.String({ maxLength: 255 }),
          ...resentInput,
        },
        { additionalProperties: false },
      ),
    },
    output: Type.Object({ subscription_id: text, ...resentOutput }, { title: 'ResendOfFailed' }),
    async run(ctx, { body }) {
      const { subscription_id } = body
      const found = await findSubscription(ctx, subscription_id, 'update').catch(() => undefined)
      if (!found) throw badField('subscription_id', 'is not a subscription of the organization')
      return {
        subscription_id,
        ...(await startResend(ctx, { ...found, id: subscription_id }, body)),
      }
    },
  }),
}

type Row = { delivery_id: string; url: string; event: string; [column: string]: unknown }

/** Reads by subscription, which an index serves; a dropped delivery does not name its event. */
function shown(
  ctx: Context,
  which: Query | undefined,
  condition: Query | undefined,
  limit: number,
): Promise<Row[]> {
  return ctx.all<Row>(sql`
    select d.id as delivery_id, t.id as subscription_id,
      json_build_object('app_id', a.id, 'name', a.name) as app, t.url, ${eventTypeOf} as event,
      case when d.status <> 'dropped' then d.event_id end as event_id, d.status, d.attempts,
      case when d.status in ('pending', 'failing') then d.next_attempt_at end as next_attempt_at,
      case when d.attempts > 0 or d.error is not null then json_build_object('status',
        d.response_status, 'excerpt', d.response_excerpt, 'error', d.error,
        'duration_ms', d.duration_ms) end as answer,
      d.creation_time, d.delivered_at
    from subscriptions t
    join apps a on a.organization_id = $organization and a.id = t.app_id
    cross join lateral (
      select d.* from deliveries d
      where d.organization_id = $organization and d.subscription_id = t.id
        and ${condition ?? sql`true`}
      order by d.id desc limit ${limit}
    ) d
    where ${all(mine(ctx), which)} order by d.id desc limit ${limit}`)
}
