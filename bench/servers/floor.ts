import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import { fastify } from 'fastify'
import pg from 'pg'
import { compile, sql } from '../../server/src/kit/ground/sql.ts'
import { Contact } from '../../server/src/model/contacts/contact.ts'
import { shapeOf } from '../../server/src/kit/read/json.ts'
import { newId } from '../../server/src/kit/ground/ids.ts'

/**
 * A hand-written server for the same answers: `node:http`, a `pg` pool with prepared
 * statements, `JSON.stringify`. No tenancy below the query, no rights, no credentials, no events.
 */
const [url, organization] = process.argv.slice(2) as [string, string]
const pool = new pg.Pool({
  connectionString: url,
  max: 12,
  options: '-c search_path=perennial,public',
})
const shape = shapeOf(Contact)
// the service caches people; here they are joined
const select = `${shape.columns.plain.replaceAll(/ as c\d+/g, '')}, owner.full_name as owner_name, owner.email as owner_email,
  owner.role_name as owner_role, owner.profile_image as owner_image, linked.email as linked_email,
  linked.full_name as linked_name, linked.role_name as linked_role, linked.is_active as linked_active`
const joins = `${shape.joins.plain}
  left join people owner on owner.organization_id = $organization and owner.id = t.contact_owner
  left join people linked on linked.organization_id = $organization and linked.id = t.linked_user`

const list = compile(
  sql`select ${sql.raw(select)} from contacts t ${sql.raw(joins)}
  where t.organization_id = $organization and t.deleted_at is null order by t.id desc limit ${50}`,
  organization,
)
const filtered = compile(
  sql`select ${sql.raw(select)} from contacts t ${sql.raw(joins)}
  where t.organization_id = $organization and t.deleted_at is null
    and lower(t.lead_status) = lower(${'qualified'}) order by t.id desc limit ${50}`,
  organization,
)
const read = compile(
  sql`select ${sql.raw(select)} from contacts t ${sql.raw(joins)}
  where t.organization_id = $organization and t.deleted_at is null and t.id = ${''}`,
  organization,
)

const server = createServer((request, response) => {
  answer(request).then(
    (body) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    },
    (error: Error) => {
      response.writeHead(500)
      response.end(error.message)
    },
  )
})

async function answer(request: IncomingMessage): Promise<unknown> {
  const path = request.url ?? '/'
  if (path === '/constant') return constant
  if (path === '/list')
    return (await pool.query({ name: 'list', text: list.text, values: list.values })).rows
  if (path === '/filtered')
    return (await pool.query({ name: 'filtered', text: filtered.text, values: filtered.values }))
      .rows
  if (path.startsWith('/read/')) {
    const values = [path.slice(6), organization]
    return (await pool.query({ name: 'read', text: read.text, values })).rows[0]
  }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = JSON.parse(Buffer.concat(chunks).toString())
  const { rows } = await pool.query({
    name: 'create',
    text: `insert into contacts (organization_id, id, full_name, primary_email, unique_key, job_title, company_id, lead_status, record_source)
      values ($1, $2, $3, $4, lower($4), $5, $6, $7, 'bench') returning *`,
    values: [
      organization,
      newId(),
      body.full_name,
      body.primary_email,
      body.job_title,
      body.company_id,
      body.lead_status,
    ],
  })
  return rows[0]
}

const constant = { status: 'ok', message: 'the same every time' }
const bare = fastify()
bare.get('/constant', () => constant)
await bare.listen({ port: 0, host: '127.0.0.1' })
server.listen(0, '127.0.0.1', () => {
  const port = (of: { address(): unknown }) => (of.address() as { port: number }).port
  process.send!({
    floor: `http://127.0.0.1:${port(server)}`,
    fastify: `http://127.0.0.1:${port(bare.server)}`,
  })
})
