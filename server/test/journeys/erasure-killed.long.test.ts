import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshDatabase } from '../support/database.ts'
import { environment, freePort, idOf, makeWorld } from '../support/killed.ts'
import { startServer } from '../support/program.ts'
import { rows, sql } from '../support/service.ts'
import { patient, pause } from '../support/until.ts'

const name = 'Yolanda Marigold'
const email = 'yolanda@marigold.test'
const traces = /marigold|777.?66.?55/i

test('an erasure whose process is killed twice leaves nothing of the person', async (t) => {
  const { url, database } = await freshDatabase()
  const port = await freePort()
  const { service, org } = await makeWorld(database, port)
  const settings = environment(url)
  const serve = () => startServer({ ...settings, PORT: String(port) })
  let server = await serve()
  const { token } = org.users.admin
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await service.call(method, path, { token, body })
    assert.ok(reply.status < 300, `${path} ${reply.text}`)
    return reply
  }

  const contact = { full_name: name, primary_email: email, phone: '0041 44 777 66 55' }
  const contact_id = idOf(await send('POST', '/api/contact/', contact))
  for (let n = 0; n < 40; n++) {
    await send('POST', '/api/tasks/', {
      title: `${n} for Marigold, Yolanda`,
      description: '(044) 777 66 55',
    })
  }
  for (let n = 0; n < 5; n++) {
    const form = new FormData()
    form.append('file', new Blob([`Ask ${name} at ${email}\n`]), `notes ${n} of ${name}.txt`)
    const headers = { authorization: `Bearer ${token}` }
    const reply = await fetch(`${server.url}/api/documents/`, {
      method: 'POST',
      headers,
      body: form,
    })
    assert.equal(reply.status, 201)
  }

  const { body } = await send('POST', '/api/organization/personal-data/erase/', {
    contact_id,
    confirm: email,
  })
  const id: string = body.request_id
  const stepNow = async () => {
    const [row] = await rows<{ step: number; status: string }>(
      service,
      sql`select step, status from personal_data_requests where id = ${id}`,
    )
    return row?.status === 'completed' ? Infinity : (row?.step ?? 0)
  }
  const killedAt: number[] = []
  const patience = patient(150)
  for (let step = 0; step < Infinity; step = await stepNow()) {
    // once among the rows of the person, once among files and the texts of others
    if (step >= ([1, 7][killedAt.length] ?? Infinity)) {
      server.child.kill('SIGKILL')
      killedAt.push(step)
      await server.ended
      server = await serve()
    }
    patience()
    await pause(2)
  }
  t.diagnostic(`killed in steps ${killedAt.join(', ')}`)
  assert.equal(killedAt.length, 2)

  const read = await send('GET', `/api/organization/personal-data/${id}/`)
  assert.equal(read.body.status, 'completed')
  assert.equal(read.body.receipt.rows.contacts, 1)
  const tables = await rows<{ name: string }>(
    service,
    sql`select table_name as name from information_schema.tables
      where table_schema = 'perennial' and table_type = 'BASE TABLE'`,
  )
  assert.ok(tables.length > 60)
  for (const table of tables) {
    const [found] = await rows(
      service,
      sql`select t::text as text from ${sql.table(table.name)} t where t::text ~* ${traces.source}`,
    )
    assert.equal(found, undefined, `${table.name} ${JSON.stringify(found)}`)
  }
  const files = await readdir(settings.DATA_DIR, { recursive: true, withFileTypes: true })
  const left = files.filter((file) => file.isFile())
  assert.ok(left.length >= 5)
  for (const file of left) {
    const path = join(file.parentPath, file.name)
    assert.doesNotMatch(path, traces)
    assert.doesNotMatch((await readFile(path)).toString('latin1'), traces, path)
  }
})
