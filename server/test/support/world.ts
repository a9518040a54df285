import { randomBytes } from 'node:crypto'
import type { Route } from '../../src/surfaces/route.ts'
import { newId } from '../../src/kit/ground/ids.ts'
import { createUser } from '../../src/records/users/create.ts'
import type { ConnectedApp } from './integration.ts'
import { connectApp, signature } from './integration.ts'
import type { Member, Reply, TestOrganization, TestService } from './service.ts'
import { makeOrganization, sql, tokenFor } from './service.ts'

/** A valid request for a route; `headers` where it needs other credentials than the admin's. */
export type Made = {
  params?: Texts
  query?: Texts
  body?: any
  headers?: Texts
}

/** How an operation is called rightly, and what it leaves behind. */
export type Case = {
  /** a new valid request each time: what it needs exists, what it makes does not */
  request(world: World): Made | Promise<Made>
  /** log rows that one success leaves; 1 for writes and 0 for reads unless said otherwise, with why */
  logs?: { rows: number; why: string }
  /** the other shapes that a success may have */
  more?: ((world: World) => Made | Promise<Made>)[]
  /** its credentials are good for nothing afterwards */
  endsSession?: boolean
  /** references for which `{}` says nothing, since the specification types them as objects */
  emptyObjects?: string[]
  /** ids in the body that the new record itself takes */
  newIds?: string[]
  /** why the log row of a success has no field-level changes */
  withoutChanges?: string
  /** why a log row is of another record than the path names, or of another source than its surface */
  logsAnother?: string
}

export type Texts = { [name: string]: string }

/** A surface: its routes, and the headers of its callers. */
export type Surface = {
  name: string
  routes: Route[]
  /** of the organization's admin */
  admin(): Texts
  /** of a user whose role allows nothing */
  nobody(): Texts
}

/** A service with two organizations, and what the cases need of them. */
export type World = {
  service: TestService
  org: TestOrganization
  /** the same of another organization, whose records nobody here may see */
  other: World | undefined
  surfaces: Surface[]
  /** sends as the admin of the organization, through the application surface; must succeed */
  post(path: string, body?: unknown): Promise<Reply>
}

export async function makeWorld(service: TestService): Promise<World> {
  const other = await oneWorld(service, undefined)
  return oneWorld(service, other)
}

/** A word that was never used before. */
export function fresh(word = 'x'): string {
  return `${word}-${randomBytes(5).toString('hex')}`
}

async function oneWorld(service: TestService, other: World | undefined): Promise<World> {
  const org = await makeOrganization(service)
  const nobody = await addMember(service, org, {})
  const { token } = org.users.admin
  const [ours, theirs] = await Promise.all([
    connectApp(service, org),
    connectApp(service, { ...org, users: { ...org.users, member: nobody } }, { as: 'member' }),
  ])
  const callers: { [surface: string]: Pick<Surface, 'admin' | 'nobody'> } = {
    application: {
      admin: () => ({ authorization: `Bearer ${token}` }),
      nobody: () => ({ authorization: `Bearer ${nobody.token}` }),
    },
    integration: { admin: () => signed(ours), nobody: () => signed(theirs) },
  }
  return {
    service,
    org,
    other,
    surfaces: service.surfaces.map(({ name, routes }) => ({ name, routes, ...callers[name]! })),
    async post(path, body) {
      const reply = await service.call('POST', path, { token, body })
      if (reply.status >= 300) throw new Error(`POST ${path} ${reply.status} ${reply.text}`)
      return reply
    },
  }
}

/** The three credentials of a connected app. */
export function signed(app: ConnectedApp): Texts {
  return {
    authorization: `Bearer ${app.access_token}`,
    'x-functions-key': app.function_key,
    ...signature(app.client_id, app.client_secret),
  }
}

/** A user whose role allows so much and says no to everything else. */
export async function addMember(
  service: TestService,
  org: TestOrganization,
  permission: { [module: string]: { [action: string]: string } },
): Promise<Member> {
  const role_id = newId()
  const email = `${role_id}@${org.id}.test`
  const user_id = await service.runtime.database.transaction(org.id, async (queries) => {
    await queries.run(sql`insert into roles (organization_id, id, role_name, kind, permission)
      values (${org.id}, ${role_id}, ${`role ${role_id}`}, 'member', ${JSON.stringify(permission)})`)
    const user = { email, full_name: 'No Body', password_hash: null, role_id }
    return createUser(queries, org.id, user)
  })
  const identity = { organization_id: org.id, user_id, email, full_name: 'No Body', role: role_id }
  return { user_id, email, token: await tokenFor(service, identity) }
}
