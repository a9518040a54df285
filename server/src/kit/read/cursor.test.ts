import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { connectApp } from '../../../test/support/integration.ts'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('pages by cursor', () => {
  let app: ConnectedApp
  const sortKeys: { [module: string]: string[] } = {}
  const lists = [
    { module: 'contacts', path: '/automation/contact', key: 'contact_id' },
    { module: 'companies', path: '/automation/company', key: 'company_id' },
  ]

  before(async () => {
    const service = await startService()
    const org = await makeOrganization(service)
    const { token } = org.users.admin
    app = await connectApp(service, org)
    for (const name of ['A', 'B', 'C']) {
      // one has values, the others nothing but what they need
      const more = name === 'A' ? { primary_email: 'a@acme.test', job_title: 'Engineer' } : {}
      await app.call('POST', '/automation/contact', { body: { full_name: name, ...more } })
      const domain = name === 'A' ? { domain: 'acme.test' } : {}
      await app.call('POST', '/automation/company', { body: { company_name: name, ...domain } })
    }
    for (const { module } of lists) {
      const { body } = await service.call('GET', `/api/modules/${module}/`, { token })
      sortKeys[module] = (body.fields as { name: string; is_sortable: boolean }[])
        .filter(({ is_sortable }) => is_sortable)
        .map(({ name }) => name)
    }
  })

  for (const { module, path, key } of lists) {
    test(`of ${module} have every record once, also those without a value, whatever the sort key`, async () => {
      assert.ok(sortKeys[module]!.length > 20)
      for (const name of sortKeys[module]!) {
        const ascending = await everyPage(`${path}?limit=1&sort=${name}`, key)
        const descending = await everyPage(`${path}?limit=1&sort=-${name}`, key)
        assert.equal(new Set(ascending).size, 3, name)
        assert.deepEqual(descending, ascending.toReversed(), name)
      }
    })
  }

  test('have contacts without an e-mail below all others', async () => {
    const rows = await everyPage('/automation/contact?limit=1&sort=primary_email', 'full_name')
    assert.deepEqual(rows, ['B', 'C', 'A'])
  })

  async function everyPage(path: string, key: string): Promise<string[]> {
    const rows: string[] = []
    let cursor: string | null = null
    do {
      const at: string = cursor ? `&next_cursor=${encodeURIComponent(cursor)}` : ''
      const { status, body, text } = await app.call('GET', path + at)
      assert.equal(status, 200, text)
      rows.push(...body.results.map((row: { [field: string]: string }) => row[key]))
      cursor = body.next_cursor
    } while (cursor)
    return rows
  }
})
