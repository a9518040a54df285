import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { changedBy, lacks, pagesOf, plainPdf, told } from '../../../test/support/pdf.ts'
import { pngOf } from '../../../test/support/picture.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('documents joined into one', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: object, who: 'admin' | 'member' = 'admin') =>
    service.call(method, `/api/documents/${path}`, { token: org.users[who].token, body })
  const headers = () => ({ authorization: `Bearer ${org.users.admin.token}` })
  const join = (documents: string[], more: object = {}, who?: 'admin' | 'member') =>
    call('POST', 'join/', { documents, ...more }, who)

  async function uploaded(bytes: Uint8Array, name = 'order.pdf'): Promise<string> {
    const body = new FormData()
    body.append('file', new Blob([new Uint8Array(bytes)]), name)
    const path = `${service.url}/api/documents/`
    const reply = await fetch(path, { method: 'POST', headers: headers(), body })
    return ((await reply.json()) as { attach_id: string }).attach_id
  }
  const written = async (html: string, document_name = 'Terms') =>
    (await call('POST', '', { document_name, editor_html_content: html })).body.attach_id as string

  const signer = { role: 'signer', order: 1 }
  const ada = { ...signer, key: 'a', name: 'Ada', email: 'ada@join.test' }
  const bob = { ...signer, key: 'b', name: 'Bob', email: 'bob@join.test', order: 2 }
  const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.1, label: '', required: true }
  const field = { ...box, key: 'f', kind: 'signature', page: 1 }
  const prepare = (id: string, recipients: object[], fields: object[], message: string) =>
    call('PUT', `${id}/signature/preparation/`, { recipients, fields, message, expires: null })

  test('have the pages of all of them, and what was prepared for each', async () => {
    const order = await uploaded(plainPdf([{}, {}]))
    const terms = await written('<p>All the terms</p>')
    const tick = { ...field, key: 't', kind: 'checkbox', recipient: 'b' }
    const vat = { ...field, key: 'v', kind: 'text', recipient: 'b', y: 0.5 }
    const when = { show_if: { field: 't', operator: 'filled' } }
    await prepare(order, [ada], [{ ...field, recipient: 'a', page: 2 }], 'Please sign')
    const again = { ...ada, key: 'x', email: 'ADA@join.test' }
    const fields = [{ ...field, recipient: 'x' }, tick, { ...vat, ...when }]
    assert.equal((await prepare(terms, [again, bob], fields, 'Please sign')).status, 200)
    const joined = await join([order, terms])
    assert.equal(joined.status, 201, joined.text)
    const { attach_id: id, document_name, document_status, file_type } = joined.body
    assert.deepEqual(
      [document_name, document_status, file_type],
      ['order.pdf + Terms', 'draft', 'application/pdf'],
    )
    const reply = await fetch(`${service.url}/api/documents/${id}/file/`, { headers: headers() })
    const bytes = new Uint8Array(await reply.arrayBuffer())
    assert.equal(await pagesOf(bytes), 3)
    const { body } = await call('GET', `${id}/signature/preparation/`)
    const nameOf = (key: string) =>
      body.recipients.find((each: { key: string }) => each.key === key)?.name
    assert.deepEqual(
      body.fields.map(({ recipient, kind, page }: { [name: string]: string }) =>
        [nameOf(recipient ?? ''), kind, page].join(' '),
      ),
      ['Ada signature 2', 'Ada signature 3', 'Bob checkbox 3', 'Bob text 3'],
    )
    assert.equal(body.fields[3].show_if.field, body.fields[2].key)
    assert.deepEqual([body.recipients.length, body.message], [2, 'Please sign'])
    // those that were joined stay as they are
    assert.equal((await call('GET', `${order}/signature/preparation/`)).body.fields.length, 1)
    if (lacks('pdftotext', 'qpdf')) return
    const { text } = await told('pdftotext', ['in.pdf', '-'], { 'in.pdf': bytes })
    assert.match(text, /Page 2 of the text[^]*All the terms/)
    const checked = await told('qpdf', ['--check', 'in.pdf'], { 'in.pdf': bytes })
    assert.match(checked.text, /No syntax or stream encoding errors/)
  })

  test('ask whoever only reads one of them and signs another to sign', async () => {
    const [order, terms] = [await uploaded(plainPdf([{}])), await uploaded(plainPdf([{}]))]
    const reader = { ...ada, role: 'viewer' }
    assert.equal((await prepare(order, [reader, bob], [], '')).status, 200)
    const again = { ...ada, key: 'x', email: ' ADA@join.test' }
    const second = { ...bob, role: 'viewer' }
    const fields = [{ ...field, recipient: 'x' }]
    assert.equal((await prepare(terms, [again, second], fields, '')).status, 200)
    const joined = await join([order, terms])
    assert.equal(joined.status, 201, joined.text)
    const { body } = await call('GET', `${joined.body.attach_id}/signature/preparation/`)
    const roles = body.recipients.map(({ email, role }: { [name: string]: string }) => [
      email,
      role,
    ])
    assert.deepEqual(roles, [
      [ada.email, 'signer'],
      [bob.email, 'signer'],
    ])
  })

  test('are refused with more recipients together than one request may have', async () => {
    const [order, terms] = [await uploaded(plainPdf([{}])), await uploaded(plainPdf([{}]))]
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => ({
        ...ada,
        key: `k${i}`,
        email: `p${from + i}@join.test`,
      }))
    assert.equal((await prepare(order, many(0, 50), [], '')).status, 200)
    assert.equal((await prepare(terms, many(1, 50), [], '')).status, 200)
    const refused = await join([order, terms])
    assert.deepEqual([refused.status, refused.body.errors?.[0].field], [400, 'documents'])
    assert.match(refused.body.errors[0].message, /51 recipients/)
    assert.equal((await prepare(terms, many(1, 49), [], '')).status, 200)
    assert.equal((await join([order, terms])).status, 201)
  })

  test('are refused by name where something of them would be lost', async () => {
    const order = await uploaded(plainPdf([{}]))
    const picture = await uploaded(pngOf(10, 10), 'plan.png')
    const empty = await written('<p>{{account.account_name}}</p>')
    const signed = await uploaded(plainPdf([{ content: '% /ByteRange' }]))
    const reusable = (await call('POST', `${order}/reusable/`, {})).body.attach_id as string
    const hidden = (await call('POST', '', { document_name: 'Hidden', is_private: true })).body
    const wrong: [string[], RegExp][] = [
      [[order, order], /^repeats documents\.0/],
      [[order, 'nowhere'], /^is no document/],
      [[order, reusable], /^is reusable/],
      [[order, picture], /^has no pages/],
      [[order, empty], /account\.account_name/],
      [[order, signed], /signatures/],
    ]
    if (!lacks('qpdf')) {
      const args = ['--encrypt', '', 'owner', '256', '--', 'in.pdf', 'out.pdf']
      wrong.push([
        [order, await uploaded(await changedBy('qpdf', args, plainPdf([{}])))],
        /encrypt/,
      ])
    }
    for (const [ids, why] of wrong) {
      const refused = await join(ids)
      assert.equal(refused.status, 400, refused.text)
      assert.equal(refused.body.errors[0].field, 'documents.1')
      assert.match(refused.body.errors[0].message, why)
    }
    assert.equal((await join([order])).status, 400)
    const foreign = await join([order, hidden.attach_id], {}, 'member')
    assert.deepEqual(
      foreign.body.errors.map(({ field: name }: { field: string }) => name),
      ['documents.0', 'documents.1'],
    )
  })
})
