import { fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import pg from 'pg'
import { startEmbedded } from '../server/src/database/embedded.ts'
import { migrate } from '../server/src/database/migrate.ts'
import { seed } from './seed.ts'
import { tokenOf } from './token.ts'
import { temporaryFolder } from './folder.ts'

/**
 * Where the time of a create goes in PostgreSQL: by statement, those of triggers among them, as
 * pg_stat_statements counts them; by trigger; and by index: the time that an insert of many rows saves
 * without it. `node bench/create.ts --requests 3000 --contacts 40000`.
 */
const { values: flags } = parseArgs({
  options: {
    requests: { type: 'string', default: '3000' },
    contacts: { type: 'string', default: '40000' },
    rows: { type: 'string', default: '4000' },
    rounds: { type: 'string', default: '5' },
  },
})
const secretKey = 'a secret key for measuring only, 32+ characters'
let created = 0
const folder = temporaryFolder('create')
const options = { dataDir: folder, log: () => {} }
const before = await startEmbedded(options)
await once(before.url, `alter system set shared_preload_libraries = 'pg_stat_statements'`)
await once(before.url, `alter system set pg_stat_statements.track = 'all'`)
await before.stop()
const embedded = await startEmbedded(options)
const client = new pg.Client({
  connectionString: embedded.url,
  options: '-c search_path=perennial,public -c app.organization=*',
})
try {
  await migrate(embedded.url)
  await client.connect()
  await client.query('create extension pg_stat_statements')
  const { organization, user, companies } = await seed(embedded.url, Number(flags.contacts))
  await client.query('vacuum analyze')
  await byStatement(await tokenOf(embedded.url, secretKey, organization, user), companies)
  await byTrigger(organization)
  for (const table of ['contacts', 'events', 'search_entries', 'filter_entries'])
    await byIndex(table)
} finally {
  await client.end()
  await embedded.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function once(url: string, text: string) {
  const one = new pg.Client(url)
  await one.connect()
  await one.query(text)
  await one.end()
}

/** Microseconds and bytes of the write-ahead log that each statement of a create takes. */
async function byStatement(token: string, companies: string[]) {
  const child = fork(new URL('./servers/app.ts', import.meta.url), [embedded.url, secretKey])
  try {
    const app = await new Promise<string>((resolve) =>
      child.once('message', (message) => resolve((message as { app: string }).app)),
    )
    await create(app, token, companies, 200)
    await client.query('select pg_stat_statements_reset()')
    const requests = Number(flags.requests)
    await create(app, token, companies, requests)
    const { rows } = await client.query<{
      query: string
      calls: number
      micros: number
      wal: number
    }>(
      `select regexp_replace(query, '\\s+', ' ', 'g') as query, calls::float8 / $1 as calls,
         (total_exec_time + total_plan_time) * 1000 / $1 as micros, wal_bytes::float8 / $1 as wal
       from pg_stat_statements where calls >= $1 * 0.5 order by micros desc limit 25`,
      [requests],
    )
    console.log(`\n| statement | a create | µs | bytes of log |`)
    console.log('|---|---|---|---|')
    for (const { query, calls, micros, wal } of rows)
      console.log(
        `| ${query.slice(0, 90).replaceAll('|', '/')} | ${calls.toFixed(1)} | ${micros.toFixed(1)} | ${wal.toFixed(0)} |`,
      )
  } finally {
    child.kill()
    await new Promise((resolve) => child.once('exit', resolve))
  }
}

async function create(app: string, token: string, companies: string[], amount: number) {
  const result = await autocannon({
    url: app,
    amount,
    connections: 8,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    requests: [
      {
        method: 'POST',
        setupRequest: (request) => {
          created++
          const body = JSON.stringify({
            full_name: `Ada Bench ${created}`,
            primary_email: `ada.${created}@create.test`,
            job_title: 'Director of Operations',
            company_id: companies[created % companies.length],
            lead_status: 'qualified',
          })
          return { ...request, path: '/api/contact/', body }
        },
      },
    ],
  })
  if (result.non2xx || result.errors) throw new Error(`${result.non2xx} refusals`)
}

/** An insert of many contacts like those of creates. */
function inserting(organization: string, from: number): string {
  return `insert into contacts (organization_id, id, full_name, primary_email, unique_key, job_title,
      lead_status, record_source, created_by)
    select '${organization}', 'z' || lpad(i::text, 24, '0'), 'Ada Bench ' || i, 'x' || i || '@z.test',
      'x' || i || '@z.test', 'Director of Operations', 'qualified', 'application', '${'u'.padEnd(25, '0')}'
    from generate_series(${from}, ${from + Number(flags.rows) - 1}) i`
}

async function byTrigger(organization: string) {
  await client.query('begin')
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain (analyze) ${inserting(organization, 1)}`,
  )
  await client.query('rollback')
  console.log('\n| trigger of contacts | µs a row |\n|---|---|')
  for (const { 'QUERY PLAN': line } of rows) {
    const [, name, time] = /Trigger (?:for constraint )?(\w+).*time=([\d.]+)/.exec(line) ?? []
    if (name)
      console.log(`| ${name} | ${((Number(time) * 1000) / Number(flags.rows)).toFixed(1)} |`)
  }
}

/** The share of each index of a table in an insert, without triggers. */
async function byIndex(table: string) {
  const { rows: indexes } = await client.query<{
    name: string
    constraint: string | null
    size: string
  }>(
    `select i.relname as name, k.conname as constraint, pg_size_pretty(pg_relation_size(i.oid)) as size
     from pg_index x join pg_class i on i.oid = x.indexrelid
       left join pg_constraint k on k.conindid = i.oid and k.contype in ('p', 'u')
     where x.indrelid = $1::regclass order by 1`,
    [`perennial.${table}`],
  )
  const names = await columnsOf(table)
  await client.query(
    `create temp table new_rows as select ${names} from ${table} limit ${flags.rows}`,
  )
  await client.query(`update new_rows set id = 'z' || right(md5(id), 24)`)
  const timed = async (change: string) => {
    const times: number[] = []
    for (let round = 0; round < Number(flags.rounds); round++) {
      await client.query(`begin; set local session_replication_role = replica; ${change}`)
      if (table === 'contacts') await client.query('update new_rows set unique_key = id')
      const start = performance.now()
      await client.query(`insert into ${table} (${names}) select ${names} from new_rows`)
      times.push(performance.now() - start)
      await client.query('rollback')
    }
    return (times.toSorted((a, b) => a - b)[0]! * 1000) / Number(flags.rows)
  }
  const whole = await timed('')
  console.log(
    `\n| index of ${table}, ${whole.toFixed(1)} µs a row with all | size | µs a row |\n|---|---|---|`,
  )
  for (const { name, constraint, size } of indexes) {
    const change = constraint
      ? `alter table ${table} drop constraint ${constraint} cascade`
      : `drop index ${name}`
    console.log(`| ${name} | ${size} | ${(whole - (await timed(change))).toFixed(1)} |`)
  }
  await client.query('drop table new_rows')
}

async function columnsOf(table: string): Promise<string> {
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [`perennial.${table}`],
  )
  return rows[0]!.names
}
