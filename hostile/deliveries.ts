import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dispatcher } from 'undici'
import { signature } from '../server/test/support/integration.ts'
import type { Neighbour } from './world.ts'

/** The credentials with which an app calls the integration surface. */
function signed({ client_id, client_secret, function_key, access_token }: Neighbour['app']) {
  return {
    authorization: `Bearer ${access_token}`,
    'content-type': 'application/json',
    'x-functions-key': function_key,
    ...signature(client_id, client_secret),
  }
}

/** Subscribes an organization's app to new contacts; returns the subscription's id. */
export async function subscribe(
  dispatcher: Dispatcher,
  origin: string,
  app: Neighbour['app'],
  url: string,
): Promise<string> {
  const { statusCode, body } = await dispatcher.request({
    origin,
    path: '/webhook/subscribe',
    method: 'POST',
    headers: signed(app),
    body: JSON.stringify({ events: ['contact_created'], url }),
  })
  const text = await body.text()
  if (statusCode !== 201 && statusCode !== 200)
    throw new Error(`subscribing: ${statusCode} ${text}`)
  return (JSON.parse(text) as { id: string }).id
}

/** Ends a subscription, with its waiting deliveries. */
export async function unsubscribe(
  dispatcher: Dispatcher,
  origin: string,
  app: Neighbour['app'],
  id: string,
): Promise<void> {
  const { body } = await dispatcher.request({
    origin,
    path: `/webhook/unsubscribe?subscriptionId=${id}`,
    method: 'DELETE',
    headers: signed(app),
  })
  await body.dump()
}

/** Measures the delivery times of new contacts, in ms, identified by their e-mail addresses. */
export async function receiveDeliveries(
  dispatcher: Dispatcher,
  origin: string,
  app: Neighbour['app'],
) {
  const begun = new Map<string, number>()
  const times: number[] = []
  const server = createServer(async (request, response) => {
    const chunks = (await request.toArray()) as Buffer[]
    response.end()
    const { data } = JSON.parse(Buffer.concat(chunks).toString()) as {
      data: { primary_email: string }
    }
    const at = begun.get(data.primary_email)
    if (at === undefined) return
    begun.delete(data.primary_email)
    times.push(performance.now() - at)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  const id = await subscribe(dispatcher, origin, app, url).catch((error: unknown) => {
    close()
    throw error
  })
  return {
    begin: (email: string) => void begun.set(email, performance.now()),
    /** the times of those that arrived, and the waiting times of the others */
    async end(): Promise<number[]> {
      const now = performance.now()
      const late = [...begun.values()].map((at) => now - at).filter((ms) => ms > 200)
      // a service that has ended has no subscription left
      await unsubscribe(dispatcher, origin, app, id).catch(() => {})
      close()
      return [...times, ...late]
    },
  }
}
