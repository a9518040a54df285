import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '../../test/support/database.ts'
import { atEnd } from '../../test/support/finally.ts'
import { transactional } from './client.ts'
import type { Rows, Send } from './bounded-query.ts'
import { silent } from '../../test/support/database.ts'

describe('statements of one turn', () => {
  let client: pg.Client
  let send: Send
  let packets = 0

  before(async () => {
    const { url } = await freshDatabase()
    client = new pg.Client({ connectionString: url, pipeline: true } as pg.ClientConfig)
    await client.connect()
    atEnd(() => client.end())
    const { stream } = (client as unknown as { connection: { stream: NodeJS.ReadableStream } })
      .connection
    stream.on('data', () => packets++)
    send = transactional(client, { url, log: silent, role: null, resultBytes: 1000 })
  })

  const statement = (text: string, values?: unknown[], name?: string) => ({
    text,
    values,
    name,
    rowMode: 'array' as const,
  })
  const answers = async (sent: Promise<{ rows?: unknown[] }>[]) =>
    (await Promise.allSettled(sent)).map((each) =>
      each.status === 'fulfilled'
        ? each.value.rows?.[0]
        : (each.reason.code ?? each.reason.message),
    )

  test('are answered in their order, in one packet', async () => {
    packets = 0
    const sent = [
      send(statement('select 1')),
      send(statement('select $1::text', ['two'])),
      send(statement('select')),
      send(statement('')),
      send(statement('select 5', undefined, 'five')),
    ]
    assert.deepEqual(await answers(sent), [['1'], ['two'], [], undefined, ['5']])
    assert.equal(packets, 1)
  })

  test('end at the first that fails, and those of the next turn run', async () => {
    const sent = [
      send(statement('select 1')),
      send(statement('select 1 / $1::int', [0], 'divided')),
      send(statement('select 3', undefined, 'three')),
    ]
    assert.deepEqual(await answers(sent), [['1'], '22012', '25P02'])
    const again = [
      send(statement('select 3', undefined, 'three')),
      send(statement('select 1 / $1::int', [1], 'divided')),
    ]
    assert.deepEqual(await answers(again), [['3'], ['1']])
  })

  test('end at a statement that cannot be sent, and skip those after it', async () => {
    const circular: { self?: unknown } = {}
    circular.self = circular
    const sent = [
      send(statement('begin')),
      send(statement('create table made (n int)')),
      send(statement('select $1::json', [circular])),
      send(statement('commit')),
    ]
    const [, , failure, commit] = await answers(sent)
    assert.match(String(failure), /circular/)
    assert.equal(commit, '25P02')
    await send('rollback')
    const found = await send(statement(`select to_regclass('made')`))
    assert.deepEqual(found.rows, [[null]])
    assert.deepEqual(await answers([send(statement('select $1::json', [circular]))]), [failure])
    assert.deepEqual(await answers([send(statement('select 6'))]), [['6']])
  })

  test('keep their order beside a text of several commands', async () => {
    const sent = [
      send(statement('create temporary table ordered (n serial, what text)')),
      send(`insert into ordered (what) values ('a'); insert into ordered (what) values ('b')`),
      send(statement(`insert into ordered (what) values ('c')`)),
      send(statement('select string_agg(what, $1 order by n) from ordered', [' '])),
    ]
    assert.deepEqual((await answers(sent)).at(-1), ['a b c'])
  })

  test('answer the same columns when these are known already', async () => {
    const twice = statement(`select $1::int as n, $2 as text`, [1, 'x'], 'twice')
    const [first, second] = [await send(twice), await send({ ...twice, values: [2, null] })]
    const described = ({ fields }: Rows) => fields.map(({ name, dataTypeID }) => [name, dataTypeID])
    assert.deepEqual(described(first), [
      ['n', 23],
      ['text', 25],
    ])
    assert.deepEqual(described(second), described(first))
    assert.deepEqual([first.rows, second.rows], [[['1', 'x']], [['2', null]]])
    // and those without any
    const nothing = statement('set constraints all deferred', undefined, 'nothing')
    for (let i = 0; i < 2; i++) assert.deepEqual((await send(nothing)).fields, [])
  })

  test('have bounds of their own', async () => {
    const sent = [
      send(statement(`select repeat('x', 400) from generate_series(1, 2)`)),
      send(statement(`select repeat('x', 600) from generate_series(1, 2)`)),
      send(statement('select 7')),
    ]
    const [small, large, seven] = await answers(sent)
    assert.deepEqual([large, seven], ['The answer is larger than 1000 bytes', ['7']])
    assert.equal((small as string[])[0]?.length, 400)
  })

  test('fail together with the connection', async () => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    client.on('error', () => {})
    const sent = [
      send(statement('select pg_terminate_backend($1)', [rows[0]!.pid])),
      send(statement('select 8')),
    ]
    const outcomes = await Promise.allSettled(sent)
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
  })
})
