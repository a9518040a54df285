import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { atEnd } from './finally.ts'
import type { ConnectedApp } from './integration.ts'

/** One request that arrived; `json` is its body parsed. */
export type Arrival = {
  path: string
  headers: IncomingHttpHeaders
  text: string
  json: any
  at: number
}

/** What to answer: a status, with headers; the end of the connection; or undefined for never. */
export type ReceiverAnswer =
  | { status: number; headers?: { [name: string]: string }; body?: string }
  | 'broken'
export type Receiver = {
  url: string
  arrivals: Arrival[]
  /** how the next requests are answered; 200 until then */
  answer: (arrival: Arrival) => ReceiverAnswer | undefined | Promise<ReceiverAnswer | undefined>
  /** resolves when `count` requests that match have arrived, with those; rejects after 20 s */
  arrived(count: number, matches?: (arrival: Arrival) => boolean): Promise<Arrival[]>
}

/** A receiver of webhooks on a free port of this machine; closed when the test file is done. */
export async function startReceiver(): Promise<Receiver> {
  const arrivals: Arrival[] = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', async () => {
      const text = Buffer.concat(chunks).toString()
      const { url: path = '', headers } = request
      const arrival = { path, headers, text, json: JSON.parse(text), at: Date.now() }
      arrivals.push(arrival)
      for (const check of waiting) check()
      const answer = await receiver.answer(arrival)
      if (answer === 'broken') request.socket.destroy()
      else if (answer) response.writeHead(answer.status, answer.headers).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    answer: () => ({ status: 200 }),
    arrived(count, matches = () => true) {
      return new Promise((resolve, reject) => {
        const check = () => {
          const found = arrivals.filter(matches)
          if (found.length < count) return
          clearTimeout(late)
          waiting.delete(check)
          resolve(found)
        }
        const late = setTimeout(() => {
          waiting.delete(check)
          const found = arrivals.filter(matches).length
          reject(new Error(`${found} of ${count} requests arrived (${arrivals.length} in all)`))
        }, 20_000)
        waiting.add(check)
        check()
      })
    },
  }
  return receiver
}

/** The body of a delivery whose signature the standard's own library accepts; throws otherwise. */
export function verified(secret: string, arrival: Arrival): any {
  return new Webhook(secret).verify(arrival.text, arrival.headers as { [name: string]: string })
}

/** Subscribes as the connected app's user; returns the answer's body. */
export async function subscribe(
  app: ConnectedApp,
  events: string | string[],
  url: string,
): Promise<{ id: string; secret: string }> {
  const reply = await app.call('POST', '/webhook/subscribe', { body: { events, url } })
  if (reply.status !== 201) throw new Error(`subscribing answered ${reply.status} ${reply.text}`)
  return reply.body
}

/** The deliveries of a subscription, once one of them (or all) is in the wanted state. */
export async function settled(
  app: ConnectedApp,
  subscriptionId: string,
  isSettled: (deliveries: any[]) => boolean,
): Promise<any[]> {
  for (let tries = 0; ; tries++) {
    const query = { subscriptionId, limit: 500 }
    const reply = await app.call('GET', '/webhook/deliveries', { query })
    if (reply.status === 200 && isSettled(reply.body.results)) return reply.body.results
    if (tries > 1000) throw new Error(`not settled: ${reply.text.slice(0, 2000)}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
