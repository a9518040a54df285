import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField, notFound } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { enumeration } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { contradiction } from '../../kit/record/names.ts'
import { scope } from '../../kit/record/scope.ts'
import { secretsOf } from '../attempt.ts'
import type { EventName } from '../catalogue.ts'
import { eventNames } from '../catalogue.ts'
import type { Target } from '../operations.ts'
import { listEvents, sendTest, testResult } from '../operations.ts'
import type { Due } from '../queue.ts'
import { exampleMessage, sampleFor } from '../sample.ts'
import { newSecret } from '../signature.ts'
import { secretOfOwn } from './inspector.ts'
import { Subscription } from './subscriptions.ts'

const topic = 'webhooks'

/** The catalogue of events, for those who manage apps. */
export const managedEvents = operation({
  ...listEvents,
  name: 'list_webhook_events',
  summary: 'List webhook events',
  can: { module: 'apps', action: 'read' },
  scope: undefined,
  topic,
  input: {},
  output: listEvents.output,
})

/** Sends at once and outside any transaction; only an inspector stores it. */
export const managedTest = operation({
  name: 'test_webhook_by_session',
  summary: 'Send a test webhook delivery',
  description:
    'Sends a sample with `"test": true` to a subscription or to a URL, and returns the receiver’s answer: it shows your newest record, or made-up values if there is none or the subscription is another user’s. To a URL it is signed with a new secret, which the answer shows, and to your own inspector with the inspector’s.',
  topic,
  can: { module: 'apps', action: 'update' },
  writes: false,
  input: {
    body: Type.Object(
      {
        subscription_id: Type.Optional(Type.String({ maxLength: 255 })),
        url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
        event: Type.Optional(
          enumeration(eventNames, {
            title: 'EventName',
            description: 'the first of the subscription by default, else company_created',
          }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: testResult,
  async run(ctx, { body }) {
    const target = await targetOf(ctx, body)
    const name = body.event ?? target.events[0] ?? 'company_created'
    return sendTest(ctx, target, name, () => target.sample(name))
  },
})

type Sampled = Target & { sample(event: EventName): ReturnType<typeof sampleFor> }

async function targetOf(
  ctx: Context,
  { subscription_id, url }: { subscription_id?: string; url?: string },
): Promise<Sampled> {
  if (subscription_id === undefined) {
    if (url === undefined) throw badField('subscription_id', 'is required, or a url')
    const secret = (await secretOfOwn(ctx, url)) ?? newSecret()
    const sample = (event: EventName) => sampleFor(ctx, event)
    return { id: null, url, events: [], fields: null, secrets: [secret], sample }
  }
  if (url !== undefined) throw badField('url', contradiction('subscription_id'))
  type Found = Pick<Due, 'id' | 'url' | 'user_id' | 'scopes' | 'app' | 'fields'> &
    Pick<Due, 'secret' | 'previous_secret' | 'previous_until'> & { events: EventName[] }
  const found = await ctx.one<Found>(sql`
    select t.id, t.url, t.user_id, t.events, t.fields, t.secret, t.previous_secret, t.previous_until,
      json_build_object('id', a.id, 'name', a.name, 'client_id', a.client_id, 'grant_id', g.id) as app,
      (select coalesce(json_agg(held.scope), '[]')
        from jsonb_array_elements_text(g.scopes) as held (scope)
        where g.revoked_at is null and a.scopes ? held.scope) as scopes
    from subscriptions t
    join apps a on a.organization_id = $organization and a.id = t.app_id
    join grants g on g.organization_id = $organization and g.id = t.grant_id
    where ${all(scope(ctx, Subscription, 'update'), sql`t.id = ${subscription_id}`)}`)
  if (!found) throw notFound('Subscription')
  const { id, events, fields, app, scopes } = found
  const reader: Context = { ...ctx, actor: { ...ctx.actor, app: { ...app, scopes } } }
  const isOwn = found.user_id === ctx.actor.user_id
  // data visible to the caller must not be sent to an address that somebody else chose
  const sample = async (event: EventName) =>
    isOwn
      ? sampleFor(reader, event)
      : { ...exampleMessage(event), id: newId(), organization_id: ctx.organization.id }
  return { id, url: found.url, events, fields, secrets: secretsOf(ctx, found), sample }
}
