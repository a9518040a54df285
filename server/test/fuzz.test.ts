import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { Pool } from 'undici'
import { newId } from '../src/kit/ground/ids.ts'
import { depth, seedNumber } from './support/depth.ts'
import { atEnd } from './support/finally.ts'
import { authorizeQuery, callback, codeFor, connectApp } from './support/integration.ts'
import type { Fuzzed } from './support/requests.ts'
import { anyRequest } from './support/requests.ts'
import { caseOf, everyRoute } from './support/routes.ts'
import { startService } from './support/service.ts'
import { makeWorld } from './support/world.ts'

// Whatever is sent, the answer is one that the API document describes, and it arrives soon. A run is
// repeated with the seed it prints: FUZZ_SEED=… node --test server/test/fuzz.test.ts, with --full if it was

const drawn = process.env.TEST_SEED ? seedNumber : randomInt(2 ** 31)
const seed = Number(process.env.FUZZ_SEED ?? drawn)
const wanted = Number(process.env.FUZZ_REQUESTS ?? depth(600, 2000))
/** Operations whose answers last until they are ended. */
const streams = ['stream_changes', 'stream_notifications']
const together = 10
/** Milliseconds after which an answer counts as a hang. */
const deadline = 10_000

test(`${wanted} made-up requests with FUZZ_SEED=${seed} are answered as the document says`, async (t) => {
  const service = await startService()
  const world = await makeWorld(service)
  const pool = new Pool(service.url, { connections: together })
  atEnd(() => pool.close())
  const ids = await someIds()
  const cursors: string[] = []
  const statuses = new Map<number, number>()
  const succeeded = new Set<string>()
  const stated = new Map<string, string>()
  for (const item of Object.values(service.document().paths)) {
    for (const [method, { operationId }] of Object.entries(item))
      stated.set(operationId, method.toUpperCase())
  }
  const app = await connectApp(service, world.org)
  const { client_id, client_secret } = app
  const { token } = world.org.users.admin
  const form = (fields: Texts) => ({
    body: new URLSearchParams({ client_id, client_secret, ...fields }).toString(),
  })
  const identityCases: { [operation: string]: () => Promise<Partial<Fuzzed>> } = {
    authorize_app: async () => ({
      query: [...authorizeQuery(app)],
      headers: { authorization: `Bearer ${token}` },
    }),
    exchange_token: async () => {
      const code = await codeFor(service, app, token)
      return form({ grant_type: 'authorization_code', code, redirect_uri: callback })
    },
    refresh_token: async () => {
      const { refresh_token, ...other } = await connectApp(service, world.org)
      const { client_id, client_secret } = other
      return form({ grant_type: 'refresh_token', token: refresh_token, client_id, client_secret })
    },
    revoke_token: async () => form({ token: 'unknown' }),
  }
  const routes = new Map(service.routes.map((route) => [`${route.method} ${route.path}`, route]))

  const property = fc.asyncProperty(
    fc.array(anyRequest(service.document()), { minLength: together, maxLength: together }),
    async (batch) => {
      await Promise.all(batch.map(send))
    },
  )
  const numRuns = Math.ceil(wanted / together)
  await fc.assert(property, { seed, numRuns, endOnFailure: true })

  const sent = [...statuses.values()].reduce((sum, n) => sum + n, 0)
  const ok = [...statuses].reduce((sum, [status, n]) => sum + (status < 400 ? n : 0), 0)
  const byStatus = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`)
  t.diagnostic(`${sent} requests, ${byStatus.join(', ')}`)
  const never = [...stated.keys()].filter((id) => !succeeded.has(id))
  t.diagnostic(
    `${succeeded.size} of ${stated.size} operations succeeded; never ${never.join(', ')}`,
  )
  assert.ok(sent >= wanted)
  // requests that are always refused would test little
  assert.ok(ok > sent / 8, `only ${ok} of ${sent} succeeded`)

  async function send(generated: Fuzzed) {
    const request = generated.isCase ? await asCase(generated) : generated
    // one that lasts would be no answer; how long is not what this is about
    if (streams.includes(request.operation)) request.query.push(['seconds', '0'])
    const { method, operation, contentType, body } = request
    const hasBody = body !== undefined && !['GET', 'HEAD'].includes(method)
    const path = withKnown(pathOf(request))
    const headers: Texts = { ...request.headers, ...(await credentials(request)) }
    if (hasBody) headers['content-type'] = contentType
    const requestText = () => JSON.stringify({ ...request, path, headers }, null, 2)
    const sent = {
      method: method as 'GET',
      path,
      headers,
      body: hasBody ? withKnown(body) : undefined,
      signal: AbortSignal.timeout(deadline),
    }
    const answer = await pool
      .request(sent)
      .catch((error) => assert.fail(`${error} at ${requestText()}`))
    const text = await answer.body.text()
    const status = answer.statusCode
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    // test support turns answers that differ from the document into a 500 with the reason
    assert.ok(status < 500, `${status} ${text} at ${requestText()}`)
    assert.ok(answer.headers['x-request-id'], requestText())
    if (method === 'HEAD') assert.equal(text, '', requestText())
    if (method !== stated.get(operation) || status >= 400) return
    succeeded.add(operation)
    remember(answer.headers['x-record-id'], text)
  }

  /** The request that the operation's case makes, under the generated headers. */
  async function asCase(generated: Fuzzed): Promise<Fuzzed> {
    const identity = identityCases[generated.operation]
    if (identity) return { ...generated, ...(await identity()) }
    const route = routes.get(`${stated.get(generated.operation)} ${generated.path}`)
    if (!route) return generated
    const { params = {}, query = {}, body } = await caseOf(route).request(world)
    const own = Object.keys(generated.params).map((name) => [name, params[name] ?? params.id!])
    return {
      ...generated,
      params: Object.fromEntries(own),
      query: Object.entries(query),
      body: body && JSON.stringify(body),
    }
  }

  /** Numbers of ids and cursors become real ones. */
  function withKnown(text: string): string {
    return text
      .replace(/known(?::|%3A)(\d+)/g, (_, n: string) => ids[+n % ids.length]!)
      .replace(/cursor(?::|%3A)(\d+)/g, (_, n: string) => cursors[+n % cursors.length] ?? 'none')
  }

  function remember(id: unknown, text: string) {
    if (typeof id === 'string') ids[ids.length < 200 ? ids.length : randomInt(200)] = id
    const [, cursor] = /"next_cursor":"([^"]+)"/.exec(text) ?? []
    if (cursor) cursors[cursors.length < 50 ? cursors.length : randomInt(50)] = cursor
  }

  async function credentials({
    operation,
    path,
    method,
    credentials: kind,
  }: Fuzzed): Promise<Texts> {
    if (kind === 'none' || path.startsWith('/oauth') || path.startsWith('/auth_refresh')) return {}
    if (kind === 'garbage') return { authorization: 'Bearer x.y.z', 'x-functions-key': 'é' }
    const isIntegration = !path.startsWith('/api/') !== (kind === 'crossed')
    // requests that end a session or rewrite the fields of every record run where they do not affect others
    const route = routes.get(`${method} ${path}`)
    if (route && /^(logout|end_web_session|invalidate_connection)$/.test(route.operation.name)) {
      return (await caseOf(route).request(world)).headers ?? {}
    }
    const isForAll = /field_config|update_(module_)?fields/.test(operation)
    const [application, integration] = (isForAll ? world.other! : world).surfaces
    return isIntegration ? integration!.admin() : application!.admin()
  }

  /** Ids of every kind of record, some of another organization. */
  async function someIds(): Promise<string[]> {
    const made: string[] = [newId(), world.org.id, world.org.users.observer.user_id]
    for (const { surface, route } of everyRoute(world)) {
      if (route.method !== 'GET' || !route.path.includes('{') || surface.name !== 'application')
        continue
      for (const where of [world, world, world.other!]) {
        const { params = {} } = await caseOf(route).request(where)
        made.push(...Object.values(params))
      }
    }
    return made
  }
})

type Texts = { [name: string]: string }

function pathOf({ path, params, query }: Fuzzed): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encode(params[name] ?? ''))
  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  return search ? `${filled}?${search}` : filled
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
