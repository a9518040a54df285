import { Type } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import { arrayOf, enumeration, extend, orNull } from '../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { all, mine, nothingCached, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { settableOf } from '../../kit/record/validate.ts'
import { findApp } from '../../records/apps/manage.ts'
import { eventNames } from '../catalogue.ts'
import { choiceInput, choiceOf, choiceOutput } from '../choice.ts'
import { boundTo, pageOf, pageQuery, pageSchema } from '../cursor.ts'
import { newSecret } from '../signature.ts'
import {
  byId,
  nameInput,
  rotationMs,
  storeSubscription,
  subscriptionName,
} from '../subscription.ts'
import type { Shown } from './subscriptions.ts'
import {
  change,
  differences,
  findSubscription,
  lockSubscription,
  log,
  ownGrant,
  ownSubscription,
  projectIn,
  readerThrough,
  recent,
  setStatus,
  shown,
  Subscription,
  usableApp,
} from './subscriptions.ts'

const topic = 'webhooks'
const event = enumeration(eventNames, { title: 'EventName' })
const instant = Type.String({ format: 'date-time' })
const count = Type.Integer({ minimum: 0 })

const subscription = Type.Object(
  {
    subscription_id: Type.String(),
    app: Type.Object({ app_id: Type.String(), name: Type.String() }, { title: 'AppRef' }),
    user: Type.Object(
      { user_id: Type.String(), full_name: Type.String() },
      { title: 'SubscriberRef', description: 'user whose rights decide what its deliveries show' },
    ),
    is_own: Type.Boolean({ description: 'only its user may change the address' }),
    events: arrayOf(event),
    url: Type.String(),
    name: subscriptionName,
    project_id: orNull(Type.String()),
    ...choiceOutput,
    status: enumeration(['active', 'disabled'], { title: 'SubscriptionStatus' }),
    health: Type.Object(
      {
        state: enumeration(['unused', 'healthy', 'failing', 'paused', 'disabled'], {
          title: 'SubscriptionHealthState',
        }),
        failing_since: orNull(
          Type.String({
            format: 'date-time',
            description:
              'time since which every attempt has failed; after 5 days the subscription is disabled',
          }),
        ),
        failures: Type.Integer({
          minimum: 0,
          description: 'attempts that failed since the last success',
        }),
        dropped_deliveries: Type.Integer({
          minimum: 0,
          description:
            'waiting deliveries that were dropped because too many waited, the oldest first',
        }),
        paused_until: orNull(
          Type.String({
            format: 'date-time',
            description:
              'nothing is sent before this time, because many attempts have failed; enabling the subscription tries at once',
          }),
        ),
        last_delivered_at: orNull(instant),
        next_attempt_at: orNull(instant),
        pending: count,
        delivered: count,
        failing: count,
        exhausted: count,
        dropped: count,
      },
      { title: 'SubscriptionHealth', description: `counted over the newest ${recent} deliveries` },
    ),
    previous_secret_until: orNull(
      Type.String({
        format: 'date-time',
        description: 'time until which deliveries are also signed with the previous secret',
      }),
    ),
    creation_time: instant,
    version: Type.Integer({ description: 'rises with every change; for `If-Match`' }),
  },
  { title: 'WebhookSubscription' },
)

const withSecret = extend(
  { ...subscription, title: 'WebhookSubscriptionWithSecret' },
  {
    secret: Type.String({
      description: 'secret that signs the deliveries (Standard Webhooks); shown only now',
    }),
  },
)

const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  format: 'uri',
  description: 'where to deliver',
})
const events = Type.Array(event, { minItems: 1, maxItems: 100 })
const project_id = Type.Optional(
  orNull(Type.String({ maxLength: 255, description: 'only task events of this project' })),
)
const changes = Type.Object({
  events: Type.Optional(events),
  url: Type.Optional(url),
  project_id,
  ...nameInput,
  ...choiceInput,
})

