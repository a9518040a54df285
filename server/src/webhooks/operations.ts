import { Type } from 'typebox'
import type { Context } from '../kit/ground/context.ts'
import { badField, notFound } from '../kit/ground/errors.ts'
import { enumeration, orNull } from '../kit/ground/json-schema.ts'
import { contradiction } from '../kit/record/names.ts'
import { Json, operation } from '../kit/ground/operation.ts'
import { sql } from '../kit/ground/sql.ts'
import { secretsOf } from './attempt.ts'
import type { EventName } from './catalogue.ts'
import { cutToChoice } from './choice.ts'
import type { Message } from './message.ts'
import { eventKind, eventNames } from './catalogue.ts'
import { bodyOf, headersOf } from './message.ts'
import type { Due } from './queue.ts'
import { deliverySchema, exampleMessage, maySee, messageSchema, sampleFor } from './sample.ts'
import { newSecret } from './signature.ts'
import { addressNames, own, webhookAccess } from './subscription.ts'

const event = enumeration(eventNames, { title: 'EventName' })
const open = Type.Object({}, { additionalProperties: true })
const delivery = Type.Unsafe<object>(deliverySchema())

/** The result of a test delivery. */
export const testResult = Type.Object(
  {
    status: enumeration(['success', 'failed'], { title: 'TestResult' }),
    id: Type.String({ description: 'the webhook-id' }),
    event,
    url: Type.String(),
    response_status: orNull(Type.Integer()),
    response_excerpt: Type.Optional(orNull(Type.String())),
    error: orNull(Type.String({ description: 'why no answer came' })),
    duration_ms: Type.Integer(),
    secret: Type.Optional(Type.String()),
  },
  { title: 'TestDelivery' },
)

export const listEvents = operation({
  name: 'list_events',
  summary: 'List event types',
  description:
    'Every event that there is, with the JSON Schema and a made-up sample of its delivery.',
  ...webhookAccess,
  writes: false,
  input: {},
  output: Type.Object({
    results: Type.Array(
      Type.Object({
        event,
        module: Type.String(),
        summary: Type.String(),
        scopes: Type.Array(Type.String(), { description: 'any one of them is sufficient' }),
        allowed: Type.Boolean({ description: 'whether you may subscribe to it' }),
        schema: open,
        sample: delivery,
      }),
    ),
  }),
  async run(ctx) {
    const results = eventNames.map((name) => {
      const { module, summary, scopes } = eventKind(name)
      const described = { event: name, module, summary, scopes, allowed: maySee(ctx, name) }
      const head = JSON.stringify(described).slice(0, -1)
      return `${head},"schema":${JSON.stringify(messageSchema(name))},"sample":${bodyOf(exampleMessage(name))}}`
    })
    return Json.of('{"results":[', results, ']}')
  },
})

export const readSample = operation({
  name: 'read_sample',
  summary: 'Retrieve a sample delivery of an event',
  description: 'Shows your newest record that you may see, or made-up values if there is none.',
  ...webhookAccess,
  writes: false,
  input: { query: Type.Object({ event }) },
  output: delivery,
  run: async (ctx, { query }) => new Json(bodyOf(await sampleFor(ctx, query.event))),
})

/** Sends at once and outside any transaction; nothing of it is stored. */
export const testWebhook = operation({
  name: 'test_webhook',
  summary: 'Send a test delivery',
  description:
    'Sends to a subscription or to a URL, and returns the receiver’s answer. The body is a sample with `"test": true`. To a URL it is signed with a new secret, which the answer shows.',
  ...webhookAccess,
  writes: false,
  input: {
    body: Type.Object({
      subscriptionId: Type.Optional(Type.String()),
      url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
      event: Type.Optional(
        enumeration(eventNames, {
          title: 'EventName',
          description: 'the first of the subscription by default, else company_created',
        }),
      ),
    }),
  },
  aliases: { subscription_id: 'subscriptionId', ...addressNames },
  output: testResult,
  async run(ctx, { body }) {
    const target = await targetOf(ctx, body)
    const name = body.event ?? target.events[0] ?? 'company_created'
    return sendTest(ctx, target, name, () => sampleFor(ctx, name))
  },
})

/** Sends a sample to a target, at once and outside any transaction; the receiver's answer. */
export async function sendTest(
  ctx: Context,
  target: Target,
  name: EventName,
  sample: () => Promise<Message>,
) {
  const { webhooks } = ctx.services
  await webhooks.checkUrl(target.url)
  const message = { ...(await sample()), subscription_id: target.id }
  cutToChoice(message, target.fields)
  const text = `${bodyOf(message).slice(0, -1)},"test":true}`
  const headers = headersOf(message.id, text, target.secrets, ctx.now())
  const request = { url: target.url, headers, body: text }
  const result = await webhooks.post(ctx.organization.id, request)
  const { status = null, error = null, durationMs, responseExcerpt } = result
  return {
    status: status && status >= 200 && status < 300 ? ('success' as const) : ('failed' as const),
    id: message.id,
    event: name,
    url: target.url,
    response_status: status,
    response_excerpt: responseExcerpt || null,
    error,
    duration_ms: durationMs,
    ...(target.id === null ? { secret: target.secrets[0] } : {}),
  }
}

/** Where a test goes, which members of the record it holds (null: all), and what signs it. */
export type Target = {
  id: string | null
  url: string
  events: EventName[]
  fields: string[] | null
  secrets: string[]
}

/** The target of a test: a subscription of the caller, or a URL with a new secret. */
async function targetOf(
  ctx: Context,
  { subscriptionId, url }: { subscriptionId?: string; url?: string },
): Promise<Target> {
  if (subscriptionId !== undefined) {
    if (url !== undefined) throw badField('url', contradiction('subscriptionId'))
    const found = await ctx.one<
      Omit<Target, 'secrets'> & Pick<Due, 'secret' | 'previous_secret' | 'previous_until'>
    >(sql`
      select t.id, t.url, t.events, t.fields, t.secret, t.previous_secret, t.previous_until
      from subscriptions t where ${own(ctx)} and t.id = ${subscriptionId}`)
    if (!found) throw notFound('Subscription')
    const { id, events, fields } = found
    return { id, url: found.url, events, fields, secrets: secretsOf(ctx, found) }
  }
  if (url === undefined) throw badField('subscriptionId', 'is required, or a url')
  return { id: null, url, events: [], fields: null, secrets: [newSecret()] }
}
