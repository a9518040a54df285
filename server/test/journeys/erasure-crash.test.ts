import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '../support/database.ts'
import { atEnd } from '../support/finally.ts'
import { environment, freePort, idOf, makeWorld } from '../support/killed.ts'
import { startServer } from '../support/program.ts'
import { call, rows, sql } from '../support/service.ts'
import { until } from '../support/until.ts'

// A server is killed while it erases a person: in the middle of a transaction each time, which a lock
// of the test holds open. The one after it completes the erasure, and nothing of the person is left.

const name = 'Yolanda Marigold'
const email = 'yolanda@marigold.test'
const traces = /marigold|777.?66.?55/i

test('kill -9 in the middle of an erasure leaves nothing of the person behind', async (t) => {
  const { url, database } = await freshDatabase()
  const port = await freePort()
  const { service, org, url: base } = await makeWorld(database, port)
  const settings = { ...environment(url), PORT: String(port) }
  const { token } = org.users.admin
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await call(base, method, path, { token, ...(body ? { body } : {}) })
    assert.ok(reply.status < 300, `${path} ${reply.text}`)
    return reply
  }
  const upload = async (file: string, content: string, of: { [field: string]: string } = {}) => {
    const form = new FormData()
    for (const [field, value] of Object.entries(of)) form.append(field, value)
    form.append('file', new Blob([content]), file)
    const headers = { authorization: `Bearer ${token}` }
    const reply = await fetch(`${base}/api/documents/`, { method: 'POST', headers, body: form })
    assert.equal(reply.status, 201)
    return ((await reply.json()) as { id: string }).id
  }
  // what goes on is looked at outside of the transaction that holds the lock, which sees none of it
  const locks = new pg.Client({ connectionString: url })
  const watch = new pg.Client({ connectionString: url })
  for (const client of [locks, watch]) {
    await client.connect()
    atEnd(() => client.end())
  }

  let server = await startServer(settings)
  const contact = { full_name: name, primary_email: email, phone: '0041 44 777 66 55' }
  const id = idOf(await send('POST', '/api/contact/', contact))
  const passport = { module_name: 'contacts', reference_id: id }
  await upload('passport.txt', `Passport of ${name}`, passport)
  const rewritten = await upload('notes.txt', `Ask ${name} at ${email}\n`)
  const tasks: string[] = []
  for (let n = 0; n < 20; n++) {
    const task = { title: `${n} for ${name}`, description: email }
    tasks.push(idOf(await send('POST', '/api/tasks/', task)))
  }
  const guest = { type: 'external', name, email }
  const meeting = { title: 'Lunch', start: '2030-01-01T10:00:00Z', end: '2030-01-01T11:00:00Z' }
  await send('POST', '/api/calendar/info/', { ...meeting, attendees: [guest] })

  // where it stops: the person, a file that is written again, a table of many rows
  const held: [table: string, id: string][] = [
    ['contacts', id],
    ['documents', rewritten],
    ['tasks', tasks[10]!],
  ]
  const hold = async (at: number) => {
    const [table, row] = held[at]!
    await locks.query('begin')
    await locks.query(`select from perennial.${table} where id = $1 for update`, [row])
  }
  await hold(0)
  const asked = await send('POST', '/api/organization/personal-data/erase/', {
    contact_id: id,
    confirm: email,
  })
  const { request_id } = asked.body
  const progress = async () =>
    (
      await rows<{ status: string; step: number; table: string | null }>(
        service,
        sql`select status, step, place ->> 'table' as table from personal_data_requests
        where id = ${request_id}`,
      )
    )[0]!
  for (let at = 0; at < held.length; at++) {
    // the server waits for the row inside of its transaction
    await until(async () => {
      const waiting = await watch.query(`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
      return waiting.rowCount! > 0
    }, 90)
    const { status, step, table } = await progress()
    t.diagnostic(`killed in ${held[at]![0]}: ${status}, step ${step}, after ${table}`)
    server.child.kill('SIGKILL')
    await server.ended
    await locks.query('rollback')
    if (held[at + 1]) await hold(at + 1)
    // what the queue would find out after 20 s: the job's process does not answer any more
    await watch.query(`update perennial_jobs.job set heartbeat_on = now() - interval '1 hour'
      where state = 'active'`)
    server = await startServer(settings)
  }
  await until(async () => (await progress()).status === 'completed', 90)

  const { body } = await send('GET', `/api/organization/personal-data/${request_id}/`)
  assert.equal(body.receipt.rows.contacts, 1)
  assert.deepEqual(body.receipt.files, { removed: 1, rewritten: 1, not_searched: 0 })
  const tables = await watch.query<{ name: string }>(`select distinct table_name as name
    from information_schema.columns where table_schema = 'perennial'
      and column_name = 'organization_id'`)
  for (const { name: table } of tables.rows) {
    const found = await watch.query(
      `select from perennial.${table} t where t::text ~* 'marigold|777.?66.?55'`,
    )
    assert.equal(found.rowCount, 0, `${table} names the person`)
  }
  const folder = settings.DATA_DIR
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const file of files.filter((each) => each.isFile())) {
    const text = readFileSync(join(file.parentPath, file.name), 'latin1')
    assert.doesNotMatch(text, traces, `the file ${file.name} names the person`)
  }
})
