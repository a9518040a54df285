import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Context, Queries, Query } from './context.ts'
import { allOrganizations } from './context.ts'
import { commonTable } from './common-table.ts'
import { all, compile, forOrganization, mine, sql } from './sql.ts'

const ctx = {} as Context
const named = sql`select from tasks t join users u on u.organization_id = $organization
  where ${mine(ctx)} and t.id = ${'t1'}`

test('the organization is one parameter, wherever a statement names it', () => {
  assert.deepEqual(compile(named, 'o1'), {
    text: `select from tasks t join users u on u.organization_id = $2
  where "t"."organization_id" = $2 and t.id = $1`,
    values: ['t1', 'o1'],
  })
})

test('statements of two organizations have the same text', () => {
  assert.equal(compile(named, 'o1').text, compile(named, 'o2').text)
  assert.deepEqual(compile(named, 'o2').values, ['t1', 'o2'])
})

test('a statement that names no organization is sent as it is', () => {
  const query = sql`select ${1}::int`
  assert.deepEqual(compile(query, 'o1'), { text: 'select $1::int', values: [1] })
  assert.deepEqual(compile(query, allOrganizations), { text: 'select $1::int', values: [1] })
})

test('a statement for all organizations cannot name one', () => {
  assert.throws(() => compile(named, allOrganizations), /a statement for all organizations/)
})

test('literals and longer words stay as they are', () => {
  const text = `select 'it''s $organization', '$organization', $organizations`
  assert.deepEqual(compile(sql.raw(text), 'o1'), { text, values: [] })
  const { text: both } = compile(all(sql.raw(`t.name = '$organization'`), mine(ctx)), 'o1')
  assert.equal(both, `t.name = '$organization' and "t"."organization_id" = $1`)
})

test('an apostrophe in a comment is no literal', () => {
  const text =
    "select $organization -- the team's\n/* it's */, $organization, 'a' -- isn't $organization"
  const { text: sent, values } = compile(sql.raw(text), 'o1')
  assert.equal(sent, "select $1 -- the team's\n/* it's */, $1, 'a' -- isn't $organization")
  assert.deepEqual(values, ['o1'])
})

test('queries over all organizations run for one of them', async () => {
  const sent: Query[] = []
  const keep = (query: Query) => {
    sent.push(query)
    return Promise.resolve([])
  }
  const spanning = Object.fromEntries(
    ['all', 'one', 'cells', 'page', 'run', 'later'].map((name) => [name, keep]),
  ) as unknown as Queries
  const queries = forOrganization(spanning, 'o1')
  await queries.all(named)
  await queries.one(named)
  await queries.cells(named)
  await queries.page(named, 0)
  await queries.run(named)
  queries.later(named)
  queries.laterTogether(named, { tables: sql`x as (select 1)`, main: named, beside: named })
  assert.equal(sent.length, 9)
  for (const query of sent.slice(0, 7))
    assert.deepEqual(compile(query, allOrganizations), compile(named, 'o1'))
})

test('a common table expression is in a statement once, however often it is used', () => {
  const own = commonTable(
    'own',
    sql`select id from tasks where owner = ${'u1'} and ${mine(ctx, 'x')}`,
  )
  const isOwn = sql`t.id in (select id from ${own})`
  assert.deepEqual(compile(sql`select ${2} from tasks t where ${isOwn} or not ${isOwn}`, 'o1'), {
    text:
      `with own (id) as (select id from tasks where owner = $2 and "x"."organization_id" = $3) ` +
      `select $1 from tasks t where t.id in (select id from own) or not t.id in (select id from own)`,
    values: [2, 'u1', 'o1'],
  })
})

test('common tables of two callers are two, also beside those that a statement has itself', () => {
  const [ann, bob] = ['ann', 'bob'].map((user) => commonTable('own', sql`select ${user}::text`))
  for (const [head, expected] of [
    ['with recursive n as (select 1) ', 'with recursive '],
    ['with n as (select 1) ', 'with '],
  ] as const)
    assert.deepEqual(compile(sql`${sql.raw(head)}select from ${ann}, ${bob}, ${ann}`, 'o1'), {
      text: `${expected}own (id) as (select $1::text), own_2 (id) as (select $2::text), n as (select 1) select from own, own_2, own`,
      values: ['ann', 'bob'],
    })
})
