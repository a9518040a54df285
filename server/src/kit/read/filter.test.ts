import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { at, serverUrl } from '../../../test/support/database.ts'
import { depth } from '../../../test/support/depth.ts'
import type { Context, Query } from '../ground/context.ts'
import { foldedText, holds as holdsPieces, piecesOf } from '../ground/fold.ts'
import { Failure } from '../ground/errors.ts'
import { operatorsOf, visitFilter } from './filter.ts'
import { compileFilter } from './filter-condition.ts'
import { conditionAndTerms } from './filter-registry.ts'
import { record } from '../record/record.ts'
import { compile, sql } from '../ground/sql.ts'
import type { Registry } from './filter-fields.ts'
import { customField, registryOf } from './filter-fields.ts'
import { filterCandidates } from './filter-candidates.ts'
import {
  boolean,
  date,
  integer,
  key,
  list,
  number,
  object,
  oneOf,
  reference,
  text,
  timestamp,
} from '../record/fields.ts'

/** A bare database of this file's own, and how to drop it again. */
async function ownDatabase(): Promise<{ db: pg.Client; drop(): Promise<void> }> {
  const server = await serverUrl()
  const name = `test_filter_${process.pid}`
  const admin = new pg.Client(server)
  await admin.connect()
  await admin.query(`create database ${name}`)
  const db = new pg.Client(at(server, name))
  await db.connect()
  return {
    db,
    async drop() {
      await db.end()
      await admin.query(`drop database ${name}`)
      await admin.end()
    },
  }
}

const Company = record(
  { module: 'companies', word: 'company', title: 'company_name' },
  {
    company_id: key(),
    company_name: text(255, { required: true, folded: 't.company_name_key' }),
    industry: text(),
    arr: number(),
    size: integer({
      nullable: true,
      expression: '(select count(*) from things x where x.company_id = t.id)',
    }),
    secret: text(10_000, { filterable: false }),
  },
)

const Thing = record(
  { module: 'things', word: 'thing', title: 'name' },
  {
    thing_id: key(),
    name: text(10_000, { folded: 't.name_key' }),
    note: text(),
    state: oneOf(['open', 'Won', 'lost']),
    count: integer(),
    amount: number(),
    active: boolean(),
    seen_at: timestamp(),
    due_on: date(),
    tags: list(),
    extra: object(),
    company: reference(
      {
        table: 'companies',
        shows: {
          company_id: { column: 'id', kind: 'text' },
          company_name: { column: 'company_name', kind: 'text' },
        },
        to: () => Company,
        by: {},
      },
      { column: 'company_id' },
    ),
    owner: reference({
      table: 'users',
      shows: {
        user_id: { column: 'id', kind: 'text' },
        email: { column: 'email', kind: 'text' },
      },
      by: {},
    }),
  },
)

const schema = `
  create table companies (
    organization_id text, id varchar(25) collate "C", company_name text, industry text,
    company_name_key text collate "C" generated always as (lower(company_name)) stored,
    arr double precision, deleted_at timestamptz(3));
  create table users (organization_id text, id varchar(25) collate "C", email text);
  create table things (
    organization_id text default 'o1', id varchar(25) collate "C", name text, note text, state text,
    name_key text collate "C" generated always as (lower(name)) stored,
    count integer, amount double precision, active boolean, seen_at timestamptz(3), due_on date,
    tags jsonb, extra jsonb, company_id varchar(25) collate "C", owner varchar(25) collate "C",
    custom_fields jsonb);
  insert into companies values ('o1', 'c1', 'Acme', 'Steel', default, 10, null),
    ('o1', 'c2', 'Gone', 'Steel', default, 20, now()), ('o2', 'c3', 'Foreign', 'Steel', default, 30, null);
  insert into users values ('o1', 'u1', 'Ann@Example.com');`

const migration = new URL('../../database/migrations/0220_filter_entries.sql', import.meta.url)
/** Without its end, which is about tables that are not here. */
const termsOfFilters = readFileSync(migration, 'utf8').replace(/\ndo \$\$.+$/s, '')
/** How texts are compared, without what searches do with it. */
const folding = readFileSync(new URL('0370_one_folding.sql', migration), 'utf8')
  .replace(/\n-- Searches,.+(?=\n-- The beginnings of a text)/s, '')
  .replace('select rehash_filter_entries();', '')
/** How the triggers of tables are written now. */
const fields = readFileSync(new URL('0380_a_field_in_one_step.sql', migration), 'utf8')

