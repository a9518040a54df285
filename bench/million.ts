import { pino } from 'pino'
import pg from 'pg'
import { readConfig } from '../server/src/config.ts'
import { connect } from '../server/src/database/connect.ts'
import { migrate } from '../server/src/database/migrate.ts'
import { rememberWords } from '../server/src/jobs/search-words.ts'
import type { Context } from '../server/src/kit/ground/context.ts'
import { newId } from '../server/src/kit/ground/ids.ts'
import type { Answer } from '../server/src/kit/ground/operation.ts'
import { Contact } from '../server/src/model/contacts/contact.ts'
import { contacts } from '../server/src/records/contacts/operations.ts'
import { createOrganization } from '../server/src/records/organizations/organization.ts'
import { search } from '../server/src/records/search/operations.ts'
import { loadActor } from '../server/src/records/users/actor.ts'
import { createUser } from '../server/src/records/users/create.ts'
import { readingContext } from '../server/src/runtime.ts'
import { createService } from '../server/src/service.ts'
import { listCursor } from '../server/src/kit/read/cursor.ts'

type Person = {
  full_name: string
  primary_email: string
  phone: string
  lead_status: string
  campaign: string
  company_name: string
  domain: string
  score: number
  signed: string
}
type Home = { ctx: Context; size: number; people: Person[] }

/**
 * The same requests in an organization of a million contacts and in one of ten thousand, in
 * turns; prints the ratio of the medians. The search values are drawn from the existing contacts.
 */
export async function million(url: string, size: number, secretKey: string, rounds: number) {
  const { role } = await migrate(url)
  const log = pino({ level: 'silent' })
  const database = connect({ url, log, role })
  const service = await createService({ config: readConfig({}), database, secretKey, log })
  const client = new pg.Client({
    connectionString: url,
    options: '-c search_path=perennial,public',
  })
  await client.connect()
  try {
    process.stderr.write(`seeding ${size} contacts and 10000\n`)
    await makeWords(client)
    const homes: Home[] = []
    for (const each of [size, 10_000]) {
      const id = newId()
      const user = await database.transaction(id, async (queries) => {
        const roles = await createOrganization(queries, id, { name: `Bench ${each}` })
        const person = { email: `admin${each}@bench.test`, full_name: 'Admin', password_hash: null }
        return createUser(queries, id, { ...person, role_id: roles.admin })
      })
      await fill(client, id, user, each)
      const found = await loadActor(database.reads(id), id, user)
      const { organization, actor } = found!
      const caller = { organization, actor, source: 'application', request_id: 'bench' }
      const people = await client.query<Person>(
        `select full_name, primary_email, phone, t.lead_status, campaign, company_name, domain,
           (t.custom_fields -> 'score')::integer as score, t.custom_fields ->> 'signed' as signed
         from contacts t join companies c on c.organization_id = t.organization_id and c.id = t.company_id
         where t.organization_id = $1 order by random() limit $2`,
        [id, rounds],
      )
      homes.push({ ctx: readingContext(service.runtime, caller), size: each, people: people.rows })
    }
    await rememberWords(service.runtime)
    await client.query('vacuum analyze')
    for (const [name, ask] of Object.entries(await questions(homes))) {
      const times = homes.map((): number[] => [])
      for (let round = -3; round < rounds; round++) {
        for (const [i, home] of homes.entries()) {
          const before = performance.now()
          await ask(home, home.people[(round + rounds) % rounds]!)
          // the first requests make plans and fill caches
          if (round >= 0) times[i]!.push(performance.now() - before)
        }
      }
      const [big, small] = times.map(median)
      const ratio = (big! / small!).toFixed(2)
      console.log(
        `${name.padEnd(32)} ${ratio} × : ${big!.toFixed(1)} ms against ${small!.toFixed(1)}`,
      )
    }
  } finally {
    await client.end()
    await service.close()
    await database.close()
  }
}

type Ask = (home: Home, person: Person) => Promise<unknown>

