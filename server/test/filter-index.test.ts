import assert from 'node:assert/strict'
import { channel } from 'node:diagnostics_channel'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import type { SentStatement } from '../src/database/queries.ts'
import type { Context } from '../src/kit/ground/context.ts'
import { all, mine, sql } from '../src/kit/ground/sql.ts'
import type { Filterable } from '../src/kit/read/filter-fields.ts'
import { registryOf } from '../src/kit/read/filter-fields.ts'
import { filterCandidates } from '../src/kit/read/filter-candidates.ts'
import { FilterCost } from '../src/kit/read/filter-cost.ts'
import { compiledWithTerms, filterRegistry } from '../src/kit/read/filter-registry.ts'
import type { AnyRecord } from '../src/kit/record/record.ts'
import { records } from '../src/model/all.ts'
import { Contact } from '../src/model/contacts/contact.ts'
import type { Caller } from '../src/runtime.ts'
import { inTransaction } from '../src/runtime.ts'
import { callerAs } from './support/contexts.ts'
import { depth } from './support/depth.ts'
import { atEnd } from './support/finally.ts'
import type { TestService } from './support/service.ts'
import { makeOrganization, startService } from './support/service.ts'

// A selective condition on any field of any list reads few rows of the list's table, by PostgreSQL's
// own count of the transaction: every table has thousands of equal rows and one that differs in all.

const usual = depth(1500, 3000)
const few = depth(300, 400)
const rare = 'r'.padEnd(25, '0')

/** Stored fields without terms, and what is used instead. */
const otherwise: { [why: string]: (record: AnyRecord, column: string) => boolean } = {
  'the primary key': (_, column) => column === 'id' || column === 'organization_id',
  'an ordinary index': ({ table }, column) =>
    ['contacts', 'companies'].includes(table) && /^(creation|last_update)_time$/.test(column),
  'the list is of one person': ({ table }) => table === 'notifications',
}

const indexed = records.flatMap((record) =>
  [...registryOf(record)].flatMap(([name, field]) =>
    field.index ? [{ record, name, field, index: field.index }] : [],
  ),
)
const tables = [
  ...new Set(
    indexed.flatMap(({ record, index }) => [record.table, index.link?.table ?? record.table]),
  ),
]

