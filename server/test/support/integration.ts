import { createHmac } from 'node:crypto'
import { newId } from '../../src/kit/ground/ids.ts'
import { sql } from '../../src/kit/ground/sql.ts'
import type { IssuedApp } from '../../src/records/apps/app.ts'
import { issueApp } from '../../src/records/apps/app.ts'
import { allScopes } from '../../src/records/apps/scopes.ts'
import type { RoleKind } from '../../src/model/users/roles/permissions.ts'
import type { AppAudience } from '../../src/surfaces/integration/oauth/grants.ts'
import { newAccessToken, newRefreshToken } from '../../src/surfaces/integration/oauth/grants.ts'
import type { Service } from '../../src/service.ts'
import type { TestOrganization } from './organization.ts'
import type { Reply, TestService } from './service.ts'
import { allOrganizations } from '../../src/kit/ground/context.ts'

export type Request = {
  body?: unknown
  query?: { [name: string]: string | number | boolean }
  headers?: { [name: string]: string }
}

/** The credentials of an app with an active connection. */
export type Connection = {
  app: IssuedApp
  client_id: string
  client_secret: string
  function_key: string
  access_token: string
  refresh_token: string
  /** who approved */
  user_id: string
}

/** An app with an active connection; `call` signs every request and sends all three credentials. */
export type ConnectedApp = Connection & {
  call(method: string, path: string, request?: Request): Promise<Reply>
}

export const callback = 'https://connector.test/callback'

/** Issues an app to an organization of the test. */
export function makeApp(
  service: Pick<Service, 'runtime'>,
  org: Pick<TestOrganization, 'id'>,
  request: Partial<Parameters<typeof issueApp>[3]> = {},
): Promise<IssuedApp & { client_secret: string; function_key: string }> {
  const { database, secrets } = service.runtime
  return database.transaction(allOrganizations, (queries) =>
    issueApp(queries, secrets, org.id, {
      name: `Connector ${newId()}`,
      redirect_uris: [callback],
      scopes: allScopes,
      ...request,
    }),
  ) as never
}

type ConnectOptions = {
  scopes?: string[]
  as?: RoleKind
  standard?: boolean
  /** the surface that its tokens are for; the integration surface by default */
  audience?: AppAudience
}

/** Issues an app and connects it as a user (an admin unless said otherwise), without the pages. */
export async function connectApp(
  service: TestService,
  org: TestOrganization,
  options: ConnectOptions = {},
): Promise<ConnectedApp> {
  const connection = await makeConnection(service, org, options)
  const { client_id, client_secret, function_key, access_token } = connection
  return {
    ...connection,
    call(method, path, { body, query, headers } = {}) {
      const search = query ? `?${new URLSearchParams(query as { [name: string]: string })}` : ''
      return service.call(method, path + search, {
        body,
        token: access_token,
        headers: {
          'x-functions-key': function_key,
          ...signature(client_id, client_secret, service.runtime.now()),
          ...headers,
        },
      })
    },
  }
}

/** The app and the credentials of `connectApp`, for a caller of another kind. */
export async function makeConnection(
  service: Pick<Service, 'runtime' | 'tokens'>,
  org: Pick<TestOrganization, 'id' | 'users'>,
  {
    scopes = allScopes,
    as = 'admin',
    standard = false,
    audience = 'integration',
  }: ConnectOptions = {},
): Promise<Connection> {
  const { runtime, tokens } = service
  const app = await makeApp(service, org, { scopes, standard_authorize: standard })
  const { client_id, client_secret, function_key } = app
  const { user_id } = org.users[as]
  const grant_id = newId()
  const ids = { organization_id: org.id, app_id: app.id, grant_id, user_id }
  const bearer = { ...ids, client_id, scopes, audience }
  const refresh_token = await runtime.database.transaction(org.id, async (queries) => {
    await queries.run(sql`insert into grants (organization_id, id, app_id, user_id, scopes,
      audience) values (${org.id}, ${grant_id}, ${app.id}, ${user_id}, ${JSON.stringify(scopes)},
      ${audience})`)
    return newRefreshToken(runtime, queries, bearer)
  })
  const access_token = await newAccessToken(tokens, bearer)
  return { app, client_id, client_secret, function_key, access_token, refresh_token, user_id }
}

/** The query of a signed authorize request; null takes a parameter out. */
export function authorizeQuery(
  app: { client_id: string; client_secret: string },
  changes: { [name: string]: string | null } = {},
  now = new Date(),
): URLSearchParams {
  const timestamp = changes.timestamp ?? String(Math.floor(+now / 1000))
  const query: { [name: string]: string | null } = {
    client_id: app.client_id,
    response_type: 'code',
    redirect_uri: callback,
    state: 'a state of the app',
    timestamp,
    signature: sign(app.client_id, app.client_secret, timestamp),
    ...changes,
  }
  return new URLSearchParams(
    Object.entries(query).filter((each): each is [string, string] => each[1] !== null),
  )
}

/** A code, approved with an application token. */
export async function codeFor(
  service: TestService,
  app: { client_id: string; client_secret: string },
  token: string,
  changes: { [name: string]: string } = {},
): Promise<string> {
  const query = authorizeQuery(app, changes, service.runtime.now())
  const reply = await service.call('GET', `/oauth/authorize?${query}`, { token })
  const code = new URL(reply.headers.get('location')!).searchParams.get('code')
  if (reply.status !== 302 || !code) throw new Error(`no code: ${reply.status} ${reply.text}`)
  return code
}

/** A form, as connectors and browsers send it. */
export function postForm(
  service: TestService,
  path: string,
  fields: { [name: string]: string } | [string, string][],
  headers: { [name: string]: string } = {},
): Promise<Reply> {
  return service.call('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

/** Waits until the service is notified of changes, from when on it caches what it loads. */
export async function untilListening(service: TestService) {
  for (let tries = 0; !service.runtime.database.isListening(); tries++) {
    if (tries > 1000) throw new Error('the service is not notified of changes')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Repeats a request until the answer has the status; returns the milliseconds that it took. */
export async function until(status: number, ask: () => Promise<Reply>): Promise<number> {
  const start = performance.now()
  for (;;) {
    const reply = await ask()
    const took = performance.now() - start
    if (reply.status === status) return took
    if (took > 5000) throw new Error(`still ${reply.status}: ${reply.text}`)
  }
}

/** The two signature headers. */
export function signature(client_id: string, client_secret: string, now = new Date()) {
  const timestamp = String(Math.floor(+now / 1000))
  return {
    'x-oauth-timestamp': timestamp,
    'x-oauth-signature': sign(client_id, client_secret, timestamp),
  }
}

export function sign(client_id: string, client_secret: string, timestamp: string): string {
  return createHmac('sha256', client_secret).update(`${client_id}:${timestamp}`).digest('hex')
}