async function questions(homes: Home[]): Promise<{ [name: string]: Ask }> {
  const cursors = new Map<Home, string>()
  for (const home of homes) {
    const deep = { limit: 20, page: Math.floor(home.size / 40) }
    cursors.set(home, await cursorOf(await listCursor(home.ctx, Contact, deep)))
  }
  const find = ({ ctx }: Home, q: string) =>
    search.run(ctx, { params: {}, query: { q }, body: undefined, address: '', url: '' })
  const list = ({ ctx }: Home, query: object) =>
    contacts.list.run(ctx, {
      params: {},
      query: { page: 1, items_per_page: 25, ...query },
      body: undefined,
      address: '',
      url: '',
    })
  const filtered = (home: Home, field: string, operator: string, value: unknown) =>
    list(home, { filter: [{ field, operator, value }] })
  const last = ({ full_name }: Person) => full_name.split(' ')[1]!
  return {
    'search by name': (home, person) => find(home, person.full_name),
    'search by name with a typo': (home, person) => find(home, mistyped(person.full_name)),
    'search by one word': (home, person) => find(home, last(person)),
    'search by prefix': (home, { full_name }) => find(home, full_name.slice(0, -2)),
    'search by three letters': (home, person) => find(home, last(person).slice(0, 3)),
    'search by e-mail': (home, person) => find(home, person.primary_email),
    'list, lead_status': (home) => filtered(home, 'lead_status', 'eq', 'qualified'),
    'list, company.industry': (home) => filtered(home, 'company.industry', 'eq', 'energy'),
    'list, phone': (home, { phone }) => filtered(home, 'phone', 'eq', phone),
    'list, phone and lead_status': (home, { phone, lead_status }) =>
      list(home, {
        filter: [
          { field: 'lead_status', operator: 'eq', value: lead_status },
          { field: 'phone', operator: 'eq', value: phone },
        ],
      }),
    'list, two that exclude each other': (home) =>
      list(home, {
        filter: [
          { field: 'lead_status', operator: 'eq', value: 'qualified' },
          { field: 'department', operator: 'eq', value: 'sales' },
        ],
      }),
    'list, one of five phones': (home, { phone }) =>
      filtered(home, 'phone', 'in', [phone, '+1', '+2', '+3', '+4']),
    'list, primary_email starts with': (home, { primary_email }) =>
      filtered(home, 'primary_email', 'starts_with', primary_email.slice(0, -11)),
    'list, campaign starts with': (home, { campaign }) =>
      filtered(home, 'campaign', 'starts_with', campaign),
    'list, a custom number': (home, { score }) =>
      filtered(home, 'custom_fields.score', 'eq', score),
    'list, a range of a custom number': (home, { score }) =>
      filtered(home, 'custom_fields.score', 'between', [score, score + 10]),
    'list, a custom day': (home, { signed }) =>
      filtered(home, 'custom_fields.signed', 'eq', signed),
    'list, last_activity_date': (home, { signed }) =>
      filtered(home, 'last_activity_date', 'eq', signed),
    'list, company.company_name': (home, { company_name }) =>
      filtered(home, 'company.company_name', 'eq', company_name),
    'list, company.domain and lead_status': (home, { domain, lead_status }) =>
      list(home, {
        filter: [
          { field: 'company.domain', operator: 'eq', value: domain },
          { field: 'lead_status', operator: 'eq', value: lead_status },
        ],
      }),
    'list, phone, with a count': (home, { phone }) =>
      list(home, {
        filter: [{ field: 'phone', operator: 'eq', value: phone }],
        include_count: true,
      }),
    'list, full_name contains': (home, person) =>
      filtered(home, 'full_name', 'contains', last(person).slice(1)),
    'list, custom field': (home) => filtered(home, 'custom_fields.tier', 'eq', 'gold'),
    'list, by last_update_time': (home) => list(home, { sort: 'last_update_time', reverse: true }),
    'list, deep cursor': (home) =>
      listCursor(home.ctx, Contact, { limit: 20, next_cursor: cursors.get(home)! }),
    'list, q a name': (home, person) => list(home, { q: person.full_name }),
    'list, q a word': (home, person) => list(home, { q: last(person) }),
    'list, q an e-mail': (home, person) => list(home, { q: person.primary_email }),
    'list, q of nobody': (home) => list(home, { q: 'xqzzyqx' }),
  }
}

/** The text with typing mistakes: one letter omitted and two swapped, after the first ones of the last word. */
function mistyped(name: string): string {
  const at = name.indexOf(' ') + 2
  return name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2)
}

