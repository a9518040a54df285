import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOrganization, sql, startService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'

test('the data of a person is exported whole, however large its rows are together', async () => {
  const service = await startService({}, undefined, true)
  const org = await makeOrganization(service)
  const { token } = org.users.admin
  const { user_id } = org.users.member
  const call = (method: string, path: string, body?: object) =>
    service.call(method, path, { token, body })
  for (let n = 0; n < 40; n++) {
    const own = { token: org.users.member.token, body: { document_name: `Large ${n}` } }
    assert.equal((await service.call('POST', '/api/documents/', own)).status, 201)
  }
  // more together than one statement may answer
  await service.runtime.database.transaction(org.id, (queries) =>
    queries.run(sql`update documents set editor_html_content = repeat('x', 490000)
      where organization_id = ${org.id}`),
  )
  const base = '/api/organization/personal-data/'
  const { body } = await call('POST', `${base}export/`, { user_id })
  const path = `${base}${body.request_id}/`
  await until(async () => (await call('GET', path)).body.status === 'completed', 30)
  const file = await call('GET', `${path}file/`)
  const exported = JSON.parse(file.text)
  assert.deepEqual(exported.person.user_ids, [user_id])
  assert.equal(exported.data.documents.length, 40)
  assert.equal(exported.data.documents[39].editor_html_content.length, 490_000)
  assert.equal((await call('GET', path)).body.file_size, Buffer.byteLength(file.text))
})