const customTypes: { [key: string]: string } = {
  motto: 'text',
  "it's": 'long_text',
  score: 'number',
  fee: 'currency',
  agreed: 'boolean',
  day: 'date',
  moment: 'datetime',
  tier: 'select',
  areas: 'multi_select',
  boss: 'user',
  anything: 'json',
}
const registry: Registry = new Map([
  ...registryOf(Thing),
  ...Object.entries(customTypes).map(([key, type]) => customField({ key, type })),
])

// a Friday in Kolkata (UTC+5:30 all year), still Thursday in UTC
const clock = { now: new Date('2026-05-14T20:00:00Z'), timezone: 'Asia/Kolkata' }

type Row = { id: string; [column: string]: unknown }

describe('in PostgreSQL', () => {
  let db: pg.Client
  let drop: () => Promise<void>
  before(async () => {
    ;({ db, drop } = await ownDatabase())
    await db.query(`create schema perennial; set search_path = perennial, public;
      set app.organization = 'o1'; ${schema};
      create function make_tenant(regclass) returns void language sql return null;
      ${termsOfFilters}; ${folding}; ${fields};
      select make_filterable('things'), make_filterable('companies'), make_filterable('users')`)
  })
  after(() => drop())

  async function fill(rows: Row[]) {
    await db.query('delete from things')
    for (const row of rows) {
      const columns = Object.keys(row)
      const json = (value: unknown) =>
        typeof value === 'object' && value ? JSON.stringify(value) : value
      await db.query(
        `insert into things (${columns.join()}) values (${columns.map((_, i) => `$${i + 1}`).join()})`,
        columns.map((column) => json(row[column])),
      )
    }
  }

  async function matching(filter: unknown, known = registry): Promise<string> {
    const condition = compileFilter(known, filter, clock)
    const { text, values } = compile(
      sql`select t.id from things t where ${condition} order by t.id`,
      'o1',
    )
    const { rows } = await db.query(text, values)
    const ids = rows.map((row) => row.id).join(' ')
    // what the index of terms leads to holds all of them
    const { groups } = visitFilter(known, filter, clock, conditionAndTerms) ?? { groups: [] }
    const candidates = await filterCandidates(reading, Thing, groups)
    if (!candidates) return ids
    const found = compile(
      sql`select t.id from things t where ${condition} and ${candidates} order by t.id`,
      'o1',
    )
    const { rows: few } = await db.query(found.text, found.values)
    assert.equal(few.map((row) => row.id).join(' '), ids, `by terms: ${JSON.stringify(filter)}`)
    byTerms++
    return ids
  }

  /** What of a context the look-up of candidates needs. */
  const reading = {
    organization: { id: 'o1' },
    reading: () => ({
      async one(query: Query) {
        const { text, values } = compile(query, 'o1')
        return (await db.query(text, values)).rows[0]
      },
    }),
  } as unknown as Context
  let byTerms = 0

  const check = async (field: string, operator: string, value: unknown, ids: string) =>
    assert.equal(await matching([{ field, operator, value }]), ids, `${field} ${operator} ${value}`)

  test('text compares case-folded, its wildcards are only characters', async () => {
    await fill([
      { id: '1', name: 'ÉCOLE 50% off', note: 'ÉCOLE 50% off' },
      { id: '2', name: 'snake_case', note: 'snake_case' },
      { id: '3', name: 'back\\slash', note: 'back\\slash' },
      { id: '4', name: '', note: '' },
      { id: '5' },
      { id: '6', name: 'ΟΔΟΣ', note: 'ΟΔΟΣ' },
    ])
    for (const field of ['name', 'note']) {
      await check(field, 'eq', 'ÉCOLE 50% OFF', '1')
      await check(field, 'in', ['ΟΔΟΣ', 'SNAKE_CASE', 'a,"b{', 'NULL'], '2 6')
      await check(field, 'contains', '0%', '1')
      await check(field, 'contains', 'e_c', '2')
      await check(field, 'contains', 'off ecole', '1')
      await check(field, 'starts_with', 'ecole 50', '1')
      await check(field, 'ends_with', 'Οδός', '6')
      await check(field, 'starts_with', 'SNAKE', '2')
      await check(field, 'ends_with', '\\SLASH', '3')
      await check(field, 'contains', '_', '2')
      await check(field, 'neq', 'snake_case', '1 3 4 5 6')
      await check(field, 'not_contains', 's', '1 4 5 6')
      await check(field, 'is_empty', undefined, '4 5')
      await check(field, 'is_not_empty', null, '1 2 3 6')
      await check(field, 'between', ['B', 'c'], '3')
    }
  })

  test('timestamps: a day is the whole day in the zone, an instant its millisecond', async () => {
    await fill([
      { id: '1', seen_at: '2026-05-14T18:29:59.999Z' },
      { id: '2', seen_at: '2026-05-14T18:30:00Z' },
      { id: '3', seen_at: '2026-05-15T18:29:59.999Z' },
      { id: '4', seen_at: '2026-05-15T18:30:00Z' },
      { id: '5' },
    ])
    await check('seen_at', 'eq', '2026-05-15', '2 3')
    await check('seen_at', 'neq', '2026-05-15', '1 4 5')
    await check('seen_at', 'lt', '2026-05-15', '1')
    await check('seen_at', 'lte', '2026-05-15', '1 2 3')
    await check('seen_at', 'gt', '2026-05-15', '4')
    await check('seen_at', 'gte', '2026-05-15', '2 3 4')
    await check('seen_at', 'between', ['2026-05-14', '2026-05-15'], '1 2 3')
    await check('seen_at', 'in', ['2026-05-16', '2026-05-14T18:29:59.999Z'], '1 4')
    await check('seen_at', 'eq', '2026-05-15T00:00:00', '2')
    await check('seen_at', 'gt', '2026-05-15T00:00:00+05:30', '3 4')
    await check('seen_at', 'today', undefined, '2 3')
    await check('seen_at', 'yesterday', undefined, '1')
    await check('seen_at', 'past', undefined, '1 2')
    await check('seen_at', 'future', undefined, '3 4')
    await check('seen_at', 'last_x_days', 2, '1 2 3')
    await check('seen_at', 'next_x_days', '2', '2 3 4')
    await check('seen_at', 'show_all', undefined, '1 2 3 4 5')
    await check('seen_at', 'gte', '0001-01-01', '1 2 3 4')
    await check('seen_at', 'lte', '9999-12-31', '1 2 3 4')
    await check('seen_at', 'lte', '9999-12-31T23:59:59.999Z', '1 2 3 4')
  })

  test('numbers of any size and form compare without an error', async () => {
    await fill([
      { id: '1', count: 2147483647, amount: 1.5 },
      { id: '2', count: -2147483648, amount: 5e-324 },
      { id: '3', count: 2, amount: 1.7976931348623157e308 },
      { id: '4' },
    ])
    await check('count', 'gt', 2147483646.5, '1')
    await check('count', 'lt', 1e300, '1 2 3')
    await check('count', 'in', [2, 3e9, 1.5], '3')
    await check('count', 'neq', 2.5, '1 2 3 4')
    await check('count', 'eq', ' 2'.trim(), '3')
    await check('amount', 'eq', '1.50', '1')
    await check('amount', 'in', [5e-324, '1.7976931348623157e308'], '2 3')
    await check('amount', 'lte', -1e308, '')
  })

  test('lists', async () => {
    await fill([
      { id: '1', tags: ['VIP', 'a"b', 5] },
      { id: '2', tags: ['vip', 'a\\b', '{}'] },
      { id: '3', tags: [] },
      { id: '4' },
    ])
    await check('tags', 'contains', 'Vip', '1 2')
    await check('tags', 'not_contains', 'vip', '3 4')
    await check('tags', 'contains_any', ['A"B', '{}'], '1 2')
    await check('tags', 'contains_all', ['vip', 'a\\B'], '2')
    await check('tags', 'contains_all', ['vip', 5], '1')
    await check('tags', 'contains_none', ['a\\b'], '1 3 4')
    await check('tags', 'is_empty', undefined, '3 4')
  })

  test('references and one hop over them', async () => {
    await fill([
      { id: '1', company_id: 'c1', owner: 'u1' },
      { id: '2', company_id: 'c2' },
      { id: '3', company_id: 'c3' },
      { id: '4', company_id: 'c1' },
    ])
    await check('thing_id', 'in', ['1', '4'], '1 4')
    await check('company', 'eq', 'c1', '1 4')
    await check('company', 'eq', 'C1', '')
    await check('company.company_id', 'eq', 'c1', '1 4')
    await check('company.company_name', 'eq', 'ACME', '1 4')
    // of a deleted or foreign company nothing can be learnt
    await check('company.industry', 'eq', 'steel', '1 4')
    await check('company.industry', 'is_empty', undefined, '2 3')
    await check('company.arr', 'gte', 10, '1 4')
    await check('company.size', 'eq', 2, '1 4')
    await check('owner.email', 'eq', 'ann@example.com', '1')
    await check('owner', 'is_empty', undefined, '2 3 4')
  })

  test('custom fields, whatever was stored before the type was defined', async () => {
    await fill([
      {
        id: '1',
        custom_fields: { score: 5, fee: '5', agreed: true, day: '2024-02-29', motto: 'Yes' },
      },
      {
        id: '2',
        custom_fields: { score: 'x', agreed: 'true', day: '2023-02-29', motto: 7, "it's": 'A' },
      },
      { id: '3', custom_fields: { moment: '2026-05-15T10:00:00+05:30', areas: ['X'], boss: 'u1' } },
      { id: '4', custom_fields: { moment: '0000-01-01T00:00:00Z', day: '1900-02-29', areas: 'X' } },
      { id: '5', custom_fields: [] },
      { id: '6' },
    ])
    await check('custom_fields.score', 'gte', 5, '1')
    await check('custom_fields.score', 'is_empty', undefined, '2 3 4 5 6')
    await check('custom_fields.fee', 'eq', 5, '')
    await check('custom_fields.agreed', 'eq', true, '1')
    await check('custom_fields.day', 'lte', '9999-12-31', '1')
    await check('custom_fields.moment', 'today', undefined, '3')
    await check('custom_fields.moment', 'eq', '2026-05-15T04:30:00Z', '3')
    await check('custom_fields.motto', 'in', ['YES', '7'], '1 2')
    await check("custom_fields.it's", 'eq', 'a', '2')
    await check('custom_fields.areas', 'contains', 'x', '3')
    await check('custom_fields.boss', 'eq', 'u1', '3')
    await check('custom_fields.anything', 'is_empty', undefined, '1 2 3 4 5 6')
  })

  test('groups', async () => {
    await fill([{ id: '1', count: 1 }, { id: '2', count: 2 }, { id: '3' }])
    const is = (value: number) => ({ field: 'count', operator: 'eq', value })
    assert.equal(await matching([]), '1 2 3')
    assert.equal(await matching('[]'), '1 2 3')
    assert.equal(await matching(undefined), '1 2 3')
    assert.equal(await matching([is(1), is(2)]), '')
    assert.equal(await matching(JSON.stringify([{ or: [is(1), is(2)] }])), '1 2')
    assert.equal(await matching([{ not: is(1) }]), '2 3')
    assert.equal(await matching([{ not: { and: [is(1), is(1)] } }]), '2 3')
    assert.equal(await matching([{ not: { or: [is(1), { not: is(2) }] } }]), '2')
  })

  test('whatever compiles also runs, over rows of awkward values', async () => {
    const odd = [
      null,
      0,
      -1.5,
      1e300,
      '',
      'x',
      '2026-02-30',
      '2026-01-01',
      true,
      [],
      [1],
      {},
      { a: 1 },
    ]
    const oddTexts = ['', '%', '\\', '_', "'", '"', '$1', '{}', 'null', 'infinity', '\u0001', '😀']
    const customs = (value: unknown) =>
      Object.fromEntries(Object.keys(customTypes).map((key) => [key, value]))
    await fill([
      ...odd.map((value, i) => ({
        id: `odd${i}`,
        custom_fields: customs(value),
        tags: JSON.stringify(value),
      })),
      ...oddTexts.map((value, i) => ({
        id: `text${i}`,
        name: value,
        note: value,
        state: value,
        custom_fields: customs(value),
        tags: [value],
      })),
      { id: 'a', amount: 'NaN', seen_at: 'infinity', due_on: 'infinity', count: -2147483648 },
      { id: 'b', amount: '-Infinity', seen_at: '-infinity', due_on: '4000-01-01 BC' },
      { id: 'c', amount: 5e-324, seen_at: '9999-12-31T23:59:59.999Z', due_on: '9999-12-31' },
    ] as Row[])
    const value = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...odd, ...oddTexts) },
      { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
      { weight: 2, arbitrary: fc.double() },
      { weight: 2, arbitrary: fc.maxSafeInteger() },
      fc.constantFrom('0001-01-01', '9999-12-31', '9999-12-31T23:59:59.999Z', '1e308', '1e-400'),
      fc.jsonValue(),
    )
    let ran = 0
    await fc.assert(
      fc.asyncProperty(
        filters(fc.oneof(value, fc.array(value, { maxLength: 3 }))),
        async (filter) => {
          try {
            await matching(filter)
            ran++
          } catch (error) {
            if (!(error instanceof Failure)) throw error
            assert.equal(error.status, 400)
          }
        },
      ),
      { numRuns: depth(600, 3000) },
    )
    assert.ok(ran > depth(100, 500), `only ${ran} of the filters were allowed`)
  })

  test('results equal a plain evaluation in JavaScript, and `not` is the exact rest', async () => {
    const rows = fc
      .sample(anyRow, { numRuns: 80, seed: 7 })
      .map((row, i) => ({ ...row, id: `${100 + i}` }))
    await fill(rows)
    const ids = (wanted: (row: Row) => boolean) =>
      rows
        .filter(wanted)
        .map((row) => row.id)
        .join(' ')
    let some = 0
    byTerms = 0
    await fc.assert(
      fc.asyncProperty(validFilter, async (filter) => {
        const expected = ids((row) => filter.every((node) => holds(node, row)))
        assert.equal(await matching(filter), expected)
        const rest = ids((row) => !filter.every((node) => holds(node, row)))
        assert.equal(await matching([{ not: { and: filter } }]), rest)
        if (expected && rest) some++
      }),
      { numRuns: depth(500, 2500) },
    )
    assert.ok(some > depth(200, 1000), `only ${some} filters chose some rows and left others`)
    assert.ok(byTerms > depth(150, 750), `terms served only ${byTerms} of them`)
  })
})

