import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { dirname, join } from 'node:path'
import { argumentsOfPeer, moduleOf, poolSize, readRows, store } from '../rows.ts'

// Strapi with two content types and a token for both, without its panel for administrators. Without a token
// it shows and takes no relations.

type Strapi = {
  createStrapi(options: object): {
    start(): Promise<{
      server: { httpServer: Server }
      service(name: string): { create(token: object): Promise<{ accessKey: string }> }
    }>
  }
}

const { folder, url, source } = argumentsOfPeer()
const { contacts, companies } = await readRows(source)
const appDir = join(folder, 'app')
rmSync(appDir, { recursive: true, force: true })
write('package.json', JSON.stringify({ name: 'bench', version: '1.0.0', strapi: { uuid: false } }))
write('public/uploads/.gitkeep', '')
write('config/server.js', settings({ host: '127.0.0.1', port: 0, app: { keys: ['a', 'b'] } }))
write(
  'config/admin.js',
  settings({
    auth: { secret: 'for measuring only' },
    apiToken: { salt: 'for measuring only' },
    transfer: { token: { salt: 'for measuring only' } },
    serveAdminPanel: false,
  }),
)
write('config/logger.js', settings({ level: 'error' }))
write(
  'config/database.js',
  settings({
    connection: {
      client: 'postgres',
      connection: { connectionString: url },
      pool: { min: 2, max: poolSize },
    },
  }),
)
const text = { type: 'string' }
contentType('company', 'companies', {
  external_id: text,
  company_name: text,
  domain: text,
  industry: text,
})
contentType('contact', 'contacts', {
  full_name: text,
  primary_email: text,
  phone: text,
  job_title: text,
  lead_status: text,
  lead_source: text,
  record_source: text,
  tags: { type: 'json' },
  location: { type: 'json' },
  custom_fields: { type: 'json' },
  company: { type: 'relation', relation: 'manyToOne', target: 'api::company.company' },
})
process.chdir(appDir)
const { createStrapi } = moduleOf<Strapi>(folder, '@strapi/strapi')
const strapi = await createStrapi({ appDir, distDir: appDir, serveAdminPanel: false }).start()
const now = 'now(), now(), now()'
await store(url, [
  [
    `create unique index on contacts (primary_email); create index on contacts (lead_status, id);
     create index on contacts (document_id)`,
  ],
  [
    `insert into companies (document_id, external_id, company_name, domain, industry, created_at, updated_at,
       published_at)
     select r->>'id', r->>'id', r->>'company_name', r->>'domain', r->>'industry', ${now}
     from jsonb_array_elements($1) r`,
    companies,
  ],
  [
    `insert into contacts (document_id, full_name, primary_email, phone, job_title, lead_status, lead_source,
       record_source, tags, location, custom_fields, created_at, updated_at, published_at)
     select r->>'id', r->>'full_name', r->>'primary_email', r->>'phone', r->>'job_title', r->>'lead_status',
       r->>'lead_source', r->>'record_source', r->'tags', r->'location', r->'custom_fields', ${now}
     from jsonb_array_elements($1) r`,
    contacts,
  ],
  [
    `insert into contacts_company_lnk (contact_id, company_id)
     select contacts.id, companies.id from jsonb_array_elements($1) r
     join contacts on contacts.document_id = r->>'id'
     join companies on companies.document_id = r->>'company_id'`,
    contacts,
  ],
])
const { port } = strapi.server.httpServer.address() as AddressInfo
const { accessKey } = await strapi
  .service('admin::api-token')
  .create({ name: 'bench', description: '', type: 'full-access', lifespan: null })
process.send!({
  url: `http://127.0.0.1:${port}`,
  token: accessKey,
  ids: contacts.map(({ id }) => id),
  // relations use Strapi's own numeric ids
  companies: companies.map((_, i) => String(i + 1)),
})

function write(file: string, content: string) {
  const path = join(appDir, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

function settings(values: object): string {
  return `module.exports = () => (${JSON.stringify(values)})`
}

/** A type with its ordinary controller, service and routes. */
function contentType(word: string, things: string, attributes: object) {
  const at = `src/api/${word}`
  const name = `api::${word}.${word}`
  write(
    `${at}/content-types/${word}/schema.json`,
    JSON.stringify({
      kind: 'collectionType',
      collectionName: things,
      info: { singularName: word, pluralName: things, displayName: word },
      options: { draftAndPublish: false },
      attributes,
    }),
  )
  const factory = (part: string) =>
    `const { factories } = require('@strapi/strapi')
     module.exports = factories.createCore${part}('${name}')`
  write(`${at}/controllers/${word}.js`, factory('Controller'))
  write(`${at}/services/${word}.js`, factory('Service'))
  write(`${at}/routes/${word}.js`, factory('Router'))
}
