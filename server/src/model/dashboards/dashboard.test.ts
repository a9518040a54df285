import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '../../kit/ground/ids.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('dashboards', () => {
  let service: TestService
  let org: TestOrganization
  const path = '/api/dashboards/info/'
  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const as = (role: keyof TestOrganization['users']) => ({
    get: (at: string) => service.call('GET', at, { token: org.users[role].token }),
    send: (method: string, at: string, body?: unknown) =>
      service.call(method, at, { token: org.users[role].token, body }),
    async make(body: object = {}) {
      const made = await this.send('POST', path, {
        dashboard_id: newId(),
        dashboard_name: 'Mine',
        ...body,
      })
      assert.equal(made.status, 201, made.text)
      return made.body
    },
  })

  test('takes its id from the body and fills in the defaults', async () => {
    const { body, status } = await as('member').send('POST', path, {
      dashboard_id: 'sales.2026',
      dashboard_name: 'Sales',
      widgets: [{ widget_type: 'activities' }],
    })
    assert.equal(status, 201)
    const { dashboard_id, cache_ttl, time_range_default, visibility, is_system_defined } = body
    assert.deepEqual(
      { dashboard_id, cache_ttl, time_range_default, visibility, is_system_defined },
      {
        dashboard_id: 'sales.2026',
        cache_ttl: 300,
        time_range_default: '30_days',
        visibility: 'private',
        is_system_defined: true,
      },
    )
    const [{ widget_id, ...widget }] = body.widgets
    assert.equal(widget_id.length, 25)
    assert.deepEqual(widget, {
      position: {},
      config: {},
      is_visible: true,
      refresh_interval: 300,
      last_refreshed: null,
      widget_type: 'activities',
    })
    const again = await as('member').send('POST', path, {
      dashboard_id: 'sales.2026',
      dashboard_name: 'Again',
    })
    assert.equal(again.status, 409, again.text)
    const without = await as('member').send('POST', path, { dashboard_name: 'No id' })
    assert.equal(without.status, 400)
    assert.equal(without.body.errors[0].field, 'dashboard_id')
  })

  test('frees its id when it is deleted, for those who could restore it', async () => {
    const { dashboard_id } = await as('manager').make({ widgets: [{ widget_type: 'activities' }] })
    assert.equal((await as('manager').send('DELETE', `${path}${dashboard_id}/`)).status, 204)
    const anew = { dashboard_id, dashboard_name: 'Anew' }
    assert.equal((await as('member').send('POST', path, anew)).status, 409)
    const { body } = await as('manager').send('POST', path, anew)
    assert.deepEqual([body.dashboard_name, body.widgets, body.version], ['Anew', [], 1])
    assert.equal((await as('manager').send('POST', path, anew)).status, 409)
    const restored = await as('manager').send('POST', `${path}${dashboard_id}/restore/`)
    assert.equal(restored.status, 404, restored.text)
  })

  test('is the owner’s, the organization’s, or that of those on its access list', async () => {
    const mine = await as('manager').make()
    const open = await as('manager').make({ visibility: 'public' })
    const access_list = [{ access_id: org.users.customer.user_id }]
    const shared = await as('manager').make({ visibility: 'restricted', access_list })
    assert.equal(shared.access_count, 1)
    assert.equal(shared.access_list[0].granted_by, org.users.manager.user_id)
    const seen = async (role: keyof TestOrganization['users']) => {
      const { body } = await as(role).get(path)
      const ids = body.map(({ dashboard_id }: { dashboard_id: string }) => dashboard_id)
      return [mine, open, shared].map(({ dashboard_id }) => ids.includes(dashboard_id))
    }
    assert.deepEqual(await seen('manager'), [true, true, true])
    assert.deepEqual(await seen('admin'), [false, true, false])
    assert.deepEqual(await seen('customer'), [false, false, true])
    const read = await as('customer').get(`${path}${shared.dashboard_id}/`)
    assert.equal(read.status, 200)
    assert.equal((await as('admin').get(`${path}${mine.dashboard_id}/`)).status, 404)
  })

  test('is changed by those whose access says edit, and by nobody who may only see it', async () => {
    const { user_id } = org.users.member
    const change = async (permission_level: string) => {
      const { dashboard_id } = await as('manager').make({
        visibility: 'restricted',
        access_list: [{ access_id: user_id, permission_level }],
      })
      const at = `${path}${dashboard_id}/`
      return (await as('member').send('PATCH', at, { description: 'Changed' })).status
    }
    assert.equal(await change('edit'), 200)
    assert.equal(await change('view'), 403)
    for (const [field, value] of [
      ['widgets.0.widget_type', { widgets: [{ widget_type: 'pie' }] }],
      ['widgets.0.position.x', { widgets: [{ widget_type: 'meetings', position: { x: 'left' } }] }],
      [
        'widgets.1.widget_id',
        {
          widgets: [
            { widget_type: 'meetings', widget_id: 'a' },
            { widget_type: 'meetings', widget_id: 'a' },
          ],
        },
      ],
      [
        'access_list.0.permission_level',
        { access_list: [{ access_id: 'x', permission_level: 'own' }] },
      ],
      ['time_range_default', { time_range_default: 'some_day' }],
    ] as const) {
      const body = { dashboard_id: newId(), dashboard_name: 'Wrong', ...value }
      const refused = await as('manager').send('POST', path, body)
      assert.equal(refused.status, 400, refused.text)
      assert.equal(refused.body.errors[0].field, field)
    }
    const unknown = await as('manager').send('POST', path, {
      dashboard_id: newId(),
      dashboard_name: 'To nobody',
      access_list: [{ access_id: newId() }],
    })
    assert.equal(unknown.status, 400)
    assert.equal(unknown.body.errors[0].field, 'access_list.0.access_id')
  })

  test('that comes with the product is shown to everyone and changed by nobody', async () => {
    const { body } = await as('member').get(`${path}?reverse=true&sort=creation_time`)
    const shipped = body.filter(({ is_protected }: { is_protected: boolean }) => is_protected)
    const types = shipped.map(({ dashboard_type }: { dashboard_type: string }) => dashboard_type)
    assert.deepEqual(types.sort(), [
      'activities',
      'custom',
      'deals',
      'deals',
      'overview',
      'projects',
      'projects',
      'projects',
      'revenue',
    ])
    const at = `${path}${shipped[0].dashboard_id}/`
    assert.equal((await as('admin').send('PUT', at, { description: 'x' })).status, 403)
    assert.equal((await as('admin').send('DELETE', at)).status, 403)
  })

  test('has one default for each owner', async () => {
    const first = await as('member').make({ is_default: true })
    await as('member').make({ is_default: true })
    const { body } = await as('member').get(`${path}${first.dashboard_id}/`)
    assert.equal(body.is_default, false)
    await Promise.all([1, 2, 3, 4].map(() => as('member').make({ is_default: true })))
    const { body: all } = await as('member').get(path)
    const { user_id } = org.users.member
    const mine = all.filter((each: any) => each.is_default && each.created_by.user_id === user_id)
    assert.equal(mine.length, 1, 'of several at once, too')
  })
})