test('arbitrary input is compiled or refused, nothing else', () => {
  const refusesOrCompiles = (input: unknown) => {
    try {
      compile(compileFilter(registry, input, clock), 'o1')
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      assert.equal(error.status, 400)
      assert.equal(error.errors![0]!.field, 'filter')
      assert.ok(error.message.isWellFormed() && error.message.length < 3000)
    }
  }
  fc.assert(fc.property(fc.anything(), refusesOrCompiles), { numRuns: depth(500, 2000) })
  fc.assert(fc.property(fc.json(), refusesOrCompiles))
  fc.assert(fc.property(fc.string({ unit: 'binary' }), refusesOrCompiles))
  fc.assert(fc.property(filters(fc.anything()), refusesOrCompiles), { numRuns: depth(1000, 5000) })
})

test('neither endless nesting nor strange objects break a refusal', () => {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000)
  const strange = '{"toString":1,"valueOf":1}'
  for (const odd of [deep, strange]) {
    for (const input of [
      odd,
      `[${odd}]`,
      `[{"field":${odd},"operator":"eq"}]`,
      `[{"field":"state","operator":${odd}}]`,
      ...[...registry]
        .flatMap(([field, { kind }]) =>
          operatorsOf(kind).map((operator) => JSON.stringify({ field, operator }).slice(0, -1)),
        )
        .map((start) => `[${start},"value":${odd}}]`),
    ]) {
      assert.throws(() => compileFilter(registry, input, clock), Failure)
    }
  }
})

