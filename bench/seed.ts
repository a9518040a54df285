import pg from 'pg'
import { connect } from '../server/src/database/connect.ts'
import '../server/src/model/all.ts'
import { newId } from '../server/src/kit/ground/ids.ts'
import { createOrganization } from '../server/src/records/organizations/organization.ts'
import { createUser } from '../server/src/records/users/create.ts'

const log = { info() {}, warn() {}, error() {} }

/** Fills a database, perhaps Citus, with contacts in organizations; returns what the scenarios need of one. */
export async function seed(url: string, contacts: number, count = 20, isDistributed = false) {
  const database = connect({ url, log, role: null, isDistributed })
  const client = new pg.Client({
    connectionString: url,
    options: '-c search_path=perennial,public',
  })
  await client.connect()
  const organizations: { organization: string; user: string }[] = []
  for (let i = 0; i < count; i++) {
    const organization = newId()
    const user = await database.transaction(organization, async (queries) => {
      const roles = await createOrganization(queries, organization, { name: `Bench ${i}` })
      const person = { email: `admin${i}@bench.test`, full_name: 'Ada Admin', password_hash: null }
      return createUser(queries, organization, { ...person, role_id: roles.admin })
    })
    organizations.push({ organization, user })
    await client.query(
      `
      insert into companies (organization_id, id, company_name, domain, unique_key, industry, record_source)
      select $1, left($2, 18) || lpad(i::text, 7, '0'), 'Company ' || i, 'company' || i || '.test',
        'd:company' || i || '.test', (array['software', 'retail', 'energy'])[1 + i % 3], 'bench'
      from generate_series(1, 500) i`,
      [organization, newId()],
    )
    await client.query(
      `
      insert into contacts (organization_id, id, full_name, primary_email, unique_key, company_id,
        contact_owner, job_title, lead_status, lead_source, phone, tags, custom_fields, location,
        record_source, created_by)
      select c.organization_id, left($2, 18) || lpad(i::text, 7, '0'), 'Contact Number ' || i,
        'contact' || i || '@company.test', 'contact' || i || '@company.test', c.id, $3,
        'Head of Things', (array['new', 'open', 'qualified', 'nurturing', 'converted'])[1 + i % 5],
        'website', '+44 20 7946 ' || lpad((i % 10000)::text, 4, '0'), '["vip", "newsletter"]',
        jsonb_build_object('tier', 'gold', 'score', i), '{"city": "London", "country": "GB"}',
        'bench', $3
      from generate_series(1, $4::int) i
      join lateral (select * from companies where organization_id = $1
        and id = left($5, 18) || lpad((1 + i % 500)::text, 7, '0')) c on true`,
      [
        organization,
        newId(),
        user,
        Math.ceil(contacts / count),
        await firstCompany(client, organization),
      ],
    )
  }
  await client.query('vacuum analyze')
  const { organization, user } = organizations[Math.min(7, count - 1)]!
  const ids = await column(
    client,
    'select id from contacts where organization_id = $1 order by random() limit 2000',
    organization,
  )
  const companies = await column(
    client,
    'select id from companies where organization_id = $1',
    organization,
  )
  await client.end()
  await database.close()
  return { organization, user, ids, companies, organizations }
}

async function firstCompany(client: pg.Client, organization: string): Promise<string> {
  return (
    await column(
      client,
      'select min(id) as id from companies where organization_id = $1',
      organization,
    )
  )[0]!
}

async function column(client: pg.Client, text: string, organization: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(text, [organization])
  return rows.map(({ id }) => id)
}
