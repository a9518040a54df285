import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { argumentsOfPeer, contactColumns, moduleOf, poolSize, readRows, store } from '../rows.ts'

// PostGraphile over two tables of its own, with an index for each operation that is measured.

type PostGraphile = {
  postgraphile(preset: object): {
    createServ(grafserv: unknown): { addTo(server: Server): Promise<void> }
  }
}

const { folder, url, source } = argumentsOfPeer()
const { contacts, companies } = await readRows(source)
await store(url, [
  [
    `create table companies (id text primary key, company_name text, domain text, industry text);
     create table contacts (id text primary key, company_id text references companies, ${contactColumns},
       created_at timestamptz not null default now());
     create index on contacts (company_id); create unique index on contacts (primary_email);
     create index on contacts (lead_status, id)`,
  ],
  ['insert into companies select * from jsonb_populate_recordset(null::companies, $1)', companies],
  [
    `insert into contacts select * from jsonb_populate_recordset(null::contacts, $1)`,
    contacts.map((contact) => ({ ...contact, created_at: '2026-01-01' })),
  ],
])
const { postgraphile } = moduleOf<PostGraphile>(folder, 'postgraphile')
const { PostGraphileAmberPreset } = moduleOf<{ PostGraphileAmberPreset: object }>(
  folder,
  'postgraphile/presets/amber',
)
const { makePgService } = moduleOf<{ makePgService(options: object): object }>(
  folder,
  'postgraphile/adaptors/pg',
)
const { grafserv } = moduleOf<{ grafserv: unknown }>(folder, 'postgraphile/grafserv/node')
const serving = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [
    makePgService({ connectionString: url, schemas: ['public'], poolConfig: { max: poolSize } }),
  ],
  grafserv: { graphiql: false, watch: false },
}).createServ(grafserv)
const server = createServer()
await serving.addTo(server)
server.listen(0, '127.0.0.1', () => {
  process.send!({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ids: contacts.map(({ id }) => id),
    companies: companies.map(({ id }) => id),
  })
})
