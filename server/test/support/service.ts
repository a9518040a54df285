import assert from 'node:assert/strict'
import { pino } from 'pino'
import { Agent } from 'undici'
import type { Config } from '../../src/config.ts'
import { readConfig } from '../../src/config.ts'
import type { Query } from '../../src/kit/ground/context.ts'
import type { Job } from '../../src/kit/ground/job.ts'
import { sql } from '../../src/kit/ground/sql.ts'
import type { Service } from '../../src/service.ts'
import { createService } from '../../src/service.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { watchAnswers } from './answers.ts'
import { freshDatabase } from './database.ts'
import { freshFolder } from './program.ts'
import { atEnd } from './finally.ts'
import { allOrganizations } from '../../src/kit/ground/context.ts'
import { reportUnanswered } from './unanswered.ts'

export type Reply = { status: number; headers: Headers; body: any; text: string }
export type Sent = { token?: string; body?: unknown; headers?: { [name: string]: string } }

/** A service that listens on a free port over a fresh database. */
export type TestService = Service & {
  url: string
  call(method: string, path: string, sent?: Sent): Promise<Reply>
}

/** Settings of a test; rate limits are off unless set. */
type Overrides = Partial<Omit<Config, 'rateLimits'>> & {
  rateLimits?: Partial<Config['rateLimits']>
}

export const secretKey = 'a secret key that only tests use, 32+ characters'

/**
 * Starts a service for this test file and stops it when the file is done. Jobs run only where they
 * are requested: `true`, or some of the test's own besides the service's. Answers are compared with the API document
 * unless the service is `unwatched`, as in benchmarks.
 */
export async function startService(
  overrides: Overrides = {},
  now?: () => Date,
  jobs: boolean | Job[] = false,
  workspace?: Workspace,
  unwatched = false,
): Promise<TestService> {
  reportUnanswered()
  const { databasePoolerUrl } = overrides
  const { database } = await freshDatabase(databasePoolerUrl)
  const base = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: freshFolder() })
  const off = { count: 0, seconds: 1 }
  const none = { integration: off, application: off, login: off, public: off }
  const rateLimits = { ...none, ...overrides.rateLimits }
  // other test files share the machine, so a slow moment is no overload
  const alone = { inFlightOfCaller: 0, inFlightOfAddress: 0, inFlightOfOrganization: 0 }
  const bounds = { ...base.bounds, ...alone }
  const config = {
    ...base,
    port: 0,
    maxInFlight: 0,
    gatherSeconds: 0,
    bounds,
    ...overrides,
    rateLimits,
  }
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const service: Service = await createService({
    config,
    database,
    secretKey,
    log,
    now,
    jobs: Array.isArray(jobs) ? jobs : [],
    workspace,
    prepare: (app) => {
      if (!unwatched) watchAnswers(app, () => service.document())
    },
  })
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  await service.start({ jobs: Boolean(jobs) })
  atEnd(() => service.close())
  return { ...service, url, call: (method, path, sent) => call(url, method, path, sent) }
}

/**
 * Requests of tests, over connections that stay open. The table tests send tens of thousands, and a
 * `fetch` takes as much of a processor as the service does for its answer: three times as much.
 */
const agent = new Agent({ keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000, pipelining: 1 })

/** One request; the body is parsed if it is JSON. */
export async function call(
  url: string,
  method: string,
  path: string,
  sent: Sent = {},
): Promise<Reply> {
  const headers: { [name: string]: string } = { ...sent.headers }
  if (sent.token) headers.authorization = `Bearer ${sent.token}`
  if (sent.body !== undefined) headers['content-type'] ??= 'application/json'
  const body =
    typeof sent.body === 'string' || sent.body === undefined ? sent.body : JSON.stringify(sent.body)
  const { origin, pathname, search } = new URL(url + path)
  const response = await agent.request({
    origin,
    path: pathname + search,
    method: method as 'GET',
    headers,
    body,
  })
  const text = await response.body.text()
  const received = new Headers()
  for (const [name, value] of Object.entries(response.headers)) {
    for (const each of [value ?? []].flat()) received.append(name, each)
  }
  const isJson = received.get('content-type')?.includes('json')
  return {
    status: response.statusCode,
    headers: received,
    text,
    body: isJson && text ? JSON.parse(text) : undefined,
  }
}

/** The id of the record that a request created; fails where the request was refused. */
export function idOf({ status, headers, text }: Reply): string {
  assert.ok(status < 300, text)
  return headers.get('x-record-id') ?? ''
}

/** Rows as the service itself sees them, across organizations. */
export function rows<T = any>(service: Service, query: Query): Promise<T[]> {
  return service.runtime.database.reads(allOrganizations).all<T>(query)
}

export type { Member, TestOrganization } from './organization.ts'
export { makeOrganization, password, tokenFor } from './organization.ts'
export { sql }
