import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { postForm } from '../../../../test/support/integration.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'

describe('what is prepared for signature', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  type Who = 'admin' | 'manager' | 'member'
  const call = (method: string, path: string, more: object = {}, who: Who = 'admin') =>
    service.call(method, `/api/documents/${path}`, { token: org.users[who].token, ...more })
  const document = async () =>
    (await call('POST', '', { body: { document_name: 'Agreement' } })).body.attach_id as string

  const ada = { key: 'a', name: 'Ada', email: 'ada@signers.test', role: 'signer', order: 1 }
  const box = { page: 1, x: 0.1, y: 0.2, width: 0.3, height: 0.1 }
  const place = { key: 'f', recipient: 'a', kind: 'signature', ...box, label: '', required: true }
  const filled = { field: 'firm', operator: 'filled' }
  const firm = { ...place, key: 'firm', kind: 'checkbox' }
  const vat = { ...place, key: 'vat', kind: 'text', show_if: filled }
  const bob = { ...ada, key: 'b', email: 'bob@signers.test' }
  const prepared = {
    recipients: [ada],
    fields: [place, firm, vat],
    message: 'Please',
    expires: '2040-05-01',
    allow_delegation: true,
    check: 'email_code',
  }
  const at = (id: string) => `${id}/signature/preparation/`
  const ifMatch = (version: number) => ({ headers: { 'if-match': `"${version}"` } })

  test('is there for everybody who may change the document, and goes when it is sent', async () => {
    const id = await document()
    const empty = await call('GET', at(id))
    assert.deepEqual(
      [empty.status, empty.body.version, empty.body.recipients, empty.headers.get('etag')],
      [200, 0, [], '"0"'],
    )
    const first = await call('PUT', at(id), { body: prepared, ...ifMatch(0) })
    assert.equal(first.status, 200, first.text)
    assert.equal(first.body.version, 1)
    const { version, updated_by, ...read } = (await call('GET', at(id), {}, 'manager')).body
    assert.deepEqual(read, prepared)
    assert.equal(version, 1)
    assert.match(updated_by, /^admin of /)
    const body = { recipients: [{ name: 'Ada', email: ada.email }] }
    const sent = await call('POST', `${id}/signature/request/`, { body })
    assert.equal(sent.status, 200, sent.text)
    const gone = (await call('GET', at(id))).body
    assert.deepEqual([gone.version, gone.recipients, gone.message], [2, [], ''])
    const late = await call('PUT', at(id), { body: prepared })
    assert.deepEqual([late.status, late.body.data.to], [409, 'pending'])
    // who has read what was sent does not write over what is prepared after it was withdrawn
    await call('POST', `${id}/signature/void/`, { body: { reason: 'Wrong' } })
    assert.equal((await call('PUT', at(id), { body: prepared, ...ifMatch(1) })).status, 412)
    assert.equal((await call('PUT', at(id), { body: prepared, ...ifMatch(3) })).body.version, 4)
  })

  test('is there again once a request was withdrawn, with its fields and conditions', async () => {
    const id = await document()
    const box = { kind: 'checkbox', page: 1, x: 0.1, y: 0.1, key: 'box' }
    const vat = { kind: 'text', page: 2, x: 0.1, y: 0.2, label: 'VAT', key: 'vat' }
    const body = {
      recipients: [
        { name: 'Ada', email: ada.email, order: 1 },
        {
          name: 'Bob',
          email: 'bob@prepared.test',
          order: 2,
          fields: [box, { ...vat, show_if: { field: 'box', operator: 'filled' } }],
        },
      ],
      sequential: true,
      message: 'Please',
      check: 'email_code',
    }
    const sent = await call('POST', `${id}/signature/request/`, { body })
    assert.equal(sent.status, 200, sent.text)
    await call('POST', `${id}/signature/void/`, { body: {} })
    const again = (await call('GET', at(id))).body
    const [, bob] = again.recipients
    assert.deepEqual(
      [bob.email, bob.order, again.message, again.check],
      ['bob@prepared.test', 2, 'Please', 'email_code'],
    )
    const [first, second] = again.fields
    assert.deepEqual(
      [first.recipient, second.label, second.show_if.field],
      [bob.key, 'VAT', first.key],
    )
    // and can be stored as it was read
    assert.equal((await call('PUT', at(id), { body: again })).status, 200)
  })

  test('is refused to who has read another version, and kept', async () => {
    const id = await document()
    await call('PUT', at(id), { body: prepared, ...ifMatch(0) })
    const other = { ...prepared, message: 'Other' }
    const [one, two] = await Promise.all([
      call('PUT', at(id), { body: other, ...ifMatch(1) }),
      call('PUT', at(id), { body: other, ...ifMatch(1) }, 'manager'),
    ])
    assert.deepEqual([one.status, two.status].toSorted(), [200, 412])
    assert.equal((await call('DELETE', at(id), ifMatch(1))).status, 412)
    assert.equal((await call('DELETE', at(id), ifMatch(2))).body.version, 3)
    assert.equal((await call('GET', at(id))).body.message, '')
  })

  test('names what is wrong with it', async () => {
    const id = await document()
    const wrong: [field: string, body: object][] = [
      ['fields.0.recipient', { fields: [{ ...place, recipient: 'b' }] }],
      ['recipients.1.key', { recipients: [ada, ada] }],
      ['fields.0.x', { fields: [{ ...place, x: 2 }] }],
      ['expires', { expires: 'soon' }],
      ['fields.1.show_if', { fields: [place, { ...vat, show_if: { ...filled, field: 'f' } }] }],
      ['fields.1.show_if', { recipients: [ada, bob], fields: [firm, { ...vat, recipient: 'b' }] }],
    ]
    for (const [field, body] of wrong) {
      const reply = await call('PUT', at(id), { body: { ...prepared, ...body } })
      assert.deepEqual([reply.status, reply.body.errors?.[0].field], [400, field])
    }
  })

  test('goes with its document, and comes back with it', async () => {
    const id = await document()
    await call('PUT', at(id), { body: prepared })
    await call('DELETE', `${id}/`)
    assert.equal((await call('GET', at(id))).status, 404)
    await call('POST', `${id}/restore/`)
    assert.equal((await call('GET', at(id))).body.message, 'Please')
  })

  test('is previewed as each recipient will see it, and nothing is stored there', async () => {
    const made = await call('POST', '', {
      body: {
        document_name: 'Agreement',
        editor_html_content: '<p>Between {{organization.name}} and you</p>',
      },
    })
    const id = made.body.attach_id as string
    const company = { ...place, key: 'c', kind: 'company', prefill: 'Stone Ltd', y: 0.5 }
    const reader = { ...bob, role: 'viewer' }
    const body = { ...prepared, recipients: [ada, reader], fields: [place, company] }
    assert.equal((await call('PUT', at(id), { body })).status, 200)
    const preview = (recipient: string, who?: Who) =>
      call('POST', `${id}/signature/preview/`, { body: { recipient } }, who)
    const linked = await preview('a')
    assert.equal(linked.status, 200, linked.text)
    const { pathname } = new URL(linked.body.url)
    const page = await service.call('GET', pathname)
    assert.equal(page.status, 200, page.text)
    for (const words of ['This is a preview', 'ada@signers.test', 'value="Stone Ltd"', 'Please'])
      assert.ok(page.text.includes(words), words)
    assert.ok(!page.text.includes('{{'))
    const file = await fetch(`${service.url}${pathname}/file`)
    assert.equal(file.headers.get('content-type'), 'application/pdf')
    await file.arrayBuffer()
    const form = { act: 'sign', name: 'Ada', agree: 'yes', 'field.1': 'Stone Ltd' }
    const sent = await postForm(service, pathname, form)
    assert.equal(sent.status, 200)
    assert.match(sent.text, /Nothing that is filled in or pressed here is stored/)
    assert.equal((await postForm(service, `${pathname}/viewed`, {})).status, 204)
    assert.equal((await call('GET', `${id}/`)).body.signature_status, 'none')
    const read = await preview('b')
    const reading = await service.call('GET', new URL(read.body.url).pathname)
    assert.match(reading.text, /This is a preview/)
    assert.doesNotMatch(reading.text, /name="agree"/)

    const nobody = await preview('nobody')
    assert.deepEqual([nobody.status, nobody.body.errors[0].field], [400, 'recipient'])
    assert.equal((await preview('a', 'member')).status, 404)
    assert.equal((await service.call('GET', '/sign/preview/AAAA')).status, 404)
    // with the rights that whoever made the link has now
    await call('DELETE', `${id}/`)
    assert.equal((await service.call('GET', pathname)).status, 404)
  })
})
