import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import pg from 'pg'
import type { SentStatement } from '../../src/database/queries.ts'
import { serverUrl } from './database.ts'

/** So long, in milliseconds, a request of a test may be without an answer before it is reported. */
const patience = 20_000

type Started = { request: IncomingMessage; response: ServerResponse }

/** Statements that PostgreSQL has not answered, with when they were sent. */
const waiting = new Map<symbol, { text: string; sentAt: number }>()
/** Where everything waits, the first few reports say it all. */
let reportsLeft = 3
let isWatching = false

/**
 * Reports requests to servers of this process that are long without an answer: whether all of it arrived,
 * which statements wait, and what PostgreSQL says of the connections. A test that only times out would
 * say nothing of the cause.
 */
export function reportUnanswered() {
  if (isWatching) return
  isWatching = true
  subscribe('perennial:statement', (message) => {
    const { text, answer } = message as SentStatement
    const key = Symbol()
    waiting.set(key, { text, sentAt: performance.now() })
    const answered = () => void waiting.delete(key)
    answer.then(answered, answered)
  })
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as Started
    const timer = setTimeout(() => {
      const { socket } = request
      // whose client does not read the answers before it waits for nobody else
      const isWaiting = !response.headersSent && !socket.destroyed && !socket.writableLength
      if (isWaiting && reportsLeft-- > 0) void report(request)
    }, patience).unref()
    response.once('close', () => clearTimeout(timer))
  })
}

async function report({ method, url, complete }: IncomingMessage) {
  const now = performance.now()
  const lines = [
    `${method} ${url} is without an answer for ${patience / 1000} s; ` +
      `its body has ${complete ? 'arrived' : 'not arrived'}`,
    ...[...waiting.values()].map(
      ({ text, sentAt }) =>
        `waiting for ${Math.round(now - sentAt)} ms: ${text.replace(/\s+/g, ' ').slice(0, 150)}`,
    ),
    `open: ${process.getActiveResourcesInfo().join(' ')}`,
    ...(await connections().catch((error: Error) => [error.message])),
  ]
  console.error(lines.join('\n'))
}

async function connections(): Promise<string[]> {
  const client = new pg.Client(await serverUrl())
  await client.connect()
  const { rows } = await client.query<object>(`
    select application_name, state, wait_event_type, wait_event, now() - state_change as since,
      left(query, 150) as query
    from pg_stat_activity where datname like 'test_${process.pid}_%'`)
  await client.end()
  return rows.map((row) => JSON.stringify(row))
}
