import { createHash } from 'node:crypto'
import type { Context, Query } from '../kit/ground/context.ts'
import { badField, forbidden, notFound } from '../kit/ground/errors.ts'
import { newId } from '../kit/ground/ids.ts'
import type { Operation } from '../kit/ground/operation.ts'
import { Answer } from '../kit/ground/operation.ts'
import { levelOf, scope } from '../kit/record/scope.ts'
import { all, mine, sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import { isInScope } from './access.ts'
import type { EventName } from './catalogue.ts'
import { eventNames, isEventName, permissionModulesOf, scopesFor } from './catalogue.ts'
import { boundTo, pageOf, pageQuery, pageSchema } from './cursor.ts'
import { EventsError, parseEvents } from './events-list.ts'
import type { Transport } from './transport.ts'
import { ProjectOrDeal } from '../records/projects/project.ts'
import { newSecret } from './signature.ts'
import { checkTarget, TargetError } from './target.ts'
import type { JSONSchema } from '../kit/ground/json-schema.ts'

/** After a rotation the secret before signs too for this long. */
const rotationMs = 86_400_000

/**
 * Subscribing and what belongs to it (specification 4.3 and 6). A subscription is its app's and its
 * user's: to everybody else it does not exist.
 */
export function subscriptionOperations(runtime: Runtime, { policy }: Transport) {
  const { secrets } = runtime

  const subscribe: Operation = {
    name: 'subscribe',
    summary: 'Subscribe to events; the same again answers 200 with the same id',
    existing: 'The same subscription was there already',
    description: 'Needs the read scope of every event asked for, and the right to read there.',
    ...listed,
    writes: true,
    input: {
      body: {
        type: 'object',
        properties: {
          events: {
            type: ['string', 'array'],
            description: "a list literal such as ['company_created'], a JSON array, or one name",
          },
          url: { type: 'string', minLength: 1, maxLength: 2048, description: 'where to deliver' },
          project_id: {
            type: ['string', 'null'],
            maxLength: 255,
            description: 'only task events of this project',
          },
        },
        required: ['events', 'url'],
      },
    },
    aliases: {
      target_url: 'url',
      targetUrl: 'url',
      hookUrl: 'url',
      webhook_url: 'url',
      callback_url: 'url',
    },
    output: withSecret,
    async before(ctx, { body }) {
      checkEvents(ctx, eventsOf(body.events))
      await checkUrl(body.url, policy)
    },
    async run(ctx, { body }) {
      const events = eventsOf(body.events)
      const project_id: string | null = body.project_id || null
      if (project_id) await checkProject(ctx, project_id)
      const { app, user_id } = ctx.actor
      const same = [app!.id, user_id, new URL(body.url).href, events.toSorted(), project_id]
      const unique_key = createHash('sha256').update(JSON.stringify(same)).digest()
      const id = newId()
      // one statement, so that two at the same moment make one; one that was disabled lives again,
      // and all of them belong to the connection that asked last
      const row = await ctx.one<Row>(sql`
        insert into subscriptions as t (organization_id, id, app_id, grant_id, user_id, events, url,
          project_id, unique_key, secret, creation_time)
        values (${ctx.organization.id}, ${id}, ${app!.id}, ${app!.grant_id}, ${user_id}, ${events},
          ${body.url}, ${project_id}, ${unique_key}, ${secrets.encrypt(newSecret())},
          ${ctx.now().toISOString()})
        on conflict (organization_id, unique_key) do update set grant_id = excluded.grant_id,
          failing_since = case when t.status = 'active' then t.failing_since end, status = 'active'
        returning ${shown}, t.secret`)
      const created = row!.id === id
      if (created) tell(ctx, row!, 'made')
      ctx.forget()
      const secret = secrets.decrypt(row!.secret)
      return new Answer({ ...present(row!), secret }, { created })
    },
  }

  const rotateSecret: Operation = {
    name: 'rotate_subscription_secret',
    summary: 'Make a new signing secret; the old one signs too for 24 hours',
    ...listed,
    writes: true,
    input: { params: byId },
    output: withSecret,
    async run(ctx, { params }) {
      const secret = newSecret()
      const until = new Date(+ctx.now() + rotationMs).toISOString()
      const row = await ctx.one<Row>(sql`
        update subscriptions t set previous_secret = t.secret, previous_until = ${until},
          secret = ${secrets.encrypt(secret)}
        where ${own(ctx)} and t.id = ${params.id} returning ${shown}`)
      if (!row) throw notFound('Subscription')
      tell(ctx, row, 'given a new secret')
      return { ...present(row), secret, previous_secret_until: until }
    },
  }

  return { subscribe, unsubscribe, listSubscriptions, rotateSecret }
}

/** The condition over `subscriptions t` that they are the caller's. */
export function own(ctx: Context): Query {
  const { app, user_id } = ctx.actor
  return sql`${mine(ctx)} and t.app_id = ${app!.id} and t.user_id = ${user_id}`
}

/** 400 naming `url` when webhooks must not go there; asks the network. */
export async function checkUrl(url: string, policy: Transport['policy']): Promise<void> {
  try {
    await checkTarget(url, policy)
  } catch (error) {
    throw error instanceof TargetError ? badField('url', error.message) : error
  }
}

/** What all operations on webhooks share: a live token is enough, events have scopes of their own. */
export const listed = { can: 'signed_in', scope: null, topic: 'webhooks' } as const

export const byId = {
  type: 'object',
  properties: { id: { type: 'string' } },
  required: ['id'],
}

const unsubscribe: Operation = {
  name: 'unsubscribe',
  summary: 'Remove a subscription',
  ...listed,
  writes: true,
  input: {
    query: {
      type: 'object',
      properties: { subscriptionId: { type: 'string', description: 'here or in the body' } },
    },
    body: { type: 'object', properties: { subscriptionId: { type: 'string' } } },
  },
  aliases: { subscription_id: 'subscriptionId', id: 'subscriptionId' },
  output: {
    type: 'object',
    properties: { status: { type: 'string', const: 'success' }, id: { type: 'string' } },
    required: ['status', 'id'],
  },
  async run(ctx, { query, body }) {
    const id: string | undefined = query.subscriptionId ?? body.subscriptionId
    if (!id) throw badField('subscriptionId', 'is required, in the query or the body')
    const row = await ctx.one<Row>(sql`delete from subscriptions t
      where ${own(ctx)} and t.id = ${id} returning ${shown}`)
    if (!row) throw notFound('Subscription')
    tell(ctx, row, 'removed')
    ctx.forget()
    return { status: 'success', id }
  },
}

type Row = {
  id: string
  events: string[]
  url: string
  project_id: string | null
  status: string
  failing_since: string | null
  creation_time: string
  secret: Buffer
}

const shown = sql`t.id, t.events, t.url, t.project_id, t.status, t.failing_since, t.creation_time`

const subscription: { properties: { [name: string]: JSONSchema }; [keyword: string]: unknown } = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    subscriptionId: { type: 'string', description: 'equal to id' },
    events: { type: 'array', items: { type: 'string' } },
    url: { type: 'string' },
    project_id: { type: ['string', 'null'] },
    status: { type: 'string', enum: ['active', 'disabled'] },
    failing_since: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'since when every attempt has failed; after 5 days it is disabled',
    },
    creation_time: { type: 'string', format: 'date-time' },
  },
  required: ['id', 'subscriptionId', 'events', 'url', 'project_id', 'status'],
}

