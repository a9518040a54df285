import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Member, TestOrganization, TestService } from '../../../test/support/service.ts'
import { idOf, makeOrganization, startService } from '../../../test/support/service.ts'
import { fresh } from '../../../test/support/world.ts'
import { widgetTypes } from '../../model/dashboards/widget-types.ts'

type Reply = { status: number; text: string; body: any }

describe('widgets are filtered', () => {
  let service: TestService
  let org: TestOrganization
  let admin: Member
  let member: Member
  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    ;({ admin, member } = org.users)
  })

  const call = (method: string, path: string, body?: unknown, who = admin): Promise<Reply> =>
    service.call(method, path, { token: who.token, body })
  const make = async (path: string, body: object) =>
    idOf(await service.call('POST', path, { token: admin.token, body }))
  const deal = (body: object) =>
    make('/api/project/info/', { project_name: fresh('Deal'), project_type: 'deal', ...body })
  const ask = (query: { [name: string]: string }, who?: Member) =>
    call('GET', `/api/dashboards/widget/?${new URLSearchParams(query)}`, undefined, who)
  async function value(query: { [name: string]: string }) {
    const reply = await ask({ widget_type: 'deals_by_stage', ...query })
    assert.equal(reply.status, 200, reply.text)
    return reply.body.totals.value
  }

  test('by owner, team, pipeline, account and saved view, by id and by name', async () => {
    const account_name = fresh('Acc')
    const account_id = await make('/api/account/info/', { account_name })
    const other = await make('/api/account/info/', { account_name: fresh('Acc') })
    await call('PUT', `/api/users/profile/${member.user_id}/`, { reports_to: admin.user_id })
    await deal({ account_id, expected_deal_value: 1, project_owner: admin.user_id })
    await deal({ account_id: other, expected_deal_value: 10, project_owner: member.user_id })
    await deal({ account_id, expected_deal_value: 100, project_owner: member.user_id })
    assert.equal(await value({}), 111)
    for (const owner of [member.user_id, member.email.toUpperCase()]) {
      assert.equal(await value({ owner }), 110)
      assert.equal(await value({ owner_id: owner }), 110)
      assert.equal(await value({ team: owner }), 110)
    }
    assert.equal(await value({ team: admin.user_id }), 111)
    assert.equal(await value({ owner: admin.email }), 1)
    for (const account of [account_id, account_name.toUpperCase()]) {
      assert.equal(await value({ account_id: account }), 101)
      assert.equal(await value({ account }), 101)
    }
    assert.equal(await value({ account_id, owner: member.email }), 100)

    const [pipeline] = (await call('GET', '/api/pipelines/')).body as Reply['body'][]
    assert.equal(await value({ pipeline_id: pipeline.pipeline_id }), 111)
    assert.equal(await value({ pipeline: pipeline.pipeline_name }), 111)

    const conditions = [{ field: 'expected_deal_value', operator: 'gt', value: 5 }]
    const view = { name: fresh('View'), module: 'deals', conditions }
    const filter_id = await make('/api/filters/filter/', view)
    assert.equal(await value({ filter_id }), 110)
    assert.equal(await value({ filter_id, account_id }), 100)
    // what a view names of other records changes what it finds at once
    await call('PUT', `/api/filters/filter/${filter_id}/`, {
      conditions: [{ field: 'account_id.region', operator: 'eq', value: 'North' }],
    })
    assert.equal(await value({ filter_id }), 0)
    await call('PUT', `/api/account/info/${account_id}/`, { region: 'North' })
    assert.equal(await value({ filter_id }), 101)
  })

  test('of every kind, where the filter means something', async () => {
    const account = await make('/api/account/info/', { account_name: fresh('Acc') })
    const owner = admin.user_id
    for (const widget_type of widgetTypes) {
      const plain = await ask({ widget_type, owner, team: owner, account })
      assert.equal(plain.status, 200, `${widget_type} ${plain.text}`)
      const [pipeline] = (await call('GET', '/api/pipelines/')).body as Reply['body'][]
      const staged = await ask({ widget_type, pipeline: pipeline.pipeline_id })
      const hasNone = /accounts_health|survey_nps|new_/.test(widget_type)
      assert.equal(staged.status, hasNone ? 400 : 200, `${widget_type} ${staged.text}`)
      if (hasNone) {
        assert.equal(staged.body.errors[0].field, 'pipeline')
        assert.match(staged.body.message, /it is filtered by owner, team, account_id/)
      }
    }
  })

  test('by what exists: anything else is 400', async () => {
    const widget_type = 'deals_by_stage'
    for (const name of ['owner', 'team_id', 'pipeline', 'account_id']) {
      const reply = await ask({ widget_type, [name]: 'nobody' })
      assert.equal(reply.status, 400, reply.text)
      assert.equal(reply.body.errors[0].field, name)
      assert.match(reply.body.message, /no such|nothing is named/)
    }
    const wrong = await ask({ widget_type, currency_unit: 'euro' })
    assert.deepEqual([wrong.status, wrong.body.errors[0].field], [400, 'currency_unit'])
    assert.equal((await ask({ widget_type, filter_id: 'nothing' })).status, 404)
    const two = await ask({ widget_type, owner: admin.email, owner_id: member.email })
    assert.match(two.body.message, /contradicts/)
  })

  test('and their sums are in one currency', async () => {
    const account_id = await make('/api/account/info/', {
      account_name: fresh('Acc'),
      currency_unit: 'CHF',
    })
    const owner = org.users.manager.user_id
    await deal({ account_id, expected_deal_value: 7, project_owner: owner })
    const id = await deal({ expected_deal_value: 3, revenue: 4, project_owner: owner })
    const all = ['deals_by_stage', 'deal_funnel', 'revenue_forecast', 'deals_won_lost']
    const totals = async (query: { [name: string]: string }) => {
      const found: { [type: string]: any } = {}
      for (const widget_type of all) {
        const reply = await ask({ widget_type, owner, ...query })
        assert.equal(reply.status, 200, reply.text)
        found[widget_type] = reply.body.totals
      }
      return found
    }
    const sums = ({ currency_unit, value, by_currency }: any, name = 'value') => [
      currency_unit,
      value,
      by_currency.map((each: any) => [each.currency_unit, each[name]]),
    ]
    const open = await totals({})
    const both = [
      ['CHF', 7],
      ['USD', 3],
    ]
    assert.deepEqual(sums(open.deals_by_stage), ['USD', 3, both])
    assert.deepEqual(sums(open.deal_funnel), ['USD', 3, both])
    assert.equal(open.revenue_forecast.undated, 2)
    assert.equal(open.revenue_forecast.undated_value, 3)
    const francs = await totals({ currency_unit: 'CHF' })
    assert.deepEqual(sums(francs.deals_by_stage), ['CHF', 7, both])
    assert.deepEqual(sums(francs.deal_funnel), ['CHF', 7, both])
    assert.equal(francs.revenue_forecast.undated_value, 7)
    const its = await totals({ account_id })
    assert.deepEqual(sums(its.deals_by_stage), ['CHF', 7, [['CHF', 7]]])

    await call('PUT', `/api/project/info/${id}/`, { stage_id: 'closed_won' })
    const won = await totals({})
    assert.equal(won.deals_won_lost.won_value, 4)
    assert.deepEqual(won.deals_won_lost.by_currency, [
      { currency_unit: 'USD', won: 1, lost: 0, won_value: 4, lost_value: 0 },
    ])
    assert.equal(won.revenue_forecast.won_value, 4)
    assert.equal(won.deals_by_stage.won_value, 4)
    // a change of currency shows at once
    await call('PUT', `/api/account/info/${account_id}/`, { currency_unit: 'USD' })
    assert.equal((await totals({})).deals_by_stage.value, 11)
  })

  test('and their sums have the decimals of their currency: none in yen, three in dinars', async () => {
    const owner = org.users.manager.user_id
    for (const [currency_unit, value, chances] of [
      ['JPY', 101, [0, 10, 25, 50, 51, 76, 81, 91, 101]],
      ['KWD', 1.125, [0, 0.113, 0.281, 0.563, 0.844, 1.013, 1.125]],
    ] as const) {
      const account_id = await make('/api/account/info/', {
        account_name: fresh('Acc'),
        currency_unit,
      })
      const id = await deal({
        account_id,
        expected_deal_value: value,
        revenue: value,
        project_owner: owner,
      })
      const totals = async (widget_type: string) =>
        (await ask({ widget_type, account_id })).body.totals
      for (const widget_type of ['deals_by_stage', 'revenue_forecast']) {
        for (const { weighted } of (await totals(widget_type)).by_currency) {
          assert.ok((chances as readonly number[]).includes(weighted), `${widget_type} ${weighted}`)
        }
      }
      assert.equal((await totals('deals_by_stage')).value, value)
      assert.equal((await totals('deal_funnel')).value, value)
      assert.equal((await totals('revenue_forecast')).undated_value, value)
      await call('PUT', `/api/project/info/${id}/`, { stage_id: 'closed_won' })
      assert.equal((await totals('deals_won_lost')).won_value, value)
    }
  })

  test('by the configuration of a stored one, with the request before it', async () => {
    const account_name = fresh('Acc')
    const account_id = await make('/api/account/info/', { account_name })
    await deal({ account_id, expected_deal_value: 5, project_owner: member.user_id })
    await deal({ account_id, expected_deal_value: 6, project_owner: admin.user_id })
    const dashboard_id = fresh('d').slice(-20)
    const path = `/api/dashboards/info/${dashboard_id}/`
    const widget = { widget_id: 'w', widget_type: 'deals_by_stage' }
    const config = { owner: member.email, account: account_name, title: 'Theirs' }
    const made = await call('POST', '/api/dashboards/info/', {
      dashboard_id,
      dashboard_name: 'Filtered',
      widgets: [{ ...widget, config: { ...config, time_filter: 'this_month' } }],
    })
    assert.equal(made.status, 201, made.text)
    const stored = made.body.widgets[0].config
    assert.deepEqual(stored, {
      owner: member.user_id,
      account: account_id,
      title: 'Theirs',
      time_filter: 'this_month',
    })
    const at = { widget_type: 'deals_by_stage', dashboard_id, widget_id: 'w' }
    const { body } = await ask(at)
    assert.deepEqual([body.totals.value, body.time_filter], [5, 'this_month'])
    assert.equal((await ask({ ...at, owner: admin.email })).body.totals.value, 6)
    assert.equal((await ask({ ...at, widget_id: 'x' })).status, 404)
    assert.equal((await ask({ widget_type: 'deals_by_stage', widget_id: 'w' })).status, 400)
    // unchanged it passes, whatever became of what it names
    await call('DELETE', `/api/account/info/${account_id}/`)
    const same = await call('PUT', path, made.body)
    assert.equal(same.status, 200, same.text)
    assert.equal((await ask(at)).status, 200)
  })

  test('and a configuration has no unknown keys', async () => {
    const refused = async (config: object, field: string, message: RegExp) => {
      const reply = await call('POST', '/api/dashboards/info/', {
        dashboard_id: fresh('d').slice(-20),
        dashboard_name: 'Wrong',
        widgets: [
          { widget_type: 'survey_nps' },
          { widget_type: 'tasks_by_status', config: { title: 'x' } },
          { widget_type: 'survey_nps', config },
        ],
      })
      assert.equal(reply.status, 400, reply.text)
      assert.equal(reply.body.errors[0].field, `widgets.2.config.${field}`)
      assert.match(reply.body.errors[0].message, message)
    }
    await refused({ onwer: 'x' }, 'onwer', /did you mean owner\?/)
    await refused({ pipline_id: 'x' }, 'pipline_id', /did you mean pipeline_id\?/)
    await refused({ whatever_this_is: 1 }, 'whatever_this_is', /known are time_filter, owner/)
    await refused({ pipeline_id: 'Sales' }, 'pipeline_id', /does not apply/)
    await refused({ owner: 'nobody' }, 'owner', /nothing is named "nobody"/)
    await refused({ owner: 5 }, 'owner', /must be an id or a name/)
    await refused({ time_filter: 'whenever' }, 'time_filter', /must be one of/)
    await refused({ title: 5 }, 'title', /must be text/)
  })
})
