import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { argumentsOfPeer, contactColumns, moduleOf, poolSize, readRows, store } from '../rows.ts'

// PostGraphile over two tables of its own, with an index for each operation that is measured. With `same work` it also
// does what Perennial does for a request, in the ways of its guides: a signed token is checked, its organization is the
// only one that row-level security shows, each write logs the fields that it changes, and words are indexed.

type PostGraphile = {
  postgraphile(preset: object): {
    createServ(grafserv: unknown): { addTo(server: Server): Promise<void> }
  }
}

const { folder, url, source, variant } = argumentsOfPeer()
const doesSameWork = variant === 'same work'
/** Signs the token of the one organization there is. */
const secret = 'a secret key for measuring only, 32+ characters'
const organization = 'o'.repeat(25)
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
  [
    // the rows that are there are of the one organization, which is also that of new ones
    doesSameWork
      ? `do $$ begin create role peer_reader; exception when duplicate_object then null; end $$;
     alter table companies add organization_id text not null default '${organization}';
     alter table contacts add organization_id text not null default '${organization}',
       add words tsvector generated always as (to_tsvector('simple',
         coalesce(full_name, '') || ' ' || coalesce(primary_email, '') || ' ' || coalesce(phone, ''))) stored;
     create index on contacts using gin (words);
     create index on contacts (organization_id, id); create index on companies (organization_id, id);
     comment on column contacts.words is '@behavior -*';
     alter table contacts enable row level security; alter table companies enable row level security;
     create policy own on contacts using (organization_id = current_setting('jwt.claims.organization_id', true));
     create policy own on companies using (organization_id = current_setting('jwt.claims.organization_id', true));
     create schema hidden;
     create table hidden.changes (id bigint generated always as identity primary key, organization_id text not null,
       table_name text not null, row_id text not null, user_id text, action text not null,
       at timestamptz not null default now(), fields jsonb not null);
     create index on hidden.changes (organization_id, id); create index on hidden.changes (row_id, id);
     create function hidden.log_change() returns trigger language plpgsql security definer as $$
     begin
       insert into hidden.changes (organization_id, table_name, row_id, user_id, action, fields)
       select new.organization_id, tg_table_name, new.id, current_setting('jwt.claims.user_id', true), tg_op,
         coalesce(jsonb_object_agg(n.key, jsonb_build_array(o.value, n.value)), '{}')
       from jsonb_each(to_jsonb(new) - 'words') n
       left join jsonb_each(case when tg_op = 'UPDATE' then to_jsonb(old) end) o using (key)
       where n.value is distinct from coalesce(o.value, 'null');
       return null;
     end $$;
     grant usage on schema public to peer_reader;
     grant select, insert, update, delete on contacts, companies to peer_reader;
     create trigger log_change after insert or update on contacts
       for each row execute function hidden.log_change()`
      : 'select 1',
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
  grafast: doesSameWork
    ? {
        context: ({ node }: { node?: { req: IncomingMessage } }) => ({
          pgSettings: settingsOf(node?.req.headers.authorization),
        }),
      }
    : {},
}).createServ(grafserv)
const server = createServer()
await serving.addTo(server)
server.listen(0, '127.0.0.1', () => {
  process.send!({
    token: signed({ organization_id: organization, user_id: 'u'.repeat(25) }),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ids: contacts.map(({ id }) => id),
    companies: companies.map(({ id }) => id),
  })
})

/** A JSON Web Token with the claims. */
function signed(claims: object): string {
  const [head, body] = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  return `${head}.${body}.${signature(`${head}.${body}`).toString('base64url')}`
}

function signature(text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest()
}

/** The role and claims of a request with a valid token; one without sees nothing. */
function settingsOf(authorization = ''): Record<string, string> {
  const [head, body = '', given = ''] = authorization.replace('Bearer ', '').split('.')
  const expected = signature(`${head}.${body}`)
  const sent = Buffer.from(given, 'base64url')
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected))
    return { role: 'peer_reader' }
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as {
    organization_id: string
    user_id: string
  }
  return {
    role: 'peer_reader',
    'jwt.claims.organization_id': claims.organization_id,
    'jwt.claims.user_id': claims.user_id,
  }
}
