import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { startBeside } from '../../../../test/support/beside.ts'
import type { Reply, TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../../test/support/service.ts'
import { permissionModules } from './permissions.ts'

describe('roles', () => {
  let service: TestService
  let org: TestOrganization
  let admin: string

  before(async () => {
    service = await startService()
  })
  beforeEach(async () => {
    org = await makeOrganization(service)
    admin = org.users.admin.token
  })

  const role = (id: string) => `/api/users/role/${id}/`
  const read = (id: string, token = admin) => service.call('GET', role(id), { token })
  const make = (body: object, token = admin) =>
    service.call('POST', '/api/users/role/', { token, body })
  const put = (id: string, body: object, token = admin) =>
    service.call('PUT', role(id), { token, body })
  const give = async (role_id: string, user_id = org.users.member.user_id) => {
    const path = `/api/users/profile/${user_id}/`
    is(await service.call('PUT', path, { token: admin, body: { role_id } }), 200)
  }
  const is = (reply: Reply, status: number) => assert.equal(reply.status, status, reply.text)

  test('a role shows the specification’s flags and its whole permission', async () => {
    const { status, body } = await read(org.roles.manager)
    assert.equal(status, 200)
    const { permission, creation_time, last_update_time, ...rest } = body
    assert.ok(creation_time && last_update_time)
    assert.deepEqual(rest, {
      role_id: org.roles.manager,
      role_name: 'manager',
      kind: 'manager',
      is_customer_role: false,
      is_admin_role: false,
      is_manager_role: true,
      is_observer_role: false,
      is_user_role: false,
      is_partner_role: false,
      is_organization_admin_role: false,
      is_pre_sales_consultant: false,
      is_system_role: true,
      version: 1,
      can: { update: true, delete: false, restore: false },
    })
    assert.deepEqual(Object.keys(permission).sort(), permissionModules().toSorted())
    const levels = { create: 'all', read: 'all', update: 'all', delete: 'team' }
    assert.deepEqual(permission.companies, levels)
    const { is_admin_role, is_organization_admin_role } = (await read(org.roles.admin)).body
    assert.deepEqual([is_admin_role, is_organization_admin_role], [true, true])
  })

  test('roles are listed as an array, and as options by name', async () => {
    const list = await service.call('GET', '/api/users/role/?include_count=true', { token: admin })
    assert.equal(list.body.length, 6)
    assert.equal(list.headers.get('x-total-count'), '6')
    const options = await service.call('GET', '/api/users/role/option/', { token: admin })
    assert.deepEqual(
      options.body.map(({ role_name }: { role_name: string }) => role_name),
      ['admin', 'customer', 'manager', 'member', 'observer', 'partner'],
    )
    const [first] = options.body
    assert.deepEqual([first.value, first.label], [first.role_id, first.role_name])
    const { token } = org.users.customer
    is(await service.call('GET', '/api/users/role/', { token }), 403)
  })

  test('a new role grants what its permission says and nothing else', async () => {
    const made = await make({ name: 'Reader', permission: { companies: { read: true } } })
    is(made, 201)
    assert.equal(made.headers.get('location'), role(made.body.role_id))
    assert.equal(made.body.is_user_role, true)
    assert.equal(made.body.is_system_role, false)
    const { companies, contacts } = made.body.permission
    assert.deepEqual(companies, { create: 'none', read: 'all', update: 'none', delete: 'none' })
    assert.deepEqual(contacts, { create: 'none', read: 'none', update: 'none', delete: 'none' })
    await give(made.body.role_id)
    const { token } = org.users.member
    const page = '?page=1&items_per_page=5'
    is(await service.call('GET', `/api/company/${page}`, { token }), 200)
    is(await service.call('GET', `/api/contact/${page}`, { token }), 403)
    const body = { company_name: 'X' }
    is(await service.call('POST', '/api/company/', { token, body }), 403)
  })

  test('without a permission a new role takes the defaults of its kind', async () => {
    const made = await make({ role_name: 'Guest', is_observer_role: true })
    is(made, 201)
    assert.equal(made.body.kind, 'observer')
    const { permission } = (await read(org.roles.observer)).body
    assert.deepEqual(made.body.permission, permission)
    const conflicting = await make({ role_name: 'Both', is_customer_role: true, kind: 'partner' })
    is(conflicting, 400)
    assert.equal(conflicting.body.errors[0].field, 'kind')
    is(await make({ role_name: 'Both', is_customer_role: true, kind: 'member' }), 400)
    is(await make({ role_name: 'guest' }), 409)
    is(await make({}), 400)
    is(await make({ role_name: ' ' }), 400)
    is(await make({ role_name: 'K', kind: 'king' }), 400)
  })

  test('PUT and PATCH merge the permission per module and action, booleans as all and none', async () => {
    const { role_id, permission } = (await make({ name: 'Sales', kind: 'member' })).body
    const changed = await put(role_id, {
      name: 'Sellers',
      permission: { companies: { delete: 'team', update: false }, tags: { create: true } },
    })
    is(changed, 200)
    assert.equal(changed.body.role_name, 'Sellers')
    assert.deepEqual(changed.body.permission, {
      ...permission,
      companies: { create: 'all', read: 'all', update: 'none', delete: 'team' },
      tags: { ...permission.tags, create: 'all' },
    })
    const patched = await service.call('PATCH', role(role_id), {
      token: admin,
      body: { is_customer_role: true, is_pre_sales_consultant: true },
    })
    is(patched, 200)
    assert.equal(patched.body.kind, 'customer')
    assert.equal(patched.body.is_user_role, false)
    assert.equal(patched.body.is_pre_sales_consultant, true)
    assert.deepEqual(patched.body.permission, changed.body.permission)
    is(await put(role_id, patched.body), 200)
    const [entry] = await rows(
      service,
      sql`select changes from events where reference_id = ${role_id} order by id offset 1 limit 1`,
    )
    assert.deepEqual(entry.changes.map(({ field }: { field: string }) => field).sort(), [
      'permission',
      'role_name',
    ])
  })

  test('an unknown module, action or level is 400 and named', async () => {
    const wrong: [object, string][] = [
      [{ rockets: { read: 'all' } }, 'permission.rockets'],
      [{ companies: { fly: 'all' } }, 'permission.companies.fly'],
      [{ companies: { read: 'some' } }, 'permission.companies.read'],
      [{ companies: { read: null } }, 'permission.companies.read'],
      [{ companies: { read: 1 } }, 'permission.companies.read'],
      [{ companies: 'all' }, 'permission.companies'],
      [{ constructor_: {} }, 'permission.constructor_'],
    ]
    for (const [permission, field] of wrong) {
      for (const reply of [
        await make({ name: 'X', permission }),
        await put(org.roles.member, { permission }),
      ]) {
        is(reply, 400)
        assert.equal(reply.body.errors[0].field, field)
      }
    }
    is(await make({ name: 'X', permission: 'all' }), 400)
  })

  test('system roles keep name and flags, can get fewer or more rights, and are never deleted', async () => {
    const { body } = await read(org.roles.member)
    is(await put(org.roles.member, body), 200)
    for (const each of [
      { name: 'Staff' },
      { is_customer_role: true },
      { is_user_role: false, kind: 'observer' },
      { is_pre_sales_consultant: true },
    ])
      is(await put(org.roles.member, each), 403)
    const permission = { companies: { create: 'none' } }
    is(await put(org.roles.member, { permission }), 200)
    assert.equal((await read(org.roles.member)).body.permission.companies.create, 'none')
    for (const id of Object.values(org.roles)) {
      is(await service.call('DELETE', role(id), { token: admin }), 403)
    }
  })

  test('admins keep every right', async () => {
    is(await put(org.roles.admin, { permission: { roles: { update: 'none' } } }), 403)
    is(await put(org.roles.admin, { permission: { roles: { update: true } } }), 200)
    is(await make({ name: 'Half', kind: 'admin', permission: { tags: { read: 'own' } } }), 403)
    const made = await make({ name: 'Owner', is_admin_role: true })
    is(made, 201)
    assert.equal(made.body.permission.apps.delete, 'all')
  })

  test('a role in use is 409, an unused one 204 and then gone', async () => {
    const { role_id } = (await make({ name: 'Temp' })).body
    await give(role_id)
    is(await service.call('DELETE', role(role_id), { token: admin }), 409)
    await give(org.roles.member)
    is(await service.call('DELETE', role(role_id), { token: admin }), 204)
    is(await read(role_id), 404)
    is(await put(role_id, { name: 'Back' }), 404)
    const path = `/api/users/profile/${org.users.member.user_id}/`
    is(await service.call('PUT', path, { token: admin, body: { role_id } }), 400)
    is(await make({ name: 'Temp' }), 201)
  })

  test('a role assigned and deleted at once is not left without holders’ rights', async () => {
    for (let round = 0; round < 5; round++) {
      const { role_id } = (await make({ name: `Round ${round}` })).body
      const path = `/api/users/profile/${org.users.member.user_id}/`
      const [assigned, deleted] = await Promise.all([
        service.call('PUT', path, { token: admin, body: { role_id } }),
        service.call('DELETE', role(role_id), { token: admin }),
      ])
      const outcome = [assigned.status, deleted.status]
      const oneWon = outcome.join() === '200,409' || outcome.join() === '400,204'
      assert.ok(oneWon, String(outcome))
      await give(org.roles.member)
    }
  })

  test('nobody grants more than they hold', async () => {
    const { token } = org.users.manager
    is(await make({ name: 'Wide', permission: { companies: { delete: 'all' } } }, token), 403)
    is(await make({ name: 'King', kind: 'admin' }, token), 403)
    const made = await make(
      { name: 'Narrow', permission: { companies: { delete: 'team' } } },
      token,
    )
    is(made, 201)
    const { role_id } = made.body
    is(await put(role_id, { permission: { companies: { delete: 'all' } } }, token), 403)
    is(await put(role_id, { kind: 'admin' }, token), 403)
    is(await put(org.roles.manager, { permission: { tags: { delete: 'all' } } }, token), 403)
    is(await put(org.roles.admin, { permission: {} }, token), 403)
    is(await put(org.roles.member, { permission: { tags: { delete: 'none' } } }, token), 200)
    is(await put(org.roles.member, { permission: {} }, org.users.member.token), 403)
    // what an admin has widened stays, while the manager changes something else
    is(await put(role_id, { permission: { contacts: { delete: 'all' } } }), 200)
    is(await put(role_id, { permission: { tags: { read: true } } }, token), 200)
    assert.equal((await read(role_id)).body.permission.contacts.delete, 'all')
  })

  test('who sees only what they are attached to lets nobody see more', async () => {
    const permission = {
      users: { create: true, update: true },
      roles: { create: true, update: true, read: true },
    }
    const host = (await make({ name: 'Host', kind: 'customer', permission })).body.role_id
    await give(host, org.users.customer.user_id)
    const { token } = org.users.customer
    is(await make({ name: 'Free', permission: { roles: { read: true } } }, token), 403)
    is(
      await make({ name: 'Tied', kind: 'partner', permission: { roles: { read: true } } }, token),
      201,
    )
  })

  test('the last admin cannot lose the rights through the role', async () => {
    const { role_id } = (await make({ name: 'Owner', kind: 'admin' })).body
    await give(role_id)
    const path = `/api/users/profile/${org.users.admin.user_id}/`
    const body = { role_id: org.roles.member }
    is(await service.call('PUT', path, { token: admin, body }), 200)
    const { token } = org.users.member
    is(await put(role_id, { kind: 'member' }, token), 409)
    is(await service.call('PUT', path, { token, body: { role_id: org.roles.admin } }), 200)
    is(await put(role_id, { kind: 'member' }, token), 200)
  })

  test('a change holds at once, in another process within a second', async () => {
    const beside = await startBeside(service)
    const { token } = org.users.member
    const list = '/api/company/?page=1&items_per_page=5'
    const statuses = async () => [
      (await service.call('GET', list, { token })).status,
      (await beside.call('GET', list, { token })).status,
    ]
    assert.deepEqual(await statuses(), [200, 200])
    is(await put(org.roles.member, { permission: { companies: { read: 'none' } } }), 200)
    is(await service.call('GET', list, { token }), 403)
    await until(async () => (await statuses()).join() === '403,403')
    is(await put(org.roles.member, { permission: { companies: { read: true } } }), 200)
    is(await service.call('GET', list, { token }), 200)
    await until(async () => (await statuses()).join() === '200,200')
  })
})

/** Resolves when the condition holds; fails after the second that the contract allows. */
async function until(holds: () => Promise<boolean>) {
  const start = performance.now()
  while (!(await holds())) {
    if (performance.now() - start > 1000) assert.fail('it took more than a second')
  }
}