const withSecret = {
  ...subscription,
  properties: {
    ...subscription.properties,
    secret: { type: 'string', description: 'signs the deliveries (Standard Webhooks)' },
    previous_secret_until: { type: 'string', format: 'date-time' },
  },
  required: [...(subscription.required as string[]), 'secret'],
}

const listSubscriptions: Operation = {
  name: 'list_subscriptions',
  summary: 'List your subscriptions, newest first',
  ...listed,
  writes: false,
  input: { query: { type: 'object', properties: pageQuery } },
  output: pageSchema(subscription),
  async run(ctx, { query }) {
    const { size, after } = boundTo('subscriptions', query)
    const rows = await ctx.all<Row>(sql`select ${shown} from subscriptions t
      where ${all(own(ctx), after ? sql`t.id < ${after}` : undefined)} order by t.id desc limit ${size + 1}`)
    return pageOf('subscriptions', rows.map(present), size)
  },
}

function present({ id, events, url, project_id, status, failing_since, creation_time }: Row) {
  const own = { id, subscriptionId: id, events, url, project_id, status }
  return { ...own, failing_since, creation_time }
}

function eventsOf(given: unknown): EventName[] {
  let names: string[]
  try {
    names = parseEvents(given)
  } catch (error) {
    if (!(error instanceof EventsError)) throw error
    throw badField('events', error.message.replace(/^events /, ''))
  }
  const unknown = names.filter((name) => !isEventName(name))
  if (!unknown.length) return names
  throw badField('events', `there is no ${unknown.join(', ')}; events are ${eventNames.join(', ')}`)
}

/** 403 unless the app holds a read scope of each event, and its user the right to read there. */
function checkEvents({ actor }: Context, events: EventName[]) {
  for (const event of events) {
    if (!isInScope(event, actor.app!.scopes)) {
      const scopes = scopesFor(event).join(' or ')
      throw forbidden(`${event} needs the scope ${scopes}`, 'missing_scope')
    }
    const modules = permissionModulesOf(event)
    if (modules.every((module) => levelOf(actor, module, 'read') === 'none')) {
      throw forbidden(`Your role may not read ${modules.join(' or ')}, which ${event} tells of`)
    }
  }
}

/** 404 unless the project or deal is there for the caller. */
async function checkProject(ctx: Context, id: string) {
  const found = await ctx.one(sql`select from projects t
    where ${scope(ctx, ProjectOrDeal, 'read')} and t.id = ${id}`)
  if (!found) throw notFound('Project')
}

/** An entry in the activity log. Of the URL only the host: the rest may be what keeps it secret. */
function tell(ctx: Context, { id, url, events }: Row, action: string) {
  ctx.emit({
    type: null,
    title: `Webhook subscription ${action}`,
    module_id: null,
    reference_id: id,
    raw_description: { action, module: 'apps', name: new URL(url).host, events },
  })
}
