import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { argumentsOfPeer, moduleOf, poolSize, readRows, store } from '../rows.ts'

// Parse Server with two classes that anyone may read and create in, and their rows put into its tables.

type ParseServer = new (options: object) => { start(): Promise<unknown>; app: RequestListener }

const { folder, url, source } = argumentsOfPeer()
const { contacts, companies } = await readRows(source)
const { ParseServer: Parse } = moduleOf<{ ParseServer: ParseServer }>(folder, 'parse-server')
const keys = { appId: 'bench', masterKey: 'for measuring only' }
const serving: { handle?: RequestListener } = {}
const server = createServer((request, response) => serving.handle?.(request, response))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const parse = new Parse({
  ...keys,
  databaseURI: `${url}?poolSize=${poolSize}`,
  serverURL: own,
  silent: true,
  logsFolder: null,
})
await parse.start()
serving.handle = parse.app

const text = { type: 'String' }
const everyone = { '*': true }
const classLevelPermissions = { find: everyone, get: everyone, count: everyone, create: everyone }
await createClass('Company', { companyName: text, domain: text, industry: text })
await createClass('Contact', {
  fullName: text,
  primaryEmail: text,
  phone: text,
  jobTitle: text,
  leadStatus: text,
  leadSource: text,
  recordSource: text,
  tags: { type: 'Array' },
  location: { type: 'Object' },
  customFields: { type: 'Object' },
  company: { type: 'Pointer', targetClass: 'Company' },
})
await store(url, [
  [
    `create unique index on "Contact" ("primaryEmail"); create index on "Contact" ("leadStatus", "createdAt");
     create index on "Contact" ("createdAt")`,
  ],
  [
    `insert into "Company" ("objectId", "createdAt", "updatedAt", "companyName", domain, industry)
     select r->>'id', now(), now(), r->>'company_name', r->>'domain', r->>'industry'
     from jsonb_array_elements($1) r`,
    companies,
  ],
  [
    `insert into "Contact" ("objectId", "createdAt", "updatedAt", "fullName", "primaryEmail", phone,
       "jobTitle", "leadStatus", "leadSource", "recordSource", tags, location, "customFields", company)
     select r->>'id', now() - interval '1 s' * n, now(), r->>'full_name', r->>'primary_email', r->>'phone',
       r->>'job_title', r->>'lead_status', r->>'lead_source', r->>'record_source', r->'tags', r->'location',
       r->'custom_fields', r->>'company_id'
     from jsonb_array_elements($1) with ordinality as _(r, n)`,
    contacts,
  ],
])
process.send!({
  url: own,
  ids: contacts.map(({ id }) => id),
  companies: companies.map(({ id }) => id),
})

async function createClass(name: string, fields: object) {
  const answer = await fetch(`${own}/schemas/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-parse-application-id': keys.appId,
      'x-parse-master-key': keys.masterKey,
    },
    body: JSON.stringify({ className: name, fields, classLevelPermissions }),
  })
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
}
