import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { readXlsx } from '../../model/sheets/xlsx.ts'

describe('the file of an export', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    const { token } = org.users.admin
    const send = async (method: string, path: string, body: object) => {
      const reply = await service.call(method, path, { token, body })
      assert.ok(reply.status < 300, reply.text)
    }
    await send('PUT', '/api/organization/settings/', { timezone: 'Europe/Berlin' })
    await send('PUT', '/api/option-sets/contacts/lead_statuses/', {
      options: [{ value: 'hot_one', label: 'Very hot' }],
    })
    await send('POST', '/api/contact/', {
      full_name: '=1+1; "A" <&> _x000D_',
      primary_email: 'a@x.test',
      phone: '+380 44 123 45 67',
      lead_status: 'hot_one',
      lead_score: 8000.5,
      last_activity_date: '2026-07-01T12:00:00.000Z',
      tags: ['x', 'y'],
    })
  })

  async function get(query: string) {
    const reply = await fetch(`${service.url}/api/contact/export/?${query}`, {
      headers: { authorization: `Bearer ${org.users.admin.token}` },
    })
    const bytes = Buffer.from(await reply.arrayBuffer())
    assert.equal(reply.status, 200, bytes.toString())
    return { bytes, headers: reply.headers }
  }

  const fields = 'fields=full_name,phone,lead_status,lead_score,last_activity_date,tags'

  test('is separated, marked, and writes numbers and times as its reader expects them', async () => {
    const plain = (await get(fields)).bytes.toString()
    assert.match(
      plain,
      /\r\n"'=1\+1; ""A"" <&> _x000D_",\+380 44 123 45 67,hot_one,8000.5,2026-07-01T12:00:00.000Z,"?x; y"?\r\n/,
    )
    for (const sep of ['semicolon', '%3B']) {
      const query = `${fields}&sep=${sep}&bom=true&decimal=comma&dates=local`
      const [header, row] = parse((await get(query)).bytes, { bom: true, delimiter: ';' })
      assert.deepEqual(header?.slice(0, 2), ['full_name', 'phone'])
      assert.deepEqual(row?.slice(1), [
        '+380 44 123 45 67',
        'hot_one',
        '8000,5',
        '2026-07-01 14:00:00',
        'x; y',
      ])
    }
    const [tabbed] = parse((await get(`${fields}&sep=tab`)).bytes, { delimiter: '\t' })
    assert.equal(tabbed?.length, 6)
    const wrong = await service.call('GET', `/api/contact/export/?sep=x`, {
      token: org.users.admin.token,
    })
    assert.equal(wrong.status, 400)
    assert.equal(wrong.body.errors[0].field, 'sep')
  })

  test('has labels beside the keys where they are requested', async () => {
    const [header, row] = parse((await get(`${fields}&labels=true`)).bytes)
    const at = header!.indexOf('lead_status.label')
    assert.equal(header![at - 1], 'lead_status')
    assert.deepEqual(row!.slice(at - 1, at + 1), ['hot_one', 'Very hot'])
  })

  test('is a workbook, of which every cell is what it was', async () => {
    const { bytes, headers } = await get(`${fields}&format=xlsx`)
    assert.match(headers.get('content-type')!, /spreadsheetml\.sheet/)
    assert.match(headers.get('content-disposition')!, /contacts-\d{4}-\d\d-\d\d\.xlsx/)
    const folder = await mkdtemp(join(tmpdir(), 'workbook-'))
    try {
      const [path, to] = [join(folder, 'a.xlsx'), join(folder, 'rows')]
      await writeFile(path, bytes)
      const { sheet } = await readXlsx({ path, to, sheet: null })
      assert.equal(sheet, 'contacts')
      const [, , row] = (await readFile(to, 'utf8')).trim().split('\n')
      assert.deepEqual(JSON.parse(row!), [
        2,
        [
          '=1+1; "A" <&> _x000D_',
          '+380 44 123 45 67',
          'hot_one',
          8000.5,
          '2026-07-01T14:00:00',
          'x; y',
        ],
      ])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('of a workbook is imported again as it was', async () => {
    const { bytes } = await get('format=xlsx')
    const form = new FormData()
    form.set('module', 'contacts')
    form.set('on_duplicate', 'update')
    form.set('file', new Blob([bytes]), 'contacts.xlsx')
    const reply = await fetch(`${service.url}/api/imports/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${org.users.admin.token}` },
      body: form,
    })
    const { checked, warnings } = (await reply.json()) as any
    assert.deepEqual(warnings, [])
    assert.deepEqual([checked.updated, checked.failed, checked.cell_errors], [0, 0, 0])
  })
})