describe('an index of terms', () => {
  let service: TestService
  let caller: Caller
  let client: pg.Client

  before(async () => {
    service = await startService()
    const org = await makeOrganization(service)
    const { database } = service.runtime
    caller = await callerAs(service, org.id, org.users.admin.user_id)
    client = new pg.Client({
      connectionString: database.url,
      options: '-c search_path=perennial,public -c app.organization=*',
    })
    await client.connect()
    atEnd(() => client.end())
    // rows that only this test reads, so keys and triggers are skipped
    await client.query('set session_replication_role = replica')
    // those that come with the product have what the rare one has
    await client.query('delete from dashboards')
    for (const table of tables) await fillTable(client, table, org.id)
    await client.query('set session_replication_role = origin')
    for (const table of tables) {
      await client.query(`insert into filter_entries (organization_id, source, id, terms)
        select t.organization_id, '${table}', t.id, filter_terms_${table}(t) from ${table} t
        on conflict (organization_id, source, id) do update set terms = excluded.terms`)
    }
    await client.query('vacuum analyze')
  })

  test('has terms for every stored field, made of a column of its kind', async () => {
    const { rows } = await client.query<{
      table: string
      column: string
      type: string
      terms: string
    }>(`
      select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type,
        (select prosrc from pg_proc where proname = 'filter_terms_' || c.relname) as terms
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'perennial'::regnamespace and a.attnum > 0 and not a.attisdropped`)
    const types: { [kind in Filterable['kind']]?: RegExp } = {
      reference: /^character varying$/,
      integer: /int|double|numeric/,
      number: /int|double|numeric/,
      boolean: /^boolean$/,
      date: /^date$/,
      timestamp: /^timestamp with/,
      list: /^jsonb$/,
    }
    for (const { record, name, field, index } of indexed) {
      const of = index.link?.table ?? record.table
      const found = rows.find(({ table, column }) => table === of && column === index.column)
      assert.ok(found, `${record.word} ${name}: no column ${index.column}`)
      const text = index.hasBeginnings ? /^text$/ : /^(text|character varying)$/
      assert.match(found.type, types[field.kind] ?? text, `${record.word} ${name}`)
      assert.match(found.terms ?? '', new RegExp(`'${index.column}['=]`), `${record.word} ${name}`)
    }
    for (const record of records) {
      for (const [name, field] of registryOf(record)) {
        const [, column] = /^t\.(\w+)$/.exec(field.stored ?? field.sql) ?? []
        if (!column || field.index || name.includes('.') || field.kind === 'json') continue
        const why = Object.values(otherwise).some((serves) => serves(record, column))
        assert.ok(why, `${record.word} ${name} has no terms`)
      }
    }
  })

  test('is looked up once for a condition that most records meet, and each time for another', async () => {
    await inTransaction(service.runtime, caller, async (ctx) => {
      const lookUp = async (value: string, of = ctx) => {
        const filter = [{ field: 'campaign', operator: 'eq', value }]
        const { groups } = await compiledWithTerms(ctx, Contact, filter, 'filter', new FilterCost())
        const sent: string[] = []
        const note = (message: unknown) => sent.push((message as SentStatement).text)
        channel('perennial:statement').subscribe(note)
        const candidates = await filterCandidates(of, Contact, groups)
        channel('perennial:statement').unsubscribe(note)
        return [Boolean(candidates), sent.filter((text) => text.includes('filter_ids')).length]
      }
      assert.deepEqual(await lookUp('usual'), [false, 1])
      assert.deepEqual(await lookUp('usual'), [false, 0])
      assert.deepEqual(await lookUp('Rare indeed'), [true, 1])
      assert.deepEqual(await lookUp('Rare indeed'), [true, 1])
      const organization = { ...ctx.organization, id: 'o'.repeat(25) }
      assert.deepEqual(await lookUp('usual', { ...ctx, organization }), [false, 1])
    })
  })

  for (const record of records) {
    if (!indexed.some((each) => each.record === record)) continue
    test(`leads to the rows of a ${record.word} by each field that is stored`, async () => {
      await inTransaction(service.runtime, caller, (ctx) => checkFields(ctx, record))
    })
  }
})

async function checkFields(ctx: Context, record: AnyRecord) {
  // fields of linked records that may be filtered by
  const open = await filterRegistry(ctx, record)
  const own = indexed.filter((each) => each.record === record && open.has(each.name))
  for (const { name, field } of own) {
    for (const [operator, value] of conditionsFor(record, name, field)) {
      const start = await rowsRead(ctx, record.table)
      const filter = [{ field: name, operator, value }]
      const compiled = await compiledWithTerms(ctx, record, filter, 'filter', new FilterCost())
      const candidates = await filterCandidates(ctx, record, compiled.groups)
      // without rights, which are not tested here
      const where = all(mine(ctx), candidates, compiled.condition)
      const found = await ctx.one<{ n: number }>(
        sql`select count(*)::integer as n from ${sql.table(record.table)} t where ${where}`,
      )
      const read = (await rowsRead(ctx, record.table)) - start
      const n = found?.n ?? 0
      const what = `${record.word} ${name} ${operator}`
      // a few may have been there before
      assert.ok(n > 0 && n < 10, `${what}: ${n} found`)
      assert.ok(candidates && read < few, `${what}: ${read} rows read`)
    }
  }
}

/** Columns of the type of ids, by table. */
const idColumns = new Set<string>()

/** Conditions that only the rare row meets. */
function conditionsFor(
  { table }: AnyRecord,
  name: string,
  { kind, words, link, index }: Filterable,
): [string, unknown][] {
  // the id of a linked row is stored in the list's own table
  const isId =
    kind === 'reference' ||
    link ||
    idColumns.has(`${index?.link?.table ?? table} ${index?.column}`) ||
    (name.includes('.') && !index?.link)
  if (kind === 'integer' || kind === 'number')
    return [
      ['eq', 987_654],
      ['between', [987_650, 987_660]],
      ['gt', 987_000],
      ['in', [987_654, -5]],
    ]
  if (kind === 'boolean') return [['eq', true]]
  if (kind === 'date' || kind === 'timestamp')
    return [
      ['eq', '2031-05-06'],
      ['between', ['2031-04-20', '2031-06-10']],
      ['gte', '2031-01-01'],
    ]
  if (kind === 'list')
    return [
      ['contains', 'Rare'],
      ['contains_any', ['rare', 'none']],
    ]
  if (isId)
    return [
      ['eq', rare],
      ['in', [rare, 'n'.padEnd(25, '0')]],
    ]
  if (words) return [['eq', words.at(-1)]]
  const exact: [string, unknown][] = [
    ['eq', 'Rare indeed'],
    ['in', ['rare INDEED', 'none']],
  ]
  return index?.hasBeginnings ? [...exact, ['starts_with', 'rare ind']] : exact
}

