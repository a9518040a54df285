import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Reply, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import type { RoleKind } from '../../model/users/roles/permissions.ts'

const base = '/api/filters/filter/'

import { recordsByModule } from '../../model/by-module.ts'

describe('saved filters', () => {
  let service: TestService
  let org: TestOrganization

  const call = (method: string, path: string, kind: RoleKind = 'admin', body?: unknown) =>
    service.call(method, path, { token: org.users[kind].token, body })
  const is = (reply: Reply, status: number) => assert.equal(reply.status, status, reply.text)
  const save = async (body: object, kind: RoleKind = 'admin') => {
    const reply = await call('POST', base, kind, { name: 'x', module: 'companies', ...body })
    is(reply, 201)
    return reply.body
  }
  const names = ({ body }: Reply) => body.map((each: any) => each.company_name)

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    for (const [company_name, industry] of [
      ['Alpha', 'Retail'],
      ['Beta', 'Space'],
      ['Gamma', 'Retail'],
    ]) {
      is(await call('POST', '/api/company/', 'admin', { company_name, industry }), 200)
    }
  })

  const retail = [{ field: 'industry', operator: 'eq', value: 'Retail' }]

  test('a filter is saved, read, changed, listed, deleted and restored', async () => {
    const body = {
      name: 'Retailers',
      module: 4,
      conditions: retail,
      columns: ['company_name', 'custom_fields.tier'],
      sort: '-company_name',
      visibility: 'public',
    }
    const made = await call('POST', base, 'admin', body)
    is(made, 201)
    const { filter_id, created_by, creation_time, last_update_time, version, ...rest } = made.body
    assert.equal(version, 1)
    assert.equal(created_by.user_id, org.users.admin.user_id)
    assert.ok(creation_time && last_update_time)
    assert.deepEqual(rest, {
      ...body,
      module: 'companies',
      is_default: false,
      layout: 'table',
      group_by: null,
      column_widths: {},
      report: null,
      density: null,
      is_favourite: false,
      position: null,
    })
    const path = `${base}${filter_id}/`
    const can = { update: true, delete: true, restore: true }
    assert.deepEqual((await call('GET', path)).body, { ...made.body, can })
    const changed = await call('PUT', path, 'admin', { name: 'Shops', sort: null })
    is(changed, 200)
    assert.deepEqual([changed.body.name, changed.body.sort], ['Shops', null])
    assert.deepEqual(changed.body.conditions, retail)
    const list = await call('GET', `${base}?module=companies`)
    assert.ok(list.body.some((each: any) => each.filter_id === filter_id))
    assert.deepEqual((await call('GET', `${base}?module=99`)).status, 400)
    assert.deepEqual((await call('GET', `${base}?module=contacts`)).body, [])
    is(await call('DELETE', path), 204)
    is(await call('GET', path), 404)
    is(await call('POST', `${path}restore/`), 200)
  })

  test('stores a report, and refuses one that the list would refuse', async () => {
    const report = { by: 'industry', then: 'creation_time', then_unit: 'quarter', chart: 'lines' }
    const measures = 'count,distinct:domain'
    const saved = await save({ layout: 'report', report: { ...report, measures } })
    assert.equal(saved.layout, 'report')
    for (const [name, value] of Object.entries({ ...report, measures }))
      assert.equal(saved.report[name], value)
    const path = `${base}${saved.filter_id}/`
    is(await call('PUT', path, 'admin', saved), 200)
    for (const [wrong, field] of [
      [{ by: 'nothing' }, 'report.by'],
      [{ by: 'industry', unit: 'month' }, 'report.unit'],
      [{ by: 'industry', unit: 'age' }, 'report.unit'],
      [{ by: 'industry', then: 'nothing' }, 'report.then'],
      [{ by: 'industry', measures: 'sum:domain' }, 'report.measures'],
      [{ by: 'industry', chart: 'cake' }, 'report.chart'],
    ] as const) {
      const reply = await call('PUT', path, 'admin', { report: wrong })
      assert.equal(reply.status, 400, field)
      assert.match(reply.text, new RegExp(field.replace('.', '\\.')))
    }
  })

  test('stores how the list is shown, and accepts what a read returned', async () => {
    const view = {
      layout: 'board',
      group_by: 'industry',
      column_widths: { company_name: 240, 'custom_fields.tier': 120 },
      density: 'compact',
      is_favourite: true,
      position: 3,
    }
    const saved = await save(view)
    const shown = Object.fromEntries(Object.keys(view).map((name) => [name, saved[name]]))
    assert.deepEqual(shown, view)
    const path = `${base}${saved.filter_id}/`
    is(await call('PUT', path, 'admin', { ...saved, version: 1, position: 4 }), 200)
    const cleared = await call('PUT', path, 'admin', {
      group_by: null,
      density: null,
      position: null,
    })
    assert.deepEqual(
      [cleared.body.group_by, cleared.body.density, cleared.body.position],
      [null, null, null],
    )
    const unknown = await call('PUT', path, 'admin', { is_favorite: true })
    is(unknown, 400)
    assert.match(unknown.body.errors[0].message, /did you mean is_favourite/)
  })

  test('names what is wrong in it, as the list would', async () => {
    const { filter_id } = await save({ conditions: retail })
    for (const [body, field] of [
      [{ module: 'nope' }, 'module'],
      [{ module: true }, 'module'],
      [{ conditions: 'x' }, 'conditions'],
      [{ conditions: [5] }, 'conditions.0'],
      [{ conditions: [{ field: 'nope', operator: 'eq', value: 1 }] }, 'conditions'],
      [{ conditions: [{ field: 'industry', operator: 'nope', value: 1 }] }, 'conditions'],
      [{ conditions: [{ field: 'estimated_arr', operator: 'gt', value: 'x' }] }, 'conditions'],
      [{ conditions: [{ and: [] }] }, 'conditions'],
      [{ columns: ['nope'] }, 'columns'],
      [{ sort: 'nope' }, 'sort'],
      [{ visibility: 'secret' }, 'visibility'],
      [{ is_default: 'yes' }, 'is_default'],
      [{ name: ' ' }, 'name'],
      [{ layout: 'list' }, 'layout'],
      [{ group_by: 'nope' }, 'group_by'],
      [{ column_widths: { nope: 100 } }, 'column_widths'],
      [{ column_widths: { industry: 'wide' } }, 'column_widths.industry'],
      [{ column_widths: { industry: 1 } }, 'column_widths.industry'],
      [{ density: 'airy' }, 'density'],
      [{ is_favourite: 'yes' }, 'is_favourite'],
      [{ position: -1 }, 'position'],
      [{ groupBy: 'industry' }, 'groupBy'],
    ] as const) {
      for (const reply of [
        await call('POST', base, 'admin', { name: 'x', module: 'companies', ...body }),
        await call('PUT', `${base}${filter_id}/`, 'admin', body),
      ]) {
        is(reply, 400)
        assert.equal(reply.body.errors[0].field, field, JSON.stringify(body))
      }
    }
    const unknown = { conditions: [{ field: 'nope', operator: 'eq', value: 1 }] }
    const { body } = await call('POST', base, 'admin', { name: 'x', module: 'tags', ...unknown })
    assert.match(body.message, /unknown field "nope"; allowed: .*tag_name/)
    // the stored conditions must fit the new module
    const moved = await call('PUT', `${base}${filter_id}/`, 'admin', { module: 'tags' })
    is(moved, 400)
    assert.equal(moved.body.errors[0].field, 'conditions')
  })

  test('applies to a list, with its sort where none is requested', async () => {
    const { filter_id } = await save({ conditions: retail, sort: '-company_name' })
    const list = (query = '') =>
      call('GET', `/api/company/?page=1&items_per_page=5&filter_id=${filter_id}${query}`)
    assert.deepEqual(names(await list()), ['Gamma', 'Alpha'])
    assert.deepEqual(names(await list('&reverse=true')), ['Alpha', 'Gamma'])
    assert.deepEqual(names(await list('&sort=company_name')), ['Alpha', 'Gamma'])
    const counted = await list('&include_count=true')
    assert.equal(counted.headers.get('x-total-count'), '2')
    const more = JSON.stringify([{ field: 'company_name', operator: 'neq', value: 'Alpha' }])
    assert.deepEqual(names(await list(`&filter=${encodeURIComponent(more)}`)), ['Gamma'])
    assert.deepEqual(names(await list('&q=alph')), ['Alpha'])
    const elsewhere = await call('GET', `/api/tags/info/?filter_id=${filter_id}`)
    is(elsewhere, 400)
    assert.match(elsewhere.body.message, /filter_id: is a filter of companies, not of tags/)
  })

  test('is private, the team’s or everyone’s, in lists, single reads and use alike', async () => {
    // the member reports to the manager; the others are of no team
    const { manager, member } = org.users
    const path = `/api/users/profile/${member.user_id}/`
    is(await call('PUT', path, 'admin', { reports_to: manager.user_id }), 200)
    const sees: { [visibility: string]: { [owner: string]: RoleKind[] } } = {
      private: { manager: ['manager'], member: ['member'], admin: ['admin'] },
      team: { manager: ['manager', 'member'], member: ['manager', 'member'], admin: ['admin'] },
      public: {
        manager: ['admin', 'manager', 'member'],
        member: ['admin', 'manager', 'member'],
        admin: ['admin', 'manager', 'member'],
      },
    }
    for (const [visibility, owners] of Object.entries(sees)) {
      for (const [owner, seeing] of Object.entries(owners)) {
        const { filter_id } = await save({ visibility }, owner as RoleKind)
        for (const kind of ['admin', 'manager', 'member'] as const) {
          const isSeen = seeing.includes(kind)
          const what = `${kind} on ${owner}’s ${visibility} filter`
          const own = `${base}${filter_id}/`
          assert.equal((await call('GET', own, kind)).status, isSeen ? 200 : 404, what)
          const list = await call('GET', `${base}?items_per_page=500`, kind)
          assert.equal(
            list.body.some((each: any) => each.filter_id === filter_id),
            isSeen,
            what,
          )
          const used = `/api/company/?page=1&items_per_page=5&filter_id=${filter_id}`
          assert.equal((await call('GET', used, kind)).status, isSeen ? 200 : 404, what)
          // the owner, or who may update all
          const isChanged = kind === owner || kind !== 'member'
          const changed = await call('PUT', own, kind, { name: `of ${kind}` })
          assert.equal(changed.status, !isSeen ? 404 : isChanged ? 200 : 403, what)
        }
        const removers: RoleKind[] = visibility === 'public' && owner !== 'member' ? ['member'] : []
        for (const kind of removers) is(await call('DELETE', `${base}${filter_id}/`, kind), 403)
        is(await call('DELETE', `${base}${filter_id}/`, owner as RoleKind), 204)
      }
    }
    for (const kind of ['customer', 'partner', 'observer'] as const) {
      is(await call('GET', base, kind), 403)
    }
  })

  test('is the default of its owner once a module, and says so in the log', async () => {
    const first = await save({ is_default: true }, 'member')
    const tags = await save({ is_default: true, module: 'tags' }, 'member')
    const admins = await save({ is_default: true })
    const second = await save({ is_default: true }, 'member')
    const defaults = async () => {
      const { body } = await call('GET', `${base}?items_per_page=500`, 'member')
      return body.filter((each: any) => each.is_default).map((each: any) => each.filter_id)
    }
    assert.deepEqual(await defaults(), [second.filter_id, tags.filter_id])
    is(await call('PUT', `${base}${first.filter_id}/`, 'member', { is_default: true }), 200)
    assert.deepEqual(await defaults(), [tags.filter_id, first.filter_id])
    assert.equal((await call('GET', `${base}${admins.filter_id}/`)).body.is_default, true)
    const log = await rows(
      service,
      sql`select changes from events where reference_id = ${second.filter_id} order by id desc`,
    )
    assert.deepEqual(log[0].changes, [{ field: 'is_default', from: true, to: false }])
    // one that comes back takes the place again
    is(await call('DELETE', `${base}${first.filter_id}/`, 'member'), 204)
    is(await call('PUT', `${base}${second.filter_id}/`, 'member', { is_default: true }), 200)
    is(await call('POST', `${base}${first.filter_id}/restore/`, 'member'), 200)
    assert.deepEqual(await defaults(), [tags.filter_id, first.filter_id])
  })

  test('lists what can be filtered from the registry that checks it', async () => {
    const field = { key: 'tier', label: 'Customer tier', type: 'select', options: ['gold', 'iron'] }
    const { fieldConfig } = await import('../field-config/operations.ts')
    const { Company } = await import('../../model/companies/company.ts')
    const { inTransaction } = await import('../../runtime.ts')
    const { loadActor } = await import('../users/actor.ts')
    const reads = service.runtime.database.reads(org.id)
    const loaded = (await loadActor(reads, org.id, org.users.admin.user_id))!
    const caller = { ...loaded, source: 'application', request_id: 'x' }
    await inTransaction(service.runtime, caller, (ctx) =>
      fieldConfig(Company).update.run(ctx, { body: { fields: [field] } } as never),
    )
    const reply = await call('GET', `${base}attributes/?module=companies`)
    is(reply, 200)
    const of = (name: string) => reply.body.find((each: any) => each.field === name)
    assert.equal(of('industry').type, 'text')
    assert.ok(of('industry').options.some(({ value }: any) => value === 'software'))
    assert.deepEqual(of('custom_fields.tier').options, [
      { value: 'gold', label: 'Gold' },
      { value: 'iron', label: 'Iron' },
    ])
    assert.equal(of('custom_fields.tier').label, 'Customer tier')
    assert.deepEqual(of('is_draft').operators, ['eq', 'neq', 'is_empty', 'is_not_empty'])
    const contacts = (await call('GET', `${base}attributes/?module=contacts`)).body
    const hop = contacts.find((each: any) => each.field === 'company.industry')
    assert.equal(hop.label, 'Company: Industry')
    assert.ok(hop.options.length)
    const words = contacts.find((each: any) => each.field === 'do_not_contact')
    assert.deepEqual(words.options, [
      { value: 'yes', label: 'Yes' },
      { value: 'no', label: 'No' },
    ])
    // whatever it lists may be saved, and nothing else
    for (const { field, operators } of contacts) {
      assert.ok(operators.includes('is_empty'), field)
      await save({ module: 'contacts', conditions: [{ field, operator: 'is_empty' }] })
    }
    const all = (await call('GET', `${base}attributes/`)).body
    assert.deepEqual(
      [...new Set(all.map((each: any) => each.module))].sort(),
      Object.keys(recordsByModule).sort(),
    )
    is(await call('GET', `${base}attributes/?module=nope`), 400)
  })

  test('does not let through what the caller of today may not filter on', async () => {
    const conditions = [{ field: 'company.industry', operator: 'eq', value: 'Retail' }]
    const { filter_id } = await save({ module: 'contacts', conditions, visibility: 'public' })
    const role = await call('POST', '/api/users/role/', 'admin', {
      role_name: 'contacts only',
      permission: { contacts: { read: 'all' }, filters: { create: 'all', read: 'all' } },
    })
    const path = `/api/users/profile/${org.users.observer.user_id}/`
    is(await call('PUT', path, 'admin', { role_id: role.body.role_id }), 200)
    const used = `/api/contact/?page=1&items_per_page=5&filter_id=${filter_id}`
    const reply = await call('GET', used, 'observer')
    is(reply, 400)
    assert.equal(reply.body.errors[0].field, 'filter_id')
    is(await call('GET', `${base}attributes/?module=companies`, 'observer'), 403)
    is(await call('POST', base, 'observer', { name: 'x', module: 'companies' }), 403)
    const open = await call('GET', `${base}attributes/`, 'observer')
    const modules = new Set(open.body.map((each: any) => each.module))
    assert.deepEqual(modules, new Set(['contacts', 'filters']))
  })
})
