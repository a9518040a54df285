import { Type } from 'typebox'
import type { Context } from '../kit/ground/context.ts'
import { badField, notFound } from '../kit/ground/errors.ts'
import { newId } from '../kit/ground/ids.ts'
import { enumeration } from '../kit/ground/json-schema.ts'
import { operation } from '../kit/ground/operation.ts'
import { all, mine, sql } from '../kit/ground/sql.ts'
import type { EventName } from './catalogue.ts'
import { eventNames, recordOf } from './catalogue.ts'
import type { Message } from './message.ts'
import { testSource } from './message.ts'
import { sampleFor } from './sample.ts'
import type { Row } from './subscription.ts'
import { callingApp, checkEvents, logSubscription, own, webhookAccess } from './subscription.ts'

const event = enumeration(eventNames, { title: 'EventName' })

/**
 * Sends a sample in the same way as a real event: with an event row, a delivery for each of the
 * caller's subscriptions, signed, retried and listed like any other.
 */
export const triggerEvent = operation({
  name: 'trigger_event',
  summary: 'Trigger a test event',
  description:
    'Delivers a sample of an event to your own active subscriptions to it, as the event itself would be: signed, retried and listed among the deliveries. The body shows your newest record that you may see, or made-up values if there is none, and has `"test": true`.',
  ...webhookAccess,
  writes: true,
  input: {
    body: Type.Object({
      event,
      subscriptionId: Type.Optional(
        Type.String({ maxLength: 255, description: 'only this subscription' }),
      ),
    }),
  },
  aliases: { subscription_id: 'subscriptionId' },
  output: Type.Object(
    {
      event,
      event_id: Type.String(),
      deliveries: Type.Array(
        Type.Object(
          {
            id: Type.String({ description: 'the webhook-id' }),
            subscriptionId: Type.String(),
            url: Type.String(),
          },
          { title: 'TriggeredDelivery' },
        ),
      ),
    },
    { title: 'TriggeredEvent' },
  ),
  async run(ctx, { body }) {
    const { event: name, subscriptionId } = body
    checkEvents(ctx, [name], callingApp(ctx).scopes)
    const subscriptions = await subscribersOf(ctx, name, subscriptionId)
    const sample = await sampleFor(ctx, name)
    const event_id = await storeTestEvent(ctx, name, sample)
    const deliveries = await storeDeliveries(ctx, event_id, subscriptions)
    for (const subscription of subscriptions) await logSubscription(ctx, subscription, 'tested')
    ctx.afterCommit(() => ctx.services.webhooks.wake(ctx.organization.id))
    return { event: name, event_id, deliveries }
  },
})

type Subscriber = Pick<Row, 'id' | 'url' | 'events'>

/** The caller's active subscriptions to an event; 400 without any, 404 for one that is not theirs. */
async function subscribersOf(
  ctx: Context,
  name: EventName,
  subscriptionId: string | undefined,
): Promise<Subscriber[]> {
  const which = subscriptionId === undefined ? undefined : sql`t.id = ${subscriptionId}`
  const found = await ctx.all<Subscriber & { is_due: boolean }>(sql`
    select t.id, t.url, t.events, t.status = 'active' and ${name} = any(t.events) as is_due
    from subscriptions t where ${all(own(ctx), which)} order by t.id for key share`)
  if (subscriptionId !== undefined && !found.length) throw notFound('Subscription')
  const due = found.filter(({ is_due }) => is_due)
  if (due.length) return due
  throw badField('event', `no active subscription of yours is to ${name}: subscribe to it first`)
}

/**
 * The event behind the test deliveries. It names its record for the readers' rights, but no module, so the
 * log of the record, its timeline and what is computed from them do not include it.
 */
async function storeTestEvent(ctx: Context, name: EventName, sample: Message): Promise<string> {
  const id = newId()
  const { actor } = ctx
  const { key, module } = recordOf(name)
  const data = JSON.parse(sample.data ?? 'null') as { [field: string]: unknown } | null
  // a made-up record belongs to nobody
  const isReal = sample.record_version !== null
  const entry = { action: 'tested', module, name: null }
  await ctx.run(sql`
    insert into events (organization_id, id, type, title, module_id, reference_id, actor_type,
      actor_id, actor_name, source, raw_description, changes, data, record_version, occurred_at)
    values (${ctx.organization.id}, ${id}, ${name}, ${`Test of ${name}`}, null,
      ${isReal ? String(data?.[key] ?? '') : null}, ${actor.app ? 'app' : actor.type}, ${actor.user_id},
      ${actor.full_name}, ${testSource}, ${JSON.stringify(entry)}, ${sample.changes}::json,
      ${sample.data}::json, ${sample.record_version}, ${ctx.now().toISOString()})`)
  return id
}

function storeDeliveries(ctx: Context, event_id: string, subscriptions: Subscriber[]) {
  const now = ctx.now().toISOString()
  const rows = subscriptions.map(({ id, url }) => ({
    id: newId(),
    subscriptionId: id,
    url,
  }))
  const made = rows.map(({ id, subscriptionId }) => ({ id, subscription_id: subscriptionId }))
  return ctx
    .run(
      sql`insert into deliveries
        (organization_id, id, event_id, subscription_id, next_attempt_at, creation_time)
      select o.organization_id, d.id, ${event_id}, d.subscription_id, ${now}, ${now}
      from organizations o, json_to_recordset(${JSON.stringify(made)})
        as d (id text, subscription_id text)
      where ${mine(ctx, 'o')}`,
    )
    .then(() => rows)
}
