import { announce } from '../kit/write/announce.ts'
import { Type } from 'typebox'
import { subscriptionKey } from '../records/apps/subscription-key.ts'
import { checkSubscriptionQuota } from '../records/apps/subscription-quota.ts'
import type { Actor, Context, Query } from '../kit/ground/context.ts'
import { badField, forbidden, notFound } from '../kit/ground/errors.ts'
import type { Change } from '../kit/ground/event.ts'
import { newId } from '../kit/ground/ids.ts'
import { enumeration, extend, orNull, schema } from '../kit/ground/json-schema.ts'
import { Answer, operation } from '../kit/ground/operation.ts'
import { contradiction } from '../kit/record/names.ts'
import { levelOf, scope } from '../kit/record/scope.ts'
import { all, mine, nothingCached, sql } from '../kit/ground/sql.ts'
import { isInScope } from './access.ts'
import type { Choice } from './choice.ts'
import { choiceInput, choiceOf, choiceOutput } from './choice.ts'
import type { EventName } from './catalogue.ts'
import { eventNames, isEventName, permissionModulesOf, scopesFor } from './catalogue.ts'
import { boundTo, pageOf, pageQuery, pageSchema } from './cursor.ts'
import { EventsError, parseEvents } from './events-list.ts'
import { ProjectOrDeal } from '../records/projects/project.ts'
import { newSecret } from './signature.ts'

/** How long the previous secret also signs after a rotation. */
export const rotationMs = 86_400_000

/** The common options of webhook operations: a valid token is enough, because events have their own scopes. */
export const webhookAccess = { can: 'signed_in', scope: null, topic: 'webhooks' } as const

/** The path parameter of a subscription or delivery. */
export const byId = Type.Object({ id: Type.String() })

/** What platforms call the address that is delivered to. */
export const addressNames = {
  target_url: 'url',
  targetUrl: 'url',
  hookUrl: 'url',
  webhook_url: 'url',
  callback_url: 'url',
}

/** Where a subscription is named by its id, in the query or the body. */
const subscriptionId = Type.Optional(Type.String({ description: 'in the query or the body' }))

const nameText = Type.String({
  maxLength: 255,
  description: 'what its program calls it, such as the workflow that it is for',
  example: 'New deals to the accounts',
})

/** The name of a subscription in bodies and answers. */
export const nameInput = { name: Type.Optional(orNull(nameText)) }
export const subscriptionName = orNull(nameText)

const subscription = Type.Object({
  id: Type.String(),
  subscriptionId: Type.String({ description: 'equal to id' }),
  events: Type.Array(Type.String()),
  url: Type.String(),
  name: subscriptionName,
  project_id: orNull(Type.String()),
  ...choiceOutput,
  status: enumeration(['active', 'disabled'], { title: 'SubscriptionStatus' }),
  failures: Type.Integer({
    minimum: 0,
    description: 'attempts that failed since the last success',
  }),
  paused_until: orNull(
    Type.String({
      format: 'date-time',
      description:
        'nothing is sent before this time, because many attempts have failed; then one delivery at a time is tried',
    }),
  ),
  failing_since: Type.Optional(
    orNull(
      Type.String({
        format: 'date-time',
        description:
          'time since which every attempt has failed; after 5 days the subscription is disabled',
      }),
    ),
  ),
  creation_time: Type.Optional(Type.String({ format: 'date-time' })),
})

const eventName = enumeration(eventNames, { title: 'EventName' }) as object

const withSecret = extend(subscription, {
  secret: Type.String({ description: 'secret that signs the deliveries (Standard Webhooks)' }),
  previous_secret_until: Type.Optional(Type.String({ format: 'date-time' })),
})

/**
 * Subscriptions (specification 4.3 and 6). A subscription belongs to its app and
 * user: for everybody else it does not exist.
 */
