import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '../../kit/ground/ids.ts'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization } from '../../../test/support/organization.ts'
import { makeOrganization } from '../../../test/support/organization.ts'
import type { TestService } from '../../../test/support/service.ts'
import { startService } from '../../../test/support/service.ts'
import { widgetTypes } from '../../model/dashboards/widget-types.ts'

// One request has what fourteen have, and a widget that fails fails alone.

describe('the widgets of a dashboard in one request', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    const { token } = org.users.admin
    const create = async (path: string, body: object) => {
      const made = await service.call('POST', path, { token, body })
      assert.ok(made.status < 300, made.text)
    }
    await create('/api/company/', { company_name: 'Counted' })
    await create('/api/project/info/', {
      project_name: 'Sold',
      project_type: 'deal',
      deal_value: 1200,
    })
  })

  const many = (body: object, role: keyof TestOrganization['users'] = 'admin') =>
    service.call('POST', '/api/dashboards/widgets/', { token: org.users[role].token, body })
  const ask = widgetTypes.map((widget_type) => ({ widget_id: `of ${widget_type}`, widget_type }))

  test('have the numbers that each has alone, for every role', async () => {
    for (const role of Object.keys(org.users) as (keyof TestOrganization['users'])[]) {
      const { token } = org.users[role]
      const { status, body, text } = await many({ widgets: ask, time_filter: '90_days' }, role)
      if (status === 403) continue
      assert.equal(status, 200, text)
      assert.deepEqual(
        body.widgets.map((each: any) => each.widget_id),
        ask.map(({ widget_id }) => widget_id),
      )
      for (const { widget_type, data, error } of body.widgets) {
        const path = `/api/dashboards/widget/?widget_type=${widget_type}&time_filter=90_days`
        const alone = await service.call('GET', path, { token })
        if (error) {
          assert.equal(data, null)
          assert.deepEqual(
            [error.status, error.code, error.message],
            [alone.status, alone.body.code, alone.body.message],
          )
          continue
        }
        const { generated_at: _, ...numbers } = data
        const { generated_at: __, ...expected } = alone.body
        assert.deepEqual(numbers, expected, `${role} ${widget_type}`)
      }
    }
  })

  test('are those of the dashboard that are visible, with their configuration', async () => {
    const { token, user_id } = org.users.admin
    const dashboard_id = newId()
    const widgets = [
      { widget_id: 'seen', widget_type: 'new_companies', config: { time_filter: '7_days' } },
      { widget_id: 'hidden', widget_type: 'new_contacts', is_visible: false },
    ]
    const made = await service.call('POST', '/api/dashboards/info/', {
      token,
      body: { dashboard_id, dashboard_name: 'Two', widgets },
    })
    assert.equal(made.status, 201, made.text)
    const { body } = await many({ dashboard_id })
    const [only, ...rest] = body.widgets
    assert.deepEqual([only.widget_id, rest], ['seen', []])
    assert.deepEqual([only.data.time_filter, only.data.totals.count], ['7_days', 1])
    const other = await many({ dashboard_id, time_filter: 'today', filters: { owner: user_id } })
    assert.equal(other.body.widgets[0].data.time_filter, 'today')
    // it is private
    refusedField(await many({ dashboard_id }, 'member'), ['dashboard_id'])
    refusedField(await many({ dashboard_id: newId() }), ['dashboard_id'])
  })

  test('say which filters mean nothing to them, and are not refused for that', async () => {
    const pipelines = await service.call('GET', '/api/pipelines/', {
      token: org.users.admin.token,
    })
    const [{ pipeline_id }] = pipelines.body
    const { body } = await many({ widgets: ask, filters: { pipeline_id } })
    const leftOut = body.widgets
      .filter((each: any) => each.left_out.includes('pipeline_id'))
      .map((each: any) => each.widget_type)
    assert.deepEqual(leftOut.toSorted(), [
      'accounts_health',
      'new_companies',
      'new_contacts',
      'survey_nps',
    ])
    assert.ok(body.widgets.every((each: any) => each.data && !each.error))
  })

  test('show a saved report, which must be there and be seen when it is placed', async () => {
    const { token } = org.users.admin
    const saved = await service.call('POST', '/api/filters/filter/', {
      token,
      body: {
        module: 'deals',
        name: 'Deals by stage',
        layout: 'report',
        report: { by: 'stage_id', measures: 'count' },
      },
    })
    assert.equal(saved.status, 201, saved.text)
    const view = await service.call('POST', '/api/filters/filter/', {
      token,
      body: { module: 'deals', name: 'A view' },
    })
    const place = (
      report_id: unknown,
      as: keyof TestOrganization['users'] = 'admin',
      more: object = {},
    ) =>
      service.call('POST', '/api/dashboards/info/', {
        token: org.users[as].token,
        body: {
          dashboard_id: newId(),
          dashboard_name: 'With a report',
          widgets: [
            { widget_id: 'r', widget_type: 'deals_by_stage', config: { report_id, ...more } },
          ],
        },
      })
    const made = await place(saved.body.filter_id)
    assert.equal(made.status, 201, made.text)
    const { dashboard_id, widgets } = made.body
    assert.deepEqual(widgets[0].config, { report_id: saved.body.filter_id })
    const { body } = await many({ dashboard_id })
    assert.deepEqual(body.widgets, [
      { widget_id: 'r', widget_type: 'deals_by_stage', data: null, error: null, left_out: [] },
    ])
    const path = `/api/dashboards/widget/?widget_type=deals_by_stage&dashboard_id=${dashboard_id}&widget_id=r`
    refusedField(await service.call('GET', path, { token }), ['widget_id'])
    for (const wrong of [newId(), view.body.filter_id, 7, { id: saved.body.filter_id }])
      refusedField(await place(wrong), ['widgets.0.config.report_id'])
    // one that is shipped is named, with what its rows are
    assert.equal((await place('nps', 'member', { by: 'owner' })).status, 201)
    assert.equal((await place('nps', 'member', { by: null })).status, 201)
    assert.equal((await place(null, 'member', { by: null })).status, 201)
    refusedField(await place('nps', 'admin', { by: 'stage' }), ['widgets.0.config.by'])
    refusedField(await place(saved.body.filter_id, 'admin', { by: 'owner' }), [
      'widgets.0.config.by',
    ])
    // it is private
    refusedField(await place(saved.body.filter_id, 'member'), ['widgets.0.config.report_id'])
    // unchanged it passes, whatever became of the report
    const gone = await service.call('DELETE', `/api/filters/filter/${saved.body.filter_id}/`, {
      token,
    })
    assert.ok(gone.status < 300, gone.text)
    const again = await service.call('PUT', `/api/dashboards/info/${dashboard_id}/`, {
      token,
      body: { widgets },
    })
    assert.equal(again.status, 200, again.text)
  })

  test('fail one by one for what is wrong with one, and together for what is wrong with all', async () => {
    const widgets = [
      { widget_id: 'a', widget_type: 'new_companies', config: { time_filter: 'some_day' } },
      { widget_id: 'b', widget_type: 'new_companies' },
    ]
    const { body } = await many({ widgets })
    assert.equal(body.widgets[0].error.status, 400)
    assert.match(body.widgets[0].error.message, /must be one of today/)
    assert.equal(body.widgets[1].data.totals.count, 1)
    refusedField(await many({ widgets: [{ widget_id: 'a', widget_type: 'pie' }] }), [
      'widgets.0.widget_type',
    ])
  })
})
