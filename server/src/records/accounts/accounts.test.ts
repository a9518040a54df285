import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('accounts', () => {
  let service: TestService
  let org: TestOrganization
  const base = '/api/account/info/'
  const call = (method: string, path: string, body?: unknown, role: 'admin' | 'member' = 'admin') =>
    service.call(method, path, { token: org.users[role].token, body })
  const make = async (body: object) => {
    const reply = await call('POST', base, body)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  test('take the owner by name, and an empty form as nobody', async () => {
    const { user_id } = org.users.manager
    const { full_name } = (await call('GET', `/api/users/profile/${user_id}/`)).body
    const made = await make({ name: 'A', account_owner: { name: full_name.toUpperCase(), id: '' } })
    assert.equal(made.account_owner.user_id, user_id)
    // an id goes before the name, and one of nobody is not passed over
    const wrong = { name: 'B', account_owner: { name: full_name, id: 'nobody' } }
    assert.equal((await call('POST', base, wrong)).status, 400)
    assert.equal((await call('POST', base, { ...wrong, account_owner: { name: 'X' } })).status, 400)
    const path = `${base}${made.account_id}/`
    const same = await call('PUT', path, { link_projects: null })
    assert.equal(same.body.account_owner.user_id, user_id)
    const none = await call('PUT', path, { account_owner: { name: '', id: '' } })
    assert.equal(none.body.account_owner, null)
  })

  test('take the customer as project create does, and make the contact once', async () => {
    const company = await call('POST', '/api/company/', { company_name: 'Customer' })
    const company_id = company.headers.get('x-record-id')
    const customer = { full_name: 'Carla', email: 'carla@customer.test', phone: '1', user_id: '' }
    const made = await make({ name: 'C', company_id, customer, logo: [] })
    assert.equal(made.customer.full_name, 'Carla')
    const contact = (await call('GET', `/api/contact/${made.customer.contact_id}/`)).body
    assert.deepEqual([contact.phone, contact.company.company_id], ['1', company_id])
    const again = await make({ name: 'D', customer })
    assert.equal(again.customer.contact_id, made.customer.contact_id)
    const path = `${base}${made.account_id}/`
    const round = await call('PUT', path, made)
    assert.deepEqual([round.status, round.body], [200, made])
    const empty = { full_name: '', email: '', phone: '', user_id: '' }
    assert.equal((await call('PUT', path, { customer: empty })).body.customer, null)
    const bad = await call('PUT', path, { customer: { email: 5 } })
    assert.deepEqual([bad.status, bad.body.errors[0].field], [400, 'customer.email'])
    // whoever may not change the account makes nobody for it
    const other = { customer: { full_name: 'Eve', email: 'eve@customer.test' } }
    assert.equal((await call('PUT', path, other, 'member')).status, 403)
    const found = await call('GET', '/api/contact/?page=1&items_per_page=5&q=eve@customer.test')
    assert.deepEqual(found.body, [])
  })

  test('have the deals of their company, also those that come at the same moment', async () => {
    for (let i = 0; i < 8; i++) {
      const company = await call('POST', '/api/company/', { company_name: `At once ${i}` })
      const company_id = company.headers.get('x-record-id')
      const moved = await make({ name: 'Moved' })
      const deal = { project_name: 'D', project_type: 'deal', company_id }
      const create = () => call('POST', '/api/project/info/', deal)
      const early = [create(), create()]
      const linked =
        i % 2 === 0
          ? call('POST', base, { name: 'New', company_id })
          : call('PUT', `${base}${moved.account_id}/`, { company_id })
      const deals = await Promise.all([...early, create(), create()])
      const { account_id } = (await linked).body
      for (const { headers } of deals) {
        const { body } = await call('GET', `/api/project/info/${headers.get('x-record-id')}/`)
        assert.equal(body.account_id, account_id)
      }
    }
  })

  test('list of their projects those that the caller sees', async () => {
    const { account_id } = await make({ name: 'P' })
    const project = async (body: object) => {
      const made = await call('POST', '/api/project/info/', { account_id, ...body })
      assert.equal(made.status, 201, made.text)
      return made.headers.get('x-record-id')
    }
    const open = await project({ project_name: 'Open' })
    const hidden = await project({ project_name: 'Hidden', visible_to_all: false })
    for (const [role, seen] of [
      ['admin', [open, hidden]],
      ['member', [open]],
    ] as const) {
      const { body } = await call('GET', `${base}${account_id}/`, undefined, role)
      assert.deepEqual(
        body.linked_projects.map((each: any) => each.project_id),
        seen,
      )
    }
  })

  test('list their activities page by page, also where many of them are hidden', async () => {
    const { account_id } = await make({ name: 'Busy' })
    const body = { account_id, project_name: 'Hidden', visible_to_all: false }
    const project = (await call('POST', '/api/project/info/', body)).headers.get('x-record-id')
    for (const description of ['1', '2', '3', '4']) {
      await call('PUT', `/api/project/info/${project}/`, { description })
    }
    const titles = []
    let cursor = ''
    do {
      const path = `${base}more-activities/?account_id=${account_id}&limit=2${cursor}`
      const page = await call('GET', path, undefined, 'member')
      assert.equal(page.status, 200, page.text)
      titles.push(...page.body.results.map((each: any) => each.title))
      cursor = page.body.next_cursor && `&cursor=${page.body.next_cursor}`
    } while (cursor)
    assert.deepEqual(titles, ['Account created'])
    for (const name of ['cursor', 'next_cursor']) {
      refusedField(await call('GET', `${base}more-activities/?${name}=A`), [name])
    }
    const every = await call('GET', `${base}more-activities/?limit=500`)
    assert.ok(every.body.results.some((each: any) => each.reference_id === account_id))
    assert.ok(every.body.results.every((each: any) => each.module_id === 8))
  })
})
