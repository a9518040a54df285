import type { KeyObject } from 'node:crypto'
import { createSecretKey } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { unauthorized } from '../../kit/ground/errors.ts'
import { anywhere, sql } from '../../kit/ground/sql.ts'
import { pageProperties } from '../../kit/read/page.ts'
import { requireScope, sufficientScopes } from '../../records/apps/scopes.ts'
import type { Runtime } from '../../runtime.ts'
import { bearer } from '../application/authenticate.ts'
import { viewAsHeader, viewAsRefused } from '../application/view-as.ts'
import type { Limiter } from '../limits.ts'
import type { Authenticator } from '../mount.ts'
import { loadGrant } from '../app-grant.ts'
import type { Tokens } from '../tokens.ts'
import { dueFilter } from './shapes.ts'
import { isFresh, isSigned } from './signature.ts'
import { allOrganizations } from '../../kit/ground/context.ts'

/**
 * Authenticates automation platforms. In this order: function key, timestamp, signature, bearer
 * token, its grant (401 each), rate limit (429), scope (403). With warm caches it costs one HMAC and one hash:
 * apps, grants and tokens are cached, and evicted at once when they change.
 */
export function integrationAuthenticator(
  runtime: Runtime,
  tokens: Tokens,
  limit: Limiter,
): Authenticator {
  const appsOf = appsByFunctionKey(runtime)
  return {
    async authenticate(request, reply, operation) {
      const apps = await appsOf(functionKey(request))
      if (!apps.length) throw unauthorized('The function key is not valid', 'invalid_function_key')
      const app = signedBy(apps, request, runtime.now())
      const claims = await tokens.verify('integration', bearer(request))
      const isOwn = claims.org === app.organization_id || app.is_listed
      if (!isOwn || claims.client_id !== app.client_id) {
        throw unauthorized('The access token belongs to another app', 'invalid_token')
      }
      if (request.headers[viewAsHeader] !== undefined) throw viewAsRefused()
      // a token may have fewer scopes than its grant, so both are part of the key
      const grant = await runtime.cache.get(claims.org, `grant ${claims.gid} ${claims.scope}`, () =>
        loadGrant(runtime, claims),
      )
      if (!grant) throw unauthorized('This connection has ended: connect again', 'grant_ended')
      // of a listed app each organization has its own
      await limit(reply, grant.actor.app?.id ?? app.id)
      requireScope(grant.actor, ...sufficientScopes(operation))
      return { ...grant, source: 'integration', request_id: request.id }
    },
    parameters: ({ method }) => (method === 'GET' ? { ...credentials, ...common } : credentials),
  }
}

/** The query parameter that may carry the function key. */
const credentials = { code: {} }

/** The parameters that the specification names for all list reads, besides those that a list uses. */
const common = {
  limit: pageProperties.items_per_page,
  sort: {},
  filter: {},
  next_cursor: {},
  options: {},
  field_config: {},
  page: pageProperties.page,
  items_per_page: pageProperties.items_per_page,
  due_filter: dueFilter('by the due date'),
}

type App = {
  organization_id: string
  id: string
  client_id: string
  key: KeyObject
  function_key_hash: Buffer
  is_listed: boolean
}

/** The header takes precedence over the query; an empty one is ignored. */
function functionKey(request: FastifyRequest): string {
  const key = request.headers['x-functions-key'] || (request.query as { code?: unknown }).code
  if (typeof key === 'string' && key) return key
  throw unauthorized(
    'A function key is needed: the header x-functions-key or the query parameter code',
    'missing_function_key',
  )
}

/**
 * Finds apps by function key. The apps that a key may belong to are cached for less than a second, also for
 * unknown keys; the app itself is cached until it changes, so that a rotated key and a deleted app
 * end at once. Two apps to which the operator gave the same key are distinguished by signature.
 */
function appsByFunctionKey(runtime: Runtime) {
  const { database, cache, secrets } = runtime
  type Known = { hash: Buffer; apps: { organization_id: string; id: string }[] }
  const known = new LRUCache<string, Promise<Known>>({ max: 10_000, ttl: 900 })

  async function find(key: string): Promise<Known> {
    const hash = secrets.hash(key)
    const apps = await database.reads(allOrganizations).all<Known['apps'][number]>(sql`
      select organization_id, id from apps t
      where ${anywhere('t')} and function_key_hash = ${hash} limit 20`)
    return { hash, apps }
  }

  return async (key: string): Promise<App[]> => {
    if (key.length > 500) return []
    let finding = known.get(key)
    if (!finding) {
      finding = find(key)
      known.set(key, finding)
      finding.catch(() => known.delete(key))
    }
    const { hash, apps } = await finding
    const found = await Promise.all(
      apps.map(({ organization_id, id }) =>
        cache.get(organization_id, `app ${id}`, () => loadApp(runtime, organization_id, id)),
      ),
    )
    return found.filter((app) => app !== undefined && app.function_key_hash.equals(hash)) as App[]
  }
}

async function loadApp(
  { database, secrets }: Runtime,
  organization_id: string,
  id: string,
): Promise<App | undefined> {
  const row = await database.reads(organization_id).one<{
    client_id: string
    client_secret: Buffer
    function_key_hash: Buffer
    is_listed: boolean
  }>(sql`select client_id, client_secret, function_key_hash, is_listed from apps
    where organization_id = ${organization_id} and id = ${id}`)
  if (!row) return undefined
  const { client_id, client_secret, function_key_hash, is_listed } = row
  const key = createSecretKey(secrets.decrypt(client_secret), 'utf8')
  return { organization_id, id, client_id, key, function_key_hash, is_listed }
}

function signedBy(apps: App[], { headers }: FastifyRequest, now: Date): App {
  const timestamp = String(headers['x-oauth-timestamp'] ?? '')
  const signature = String(headers['x-oauth-signature'] ?? '')
  if (!isFresh(timestamp, now)) {
    throw unauthorized(
      'X-OAuth-Timestamp must be the current Unix time in seconds, at most 300 off',
      'invalid_timestamp',
    )
  }
  const app = apps.find(({ key, client_id }) => isSigned(key, client_id, timestamp, signature))
  if (!app) throw unauthorized('Invalid signature', 'invalid_signature')
  return app
}
