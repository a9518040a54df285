import pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '../server/src/config.ts'
import { connect } from '../server/src/database/connect.ts'
import { newId } from '../server/src/kit/ground/ids.ts'
import type { Service } from '../server/src/service.ts'
import { createService } from '../server/src/service.ts'
import type { Connection } from '../server/test/support/integration.ts'
import { makeConnection } from '../server/test/support/integration.ts'
import type { TestOrganization } from '../server/test/support/organization.ts'
import { makeOrganization } from '../server/test/support/organization.ts'

/** The key that tokens are signed with and secrets are encrypted with, for these runs only. */
export const secretKey = 'a secret key for hostile neighbours only, 32+'

/** The public URL of the service: the issuer of its tokens, wherever it listens. */
export const publicUrl = 'http://127.0.0.1:3000'

/** An organization with a user of every built-in role and an app connected by its admin. */
export type Neighbour = TestOrganization & {
  /** ids of some of its contacts */
  contacts: string[]
  app: Connection
}

/** The address of the service, and the organization that attacks. */
export type Setting = { url: string; noisy: Neighbour }

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
  const organization = await makeOrganization(service)
  return { ...organization, contacts: [], app: await makeConnection(service, organization) }
}

async function seed(url: string, neighbours: Neighbour[]) {
  const client = new pg.Client({
    connectionString: url,
    options: '-c search_path=perennial,public -c app.organization=*',
  })
  await client.connect()
  for (const { id: organization, users, contacts } of neighbours) {
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
