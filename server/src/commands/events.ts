import { accessOf, accessOptions } from './access.ts'
import { type Command, UsageError } from './command.ts'
import { connectTo, succeeded } from './integration.ts'

/** `perennial events trigger` */
export const trigger: Command = {
  summary: 'send a test event to the app’s subscriptions',
  about: `Delivers a sample of an event to the app's own subscriptions as a real event would be: signed, retried and
listed among the deliveries. The sample shows your newest record if there is one, and has "test": true.
"perennial listen" in another terminal shows what arrives.`,
  examples: [
    'perennial events trigger company_created',
    'perennial events trigger deal_won --subscription 03h9vqz0k4m3b5h7q9u1e4xzc --json',
  ],
  takes: 'EVENT',
  options: {
    ...accessOptions,
    subscription: { value: 'ID', about: 'only this subscription (all of the app to the event)' },
  },
  environment: ['DATA_DIR', 'PUBLIC_URL', 'AUTOMATION_SEGMENT'],
  async run(call) {
    const event = call.argument?.trim()
    if (!event) throw new UsageError('events trigger needs an EVENT, such as company_created')
    const subscriptionId = call.text('subscription')
    const json = { event, ...(subscriptionId === undefined ? {} : { subscriptionId }) }
    const connection = connectTo(accessOf(call))
    const reply = succeeded(await connection.send('POST', '/webhook/trigger', { json }))
    const { deliveries } = reply.body as { deliveries: { id: string; url: string }[] }
    return {
      json: reply.body,
      text: deliveries.map(({ id, url }) => `${event}  ${id}  to ${url}`).join('\n'),
    }
  },
}