test('a refusal names what is wrong and what would be right', () => {
  const one = (field: unknown, operator?: unknown, value?: unknown) => [{ field, operator, value }]
  const nested = (depth: number): object =>
    depth ? { not: nested(depth - 1) } : { field: 'count', operator: 'is_empty' }
  const cases: [input: unknown, message: RegExp][] = [
    ['{', /not valid JSON/],
    ['{}', /must be a JSON array/],
    [7, /must be a JSON array/],
    [false, /must be a JSON array/],
    ['null', /must be a JSON array/],
    [['x'], /a condition is/],
    [[null], /a condition is/],
    [[[nested(0)]], /unknown key "0"/],
    [[{ or: [] }], /"or" needs an array/],
    [[{ and: {} }], /"and" needs an array/],
    [[{ not: [] }], /a condition is/],
    [[{ or: [nested(0)], and: [nested(0)] }], /unknown key "or"/],
    [[{ field: 'count', operator: 'eq', value: 1, valeu: 1 }], /unknown key "valeu"/],
    ['[{"field":"count","operator":"is_empty","__proto__":{}}]', /unknown key "__proto__"/],
    [[nested(5)], /nested 5 deep/],
    [Array(51).fill(nested(0)), /at most 50 conditions/],
    [[{ or: Array(30).fill(nested(0)) }, { or: Array(30).fill(nested(0)) }], /at most 50/],
    [one(undefined), /unknown field \(none given\); allowed: thing_id, name, note/],
    [
      one('nmae'),
      /unknown field "nmae"; allowed: .*company\.…, owner, owner\.…, custom_fields\.…$/,
    ],
    [one('company.x'), /unknown field "company.x"; allowed: company.company_id, /],
    [one('company.secret', 'is_empty'), /unknown field/],
    [one('extra', 'is_empty'), /unknown field/],
    [one('constructor', 'is_empty'), /unknown field "constructor"/],
    [one('__proto__', 'is_empty'), /unknown field "__proto__"/],
    [one('count', 'contains', 1), /count: unknown operator "contains"; allowed: eq, neq/],
    [one('count', 'toString', 1), /count: unknown operator "toString"/],
    [one('count'), /unknown operator \(none given\)/],
    [one('count', 'eq', 'many'), /count eq: the value must be a number/],
    [one('count', 'eq', null), /must be a number/],
    [one('count', 'eq'), /must be a number/],
    [one('count', 'eq', ''), /must be a number/],
    [one('count', 'eq', '0x10'), /must be a number/],
    ['[{"field":"amount","operator":"eq","value":1e999}]', /must be a number/],
    [one('amount', 'eq', '1e999'), /must be a number/],
    [one('count', 'in', []), /an array of 1 to 500 values/],
    [one('count', 'in', 5), /an array of 1 to 500 values/],
    [one('count', 'not_in', Array(501).fill(1)), /an array of 1 to 500 values/],
    [one('count', 'between', [1]), /an array of two/],
    [one('name', 'eq', 5), /must be text/],
    [one('name', 'eq', 'x'.repeat(1001)), /at most 1000 characters/],
    [one('name', 'contains', 'a\0b'), /NUL/],
    [one('name', 'in', ['\ud800']), /unpaired surrogates/],
    [one('tags', 'contains', '\udc00'), /unpaired surrogates/],
    [one('tags', 'contains', { a: 1 }), /must be text, numbers or booleans/],
    [one('tags', 'contains_any', []), /an array of 1 to 500 values/],
    [one('state', 'eq', 'opne'), /must be one of open, Won, lost/],
    [one('active', 'eq', 'true'), /must be true or false/],
    [one('due_on', 'eq', '2026-02-30'), /must be a date YYYY-MM-DD/],
    [one('due_on', 'eq', '2026-02-03T00:00:00Z'), /must be a date YYYY-MM-DD/],
    [one('seen_at', 'gt', '0000-01-01'), /a date YYYY-MM-DD or a date-time/],
    [one('seen_at', 'gt', 1_700_000_000), /a date YYYY-MM-DD or a date-time/],
    [one('seen_at', 'last_x_days', 0), /a whole number of days from 1 to/],
    [one('seen_at', 'last_x_days'), /a whole number of days from 1 to/],
    [one('seen_at', 'next_x_days', [3]), /a whole number of days from 1 to/],
    [one('seen_at', 'today', 5), /must be left out/],
    [one('name', 'is_empty', false), /must be left out/],
    [one('company', 'eq', 5), /must be an id/],
  ]
  for (const [input, message] of cases) {
    const refused = (error: unknown) => error instanceof Failure && message.test(error.message)
    assert.throws(
      () => compileFilter(registry, input, clock),
      refused,
      JSON.stringify(input)?.slice(0, 200),
    )
  }
})

