import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { connectApp } from '../../../test/support/integration.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('conditions on a link', () => {
  let service: TestService
  let org: TestOrganization
  let token: string
  let app: ConnectedApp
  let acme: string
  let gone: string
  let goneAccount: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
    app = await connectApp(service, org)
    acme = await make('/api/company/', { company_name: 'Acme' })
    gone = await make('/api/company/', { company_name: 'Gone' })
    await make('/api/contact/', { full_name: 'A', company: acme })
    await make('/api/contact/', { full_name: 'B', company: gone })
    await make('/api/contact/', { full_name: 'C' })
    const account = await make('/api/account/info/', { account_name: 'Acme' })
    goneAccount = await make('/api/account/info/', { account_name: 'Gone' })
    await make('/api/tasks/', { title: 'A', account_id: account })
    await make('/api/tasks/', { title: 'B', account_id: goneAccount })
    await make('/api/tasks/', { title: 'C' })
    await ask('DELETE', `/api/company/${gone}/`)
    await ask('DELETE', `/api/account/info/${goneAccount}/`)
  })

  test('have it empty where the record behind it was deleted, as groups and the list itself', async () => {
    const { body } = await ask('GET', '/api/contact/?page=1&items_per_page=9&sort=full_name')
    assert.deepEqual(
      body.map(({ company }: { company: object | null }) => company !== null),
      [true, false, false],
    )
    assert.equal(await contacts('is_empty'), 'BC')
    assert.equal(await contacts('is_not_empty'), 'A')
    assert.equal(await contacts('eq', acme), 'A')
    assert.equal(await contacts('in', [acme, gone]), 'A')
    assert.equal(await contacts('neq', acme), 'BC')
    assert.deepEqual(await sizes('/api/contact/groups/?by=company'), { [acme]: 1, null: 2 })
  })

  test('have a plain id empty too, though it is shown and found until the record is removed', async () => {
    const tasks = (operator: string, value?: unknown) =>
      matching('/api/tasks/', 'title', { field: 'account_id', operator, value })
    assert.equal(await tasks('is_empty'), 'BC')
    assert.equal(await tasks('is_not_empty'), 'A')
    assert.equal(await tasks('eq', goneAccount), 'B')
    assert.equal((await sizes('/api/tasks/groups/?by=account_id')).null, 2)
  })

  test('hold what is shown to an app that sees the id and the name alone', async () => {
    const narrow = await connectApp(service, org, { scopes: ['contact.read'] })
    for (const each of [app, narrow]) {
      const found = async (operator: string, value?: unknown) => {
        const filter = JSON.stringify([{ field: 'company', operator, value }])
        const query = { filter, sort: 'full_name' }
        const { body } = await each.call('GET', '/automation/contact', { query })
        return names(body.results, 'full_name')
      }
      assert.equal(await found('is_empty'), 'BC')
      assert.equal(await found('is_not_empty'), 'A')
      assert.equal(await found('eq', acme), 'A')
      assert.equal(await found('in', [acme]), 'A')
      assert.equal(await found('neq', acme), 'BC')
    }
  })

  async function ask(method: string, path: string, body?: unknown) {
    const reply = await service.call(method, path, { token, body })
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }

  async function make(path: string, body: object): Promise<string> {
    const { headers, body: made } = await ask('POST', path, body)
    return headers.get('x-record-id') ?? made.account_id ?? made.item_id
  }

  function names(rows: { [field: string]: string }[], field: string): string {
    return rows.map((row) => row[field]).join('')
  }

  async function matching(path: string, title: string, condition: object): Promise<string> {
    const filter = encodeURIComponent(JSON.stringify([condition]))
    const query = `?page=1&items_per_page=9&sort=${title}&filter=${filter}`
    return names((await ask('GET', path + query)).body, title)
  }

  function contacts(operator: string, value?: unknown): Promise<string> {
    return matching('/api/contact/', 'full_name', { field: 'company', operator, value })
  }

  async function sizes(path: string): Promise<{ [value: string]: number }> {
    const { groups } = (await ask('GET', path)).body
    return Object.fromEntries(
      groups.map(({ value, count }: { value: string | null; count: number }) => [value, count]),
    )
  }
})
