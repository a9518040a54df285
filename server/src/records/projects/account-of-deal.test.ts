import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

// A deal that is won has an account: its own, that of its company, or one made then, which goes when the deal is open
// again and nobody has done anything with it.

describe('the account of a won deal', () => {
  let service: TestService
  let org: TestOrganization
  let names = 0

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  type Role = keyof TestOrganization['users']
  const call = async (method: string, path: string, body?: object, role: Role = 'admin') => {
    const reply = await service.call(method, path, { token: org.users[role].token, body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return { ...reply.body, id: reply.headers.get('x-record-id') ?? '' }
  }
  const company = async () =>
    (await call('POST', '/api/company/', { company_name: `Clairval ${++names}` })).id
  const deal = async (company_id: string | null, more: object = {}, role?: Role) => {
    const body = { project_name: 'Contract', project_type: 'deal', company_id, ...more }
    return (await call('POST', '/api/project/info/', body, role)).id
  }
  const move = (id: string, stage_id: string, role?: Role) =>
    call('PUT', `/api/project/info/${id}/`, { stage_id }, role)
  const accountOf = async (id: string): Promise<string | null> =>
    (await call('GET', `/api/project/info/${id}/`)).account_id ?? null
  const accountsOf = async (company_id: string): Promise<string[]> => {
    const filter = JSON.stringify([{ field: 'company_id', operator: 'eq', value: company_id }])
    const { token } = org.users.admin
    const path = `/api/account/info/?${new URLSearchParams({ page: '1', items_per_page: '50', filter })}`
    const { body } = await service.call('GET', path, { token })
    return body.map((each: { account_id: string }) => each.account_id)
  }

  test('is made with the name and owner, announced, and goes when the deal is open again', async () => {
    const { user_id } = org.users.member
    const of = await company()
    const id = await deal(of, { project_owner: user_id })
    assert.equal(await accountOf(id), null)
    await move(id, 'closed_won')
    const made = await accountOf(id)
    const account = await call('GET', `/api/account/info/${made}/`)
    assert.equal(account.account_name, `Clairval ${names}`)
    assert.equal(account.account_owner.user_id, user_id)
    assert.ok(!('won_with' in account))
    await move(id, 'negotiation')
    assert.deepEqual([await accountOf(id), await accountsOf(of)], [null, []])
    await move(id, 'closed_won')
    assert.deepEqual(await accountsOf(of), [await accountOf(id)])
  })

  test('is the one that the deal or its company has', async () => {
    const of = await company()
    const body = { account_name: 'Theirs', company_id: of }
    const { id: theirs } = await call('POST', '/api/account/info/', body)
    const id = await deal(of)
    await move(id, 'closed_won')
    assert.deepEqual([await accountOf(id), await accountsOf(of)], [theirs, [theirs]])
    await move(id, 'negotiation')
    assert.deepEqual(await accountsOf(of), [theirs])
    const { id: chosen } = await call('POST', '/api/account/info/', { account_name: 'Chosen' })
    const other = await company()
    const apart = await deal(other, { account_id: chosen })
    await move(apart, 'closed_won')
    assert.deepEqual([await accountOf(apart), await accountsOf(other)], [chosen, []])
    const without = await deal(null)
    await move(without, 'closed_won')
    assert.equal(await accountOf(without), null)
  })

  test('is one, however many deals of a company are won at once', async () => {
    const of = await company()
    const deals = await Promise.all(Array.from({ length: 6 }, () => deal(of)))
    await Promise.all(deals.map((id) => move(id, 'closed_won')))
    const accounts = await accountsOf(of)
    assert.equal(accounts.length, 1)
    assert.deepEqual(
      await Promise.all(deals.map(accountOf)),
      deals.map(() => accounts[0]),
    )
    assert.deepEqual(await accountsOf(await company()), [])
  })

  test('is made by a role that may not make accounts, and stays once somebody worked with it', async () => {
    const permission = { accounts: { create: 'none', delete: 'none' } }
    await call('PUT', `/api/users/role/${org.roles.member}/`, { permission })
    const of = await company()
    const id = await deal(of, {}, 'member')
    await move(id, 'closed_won', 'member')
    const made = await accountOf(id)
    assert.ok(made)
    await call('POST', '/api/tasks/', { title: 'Welcome them', account_id: made })
    await move(id, 'negotiation', 'member')
    assert.deepEqual(await accountsOf(of), [made])
    const changed = await company()
    const second = await deal(changed, {}, 'member')
    await move(second, 'closed_won', 'member')
    const [account] = await accountsOf(changed)
    await call('PUT', `/api/account/info/${account}/`, { segment: 'Mid-market' })
    await move(second, 'negotiation', 'member')
    assert.deepEqual(await accountsOf(changed), [account])
  })

  test('is that of the project that the deal becomes, and of a deal that begins as won', async () => {
    const of = await company()
    const id = await deal(of, { stage_id: 'closed_won' })
    const made = await accountOf(id)
    assert.ok(made)
    const { id: project } = await call('POST', `/api/project/info/${id}/convert/`, {})
    assert.equal(await accountOf(project), made)
    // now a project belongs to it
    await move(id, 'negotiation')
    assert.deepEqual(await accountsOf(of), [made])
  })

  test('is that of the company that the deal gets with the stage, and none where one is chosen', async () => {
    const [before, after] = [await company(), await company()]
    const id = await deal(before)
    const moved = await call('PUT', `/api/project/info/${id}/`, {
      stage_id: 'closed_won',
      company_id: after,
    })
    const [made] = await accountsOf(after)
    assert.deepEqual([await accountsOf(before), moved.account_id], [[], made])
    assert.equal(await accountOf(id), made)
    const { id: chosen } = await call('POST', '/api/account/info/', { account_name: 'Chosen too' })
    const second = await deal(before)
    await call('PUT', `/api/project/info/${second}/`, {
      stage_id: 'closed_won',
      account_id: chosen,
    })
    assert.deepEqual([await accountOf(second), await accountsOf(before)], [chosen, []])
  })

  test('stays for another deal of the company that is won, and goes with the last one', async () => {
    const of = await company()
    const [first, second] = [await deal(of), await deal(of)]
    await move(first, 'closed_won')
    await move(second, 'closed_won')
    const made = await accountOf(first)
    await move(first, 'negotiation')
    assert.deepEqual([await accountsOf(of), await accountOf(second)], [[made], made])
    await move(second, 'negotiation')
    assert.deepEqual(await accountsOf(of), [])
  })

  test('is one for deals that are created as won at once', async () => {
    const of = await company()
    const deals = await Promise.all(
      Array.from({ length: 4 }, () => deal(of, { stage_id: 'closed_won' })),
    )
    const accounts = await accountsOf(of)
    assert.equal(accounts.length, 1)
    assert.deepEqual(
      await Promise.all(deals.map(accountOf)),
      deals.map(() => accounts[0]),
    )
  })

  test('is made by a real conversion only, of a deal that was won elsewhere and has none', async () => {
    const template_config = { stages: [{ name: 'Start', tasks: [{ title: 'Meet' }] }] }
    const { id: template } = await call('POST', '/api/templates/template/', {
      template_name: 'Start',
      template_type: 'project',
      template_config,
    })
    const wonWithout = async () => {
      const of = await company()
      const id = await deal(of, { stage_id: 'closed_won' })
      await call('DELETE', `/api/account/info/${await accountOf(id)}/`)
      assert.equal(await accountOf(id), null)
      return { of, id }
    }
    const use = (deal_id: string, dry_run: boolean) =>
      call('POST', `/api/templates/template/${template}/use/`, { deal_id, dry_run })
    const used = await wonWithout()
    await use(used.id, true)
    assert.deepEqual(await accountsOf(used.of), [])
    const { project_id } = await use(used.id, false)
    const [made] = await accountsOf(used.of)
    assert.ok(made)
    assert.deepEqual([await accountOf(used.id), await accountOf(project_id)], [made, made])
    const converted = await wonWithout()
    const { id: project } = await call('POST', `/api/project/info/${converted.id}/convert/`, {})
    const [other] = await accountsOf(converted.of)
    assert.ok(other)
    assert.equal(await accountOf(project), other)
  })

  test('is made whatever is required of accounts', async () => {
    const tier = { key: 'tier', label: 'Tier', type: 'text', required: true }
    await call('PUT', '/api/organization/settings/fields/accounts/', [tier])
    const of = await company()
    const id = await deal(of)
    await move(id, 'closed_won')
    assert.deepEqual(await accountsOf(of), [await accountOf(id)])
    const other = await company()
    const won = await deal(other, { stage_id: 'closed_won' })
    assert.deepEqual(await accountsOf(other), [await accountOf(won)])
  })
})
