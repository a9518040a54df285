import { randomBytes } from 'node:crypto'
import { newId } from '../../src/kit/ids.ts'
import { newSecret } from '../../src/webhooks/signature.ts'
import type { TestOrganization, TestService } from './service.ts'
import { sql } from './service.ts'

export type Connection = { app_id: string; grant_id: string; user_id: string; organization: string }

/** An app and a user's grant to it, as rows: for tests that need no token. */
export async function makeConnection(
  service: TestService,
  org: TestOrganization,
  scopes: string[],
  role: keyof TestOrganization['users'] = 'admin',
): Promise<Connection> {
  const [app_id, grant_id] = [newId(), newId()]
  const { user_id } = org.users[role]
  await service.runtime.database.transaction(org.id, async (queries) => {
    await queries.run(sql`
      insert into apps
        (organization_id, id, name, client_id, client_secret, function_key_hash, scopes)
      values (${org.id}, ${app_id}, 'Connector', ${app_id},
        ${service.runtime.secrets.encrypt('secret')}, ${randomBytes(32)}, ${JSON.stringify(scopes)})`)
    await queries.run(sql`insert into grants (organization_id, id, app_id, user_id, scopes)
      values (${org.id}, ${grant_id}, ${app_id}, ${user_id}, ${JSON.stringify(scopes)})`)
  })
  return { app_id, grant_id, user_id, organization: org.id }
}

/** A subscription of that connection, as a row; gives its id and signing secret. */
export async function makeSubscription(
  service: TestService,
  connection: Connection,
  events: string[],
  url: string,
): Promise<{ id: string; secret: string }> {
  const id = newId()
  const secret = newSecret()
  const { organization, app_id, grant_id, user_id } = connection
  await service.runtime.database.transaction(organization, (queries) =>
    queries.run(sql`
      insert into subscriptions
        (organization_id, id, app_id, grant_id, user_id, events, url, unique_key, secret)
      values (${organization}, ${id}, ${app_id}, ${grant_id}, ${user_id}, ${events}, ${url},
        ${randomBytes(32)}, ${service.runtime.secrets.encrypt(secret)})`),
  )
  return { id, secret }
}
