import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Demo } from '../../demo/credentials.ts'
import { makeDemo } from '../../demo/make.ts'
import type { TestService } from '../../../test/support/service.ts'
import { rows, sql, startService } from '../../../test/support/service.ts'
import { widgetTypes } from '../../model/dashboards/widget-types.ts'

// Each mark of a widget leads to a list that has as many records as the mark says, for every role.

const lists: { [module: string]: string } = {
  companies: '/api/company/?',
  contacts: '/api/contact/?',
  accounts: '/api/account/info/?',
  deals: '/api/project/info/?project_type=deal&',
  projects: '/api/project/info/?project_type=project&',
  tasks: '/api/tasks/?',
}

/** Buckets of a widget that are compared: the last with records, and the first without. */
const most = 4

describe('the buckets of a widget', () => {
  let service: TestService
  let demo: Demo
  const tokens = new Map<string, string>()

  before(async () => {
    service = await startService()
    const made = await makeDemo(service.runtime, { keep() {} })
    assert.ok(made)
    demo = made
    for (const role of ['admin', 'manager', 'member', 'observer']) {
      const email = demo.people.find((each) => each.role === role)?.email
      const body = { email, password: demo.password }
      tokens.set(role, (await service.call('POST', '/api/login/', { body })).body.access_token)
    }
  })

  const as = async (role: string, method: string, path: string, body?: unknown) => {
    const reply = await service.call(method, path, { token: tokens.get(role) ?? '', body })
    assert.ok(reply.status < 300, `${role} ${method} ${path}: ${reply.text}`)
    return reply
  }

  async function countOf(role: string, module: string, filter: unknown) {
    const query = `page=1&items_per_page=1&include_count=true&filter=${encodeURIComponent(JSON.stringify(filter))}`
    const { headers } = await as(role, 'GET', `${lists[module]}${query}`)
    return Number(headers.get('x-total-count'))
  }

  /** Compares every bucket that leads somewhere; how many there were, by type. */
  async function compare(role: string, asked: object) {
    const widgets = widgetTypes.map((widget_type) => ({ widget_id: widget_type, widget_type }))
    const { body } = await as(role, 'POST', '/api/dashboards/widgets/', { widgets, ...asked })
    const compared: { [type: string]: number } = {}
    for (const { widget_type, data } of body.widgets) {
      if (!data) continue
      const { series, totals, module, filter, filters } = data
      const full = series.filter((row: any) => row.count || row.won || row.lost)
      const empty = series.filter((row: any) => !full.includes(row)).slice(0, 1)
      const checks: [string, unknown, number][] = []
      const add = (name: string, of: any, numbers: any) => {
        if (of.filter && numbers.count !== undefined) checks.push([name, of.filter, numbers.count])
        for (const member of ['won', 'lost', 'open'])
          if (of.filters[member] && numbers[member] !== undefined)
            checks.push([`${name} ${member}`, of.filters[member], numbers[member]])
      }
      for (const row of [...full.slice(-most), ...empty]) {
        assert.ok(!('ids' in row))
        add(JSON.stringify(row).slice(0, 120), row, row)
      }
      add('all', { filter, filters }, totals)
      for (const [name, conditions, expected] of checks) {
        const what = `${role} ${widget_type} ${JSON.stringify(asked)} ${name} ${JSON.stringify(conditions)}`
        assert.equal(await countOf(role, module, conditions), expected, what)
      }
      compared[widget_type] = checks.length
    }
    return compared
  }

  test('have lists with as many records, in several periods', async () => {
    for (const time_filter of ['30_days', '12_months', 'last_month']) {
      const compared = await compare('admin', { time_filter })
      for (const [type, least] of [
        ['new_companies', 2],
        ['new_contacts', 2],
        ['deal_funnel', 1],
        ['revenue_forecast', 2],
        ['deals_won_lost', 2],
        ['projects_by_status', 2],
        ['tasks_by_status', 2],
        ['overdue_tasks', 2],
        ['accounts_health', 3],
      ] as const)
        assert.ok((compared[type] ?? 0) >= least, `${type} in ${time_filter}: ${compared[type]}`)
    }
  })

  test('have them for every role', async () => {
    for (const role of ['manager', 'member', 'observer'])
      await compare(role, { time_filter: '30_days' })
  })

  test('have them with the filters of the request', async () => {
    const [{ pipeline_id }] = (await as('admin', 'GET', '/api/pipelines/')).body
    const accounts = (await as('admin', 'GET', '/api/account/info/?items_per_page=200')).body
    const owner = demo.people.find(({ role }) => role === 'member')?.email
    const busiest = accounts.toSorted((a: any, b: any) => b.total_deals - a.total_deals)[0]
    for (const filters of [
      { owner },
      { team: demo.people.find(({ role }) => role === 'manager')?.email },
      { pipeline_id },
      { account_id: busiest.account_id },
      { owner: 'me', pipeline_id },
    ])
      await compare('admin', { time_filter: '12_months', filters })
  })

  test('have them with a saved filter', async () => {
    const { body } = await as('admin', 'POST', '/api/filters/filter/', {
      module: 'deals',
      name: 'Large ones',
      conditions: [{ field: 'expected_deal_value', operator: 'gt', value: 20_000 }],
    })
    const config = { filter_id: body.filter_id, time_filter: '12_months' }
    const widgets = [{ widget_id: 'a', widget_type: 'deals_by_stage', config }]
    const found = await as('admin', 'POST', '/api/dashboards/widgets/', { widgets })
    const { series } = found.body.widgets[0].data
    const full = series.filter((row: any) => row.count)
    assert.ok(full.length > 1)
    for (const { filter, module, count } of full)
      assert.equal(await countOf('admin', module, filter), count)
  })

  test('say how many days deals stay in a stage, as the history has it', async () => {
    const widgets = [
      { widget_id: 'a', widget_type: 'deal_funnel', config: { time_filter: '12_months' } },
    ]
    const { body } = await as('admin', 'POST', '/api/dashboards/widgets/', { widgets })
    const { series, from } = body.widgets[0].data
    const stays = await rows(
      service,
      sql`select h.stage_id, extract(epoch from h.left_at - h.entered_at)::float8 / 86400 as days
        from stage_changes h join projects d on d.organization_id = h.organization_id
          and d.id = h.project_id and d.deleted_at is null and d.project_type = 'deal'
          and d.creation_time >= ${from}::date
        where h.left_at is not null and h.organization_id =
          (select organization_id from users where email = ${demo.people[0]?.email ?? ''})`,
    )
    const byStage = Map.groupBy(stays, ({ stage_id }) => stage_id)
    let known = 0
    for (const { stage_id, median_days } of series) {
      const days = (byStage.get(stage_id) ?? []).map((stay) => Number(stay.days))
      if (median_days === null) assert.equal(days.length, 0)
      else {
        const sorted = days.toSorted((a, b) => a - b)
        const at = (index: number) => sorted[index] ?? 0
        const half = (sorted.length - 1) / 2
        const median = (at(Math.floor(half)) + at(Math.ceil(half))) / 2
        assert.ok(Math.abs(median - median_days) < 0.01, `${median} ${median_days}`)
        known += 1
      }
    }
    assert.ok(known > 0)
  })
})
