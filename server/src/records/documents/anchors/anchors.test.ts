import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { plainPdf } from '../../../../test/support/pdf.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'

const line = (x: number, y: number, text: string) => `BT /F1 12 Tf ${x} ${y} Td (${text}) Tj ET`

describe('fields at a text', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  type Who = 'admin' | 'customer'
  const call = (method: string, path: string, body?: object, who: Who = 'admin') =>
    service.call(method, path, { token: org.users[who].token, ...(body ? { body } : {}) })

  async function document(pages: Parameters<typeof plainPdf>[0]): Promise<string> {
    const body = new FormData()
    body.append('document_name', 'Contract')
    body.append('file', new Blob([plainPdf(pages)]), 'contract.pdf')
    const headers = { authorization: `Bearer ${org.users.admin.token}` }
    const reply = await fetch(`${service.url}/api/documents/`, { method: 'POST', body, headers })
    return ((await reply.json()) as { attach_id: string }).attach_id
  }

  const locate = (id: string, text: string, who: Who = 'admin') =>
    call('POST', `/api/documents/${id}/signature/locate/`, { text }, who)
  type Place = { page: number; x: number; y: number; width: number; height: number }

  test('are found on each page as it is seen, whatever the case and the spaces', async () => {
    const id = await document([
      { content: `${line(59.5, 84.2, 'For us: Signature:')} ${line(59.5, 421, 'SIGNATURE:')}` },
      { content: line(100, 700, 'Nothing here') },
      // the upper left corner of what is seen of a turned, cropped page
      { crop: '100 100 500 700', rotate: 90, content: line(100, 100, 'signature:') },
    ])
    const { status, body, text } = await locate(id, ' Signature: ')
    assert.equal(status, 200, text)
    const near = body.places.map(({ page, x, y }: Place) => [page, x.toFixed(1), y.toFixed(1)])
    assert.deepEqual(near[0], [1, '0.1', '0.5'])
    assert.equal(near[1][0], 1)
    assert.equal(near[1][2], '0.9')
    assert.equal(near[2][0], 3)
    assert.ok(Math.abs(near[2][1]) < 0.05 && Math.abs(near[2][2]) < 0.05, near[2])
    const turned = body.places[2]
    assert.ok(
      turned.height * 400 > turned.width * 600,
      'it stands upright on a page that is turned',
    )

    assert.equal((await locate(id, 'for   us: signature:')).body.places.length, 1)
    const absent = await locate(id, 'Unterschrift')
    assert.deepEqual(
      [absent.status, absent.body.errors[0]],
      [400, { field: 'text', message: '“Unterschrift” does not stand in the file' }],
    )
    assert.equal((await locate(id, 'a.b|(')).status, 400)
    assert.equal((await locate(id, 'Signature:', 'customer')).status, 404)
    const plain = await call('POST', '/api/documents/', { document_name: 'Text' })
    assert.equal((await locate(plain.body.attach_id, 'Text')).status, 404)
    const fields = [{ kind: 'signature', anchor: { text: 'constructor' } }]
    const asked = await call('POST', `/api/documents/${plain.body.attach_id}/signature/request/`, {
      recipients: [{ email: 'ada@signers.test', fields }],
    })
    assert.deepEqual(
      [asked.status, asked.body.errors?.[0].field],
      [400, 'recipients.0.fields.0.anchor'],
    )
  })

  test('are placed beside it once or at each place when they are asked for', async () => {
    const content = (y: number) => line(59.5, y, 'Signature:')
    const id = await document([{ content: content(421) }, { content: content(210.5) }])
    const ask = (anchor: object, more: object = {}) =>
      call('POST', `/api/documents/${id}/signature/request/`, {
        recipients: [
          {
            email: 'ada@signers.test',
            fields: [
              { kind: 'signature', width: 0.3, height: 0.04, anchor },
              ...[more].filter((each) => 'kind' in each),
            ],
          },
        ],
      })
    const wrong = await ask({ text: 'Not there' }, { kind: 'date', page: 1, x: 0.1 })
    assert.equal(wrong.status, 400)
    assert.deepEqual(
      wrong.body.errors.map(({ field }: { field: string }) => field),
      ['recipients.0.fields.0.anchor', 'recipients.0.fields.1.y'],
    )
    const sent = await ask({ text: 'signature:', at: 'all', dy: 0.1 })
    assert.equal(sent.status, 200, sent.text)
    const fields: Place[] = sent.body.signature_recipients[0].fields
    const [first] = (await locate(id, 'Signature:')).body.places as Place[]
    assert.ok(first)
    assert.deepEqual(
      fields.map(({ page }) => page),
      [1, 2],
    )
    assert.equal(Math.abs((fields[0]?.x ?? 0) - (first.x + first.width + 0.0095)) < 0.001, true)
    assert.equal(fields[0]?.y.toFixed(2), (first.y + first.height / 2 - 0.024 + 0.1).toFixed(2))
    assert.equal('anchor' in (fields[0] ?? {}), false)
    await call('POST', `/api/documents/${id}/signature/void/`, {})
    const once = await ask({ text: 'Signature:' })
    assert.equal(once.body.signature_recipients[0].fields.length, 1)
  })
})
