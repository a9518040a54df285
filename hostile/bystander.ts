import { Agent } from 'undici'
import { password } from '../server/test/support/organization.ts'
import { receiveDeliveries } from './deliveries.ts'
import type { Neighbour } from './world.ts'

/** The bystander's response times in milliseconds, and its errors. */
export type Seen = {
  requests: number[]
  signIns: number[]
  /** from the write to the arrival at the bystander's receiver */
  deliveries: number[]
  failures: string[]
}

const paths = { contacts: '/api/contact/', login: '/api/login/' }

/**
 * A user of an organization with ordinary use: reads, lists, writes and signs in,
 * one request after the other, until the signal is aborted.
 */
export async function watch(
  url: string,
  { users, contacts, app }: Neighbour,
  signal: AbortSignal,
): Promise<Seen> {
  const agent = new Agent({ connections: 1, pipelining: 1, headersTimeout: 30_000 })
  const seen: Seen = { requests: [], signIns: [], deliveries: [], failures: [] }
  const failed = (what: string, error: unknown) =>
    void seen.failures.push(`${what}: ${(error as Error).message}`)
  const deliveries = await receiveDeliveries(agent, url, app).catch((error: unknown) => {
    failed('subscribing', error)
  })
  const { email, token } = users.admin
  const headers = {
    'x-forwarded-for': '203.0.113.9',
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  }
  const send = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const begun = performance.now()
    let answer: { status: number; text: string }
    try {
      const response = await agent.request({
        origin: url,
        path,
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
      })
      answer = { status: response.statusCode, text: await response.body.text() }
    } catch (error) {
      failed(`${method} ${path}`, error)
      answer = { status: 0, text: '' }
    }
    const took = performance.now() - begun
    const times = path === paths.login ? seen.signIns : seen.requests
    times.push(took)
    if (answer.status >= 400) {
      seen.failures.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 120)}`)
    }
    return answer
  }
  let turn = 0
  while (!signal.aborted) {
    turn++
    if (turn % 20 === 0) await send('POST', paths.login, { email, password })
    else if (turn % 5 === 0) {
      const unique = Math.random().toString(36).slice(2)
      const primary_email = `${unique}@bystander.test`
      deliveries?.begin(primary_email)
      await send('POST', paths.contacts, { full_name: `By Stander ${unique}`, primary_email })
    } else if (turn % 2) await send('GET', `${paths.contacts}?page=1&items_per_page=50`)
    else await send('GET', `${paths.contacts}${contacts[turn % contacts.length]}/`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  seen.deliveries = (await deliveries?.end()) ?? []
  await agent.close()
  return seen
}

/** A percentile. */
export function percentile(times: number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * part) / 100))] ?? 0
}