async function cursorOf(answer: Answer): Promise<string> {
  const text = (answer.body as { text: string }).text
  return (JSON.parse(text) as { next_cursor: string }).next_cursor
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
}

/**
 * A thousand made-up words of two syllables, so that trigrams are
 * about as common in them as in names of people: some are in every thirtieth name, most in few.
 */
async function makeWords(client: pg.Client) {
  await client.query(`
    create temp table syllables as
      select (o - 1) + 24 * ((v - 1) + 5 * (c - 1)) as n, onset || vowel || coda as s
      from unnest(string_to_array('b,br,c,ch,d,f,g,gr,h,j,k,l,m,n,p,r,s,sch,st,t,tr,v,w,z', ',')) with ordinality a (onset, o),
        unnest(string_to_array('a,e,i,o,u', ',')) with ordinality b (vowel, v),
        unnest(string_to_array(',n,r,l,s,ck,nd,rt', ',')) with ordinality c (coda, c);
    create temp table words as select row_number() over (order by hashtext(w)) as i, w
      from (select distinct a.s || b.s as w from generate_series(0, 8999) i
        join syllables a on a.n = i::bigint * 7919 % 960
        join syllables b on b.n = (i::bigint * 104729 / 13) % 960) made;
    create unique index on words (i);
    analyze words`)
}

async function fill(client: pg.Client, organization: string, user: string, contacts: number) {
  await client.query(`alter table contacts disable trigger search_made;
    alter table contacts disable trigger filter_kept`)
  await client.query(
    `insert into companies (organization_id, id, company_name, domain, unique_key, industry, record_source)
     select $1, 'co' || lpad(i::text, 23, '0'), initcap(w) || ' ' || i, w || i || '.test',
       'd:' || w || i || '.test', (array['software', 'retail', 'energy'])[1 + i % 3], 'bench'
     from generate_series(1, $2::int / 100) i join words l (nth, w) on l.nth = 1 + i % 8000`,
    [organization, contacts],
  )
  await client.query(
    `insert into contacts (organization_id, id, full_name, primary_email, unique_key, company_id,
       contact_owner, job_title, lead_status, department, phone, campaign, last_activity_date, tags, custom_fields, record_source, created_by,
       creation_time, last_update_time)
     select $1, 'c' || lpad(i::text, 24, '0'), initcap(f.w || ' ' || l.w),
       f.w || '.' || l.w || i || '@bench.test', f.w || '.' || l.w || i || '@bench.test',
       'co' || lpad((1 + i % ($2::int / 100))::text, 23, '0'), $3, 'Head of Things',
       (array['new', 'open', 'qualified', 'nurturing', 'converted'])[1 + i % 5],
       (array['sales', 'legal', 'support', 'finance', 'research'])[1 + (i + 1) % 5],
       '+44 20 7946 ' || lpad((i % ($2::int / 10))::text, 6, '0'), 'C' || lpad((i / 10)::text, 6, '0'),
       date '1990-01-01' + i % ($2::int / 100), '["vip", "newsletter"]',
       jsonb_build_object('tier', (array['gold', 'silver', 'bronze'])[1 + i % 3], 'score', i,
         'signed', date '1990-01-01' + i % ($2::int / 100)),
       'bench', $3, now() - i * interval '1 second', now() - (i::bigint * 7919 % 1000000) * interval '1 second'
     from generate_series(1, $2::int) i
       join words f (nth, w) on f.nth = 1 + floor(2000 * power(((i::bigint * 7919) % 1000003) / 1000003.0, 2))
       join words l (nth, w) on l.nth = 1 + floor(8000 * power(((i::bigint * 104729) % 1000033) / 1000033.0, 2))`,
    [organization, contacts, user],
  )
  await client.query(
    `insert into search_entries (organization_id, source, title_key, id, words)
     select organization_id, 'contacts', left(n, 100), id, search_text_of(n, full_name, concat_ws(' ', primary_email, phone_word(phone)))
     from (select *, folded_words(full_name) as n from contacts where organization_id = $1) t`,
    [organization],
  )
  await client.query(
    `insert into filter_entries (organization_id, source, id, terms)
     select organization_id, 'contacts', id, filter_terms_contacts(t)
     from contacts t where organization_id = $1`,
    [organization],
  )
  await client.query(`alter table contacts enable trigger search_made;
    alter table contacts enable trigger filter_kept`)
}
