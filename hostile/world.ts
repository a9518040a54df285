import pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '../server/src/config.ts'
import { connect } from '../server/src/database/connect.ts'
import { newId } from '../server/src/kit/ground/ids.ts'
import { sql } from '../server/src/kit/ground/sql.ts'
import { allOrganizations } from '../server/src/kit/ground/context.ts'
import { issueApp } from '../server/src/records/apps/app.ts'
import { allScopes } from '../server/src/records/apps/scopes.ts'
import { createOrganization } from '../server/src/records/organizations/organization.ts'
import { createUser } from '../server/src/records/users/create.ts'
import type { RoleKind } from '../server/src/records/users/roles/permissions.ts'
import { roleKinds } from '../server/src/records/users/roles/permissions.ts'
import { hashPassword } from '../server/src/secrets.ts'
import type { Service } from '../server/src/service.ts'
import { createService } from '../server/src/service.ts'
import { newAccessToken, newRefreshToken } from '../server/src/surfaces/integration/oauth/grants.ts'

/** The key that tokens are signed with and secrets are encrypted with, for these runs only. */
export const secretKey = 'a secret key for hostile neighbours only, 32+'

/** What the service calls itself: tokens are issued in this name, wherever it listens. */
export const publicUrl = 'http://127.0.0.1:3000'

/** A user who can sign in; the token is good for the length of a run. */
export type Person = { user_id: string; email: string; password: string; token: string }

/** An organization with a user of every built-in role and an app connected by its admin. */
export type Neighbour = {
  organization: string
  users: { [role in RoleKind]: Person }
  /** ids of some of its contacts */
  contacts: string[]
  app: {
    client_id: string
    client_secret: string
    function_key: string
    access_token: string
    refresh_token: string
  }
}

/** Where the service is, and the organization that attacks. */
export type Setting = { url: string; noisy: Neighbour }

const password = 'correct horse battery staple'

/** The organization that attacks and the bystander's, each with 2,000 contacts. */
export async function makeWorld(url: string): Promise<{ noisy: Neighbour; quiet: Neighbour }> {
  const log = pino({ level: 'silent' })
  const database = connect({ url, log, role: null })
  const config = readConfig({ PUBLIC_URL: publicUrl })
  const service = await createService({ config, database, secretKey, log })
  try {
    const noisy = await makeNeighbour(service)
    const quiet = await makeNeighbour(service)
    await seed(url, [noisy, quiet])
    return { noisy, quiet }
  } finally {
    await service.close()
    await database.close()
  }
}

async function makeNeighbour(service: Service): Promise<Neighbour> {
  const { database } = service.runtime
  const organization = newId()
  const password_hash = await hashPassword(password)
  const people = await database.transaction(organization, async (queries) => {
    const roles = await createOrganization(queries, organization, { name: organization })
    const made: [RoleKind, string][] = []
    for (const kind of roleKinds) {
      const person = { email: `${kind}@${organization}.test`, full_name: kind, password_hash }
      made.push([
        kind,
        await createUser(queries, organization, { ...person, role_id: roles[kind] }),
      ])
    }
    return made
  })
  const users = {} as Neighbour['users']
  for (const [kind, user_id] of people) {
    const email = `${kind}@${organization}.test`
    const identity = { organization_id: organization, user_id, full_name: kind, email, role: kind }
    const session = (await service.signIn.start(identity)) as { access_token: string }
    users[kind] = { user_id, email, password, token: session.access_token }
  }
  return {
    organization,
    users,
    contacts: [],
    app: await connectApp(service, organization, users.admin.user_id),
  }
}

async function connectApp({ runtime, tokens }: Service, organization: string, user_id: string) {
  const { database, secrets } = runtime
  const app = await database.transaction(allOrganizations, (queries) =>
    issueApp(queries, secrets, organization, {
      name: 'Connector',
      redirect_uris: ['https://connector.test/callback'],
      scopes: allScopes,
    }),
  )
  const { client_id, client_secret, function_key } = app
  const grant_id = newId()
  const bearer = {
    organization_id: organization,
    app_id: app.id,
    client_id,
    grant_id,
    user_id,
    scopes: allScopes,
  }
  const refresh_token = await database.transaction(organization, async (queries) => {
    await queries.run(sql`insert into grants (organization_id, id, app_id, user_id, scopes)
      values (${organization}, ${grant_id}, ${app.id}, ${user_id}, ${JSON.stringify(allScopes)})`)
    return newRefreshToken(runtime, queries, bearer)
  })
  const access_token = await newAccessToken(tokens, bearer)
  return { client_id, client_secret, function_key, access_token, refresh_token } as Neighbour['app']
}

async function seed(url: string, neighbours: Neighbour[]) {
  const client = new pg.Client({
    connectionString: url,
    options: '-c search_path=perennial,public -c app.organization=*',
  })
  await client.connect()
  for (const { organization, users, contacts } of neighbours) {
    await client.query(
      `insert into companies (organization_id, id, company_name, domain, unique_key, industry, record_source)
      select $1, left($2, 18) || lpad(i::text, 7, '0'), 'Company ' || i, 'company' || i || '.test',
        'd:company' || i || '.test', (array['software', 'retail', 'energy'])[1 + i % 3], 'seed'
      from generate_series(1, 200) i`,
      [organization, newId()],
    )
    await client.query(
      `insert into contacts (organization_id, id, full_name, primary_email, unique_key, company_id,
        contact_owner, job_title, lead_status, record_source, created_by)
      select $1, left($2, 18) || lpad(i::text, 7, '0'), 'Contact Number ' || i,
        'contact' || i || '@company.test', 'contact' || i || '@company.test', c.ids[1 + i % 200], $3,
        'Head of Things', (array['new', 'open', 'qualified', 'nurturing'])[1 + i % 4], 'seed', $3
      from generate_series(1, 2000) i,
        (select array_agg(id) as ids from companies where organization_id = $1) c`,
      [organization, newId(), users.admin.user_id],
    )
    const { rows } = await client.query<{ id: string }>(
      'select id from contacts where organization_id = $1 limit 200',
      [organization],
    )
    contacts.push(...rows.map(({ id }) => id))
  }
  await client.query('analyze')
  await client.end()
}
