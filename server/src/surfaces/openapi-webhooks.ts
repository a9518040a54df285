import type { EventName } from '../webhooks/catalogue.ts'
import { eventKind, eventNames } from '../webhooks/catalogue.ts'
import { bodyOf } from '../webhooks/message.ts'
import { deliverySchema, exampleMessage, messageSchema } from '../webhooks/sample.ts'
import type { Share } from './openapi-components.ts'
import { ref } from './openapi-components.ts'
import type { JSONSchema } from '../kit/ground/json-schema.ts'

/** What the service sends to those who subscribe: one entry for every event of the catalogue. */
export function webhookEntries(share: Share): { [event: string]: JSONSchema } {
  return Object.fromEntries(eventNames.map((name) => [name, { post: delivery(name, share) }]))
}

/** A sample delivery of each event, from the catalogue. */
export function webhookExamples(): { [name: string]: { value: unknown } } {
  return Object.fromEntries(
    eventNames.map((name) => {
      const value: unknown = JSON.parse(bodyOf(exampleMessage(name)))
      return [exampleName(name), { value }]
    }),
  )
}

const exampleName = (name: EventName) => `event_${name}`

function delivery(name: EventName, share: Share): JSONSchema {
  const { summary, scopes } = eventKind(name)
  return {
    operationId: `event_${name}`,
    tags: ['events'],
    summary,
    description: `Subscribing needs the scope ${scopes.join(' or ')}.`,
    security: [],
    parameters: ['WebhookId', 'WebhookTimestamp', 'WebhookSignature'].map((each) =>
      ref('parameters', each),
    ),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: share(bodySchema(name), 'Event'),
          examples: { example: ref('examples', exampleName(name)) },
        },
      },
    },
    responses: {
      '2XX': {
        description:
          'Accepted; after any other answer, or none within 15 s, the delivery is retried',
      },
      410: { description: 'Ends the subscription' },
    },
  }
}

/** One schema has the common members of all deliveries; an event adds its name and its record. */
function bodySchema(name: EventName): JSONSchema {
  const { type, data } = messageSchema(name).properties as { [field: string]: JSONSchema }
  return { allOf: [deliverySchema(), { type: 'object', properties: { type, data } }] }
}