test('an operator without a value takes what filter builders send in its place', () => {
  const textOf = (value: unknown) =>
    compile(compileFilter(registry, [{ field: 'name', operator: 'is_empty', value }], clock), 'o1')
      .text
  for (const value of [null, '', true]) assert.equal(textOf(value), textOf(undefined))
})

test('values are parameters, the same text serves every value', () => {
  const textOf = (value: unknown) =>
    compile(compileFilter(registry, [{ field: 'name', operator: 'in', value }], clock), 'o1')
  const first = textOf(["'; drop table things; --"])
  assert.equal(first.text, textOf(['a', 'b']).text)
  assert.deepEqual(first.values, [["'; drop table things; --"]])
  assert.equal(first.text, '(t.name_key = any(lower($1::text)::text[]))')
})

test('the registry is made once per record', () => {
  assert.equal(registryOf(Thing), registryOf(Thing))
  assert.ok(operatorsOf('date').includes('current_quarter'))
  assert.deepEqual(registry.get('state')!.words, ['open', 'Won', 'lost'])
})

/** Filters with real field names and operators, and values from anywhere. */
function filters(value: fc.Arbitrary<unknown>) {
  const leaf = fc
    .constantFrom(...registry.keys())
    .chain((field) => fc.record({ field: fc.constant(field), operator: operatorFor(field), value }))
  return fc.array(nest(leaf), { maxLength: 3 })
}