/** Thousands of equal rows, and one with other values in all columns, under the same id in each table. */
async function fillTable(client: pg.Client, table: string, organization: string) {
  const { rows: constraints } = await client.query<{ name: string }>(`
    select conname as name from pg_constraint
    where conrelid = 'perennial.${table}'::regclass and contype in ('c', 'f', 'u', 'x')`)
  for (const { name } of constraints)
    await client.query(`alter table ${table} drop constraint ${name}`)
  const { rows: unique } = await client.query<{ name: string }>(`
    select x.indexrelid::regclass::text as name from pg_index x
    where x.indrelid = 'perennial.${table}'::regclass and x.indisunique and not x.indisprimary`)
  for (const { name } of unique) await client.query(`drop index ${name}`)
  const { rows: columns } = await client.query<{ name: string; type: string }>(`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = 'perennial.${table}'::regclass and attnum > 0 and not attisdropped
      and attgenerated = '' and attname not in ('organization_id', 'id', 'deleted_at', 'version')`)
  for (const { name, type } of columns)
    if (type === 'character varying') idColumns.add(`${table} ${name}`)
  for (const { name, type } of columns)
    if (type === 'smallint') await client.query(`alter table ${table} alter ${name} type integer`)
  const words = new Map<string, string[]>()
  for (const { record, field, index } of indexed) {
    const of = index.link?.table ?? record.table
    if (of === table && field.words) words.set(index.column, field.words)
  }
  const valueOf =
    (isRare: boolean) =>
    ({ name, type }: { name: string; type: string }) => {
      const known = words.get(name)
      // of a single word the usual rows have none
      if (known?.length === 1) return isRare ? `'${known[0]}'` : 'null'
      if (known) return `'${isRare ? known.at(-1) : known[0]}'`
      if (name === 'custom_fields') return `'{}'`
      if (name.endsWith('_key')) return isRare ? `'rare indeed'` : `'usual'`
      const [common, other] = values[type] ?? ['null', 'null']
      return isRare ? other : common
    }
  const names = ['organization_id', 'id', ...columns.map(({ name }) => name)].map((n) => `"${n}"`)
  for (const isRare of [false, true]) {
    const cells = columns.map(valueOf(isRare))
    await client.query(
      `insert into ${table} (${names.join()})
       select $1, ${isRare ? `'${rare}'` : `'u' || lpad(i::text, 24, '0')`}, ${cells.join()}
       from generate_series(1, ${isRare ? 1 : usual}) i`,
      [organization],
    )
  }
}

const values: { [type: string]: [usual: string, rare: string] } = {
  text: [`'usual'`, `'Rare indeed'`],
  'character varying': [`'u'`, `'${rare}'`],
  integer: ['1', '987654'],
  smallint: ['1', '987654'],
  bigint: ['1', '987654'],
  'double precision': ['1', '987654'],
  numeric: ['1', '987654'],
  boolean: ['false', 'true'],
  date: [`'2026-01-01'`, `'2031-05-06'`],
  'timestamp with time zone': [`'2026-01-01'`, `'2031-05-06T12:00:00Z'`],
  jsonb: [`'[]'`, `'["rare"]'`],
  json: [`'{}'`, `'{}'`],
}

/** How many rows of a table this transaction has read. */
async function rowsRead(ctx: Context, table: string): Promise<number> {
  const found = await ctx.one<{ rows: number }>(sql`
    select seq_tup_read + coalesce(idx_tup_fetch, 0) as rows from pg_stat_xact_user_tables
    where schemaname = 'perennial' and relname = ${table}`)
  return found?.rows ?? 0
}
