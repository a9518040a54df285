import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { anywhere, compile, sql } from '../kit/ground/sql.ts'
import type { Rows, Statement } from './bounded-query.ts'
import { LostMachines } from './lost-machines.ts'

const lost = Object.assign(
  new pg.DatabaseError('connection to the remote node app@db1:5432 failed', 1, 'error'),
  { code: '08006' },
)
const rows = (found: string[][]) => ({ rows: found }) as unknown as Rows
const lookUp = compile(
  sql`select u.id from users u join roles r on r.id = u.role_id
    where ${anywhere('u')} and ${anywhere('r')} and u.email_key = ${'ada'}`,
  '*',
) as Statement

/** A coordinator with one machine down: only what names organizations is answered. */
function cluster(answer: string[][]) {
  const sent: Statement[] = []
  const asked: string[] = []
  const machines = new LostMachines(async (statement) => {
    asked.push(statement)
    return rows([['{o1,o2}']])
  })
  const send = async (statement: Statement | string) => {
    const { text } = statement as Statement
    sent.push(statement as Statement)
    if (!text.includes('any(')) throw lost
    return rows(answer)
  }
  return { sent, asked, send: (statement: Statement) => machines.send(send, statement) }
}

test('while a machine is down, a look-up is sent for the organizations of the others, each table of it', async () => {
  const { sent, asked, send } = cluster([['u1']])
  assert.deepEqual((await send(lookUp)).rows, [['u1']])
  assert.deepEqual((await send(lookUp)).rows, [['u1']])
  // the second one is not tried over all machines before, and it is not asked again which of them answer
  assert.deepEqual([sent.length, asked.length], [3, 1])
  const { text, values } = sent.at(-1)!
  assert.match(
    text,
    /where u\.organization_id = any\(\$2::text\[\]\) and r\.organization_id = any\(\$2/,
  )
  assert.deepEqual(values, ['ada', '{o1,o2}'])
})

test('what is not found on the machines that answer may be on the lost one: it is no empty answer', async () => {
  const { send } = cluster([])
  await assert.rejects(send(lookUp), lost)
})

test('a statement whose tables do not say so, and another error, are not sent again', async () => {
  const { sent, send } = cluster([['u1']])
  await assert.rejects(send({ ...lookUp, text: 'select id from users' }), lost)
  assert.equal(sent.length, 1)
  const machines = new LostMachines(async () => rows([]))
  const refused = new Error('refused')
  const failing = machines.send(async () => {
    throw refused
  }, lookUp)
  await assert.rejects(failing, refused)
})
