import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOrganization, startService } from '../../test/support/service.ts'

test('a long answer is sent in pieces, none of which splits a character', async () => {
  const service = await startService()
  const { token } = (await makeOrganization(service)).users.admin
  // so that pairs of surrogates begin at even and at odd places
  for (const first of ['', 'x']) {
    const editor_html_content = first + '😀'.repeat(200_000)
    const body = { document_name: 'Long', editor_html_content }
    const created = await service.call('POST', '/api/documents/', { token, body })
    assert.equal(created.status, 201, created.text.slice(0, 500))
    const path = `/api/documents/${created.body.attach_id}/`
    const read = await service.call('GET', path, { token })
    assert.equal(read.body.editor_html_content, editor_html_content)
    const head = await service.call('HEAD', path, { token })
    assert.equal(head.status, 200)
  }
})
