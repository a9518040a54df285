import { Agent } from 'undici'
import type { Attack } from './scenario.ts'

/** Sends requests of one user, over several connections, until the attack is over. */
export type Caller = {
  /** sends JSON, if there is a body, and reads the answer */
  send(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Reply>
  /** reads the whole answer of a path, compressed as a browser asks for it, and drops it */
  load(path: string): Promise<void>
}

type Reply = { status: number; text: string }

/** A caller with a token, from a loopback address; anonymous without a token. */
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
      const headers = { ...authorization, 'accept-encoding': 'br' }
      const { body } = await agent.request({ origin: url, path, method: 'GET', headers, signal })
      // `dump` would abort long answers and close the connection
      for await (const _ of body);
    },
  }
}

/** Repeats something, so many at once, until the attack is over. */
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
