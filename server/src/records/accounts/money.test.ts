import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { idOf, makeOrganization, startService } from '../../../test/support/service.ts'
import { fresh } from '../../../test/support/world.ts'

describe('the money of an account', () => {
  let service: TestService
  let org: TestOrganization
  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { token: org.users.admin.token, body })
  const make = async (path: string, body: object) => idOf(await call('POST', path, body))
  const account = (body: object = {}) =>
    make('/api/account/info/', { account_name: fresh('Acc'), ...body })
  const company = () => make('/api/company/', { company_name: fresh('Co') })
  const deal = (body: object) =>
    make('/api/project/info/', { project_name: fresh('Deal'), project_type: 'deal', ...body })
  const change = async (path: string, body: object) => {
    const reply = await call('PUT', path, body)
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  const read = async (id: string) => (await call('GET', `/api/account/info/${id}/`)).body
  const accountOf = async (id: string) =>
    (await call('GET', `/api/project/info/${id}/`)).body.account_id

  const chanceOf = async (id: string) =>
    (await call('GET', `/api/project/info/${id}/`)).body.current_pipe_stage.probability / 100

  test('is what its deals are worth, each once, by how they stand', async () => {
    const account_id = await account()
    const open = await deal({ account_id, stage_id: 'proposal', expected_deal_value: 100.1 })
    const won = await deal({ account_id, expected_deal_value: 1000, revenue: 900 })
    await deal({ account_id, expected_deal_value: 200.2, revenue: 1 })
    await make('/api/project/info/', { project_name: fresh('Plan'), account_id, revenue: 5000 })
    const [first, proposal] = [await chanceOf(won), await chanceOf(open)]

    const before = await read(account_id)
    assert.deepEqual(
      [before.total_revenue, before.open_pipeline, before.lost_value],
      [0, 1300.3, 0],
    )
    const weighted = 100.1 * proposal + 1200.2 * first
    assert.ok(proposal > first)
    assert.equal(before.weighted_pipeline, Math.round(weighted * 100) / 100)

    await change(`/api/project/info/${won}/`, { stage_id: 'closed_won' })
    await make(`/api/project/info/${won}/convert/`, {})
    await change(`/api/project/info/${open}/`, { stage_id: 'closed_lost', lost_reason: 'price' })
    const after = await read(account_id)
    assert.deepEqual(
      [after.total_revenue, after.open_pipeline, after.lost_value],
      [900, 200.2, 100.1],
    )
    assert.equal(after.total_formatted_revenue, 'USD 900.00')
    assert.deepEqual(
      [after.total_deals, after.completed_deals, after.total_projects, after.completed_projects],
      [3, 1, 2, 0],
    )

    await change(`/api/account/info/${account_id}/`, { total_revenue: 7 })
    const set = await read(account_id)
    assert.deepEqual([set.total_revenue, set.open_pipeline], [7, 200.2])
    assert.equal(set.totals_by_currency[0].total_revenue, 900)
  })

  test('is written and rounded with as many decimals as its currency has', async () => {
    for (const [currency_unit, written, weighted] of [
      ['JPY', 'JPY 1,235', 0],
      ['KWD', 'KWD 1,234.567', 3],
      ['CHF', 'CHF 1,234.57', 2],
    ] as const) {
      const account_id = await account({ currency_unit })
      const amount = { expected_deal_value: 1234.567, revenue: 1234.567 }
      const id = await deal({ account_id, ...amount, stage_id: 'proposal' })
      const { body } = await call('GET', `/api/project/info/${id}/`)
      assert.deepEqual([body.formatted_revenue, body.formatted_deal_value], [written, written])
      const { weighted_pipeline } = await read(account_id)
      const exact = 1234.567 * (await chanceOf(id))
      assert.equal(weighted_pipeline, Number(exact.toFixed(weighted)), currency_unit)
      await change(`/api/project/info/${id}/`, { stage_id: 'closed_won' })
      assert.equal((await read(account_id)).total_formatted_revenue, written)
    }
  })

  test('can be sorted and filtered by', async () => {
    const region = fresh('Region')
    const ids: string[] = []
    for (const value of [10, 30, 20]) {
      const account_id = await account({ region })
      await deal({ account_id, expected_deal_value: value })
      ids.push(account_id)
    }
    const list = async (query: string) => {
      const conditions = [{ field: 'region', operator: 'eq', value: region }]
      const { status, body, text } = await call(
        'GET',
        `/api/account/info/?filter=${encodeURIComponent(JSON.stringify(conditions))}&${query}`,
      )
      assert.equal(status, 200, text)
      return body.map(({ account_id }: { account_id: string }) => account_id)
    }
    assert.deepEqual(await list('sort=open_pipeline'), [ids[0], ids[2], ids[1]])
    assert.deepEqual(
      await list('sort=open_pipeline&fields=account_id,open_pipeline&reverse=true'),
      [ids[1], ids[2], ids[0]],
    )
  })

  test('is in one currency, that of the account', async () => {
    const account_id = await account({ currency_unit: 'EUR' })
    await deal({ account_id, expected_deal_value: 10 })
    const { currency_unit, open_pipeline, totals_by_currency } = await read(account_id)
    assert.deepEqual([currency_unit, open_pipeline], ['EUR', 10])
    assert.deepEqual(
      totals_by_currency.map((each: { currency_unit: string; open_pipeline: number }) => [
        each.currency_unit,
        each.open_pipeline,
      ]),
      [['EUR', 10]],
    )
  })

  test('includes deals with only a company, whichever came first', async () => {
    const company_id = await company()
    const early = await deal({ company_id, expected_deal_value: 1 })
    assert.equal(await accountOf(early), null)
    const first = await account({ company_id })
    assert.equal(await accountOf(early), first)
    const late = await deal({ company_id, expected_deal_value: 2 })
    assert.equal(await accountOf(late), first)
    assert.equal((await read(first)).open_pipeline, 3)

    // of several accounts the one created first
    const second = await account({ company_id })
    assert.equal(await accountOf(late), first)
    assert.equal((await call('DELETE', `/api/account/info/${first}/`)).status, 204)
    assert.equal((await read(second)).open_pipeline, 3)
    assert.equal((await call('POST', `/api/account/info/${first}/restore/`)).status, 200)
    assert.equal((await read(second)).open_pipeline, 0)
    assert.equal((await read(first)).open_pipeline, 3)

    // one that was chosen stays
    await change(`/api/project/info/${late}/`, { account_id: second })
    await change(`/api/account/info/${first}/`, { company_id: null })
    assert.deepEqual([await accountOf(early), await accountOf(late)], [second, second])
    const other = await company()
    const others = await account({ company_id: other })
    await change(`/api/project/info/${early}/`, { company_id: other })
    assert.equal(await accountOf(early), others)
    await change(`/api/project/info/${late}/`, { account_id: null, company_id: other })
    assert.equal(await accountOf(late), others)
  })

  test('follows companies that are merged, and back', async () => {
    const [company_id, merged] = [await company(), await company()]
    const account_id = await account({ company_id })
    const id = await deal({ company_id: merged, expected_deal_value: 5 })
    assert.equal(await accountOf(id), null)
    const merge = { primary_id: company_id, merge_ids: [merged] }
    const done = await call('POST', '/api/company/merge/', merge)
    assert.equal(done.status, 200, done.text)
    assert.equal((await read(account_id)).open_pipeline, 5)
    const undone = await call('POST', `/api/company/merge/${done.body.merge_id}/undo/`, {})
    assert.equal(undone.status, 200, undone.text)
    assert.equal(await accountOf(id), null)
    assert.equal((await read(account_id)).open_pipeline, 0)
  })

  test('is summed up by the forecast in one currency, and by the others beside it', async () => {
    const home = await makeOrganization(service)
    const { token } = home.users.admin
    const send = (path: string, body: object) => service.call('POST', path, { token, body })
    const euros = { account_name: 'Euros', currency_unit: 'EUR' }
    const account_id = (await send('/api/account/info/', euros)).headers.get('x-record-id')
    const forecasted_date = '2031-05-06'
    const open = { project_type: 'deal', stage_id: 'proposal', forecasted_date }
    await send('/api/project/info/', { ...open, project_name: 'A', expected_deal_value: 10 })
    await send('/api/project/info/', {
      ...open,
      project_name: 'B',
      account_id,
      expected_deal_value: 20,
    })
    const { body } = await service.call('GET', '/api/project/forecast/', { token })
    assert.equal(body.length, 1)
    const { month, deals, currency_unit, value, by_currency } = body[0]
    assert.deepEqual([month, deals, currency_unit, value], ['2031-05', 2, 'USD', 10])
    const sums = by_currency.map((each: { [key: string]: unknown }) => [
      each.currency_unit,
      each.deals,
      each.value,
    ])
    assert.deepEqual(sums, [
      ['EUR', 1, 20],
      ['USD', 1, 10],
    ])
  })
})