function nest<T>(leaf: fc.Arbitrary<T>): fc.Arbitrary<Node> {
  const { node } = fc.letrec<{ node: Node }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      { weight: 4, arbitrary: leaf as fc.Arbitrary<unknown> as fc.Arbitrary<Node> },
      fc.record({ not: tie('node') }),
      fc.record({ or: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ and: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    ),
  }))
  return node
}

function operatorFor(field: string) {
  return fc.constantFrom(...operatorsOf(registry.get(field)!.kind))
}

type Leaf = { field: string; operator: string; value?: unknown }
type Node = Leaf | { not: Node } | { or: Node[] } | { and: Node[] }

const pools = {
  text: [
    '',
    ' ',
    'a',
    'A',
    'aB',
    'abc',
    'ABC',
    '%',
    '50%',
    '5_0',
    'b\\',
    "o'c",
    '"q"',
    '漢',
    '😀',
    'null',
    '{a,b}',
  ],
  number: [-2147483648, -2, -1.5, 0, 0.1, 1, 2, 2.5, 7, 1e9, 2147483647],
  timestamp: [
    '2026-05-14T18:29:59.999Z',
    '2026-05-14T18:30:00.000Z',
    '2026-05-14T20:00:00.000Z',
    '2026-05-15T12:00:00.000Z',
    '2026-05-10T18:30:00.000Z',
    '2026-05-17T18:30:00.000Z',
    '2026-04-30T18:29:00.000Z',
    '2026-06-02T00:00:00.000Z',
    '2025-12-31T18:29:59.000Z',
    '2025-12-31T18:30:00.000Z',
    '1999-01-01T00:00:00.000Z',
    '2026-07-01T00:00:00.000Z',
  ],
  date: [
    '2026-05-15',
    '2026-05-14',
    '2026-05-16',
    '2026-05-11',
    '2026-05-17',
    '2026-05-18',
    '2026-05-10',
    '2026-05-01',
    '2026-04-30',
    '2026-06-30',
    '2026-04-01',
    '2026-12-31',
    '2025-12-31',
    '2024-02-29',
    '0001-01-01',
    '9999-12-31',
  ],
  boolean: [true, false],
  list: ['vip', 'VIP', 'a"b', 'a\\b', '{x}', 'null', '', 5, 0.5, true],
}

