import { badField, notFound, tooMany } from '../kit/ground/errors.ts'
import type { Operation } from '../kit/ground/operation.ts'
import { Json } from '../kit/ground/operation.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import { secretsOf } from './attempt.ts'
import type { EventName } from './catalogue.ts'
import { eventKind, eventNames } from './catalogue.ts'
import { deliveryLogOperations } from './delivery-log.ts'
import { bodyOf, headersOf } from './message.ts'
import type { Transport } from './transport.ts'
import { hostOf } from './plan.ts'
import { post } from './post.ts'
import type { Due } from './queue.ts'
import { exampleMessage, maySee, messageSchema, sampleFor } from './sample.ts'
import { newSecret } from './signature.ts'
import { checkUrl, listed, own, subscriptionOperations } from './subscription.ts'

export type WebhookOperations = ReturnType<typeof webhookOperations>

/** Everything under /webhook. The operations get the service's parts here: a context has none. */
export function webhookOperations(runtime: Runtime, outlet: Transport) {
  return {
    ...subscriptionOperations(runtime, outlet),
    ...deliveryLogOperations(runtime),
    listEvents,
    readSample,
    sendTest: testOperation(runtime, outlet),
  }
}

const event = { type: 'string', enum: eventNames }
const open = { type: 'object' }

const listEvents: Operation = {
  name: 'list_events',
  summary: 'List every event there is, with the schema and a made-up sample of its delivery',
  ...listed,
  writes: false,
  input: {},
  output: {
    type: 'object',
    properties: {
      results: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            event,
            module: { type: 'string' },
            summary: { type: 'string' },
            scopes: {
              type: 'array',
              items: { type: 'string' },
              description: 'any one of them is enough',
            },
            allowed: { type: 'boolean', description: 'whether you may subscribe to it' },
            schema: open,
            sample: open,
          },
          required: ['event', 'module', 'summary', 'scopes', 'allowed', 'schema', 'sample'],
        },
      },
    },
    required: ['results'],
  },
  async run(ctx) {
    const results = eventNames.map((name) => {
      const { module, summary, scopes } = eventKind(name)
      const described = { event: name, module, summary, scopes, allowed: maySee(ctx, name) }
      const head = JSON.stringify(described).slice(0, -1)
      return `${head},"schema":${JSON.stringify(messageSchema(name))},"sample":${bodyOf(exampleMessage(name))}}`
    })
    return new Json(`{"results":[${results.join()}]}`)
  },
}

const readSample: Operation = {
  name: 'read_sample',
  summary: 'Read what a delivery of an event looks like',
  description: 'Of your newest record where there is one that you may see, else made up.',
  ...listed,
  writes: false,
  input: { query: { type: 'object', properties: { event }, required: ['event'] } },
  output: open,
  run: async (ctx, { query }) => new Json(bodyOf(await sampleFor(ctx, query.event))),
}

type Target = Pick<Due, 'secret' | 'previous_secret' | 'previous_until'> & {
  url: string
  events: EventName[]
}

/** Sends at once and outside any transaction; nothing of it is kept. */
function testOperation(runtime: Runtime, { agent, limits, policy }: Transport): Operation {
  return {
    name: 'test_webhook',
    summary: 'Send a test event to a subscription or to a URL, and see what it answers',
    description:
      'The body is a sample with `"test": true`. To a URL it is signed with a new secret, which the answer shows.',
    ...listed,
    writes: false,
    input: {
      body: {
        type: 'object',
        properties: {
          subscriptionId: { type: 'string' },
          url: { type: 'string', minLength: 1, maxLength: 2048 },
          event: { ...event, description: 'the subscription’s first, or company_created' },
        },
      },
    },
    aliases: { subscription_id: 'subscriptionId', target_url: 'url' },
    output: {
      type: 'object',
      properties: {
        status: { type: 'string', enum: ['success', 'failed'] },
        id: { type: 'string', description: 'the webhook-id' },
        event,
        url: { type: 'string' },
        response_status: { type: ['integer', 'null'] },
        response_excerpt: { type: ['string', 'null'] },
        error: { type: ['string', 'null'], description: 'why there was no answer' },
        duration_ms: { type: 'integer' },
        secret: { type: 'string' },
      },
      required: ['status', 'id', 'event', 'url', 'response_status', 'error', 'duration_ms'],
    },
    async run(ctx, { body }) {
      const { subscriptionId: id } = body
      if (id === undefined && body.url === undefined) {
        throw badField('subscriptionId', 'is required, or a url')
      }
      const target =
        id === undefined
          ? undefined
          : await ctx.one<Target>(sql`
            select t.url, t.events, t.secret, t.previous_secret, t.previous_until
            from subscriptions t where ${own(ctx)} and t.id = ${id}`)
      if (id !== undefined && !target) throw notFound('Subscription')
      const url = target?.url ?? String(body.url)
      await checkUrl(url, policy)

      const name: EventName = body.event ?? target?.events[0] ?? 'company_created'
      const message = { ...(await sampleFor(ctx, name)), subscription_id: id ?? null }
      const text = `${bodyOf(message).slice(0, -1)},"test":true}`
      const secrets = target ? secretsOf(runtime, target) : [newSecret()]
      const permit = limits.acquire(ctx.organization.id, hostOf({ url }))
      if (!permit.granted) {
        const seconds = Math.max(1, Math.ceil((permit.waitMs ?? 1000) / 1000))
        throw tooMany(seconds, 'Too many requests to this host at the moment')
      }
      const headers = headersOf(message.id, text, secrets, ctx.now())
      const result = await post(agent, { url, headers, body: text }).finally(permit.release)
      const { status = null, error = null, durationMs, responseExcerpt } = result
      return {
        status: status && status >= 200 && status < 300 ? 'success' : 'failed',
        id: message.id,
        event: name,
        url,
        response_status: status,
        response_excerpt: responseExcerpt || null,
        error,
        duration_ms: durationMs,
        ...(target ? {} : { secret: secrets[0] }),
      }
    },
  }
}