/** Subscriptions of the organization, for those who manage its apps. */
export const managedSubscriptions = {
  list: operation({
    name: 'list_webhook_subscriptions',
    summary: 'List webhook subscriptions',
    description: 'Of all apps and users that the right to `apps` reaches, newest first.',
    topic,
    can: { module: 'apps', action: 'read' },
    writes: false,
    input: {
      query: Type.Object({
        app_id: Type.Optional(idInQuery('only those of this app')),
        status: Type.Optional(enumeration(['active', 'disabled'], { title: 'SubscriptionStatus' })),
        ...pageQuery,
      }),
    },
    output: pageSchema(subscription),
    async run(ctx, { query }) {
      const { app_id, status } = query
      if (app_id !== undefined) await findApp(ctx, app_id, 'read')
      const list = ['managed subscriptions', app_id, status].join()
      const { size, after } = boundTo(list, query)
      const condition = all(
        scope(ctx, Subscription, 'read'),
        app_id === undefined ? undefined : sql`t.app_id = ${app_id}`,
        status ? sql`t.status = ${status}` : undefined,
        after ? sql`t.id < ${after}` : undefined,
      )
      const rows = await shown(ctx, condition, size + 1)
      const page = pageOf(
        list,
        rows.map((row) => ({ ...row, id: row.subscription_id })),
        size,
      )
      const results = page.results.map(({ id: _id, ...row }) => row)
      return { ...page, results }
    },
  }),
  create: operation({
    name: 'create_webhook_subscription',
    summary: 'Create a webhook subscription',
    existing: 'The same subscription existed already',
    description:
      'Through an app, in your name: its deliveries show what your rights and the app’s scopes allow, and the app is connected for you if it was not yet. Repeating the request with the same values answers 200 with the same id.',
    topic,
    can: { module: 'apps', action: 'create' },
    writes: true,
    input: {
      body: Type.Object(
        {
          app_id: Type.String({ maxLength: 255 }),
          events,
          url,
          project_id,
          ...nameInput,
          ...choiceInput,
        },
        { additionalProperties: false },
      ),
    },
    output: withSecret,
    before: (ctx, { body }) => ctx.services.webhooks.checkUrl(body.url),
    async run(ctx, { body }) {
      const app = await usableApp(ctx, body.app_id, body.events)
      const grant_id = await ownGrant(ctx, app, body.events)
      const { row, created } = await storeSubscription(ctx, {
        app_id: app.app_id,
        grant_id,
        url: body.url,
        events: body.events,
        name: body.name,
        project_id: await projectIn(ctx, body.project_id),
        ...(await choiceOf(readerThrough(ctx, app), body.events, body)),
      })
      const found = await findSubscription(ctx, row.id, 'create')
      const secret = ctx.secrets.decrypt(row.secret)
      return new Answer({ ...found, secret }, { created, id: row.id, version: found.version })
    },
  }),
  read: operation({
    name: 'read_webhook_subscription',
    summary: 'Retrieve a webhook subscription',
    topic,
    can: { module: 'apps', action: 'read' },
    writes: false,
    input: { params: byId },
    output: subscription,
    run: async (ctx, { params }) => versioned(await findSubscription(ctx, params.id, 'read')),
  }),
  update: operation({
    name: 'update_webhook_subscription',
    summary: 'Update a webhook subscription',
    description:
      'What is left out stays as it is. Only its user changes it, since its deliveries show what that user may see.',
    topic,
    can: { module: 'apps', action: 'update' },
    writes: true,
    isVersioned: true,
    input: { params: byId, body: changes },
    output: subscription,
    async before(ctx, { params, body }) {
      await ownSubscription(ctx, params.id)
      if (body.url !== undefined) await ctx.services.webhooks.checkUrl(body.url)
    },
    async run(ctx, { params, body, ifMatch }) {
      return versioned(
        await change(ctx, params.id, settableOf(body, changes, subscription), ifMatch),
      )
    },
  }),
  remove: operation({
    name: 'delete_webhook_subscription',
    summary: 'Delete a webhook subscription',
    description: 'Its deliveries leave the log with it.',
    topic,
    can: { module: 'apps', action: 'delete' },
    writes: true,
    isVersioned: true,
    input: { params: byId },
    output: null,
    async run(ctx, { params, ifMatch }) {
      const found = await lockSubscription(ctx, params.id, 'delete', ifMatch)
      await ctx.run(sql`delete from subscriptions t where ${mine(ctx)} and t.id = ${params.id}`)
      await log(ctx, found, 'removed', differences(found, undefined))
      ctx.forget()
    },
  }),
  disable: operation({
    name: 'disable_webhook_subscription',
    summary: 'Disable a webhook subscription',
    description:
      'Nothing more is sent, and waiting deliveries are given up; they can be resent later.',
    topic,
    can: { module: 'apps', action: 'update' },
    writes: true,
    input: { params: byId },
    output: subscription,
    run: async (ctx, { params }) => versioned(await setStatus(ctx, params.id, 'disabled')),
  }),
  enable: operation({
    name: 'enable_webhook_subscription',
    summary: 'Enable a webhook subscription',
    description: 'Delivers events from now on. A paused subscription is tried at once.',
    topic,
    can: { module: 'apps', action: 'update' },
    writes: true,
    input: { params: byId },
    output: subscription,
    run: async (ctx, { params }) => versioned(await setStatus(ctx, params.id, 'active')),
  }),
  rotateSecret: operation({
    name: 'rotate_webhook_subscription_secret',
    summary: 'Rotate the secret of a webhook subscription',
    description: 'Deliveries are signed with the previous secret too for 24 hours.',
    topic,
    can: { module: 'apps', action: 'update' },
    writes: true,
    input: { params: byId },
    output: withSecret,
    async run(ctx, { params }) {
      const found = await lockSubscription(ctx, params.id, 'update')
      const secret = newSecret()
      const until = new Date(+ctx.now() + rotationMs).toISOString()
      await ctx.run(sql`
        ${nothingCached} update subscriptions t set previous_secret = t.secret, previous_until = ${until},
          secret = ${ctx.secrets.encrypt(secret)}, version = t.version + 1
        where ${mine(ctx)} and t.id = ${params.id}`)
      await log(ctx, found, 'secret rotated', [])
      const after = await findSubscription(ctx, params.id, 'update')
      return new Answer({ ...after, secret }, { id: params.id, version: after.version })
    },
  }),
}

function versioned(body: Shown): Answer {
  return new Answer(body, { id: body.subscription_id, version: body.version })
}