export const subscribe = operation({
  name: 'subscribe',
  summary: 'Subscribe to events',
  existing: 'The same subscription existed already',
  description:
    'Requires the read scope of every requested event, and the right to read its records. Subscribing again with the same values answers 200 with the same id. The address may also be called `target_url`, `targetUrl`, `hookUrl`, `webhook_url` or `callback_url`.',
  ...webhookAccess,
  writes: true,
  input: {
    body: Type.Object({
      events: schema<string | unknown[]>({
        anyOf: [
          { type: 'array', items: { anyOf: [eventName, { type: 'string' }] } },
          eventName,
          { type: 'string', description: "a list literal such as `['company_created']`" },
        ],
        description: 'names of events: a JSON array, one name, or a list literal in a text',
        example: ['company_created', 'company_updated'],
      }),
      url: Type.String({ minLength: 1, maxLength: 2048, description: 'where to deliver' }),
      project_id: Type.Optional(
        orNull(Type.String({ maxLength: 255, description: 'only task events of this project' })),
      ),
      ...nameInput,
      ...choiceInput,
    }),
  },
  aliases: addressNames,
  output: withSecret,
  async before(ctx, { body }) {
    checkEvents(ctx, eventsOf(body.events), callingApp(ctx).scopes)
    await ctx.services.webhooks.checkUrl(body.url)
  },
  async run(ctx, { body }) {
    const events = eventsOf(body.events)
    const project_id = body.project_id || null
    if (project_id) await checkProject(ctx, project_id)
    const app = callingApp(ctx)
    const { row, created } = await storeSubscription(ctx, {
      app_id: app.id,
      grant_id: app.grant_id,
      url: body.url,
      events,
      project_id,
      name: body.name,
      ...(await choiceOf(ctx, events, body)),
    })
    return new Answer({ ...present(row), secret: ctx.secrets.decrypt(row.secret) }, { created })
  },
})

export const unsubscribe = operation({
  name: 'unsubscribe',
  summary: 'Delete a subscription',
  ...webhookAccess,
  writes: true,
  input: { query: Type.Object({ subscriptionId }), body: Type.Object({ subscriptionId }) },
  aliases: { subscription_id: 'subscriptionId', id: 'subscriptionId' },
  output: Type.Object({ status: Type.Literal('success'), id: Type.String() }),
  async run(ctx, { query, body }) {
    const id = oneOf(query.subscriptionId, body.subscriptionId, 'the body')
    if (!id) throw badField('subscriptionId', 'is required, in the query or the body')
    const row = await ctx.one<Row>(sql`delete from subscriptions t
      where ${own(ctx)} and t.id = ${id} returning ${columns}`)
    if (!row) throw notFound('Subscription')
    await logSubscription(ctx, row, 'removed')
    ctx.forget()
    return { status: 'success', id }
  },
})

export const listSubscriptions = operation({
  name: 'list_subscriptions',
  summary: 'List subscriptions',
  description: 'Your own, newest first.',
  ...webhookAccess,
  writes: false,
  input: { query: Type.Object(pageQuery) },
  output: pageSchema(subscription),
  async run(ctx, { query }) {
    const { size, after } = boundTo('subscriptions', query)
    const rows = await ctx.all<Row>(sql`select ${columns} from subscriptions t
      where ${all(own(ctx), after ? sql`t.id < ${after}` : undefined)} order by t.id desc limit ${size + 1}`)
    return pageOf('subscriptions', rows.map(present), size)
  },
})

export const rotateSecret = operation({
  name: 'rotate_subscription_secret',
  summary: 'Rotate the signing secret of a subscription',
  description: 'Deliveries are signed with the previous secret too for 24 hours.',
  ...webhookAccess,
  writes: true,
  input: { params: byId },
  output: withSecret,
  async run(ctx, { params }) {
    const secret = newSecret()
    const until = new Date(+ctx.now() + rotationMs).toISOString()
    const row = await ctx.one<Row>(sql`
      ${nothingCached} update subscriptions t set previous_secret = t.secret, previous_until = ${until},
        secret = ${ctx.secrets.encrypt(secret)}
      where ${own(ctx)} and t.id = ${params.id} returning ${columns}`)
    if (!row) throw notFound('Subscription')
    await logSubscription(ctx, row, 'secret rotated')
    return { ...present(row), secret, previous_secret_until: until }
  },
})

/**
 * Stores a subscription of the caller through an app. Subscribing again returns the existing one,
 * reactivated and assigned to the latest connection. Logs new ones.
 */