describe('widgets', () => {
  let service: TestService
  let org: TestOrganization
  const path = '/api/dashboards/widget/'
  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })
  const widget = (query: string, role: keyof TestOrganization['users'] = 'admin') =>
    service.call('GET', `${path}?${query}`, { token: org.users[role].token })

  test('count what the caller may see, with the period before, and again once it changed', async () => {
    const count = async () => (await widget('widget_type=new_companies')).body.totals.count
    assert.equal(await count(), 0)
    for (const company_name of ['One', 'Two']) {
      const { token } = org.users.admin
      await service.call('POST', '/api/company/', { token, body: { company_name } })
    }
    assert.equal(await count(), 2)
    const { body } = await widget('widget_type=new_companies&time_filter=7_days')
    assert.equal(body.series.length, 7)
    assert.equal(body.series.at(-1).count, 2)
    assert.deepEqual(body.previous.totals, { count: 0 })
    assert.equal((await widget('widget_type=new_companies', 'customer')).body.totals.count, 0)
  })

  test('stay as they were computed while nothing changed', async () => {
    const first = await widget('widget_type=new_contacts')
    const second = await widget('widget_type=new_contacts')
    assert.equal(second.body.generated_at, first.body.generated_at)
  })

  test('refuse what they do not know with a list of what there is', async () => {
    const unknown = await widget('widget_type=pie')
    assert.equal(unknown.status, 400)
    assert.match(unknown.body.message, /widget_type: must be one of activities,/)
    const range = await widget('widget_type=activities&time_filter=some_day')
    assert.equal(range.status, 400)
    assert.match(range.body.message, /time_filter: must be one of today, N_days/)
    for (const filter of ['today', 'last_week', 'this_month', 'this_quarter', 'last_year']) {
      assert.equal((await widget(`widget_type=activities&time_filter=${filter}`)).status, 200)
    }
  })

  test('the health of accounts is what each of them shows', async () => {
    const { token } = org.users.admin
    const make = async (path: string, body: object) => {
      const made = await service.call('POST', path, { token, body })
      assert.equal(made.status, 201, made.text)
      return made
    }
    const scores: number[] = []
    for (const [account_name, late] of [
      ['Quiet', 0],
      ['Late', 3],
      ['Set', 0],
    ] as const) {
      const health_score = account_name === 'Set' ? 30 : undefined
      const { body } = await make('/api/account/info/', { account_name, health_score })
      const { account_id } = body
      const project = await make('/api/project/info/', { project_name: account_name, account_id })
      const project_id = project.headers.get('x-record-id')
      for (let i = 0; i < late; i++) {
        const is_private = i === 0
        const task = { title: 'Late', project_id, due_date: '2020-01-01', is_private }
        await make('/api/tasks/', task)
      }
      const at = `/api/account/info/${account_id}/`
      scores.push((await service.call('GET', at, { token })).body.health_score)
    }
    assert.deepEqual(scores, [100, 85, 30])
    const { body } = await widget('widget_type=accounts_health')
    const { average, healthy, critical } = body.totals
    assert.deepEqual([average, healthy, critical], [71.67, 2, 1])
  })

  test('the heatmap names its days, and 404 a project that is not there', async () => {
    const at = '/api/dashboards/heatmap/?time_range=7_days'
    const own = await makeOrganization(service)
    const { token } = own.users.admin
    const { body } = await service.call('GET', at, { token })
    assert.deepEqual([body.max, body.cells], [0, []])
    const missing = await service.call('GET', `${at}&project_ids=${newId()}`, { token })
    assert.equal(missing.status, 404)
    const add = (project: object) =>
      service.call('POST', '/api/project/info/', { token, body: project })
    const open = await add({ project_name: 'Open' })
    const hidden = await add({ project_name: 'Hidden', visible_to_all: false })
    const seen = async (role: keyof TestOrganization['users']) => {
      const answer = await service.call('GET', at, { token: own.users[role].token })
      return answer.body.cells.map(({ project_id }: { project_id: string }) => project_id)
    }
    const ids = [open, hidden].map(({ headers }) => headers.get('x-record-id')!)
    const of = (list: string[]) => ids.map((id) => list.includes(id))
    assert.deepEqual(of(await seen('admin')), [true, true])
    assert.deepEqual(of(await seen('member')), [true, false])
    const path = `${at}&project_ids=${ids.join(',')}`
    const refused = await service.call('GET', path, { token: own.users.member.token })
    assert.equal(refused.status, 404)
    const both = await service.call('GET', path, { token })
    const counts = both.body.cells.map(({ count }: { count: number }) => count)
    assert.equal(both.body.max, Math.max(...counts))
    // what is private in a project counts for those who see it
    for (const is_private of [true, false]) {
      const body = { title: 'Work', project_id: ids[0], is_private }
      await service.call('POST', '/api/tasks/', { token, body })
    }
    const countFor = async (role: keyof TestOrganization['users']) => {
      const answer = await service.call('GET', at, { token: own.users[role].token })
      const cells = answer.body.cells.filter((cell: any) => cell.project_id === ids[0])
      return cells.reduce((all: number, { count }: any) => all + count, 0)
    }
    const before = counts[both.body.cells.findIndex((cell: any) => cell.project_id === ids[0])]
    assert.deepEqual([await countFor('admin'), await countFor('member')], [before + 2, before + 1])
  })
})