const from = <T>(pool: readonly T[]) => fc.constantFrom(...pool)
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { freq: 5 })
const lists = fc.array(from(pools.list), { maxLength: 4 })
const integers = pools.number.filter((one) => Number.isInteger(one))
const anyCustom = fc.oneof(
  from([...pools.text, ...pools.date, ...pools.timestamp, '2026-02-30', '2026-05-15T10:00']),
  from([...pools.number, true, false, null]),
  lists,
  fc.constant({ a: 1 }),
)
const anyRow = fc.record({
  name: orNull(from(pools.text)),
  note: orNull(from(pools.text)),
  state: orNull(from(['open', 'Won', 'lost'])),
  count: orNull(from(integers)),
  amount: orNull(from(pools.number)),
  active: orNull(from(pools.boolean)),
  seen_at: orNull(from(pools.timestamp)),
  due_on: orNull(from(pools.date)),
  tags: orNull(lists),
  custom_fields: fc.record(
    {
      motto: fc.oneof(from(pools.text), anyCustom),
      score: fc.oneof(from(pools.number), anyCustom),
      agreed: fc.oneof(fc.boolean(), anyCustom),
      day: fc.oneof(from(pools.date), anyCustom),
      moment: fc.oneof(from(pools.timestamp), anyCustom),
      areas: fc.oneof(lists, anyCustom),
    },
    { requiredKeys: [] },
  ),
})

const checkedFields = [
  'name',
  'note',
  'state',
  'count',
  'amount',
  'active',
  'seen_at',
  'due_on',
  'tags',
  'custom_fields.motto',
  'custom_fields.score',
  'custom_fields.agreed',
  'custom_fields.day',
  'custom_fields.moment',
  'custom_fields.areas',
]

const validLeaf = fc
  .constantFrom(...checkedFields)
  .chain((field) => operatorFor(field).map((operator) => ({ field, operator })))
  .chain(({ field, operator }) => {
    const { kind, words } = registry.get(field)!
    const one: fc.Arbitrary<unknown> =
      words && /eq$|in$/.test(operator)
        ? from(['open', 'WON', 'lost'])
        : kind === 'number' || kind === 'integer'
          ? fc.oneof(from(pools.number), from(pools.number).map(String), from([3e9, 1e300]))
          : kind === 'timestamp'
            ? fc.oneof(from(pools.timestamp), from(pools.date))
            : from<unknown>(pools[kind as keyof typeof pools])
    const value: fc.Arbitrary<unknown> = operator.endsWith('_x_days')
      ? fc.integer({ min: 1, max: 200 })
      : isStanding(operator)
        ? fc.constant(undefined)
        : operator === 'between'
          ? fc.tuple(one, one)
          : /in$|_any$|_all$|_none$/.test(operator)
            ? fc.array(one, { minLength: 1, maxLength: 4 })
            : one
    return value.map((operand): Leaf => ({ field, operator, value: operand }))
  })

const validFilter = fc.array(nest(validLeaf), { minLength: 1, maxLength: 3 })

function isStanding(operator: string) {
  const day = /^(today|tomorrow|yesterday|show_all|past|future|(current|last|next)_[a-z_]+)$/
  return day.test(operator) || operator.endsWith('empty')
}

// The plain evaluation: written from the contract, sharing nothing with the compiler.

function holds(node: Node, row: Row): boolean {
  if ('not' in node) return !holds(node.not, row)
  if ('or' in node) return node.or.some((one) => holds(one, row))
  if ('and' in node) return node.and.every((one) => holds(one, row))
  return leafHolds(
    node.operator,
    node.value,
    valueOf(node.field, row),
    registry.get(node.field)!.kind,
  )
}

