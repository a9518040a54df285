import { Agent } from 'undici'
import type { Attack } from './scenario.ts'

/** Requests of one user, over so many connections, until the attack is over. */
export type Caller = {
  /** sends JSON, where there is a body, and reads the answer */
  send(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Reply>
  /** reads all that a path answers, and drops it */
  load(path: string): Promise<void>
}

type Reply = { status: number; text: string }

/** A caller with a token, from an address of this machine; without a token, nobody in particular. */
export function callerOf(
  { url, signal }: Pick<Attack, 'url' | 'signal'>,
  connections: number,
  token?: string,
  localAddress = '127.0.0.1',
): Caller {
  const agent = new Agent({ connections, headersTimeout: 60_000, localAddress })
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return {
    async send(method, path, body) {
      const sent = body && JSON.stringify(body)
      const type = sent === undefined ? {} : { 'content-type': 'application/json' }
      const headers = { ...authorization, ...type }
      const request = { origin: url, path, method, headers, body: sent, signal }
      const response = await agent.request(request)
      return { status: response.statusCode, text: await response.body.text() }
    },
    async load(path) {
      const headers = authorization
      const { body } = await agent.request({ origin: url, path, method: 'GET', headers, signal })
      // `dump` would break off what is long, and end the connection
      for await (const _ of body);
    },
  }
}

/** Does something over and over, so many at once, until the attack is over. */
export async function forever(
  { signal }: Pick<Attack, 'signal'>,
  atOnce: number,
  work: (nth: number) => Promise<unknown>,
): Promise<void> {
  const one = async (_: unknown, nth: number) => {
    while (!signal.aborted) await work(nth)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}