export async function storeSubscription(
  ctx: Context,
  of: {
    app_id: string
    grant_id: string
    url: string
    events: EventName[]
    project_id: string | null
    name?: string | null
  } & Choice,
): Promise<{ row: Row & { secret: Buffer }; created: boolean }> {
  const { secrets } = ctx
  const { user_id } = ctx.actor
  const unique_key = subscriptionKey({ ...of, user_id })
  const id = newId()
  // one statement, so that two concurrent requests create only one
  const row = await ctx.one<Row & { secret: Buffer }>(sql`
    insert into subscriptions as t (organization_id, id, app_id, grant_id, user_id, events, url,
      project_id, name, conditions, fields, unique_key, secret, creation_time)
    values (${ctx.organization.id}, ${id}, ${of.app_id}, ${of.grant_id}, ${user_id}, ${of.events},
      ${of.url}, ${of.project_id}, ${of.name?.trim() || null}, ${of.conditions && JSON.stringify(of.conditions)}::jsonb,
      ${of.fields}, ${unique_key}, ${secrets.encrypt(newSecret())},
      ${ctx.now().toISOString()})
    on conflict (organization_id, unique_key) do update set grant_id = excluded.grant_id,
      name = coalesce(excluded.name, t.name),
      failing_since = case when t.status = 'active' then t.failing_since end,
      failures = case when t.status = 'active' then t.failures else 0 end, paused_until = null,
      status = 'active'
    returning ${columns}, t.secret`)
  if (!row) throw new Error('an upsert answers its row')
  const created = row.id === id
  if (created) {
    await checkSubscriptionQuota(ctx)
    await logSubscription(ctx, row, 'created')
  }
  ctx.forget()
  return { row, created }
}

/** A subscription that a request may name in two places; 400 where they name different ones. */
export function oneOf(
  id: string | undefined,
  other: string | undefined,
  where: string,
): string | undefined {
  if (id === undefined || other === undefined || id === other) return id ?? other
  throw badField('subscriptionId', contradiction(where))
}

/** The condition over `subscriptions t` that they are the caller's. */
export function own(ctx: Context): Query {
  return sql`${mine(ctx)} and t.app_id = ${callingApp(ctx).id} and t.user_id = ${ctx.actor.user_id}`
}

/** The app through which the user calls, which the integration surface has authenticated. */
export function callingApp({ actor }: Context): NonNullable<Actor['app']> {
  if (!actor.app) throw new Error('webhooks are operations of the integration surface')
  return actor.app
}

export type Row = {
  id: string
  events: string[]
  url: string
  name: string | null
  project_id: string | null
  where: unknown[] | null
  fields: string[] | null
  status: string
  failing_since: string | null
  failures: number
  paused_until: string | null
  creation_time: string
}

const columns = sql`t.id, t.events, t.url, t.name, t.project_id, t.conditions as "where", t.fields,
  t.status, t.failing_since, t.failures,
  t.paused_until, t.creation_time`

function present(row: Row) {
  const { id, events, url, name, project_id, where, fields, status } = row
  const { failing_since, failures, creation_time } = row
  // an ended one does not count
  const isPaused = row.paused_until !== null && Date.parse(row.paused_until) > Date.now()
  const paused_until = isPaused ? row.paused_until : null
  const basic = { id, subscriptionId: id, events, url, name, project_id, where, fields, status }
  return { ...basic, failures, paused_until, failing_since, creation_time }
}

/** The names of a body's events; 400 for an unknown one. */
export function eventsOf(value: unknown): EventName[] {
  let names: string[]
  try {
    names = parseEvents(value)
  } catch (error) {
    if (!(error instanceof EventsError)) throw error
    throw badField('events', error.message.replace(/^events /, ''))
  }
  const unknown = names.filter((name) => !isEventName(name))
  if (!unknown.length) return names
  throw badField('events', `there is no ${unknown.join(', ')}; events are ${eventNames.join(', ')}`)
}

/** 403 unless the app has a read scope for each event, and its user the right to read the records. */
export function checkEvents(ctx: Context, events: EventName[], held: readonly string[]) {
  const { actor } = ctx
  for (const event of events) {
    if (!isInScope(event, held)) {
      const scopes = scopesFor(event).join(' or ')
      throw forbidden(`${event} needs the scope ${scopes}`, 'missing_scope')
    }
    const modules = permissionModulesOf(event)
    if (modules.every((module) => levelOf(actor, module, 'read') === 'none')) {
      throw forbidden(`Your role may not read ${modules.join(' or ')}, which ${event} reports on`)
    }
  }
}

/** 404 unless the caller may read the project or deal. */
export async function checkProject(ctx: Context, id: string) {
  const found = await ctx.one(sql`select from projects t
    where ${scope(ctx, ProjectOrDeal, 'read')} and t.id = ${id}`)
  if (!found) throw notFound('Project')
}

/** Adds an entry to the activity log, with only the host of the URL, since the rest may contain a secret. */
export async function logSubscription(
  ctx: Context,
  { id, url, events }: Pick<Row, 'id' | 'url' | 'events'>,
  action: string,
  changes: Change[] = [],
) {
  const entry = { id, name: new URL(url).host, more: { events }, changes }
  await announce(ctx, { module: 'apps', word: 'webhook subscription' }, action, entry)
}
