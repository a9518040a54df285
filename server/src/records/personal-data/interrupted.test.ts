import assert from 'node:assert/strict'
import { test } from 'node:test'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { jobsSchema } from '../../database/jobs-schema.ts'
import { workFor } from '../../jobs/work.ts'
import type { Work } from '../../kit/ground/job.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { erasePerson } from './erase.ts'

// If a process dies, another one continues: wherever it stops, the erasure has the same result.

test('an erasure that is stopped after each of its transactions ends as one that is not', async () => {
  const service = await startService()
  const org = await makeOrganization(service)
  const other = await makeOrganization(service)
  const { token } = org.users.admin
  const send = async (path: string, body: unknown, as = token) => {
    const reply = await service.call('POST', path, { token: as, body })
    assert.ok(reply.status < 300, reply.text)
    return reply
  }
  const name = 'Yolanda Marigold'
  const email = 'yolanda@marigold.test'
  const contact = { full_name: name, primary_email: email, phone: '0041 44 777 66 55' }
  const id = (await send('/api/contact/', contact)).headers.get('x-record-id')
  for (let n = 0; n < 3; n++) {
    await send('/api/tasks/', {
      title: `${n} for Marigold, Yolanda`,
      description: `(044) 777 66 55`,
    })
  }
  await send('/api/documents/', { document_name: `Letter to ${name}`, description: email })
  const upload = async (file: string, content: string, of: { [field: string]: string } = {}) => {
    const form = new FormData()
    for (const [field, value] of Object.entries(of)) form.append(field, value)
    form.append('file', new Blob([content]), file)
    const headers = { authorization: `Bearer ${token}` }
    const url = `${service.url}/api/documents/`
    assert.equal((await fetch(url, { method: 'POST', headers, body: form })).status, 201)
  }
  await upload('passport.txt', `The passport of ${name}`, {
    module_name: 'contacts',
    reference_id: id!,
  })
  await upload('notes.txt', `Ask ${name} at ${email}\n`)
  await upload('letter.bin', `\0\0Dear ${name}`)
  // the person is also known to another organization, which did not request an erasure
  const there = other.users.admin.token
  await send('/api/contact/', contact, there)
  await send('/api/tasks/', { title: `Call ${name}` }, there)

  const { body } = await send('/api/organization/personal-data/erase/', {
    contact_id: id,
    confirm: email.toUpperCase(),
  })
  const { runtime } = service
  const job = erasePerson({ outbox: join(runtime.config.dataDir, 'outbox'), jobsSchema })
  const { request_id } = body
  let stops = 0
  for (let isOver = false; !isOver;) {
    const enqueued = { organization_id: org.id, id: request_id, user_id: null }
    const whole = await workFor(runtime, job, enqueued, new AbortController().signal)
    let left = 1 + (stops % 7)
    const dying: Work = {
      ...whole,
      write: async (run) => {
        const result = await whole.write(run)
        if (--left < 0) throw new Error('killed')
        return result
      },
    }
    try {
      await job.run(dying, { request_id })
      isOver = true
    } catch (error) {
      assert.equal((error as Error).message, 'killed')
      stops++
      assert.ok(stops < 200, 'it makes no progress')
    }
  }
  assert.ok(stops >= 5, `it was stopped ${stops} times`)
  const read = await service.call('GET', `/api/organization/personal-data/${request_id}/`, {
    token,
  })
  assert.equal(read.body.status, 'completed')
  assert.equal(read.body.receipt.rows.contacts, 1)
  const found = async (organization: string) => {
    const tables = await rows<{ name: string }>(
      service,
      sql`select table_name as name from information_schema.columns
        where table_schema = 'perennial' and column_name = 'organization_id'
          and table_name <> 'people'`,
    )
    const counts: { [table: string]: number } = {}
    for (const { name: table } of tables) {
      const [{ n }] = (await rows(
        service,
        sql`select count(*)::int as n from ${sql.table(table)} t
          where t.organization_id = ${organization} and t::text ~* 'marigold|777.?66.?55'`,
      )) as [{ n: number }]
      if (n) counts[table] = n
    }
    return counts
  }
  assert.deepEqual(await found(org.id), {})
  assert.deepEqual(read.body.receipt.files, { removed: 2, rewritten: 1, not_searched: 0 })
  for await (const { key } of runtime.files.list('documents')) {
    const bytes = await buffer(await runtime.files.get(key))
    assert.doesNotMatch(bytes.toString('latin1'), /marigold/i, `the file ${key} is left`)
  }
  const theirs = await found(other.id)
  assert.deepEqual([theirs.contacts, theirs.tasks], [1, 1])
  // the job may come once more
  const again = await workFor(
    runtime,
    job,
    { organization_id: org.id, id: request_id, user_id: null },
    new AbortController().signal,
  )
  await job.run(again, { request_id })
})