/** The row's value when it is of the field's type, else null. */
function valueOf(field: string, row: Row): unknown {
  if (!field.startsWith('custom_fields.')) return row[field] ?? null
  const value = (row.custom_fields as { [key: string]: unknown })[field.slice(14)] ?? null
  const { kind } = registry.get(field)!
  if (kind === 'text') return typeof value === 'object' ? null : String(value)
  if (kind === 'list') return Array.isArray(value) ? value : null
  if (kind === 'number' || kind === 'boolean') return typeof value === kind ? value : null
  return (pools[kind as 'date' | 'timestamp'] as unknown[]).includes(value) ? value : null
}

function leafHolds(operator: string, operand: unknown, value: unknown, kind: string): boolean {
  const again = (other: string) => leafHolds(other, operand, value, kind)
  if (operator === 'neq') return !again('eq')
  if (operator === 'not_in') return !again('in')
  if (operator === 'not_contains') return !again('contains')
  if (operator === 'contains_none') return !again('contains_any')
  if (operator === 'is_not_empty') return !again('is_empty')
  if (operator === 'is_empty') return value === null || value === '' || isEmptyList(value)
  if (operator === 'show_all') return true
  if (value === null) return false
  if (Array.isArray(value)) {
    const has = (wanted: unknown) => value.some((one) => fold(one) === fold(wanted))
    if (operator === 'contains') return has(operand)
    const wanted = operand as unknown[]
    return operator === 'contains_any' ? wanted.some(has) : wanted.every(has)
  }
  if (operator === 'in')
    return (operand as unknown[]).some((one) => leafHolds('eq', one, value, kind))
  if (operator === 'between') {
    const [low, high] = operand as unknown[]
    return leafHolds('gte', low, value, kind) && leafHolds('lte', high, value, kind)
  }
  if (isStanding(operator)) return dayHolds(operator, Number(operand), value as string, kind)
  const order = orderOf(value, operand, kind)
  if (operator === 'eq') return order === 0
  if (operator === 'gt') return order > 0
  if (operator === 'gte') return order >= 0
  if (operator === 'lt') return order < 0
  if (operator === 'lte') return order <= 0
  if (operator === 'contains') return holdsPieces(value as string, piecesOf(operand as string))
  const [whole, part] = [foldedText(value as string), foldedText(operand as string)]
  return operator === 'starts_with' ? whole.startsWith(part) : whole.endsWith(part)
}

function fold(value: unknown) {
  return typeof value === 'string' ? value.toLowerCase() : value
}

function orderOf(value: unknown, operand: unknown, kind: string): number {
  if (kind === 'number' || kind === 'integer') return Math.sign((value as number) - Number(operand))
  if (kind === 'boolean') return Number(value) - Number(operand)
  if (kind === 'timestamp' && (operand as string).length === 10)
    return orderOf(localDay(value as string), operand, 'date')
  return Buffer.compare(Buffer.from(fold(value) as string), Buffer.from(fold(operand) as string))
}

function localDay(instant: string) {
  return new Date(Date.parse(instant) + 330 * 60_000).toISOString().slice(0, 10)
}

function dayHolds(operator: string, count: number, value: string, kind: string): boolean {
  const now = clock.now.toISOString()
  const today = localDay(now)
  if (operator === 'past') return kind === 'date' ? value < today : value < now
  if (operator === 'future') return kind === 'date' ? value > today : value > now
  const day = kind === 'date' ? value : localDay(value)
  const ago = Math.round((Date.parse(today) - Date.parse(day)) / 86_400_000)
  // 1970-01-01 was a Thursday
  const week = (of: string) => Math.floor((Date.parse(of) / 86_400_000 + 3) / 7)
  const month = (of: string) => Number(of.slice(0, 4)) * 12 + Number(of.slice(5, 7)) - 1
  const weeks = week(day) - week(today)
  const months = month(day) - month(today)
  const all: { [word: string]: boolean } = {
    today: ago === 0,
    yesterday: ago === 1,
    tomorrow: ago === -1,
    current_week: weeks === 0,
    next_week: weeks === 1,
    last_week: weeks === -1,
    current_month: months === 0,
    next_month: months === 1,
    last_month: months === -1,
    current_quarter: Math.floor(month(day) / 3) === Math.floor(month(today) / 3),
    current_year: day.slice(0, 4) === today.slice(0, 4),
    last_x_days: ago >= 0 && ago < count,
    next_x_days: ago <= 0 && -ago < count,
  }
  return all[operator]!
}

function isEmptyList(value: unknown) {
  return Array.isArray(value) && !value.length
}
