import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { permissionModules } from '../../src/model/users/roles/permissions.ts'
import { depth } from '../support/depth.ts'
import type { Member, TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, startService } from '../support/service.ts'
import { addMember, fresh } from '../support/world.ts'

// Accounts, deals, forecast and dashboards say the same of money whatever has happened, to everybody
// what he may see: counted again by hand from what was done, over made-up histories.

const steps =
  'sell sell place place place value move move convert share share merge merge sort price odds bin close close'.split(
    ' ',
  )
type Step = { what: string; a: number; b: number; c: number }

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...steps),
  a: fc.nat(997),
  b: fc.nat(997),
  c: fc.nat(997),
})

describe('money', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })

  test('equals a naive recount, after every step and for every role', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 16 }), async (history) => {
        const world = await World.make(service)
        for (const each of history) {
          await world.take(each)
          await world.notice()
          await world.check(JSON.stringify(each))
        }
      }),
      { numRuns: depth(2, 5), endOnFailure: true },
    )
  })
})

type Company = { id: string; isGone: boolean }
type Account = {
  id: string
  company: Company | null
  currency: string | null
  isGone: boolean
  /** a won deal made it */
  isWon?: boolean
}
type Item = {
  id: string
  type: 'deal' | 'project'
  /** the one that was chosen */
  account: Account | null
  company: Company | null
  expected: number | null
  revenue: number | null
  stage: number
  month: string | null
  owner: Member | null
  isShared: boolean
  isGone: boolean
}
type Merge = { id: string; into: Company; from: Company; moved: (Account | Item)[] }
type Json = { [name: string]: any }

/** What was done, as the test knows it. */
class World {
  service: TestService
  org: TestOrganization
  own: Member
  lead: Member
  pipeline: Json
  companies: Company[] = []
  accounts: Account[] = []
  items: Item[] = []
  merges: Merge[] = []

  constructor(
    service: TestService,
    org: TestOrganization,
    [own, lead]: [Member, Member],
    pipeline: Json,
  ) {
    this.service = service
    this.org = org
    this.own = own
    this.lead = lead
    this.pipeline = pipeline
  }

  static async make(service: TestService): Promise<World> {
    const org = await makeOrganization(service)
    const reads = (level: string) => {
      const all = permissionModules().map((module) => [module, { read: 'all' }])
      return { ...Object.fromEntries(all), deals: { read: level }, projects: { read: level } }
    }
    const people: [Member, Member] = [
      await addMember(service, org, reads('own')),
      await addMember(service, org, reads('team')),
    ]
    const { token } = org.users.admin
    const [pipeline] = (await service.call('GET', '/api/pipelines/', { token })).body
    const world = new World(service, org, people, pipeline)
    for (let i = 0; i < 3; i++) await world.found()
    await world.open(world.companies[0]!)
    await world.open(null)
    // a deal of an account, two of companies, of which one has an account
    for (const [kind, which] of [
      [0, 0],
      [1, 0],
      [1, 1],
    ] as const)
      await world.sell(kind, which, 51)
    const [own, lead] = people
    await world.put(`/api/users/profile/${own.user_id}/`, { reports_to: lead.user_id })
    const account_id = world.accounts[0]!.id
    for (const kind of ['observer', 'customer', 'partner'] as const) {
      await world.put(`/api/users/profile/${org.users[kind].user_id}/`, { account_id })
    }
    // a project that its account's customers are shown, and one that they are not
    for (const isShared of [true, false]) await world.begin(world.accounts[0]!, isShared)
    return world
  }

  async take({ what, a, b, c }: Step) {
    const item = pick(this.items, a)
    const deals = this.items.filter(({ type, isGone }) => type === 'deal' && !isGone)
    const deal = pick(deals, a)
    const account = pick(this.accounts, b)
    const company = pick(this.companies, c)
    switch (what) {
      case 'sell':
        return this.sell(a, b, c)
      case 'place':
        return deal && this.place(deal, b % this.pipeline.stages.length)
      case 'value':
        return deal && this.value(deal, b, c)
      case 'move':
        return deal && this.move(deal, b, c)
      case 'convert':
        return deal && this.convert(deal)
      case 'share': {
        const projects = this.items.filter(({ type, isGone }) => type === 'project' && !isGone)
        const project = pick(projects, a)
        return project && this.share(project)
      }
      case 'sort':
        if (a % 3 === 0) return this.open(company ?? null)
        return account && !account.isGone && this.sort(account, a % 3 === 1 ? company! : null)
      case 'price':
        return (
          account && !account.isGone && this.price(account, ['USD', 'EUR', 'CHF', null][c % 4]!)
        )
      case 'odds':
        return this.odds(a % 4, b % 101)
      case 'merge':
        return a % 3 ? this.merge(b, c) : this.undo()
      case 'close':
        return account && this.bin('/api/account/info/', account)
      default:
        return item && this.bin('/api/project/info/', item)
    }
  }

  async found() {
    const id = await this.post('/api/company/', { company_name: fresh('Company') })
    this.companies.push({ id, isGone: false })
  }

  async open(company: Company | null) {
    if (company?.isGone) return
    const body = { account_name: fresh('Account'), company_id: company?.id }
    const id = await this.post('/api/account/info/', body)
    this.accounts.push({ id, company, currency: null, isGone: false })
  }

  async sell(a: number, b: number, c: number) {
    const account = a % 3 === 0 ? (pick(this.accounts.filter(alive), b) ?? null) : null
    const company = a % 3 === 1 ? (pick(this.companies.filter(alive), b) ?? null) : null
    const owner = [this.own, this.lead, null][c % 3]!
    const expected = c % 5 ? c : null
    const revenue = b % 3 ? null : b
    const month = a % 4 ? `2031-0${1 + (b % 3)}` : null
    const id = await this.post('/api/project/info/', {
      project_name: fresh('Deal'),
      project_type: 'deal',
      expected_deal_value: expected,
      revenue,
      ...(account && { account_id: account.id }),
      ...(company && { company_id: company.id }),
      ...(owner && { project_owner: owner.user_id }),
      ...(month && { forecasted_date: `${month}-15` }),
    })
    const known = { id, type: 'deal' as const, account, company, expected, revenue, month, owner }
    this.items.push({ ...known, stage: 0, isShared: false, isGone: false })
  }

  async begin(account: Account, isShared: boolean) {
    const id = await this.post('/api/project/info/', {
      project_name: fresh('Project'),
      project_type: 'project',
      account_id: account.id,
      is_shared: isShared,
    })
    const nothing = { company: null, expected: null, revenue: null, month: null, owner: null }
    const project = { id, type: 'project' as const, account, ...nothing, stage: 0 }
    this.items.push({ ...project, isShared, isGone: false })
  }

  async share(project: Item) {
    const isShared = !project.isShared
    await this.put(`/api/project/info/${project.id}/`, { is_shared: isShared })
    project.isShared = isShared
  }

  async place(deal: Item, stage: number) {
    const { stage_id, category } = this.pipeline.stages[stage]
    const lost_reason = category === 'lost' ? { lost_reason: 'price' } : {}
    await this.put(`/api/project/info/${deal.id}/`, { stage_id, ...lost_reason })
    deal.stage = stage
  }

  async value(deal: Item, b: number, c: number) {
    const [expected, revenue] = [b % 4 ? b : null, c % 2 ? c : null]
    const body = { expected_deal_value: expected, revenue }
    await this.put(`/api/project/info/${deal.id}/`, body)
    Object.assign(deal, { expected, revenue })
  }

  async move(deal: Item, b: number, c: number) {
    const account = b % 4 ? pick(this.accounts.filter(alive), b) : null
    if (c % 2) {
      const company = c % 3 ? (pick(this.companies.filter(alive), c) ?? null) : null
      await this.put(`/api/project/info/${deal.id}/`, { company_id: company?.id ?? null })
      deal.company = company
      return
    }
    // who names the account that it has already chooses nothing
    const isSame = account && account === this.accountOf(deal)
    await this.put(`/api/project/info/${deal.id}/`, { account_id: account?.id ?? null })
    if (!isSame) deal.account = account ?? null
  }

  async convert(deal: Item) {
    const { category } = this.pipeline.stages[deal.stage]
    const reply = await this.call('POST', `/api/project/info/${deal.id}/convert/`, {})
    if (category !== 'won') assert.equal(reply.status, 409)
    if (reply.status === 409) return
    assert.equal(reply.status, 201, reply.text)
    await this.notice()
    const account = this.accountOf(deal)
    const isThere = account && !account.isGone
    const company = deal.company?.isGone ? null : deal.company
    const id = reply.headers.get('x-record-id')!
    const project = { ...deal, id, company, account: isThere ? account : null }
    this.items.push({ ...project, type: 'project', isShared: false })
  }

  async sort(account: Account, company: Company | null) {
    if (company?.isGone) return
    await this.put(`/api/account/info/${account.id}/`, { company_id: company?.id ?? null })
    account.company = company
  }

  async price(account: Account, currency_unit: string | null) {
    await this.put(`/api/account/info/${account.id}/`, { currency_unit })
    account.currency = currency_unit
  }

  async odds(index: number, probability: number) {
    const stages = this.pipeline.stages.map((stage: Json, i: number) =>
      i === index ? { ...stage, probability } : stage,
    )
    await this.put(`/api/pipelines/${this.pipeline.pipeline_id}/`, { stages })
    this.pipeline = { ...this.pipeline, stages }
  }

  async merge(b: number, c: number) {
    const there = this.companies.filter(alive)
    const [into, from] = [pick(there, b), pick(there, c)]
    if (!into || !from || into === from) return
    const body = { primary_id: into.id, merge_ids: [from.id] }
    const reply = await this.call('POST', '/api/company/merge/', body)
    assert.equal(reply.status, 200, reply.text)
    const moved = [...this.accounts, ...this.items].filter(({ company }) => company === from)
    for (const each of moved) each.company = into
    from.isGone = true
    this.merges.push({ id: reply.body.merge_id, into, from, moved })
    await this.found()
  }

  async undo() {
    const last = this.merges.at(-1)
    if (!last || last.into.isGone) return
    const reply = await this.call('POST', `/api/company/merge/${last.id}/undo/`, {})
    assert.equal(reply.status, 200, reply.text)
    this.merges.pop()
    last.from.isGone = false
    for (const each of last.moved) if (each.company === last.into) each.company = last.from
  }

  async bin(path: string, thing: Account | Item) {
    const at = `${path}${thing.id}/`
    const reply = thing.isGone
      ? await this.call('POST', `${at}restore/`, {})
      : await this.call('DELETE', at)
    assert.ok(reply.status < 300, `${at} ${reply.text}`)
    thing.isGone = !thing.isGone
  }

  /** The accounts that won deals made for companies without one, and those that were taken back with the winning. */
  async notice() {
    const { token } = this.org.users.admin
    const path = '/api/account/info/?page=1&items_per_page=500'
    const books: Json[] = (await this.service.call('GET', path, { token })).body
    const isWon = ({ type, stage, account }: Item) =>
      type === 'deal' && !account && this.pipeline.stages[stage].category === 'won'
    for (const { account_id: id, company_id } of books) {
      if (this.accounts.some((account) => account.id === id)) continue
      const company = this.companies.find((each) => each.id === company_id)
      assert.ok(company && this.items.some((item) => isWon(item) && item.company === company), id)
      this.accounts.push({ id, company, currency: null, isGone: false, isWon: true })
    }
    for (const account of this.accounts.filter(alive)) {
      if (account.isWon && !books.some(({ account_id }) => account_id === account.id))
        account.isGone = true
    }
  }

  /** The account chosen, else the company's first. */
  accountOf({ account, company }: Item): Account | undefined {
    if (account) return account
    return company
      ? this.accounts.find((each) => alive(each) && each.company === company)
      : undefined
  }

  async check(after: string) {
    const { admin, manager, member, observer, customer, partner } = this.org.users
    const team = [this.own, this.lead]
    const first = this.accounts[0]
    await Promise.all([
      this.checkFor(admin, () => true, after),
      this.checkFor(manager, () => true, after),
      this.checkFor(member, () => true, after),
      this.checkFor(this.own, ({ owner }) => owner === this.own, after),
      this.checkFor(this.lead, ({ owner }) => owner !== null && team.includes(owner), after),
      this.checkFor(observer, (item) => this.accountOf(item) === first, after, [first!]),
      this.checkOutside(customer, after),
      this.checkOutside(partner, after),
    ])
  }

  /** Customers and partners count what is shared with their account, and learn of no money. */
  async checkOutside({ token, email }: Member, after: string) {
    const get = (path: string) => this.service.call('GET', path, { token })
    const where = `${email.split('@')[0]} after ${after}`
    const [first] = this.accounts
    const its = this.items.filter(
      (item) =>
        item.type === 'project' && item.isShared && !item.isGone && this.accountOf(item) === first,
    )
    const listed = (await get('/api/project/info/?page=1&items_per_page=500')).body as Json[]
    assert.deepEqual(
      listed.map(({ project_id }) => project_id).toSorted(),
      its.map(({ id }) => id).toSorted(),
      where,
    )
    const books = (await get('/api/account/info/?page=1&items_per_page=500')).body as Json[]
    const seen = books.map(({ account_id }) => account_id)
    assert.deepEqual(seen, first!.isGone ? [] : [first!.id], where)
    for (const shown of books) {
      assert.equal(shown.total_projects, its.length, where)
      for (const name of money) assert.ok(!(name in shown), `${name}: ${where}`)
    }
    for (const shown of listed) {
      for (const name of money) assert.ok(!(name in shown), `${name}: ${where}`)
    }
    for (const path of closed) {
      const reply = await get(path)
      assert.equal(reply.status, 403, `${path} ${where}: ${reply.text}`)
    }
  }

  async checkFor(
    { token, email }: Member,
    sees: (item: Item) => boolean,
    after: string,
    accounts = this.accounts,
  ) {
    const read = async (path: string) => {
      const { status, body, text } = await this.service.call('GET', path, { token })
      assert.equal(status, 200, `${path} ${text}`)
      return body
    }
    const widget = async (query: string) =>
      (await read(`/api/dashboards/widget/?time_filter=this_year&widget_type=${query}`)).totals
    const where = `${email.split('@')[0]} after ${after}`
    const items = this.items.filter((item) => !item.isGone && sees(item))
    const deals = items.filter(({ type }) => type === 'deal')

    const listed: Json[] = await read('/api/project/info/?page=1&items_per_page=500')
    assert.deepEqual(
      listed.map(({ project_id }) => project_id).toSorted(),
      items.map(({ id }) => id).toSorted(),
      where,
    )
    for (const item of items) {
      const its = this.accountOf(item)
      const shown = listed.find(({ project_id }) => project_id === item.id)!
      if (!its?.isGone) assert.equal(shown.account_id, its?.id ?? null, where)
      assert.equal(shown.currency_unit, its?.currency ?? 'USD', where)
    }

    const books: Json[] = await read('/api/account/info/?page=1&items_per_page=500')
    for (const account of accounts.filter(alive)) {
      const shown = books.find(({ account_id }) => account_id === account.id)
      assert.ok(shown, where)
      const its = items.filter((item) => this.accountOf(item) === account)
      const sales = its.filter(({ type }) => type === 'deal')
      const sums = this.sums(sales)
      const { total_revenue, open_pipeline, weighted_pipeline, lost_value } = shown
      assert.deepEqual({ total_revenue, open_pipeline, weighted_pipeline, lost_value }, sums, where)
      const counts = [shown.total_projects, shown.total_deals, shown.completed_deals]
      const won = sales.filter((deal) => this.category(deal) === 'won')
      assert.deepEqual(counts, [its.length - sales.length, sales.length, won.length], where)
      const currency_unit = account.currency ?? 'USD'
      const one = { currency_unit, deals: sales.length, ...sums }
      assert.deepEqual(shown.totals_by_currency, sales.length ? [one] : [], where)
    }

    const units = [...new Set(deals.map((deal) => this.currency(deal)))].toSorted()
    const of = (unit: string) => deals.filter((deal) => this.currency(deal) === unit)
    const stages = await widget('deals_by_stage')
    const main = this.sums(of('USD'))
    assert.deepEqual(
      [stages.won_value, stages.open_value, stages.weighted, stages.lost_value, stages.count],
      [
        main.total_revenue,
        main.open_pipeline,
        main.weighted_pipeline,
        main.lost_value,
        deals.length,
      ],
      where,
    )
    const each = stages.by_currency.map((row: Json) => ({
      currency_unit: row.currency_unit,
      total_revenue: row.won_value,
      open_pipeline: row.open_value,
      weighted_pipeline: row.weighted,
      lost_value: row.lost_value,
    }))
    const expected = units.map((unit) => ({ currency_unit: unit, ...this.sums(of(unit)) }))
    assert.deepEqual(each, expected, where)
    const closed = await widget('deals_won_lost')
    assert.deepEqual([closed.won_value, closed.lost_value], [stages.won_value, stages.lost_value])
    const promised = await widget('revenue_forecast')
    const { value, late_value, later_value, undated_value, won_value } = promised
    assert.equal(round(value + late_value + later_value + undated_value), stages.open_value, where)
    assert.equal(won_value, stages.won_value, where)

    const forecast: Json[] = await read('/api/project/forecast/')
    const open = deals.filter((deal) => this.category(deal) === 'open')
    const months = [...new Set(open.map(({ month }) => month))]
    assert.equal(forecast.length, months.length, where)
    for (const month of months) {
      const row = forecast.find((found) => found.month === month)
      assert.ok(row, where)
      const its = open.filter((deal) => deal.month === month)
      const inDollars = this.sums(its.filter((deal) => this.currency(deal) === 'USD'))
      const { open_pipeline, weighted_pipeline } = inDollars
      const shown = [row.deals, row.value, row.weighted]
      assert.deepEqual(shown, [its.length, open_pipeline, weighted_pipeline], where)
      const all = row.by_currency.reduce((sum: number, found: Json) => sum + found.deals, 0)
      assert.equal(all, its.length, where)
    }

    const account = accounts.filter(alive).at(-1)
    if (!account) return
    const shown = books.find(({ account_id }) => account_id === account.id)!
    const filtered = await widget(`deals_by_stage&account_id=${account.id}`)
    assert.equal(filtered.currency_unit, shown.currency_unit, where)
    assert.deepEqual(
      [filtered.won_value, filtered.open_value, filtered.weighted, filtered.lost_value],
      [shown.total_revenue, shown.open_pipeline, shown.weighted_pipeline, shown.lost_value],
      where,
    )
  }

  category(deal: Item): string {
    return this.pipeline.stages[deal.stage].category
  }

  currency(deal: Item): string {
    return this.accountOf(deal)?.currency ?? 'USD'
  }

  sums(deals: Item[]) {
    const found = { total_revenue: 0, open_pipeline: 0, weighted_pipeline: 0, lost_value: 0 }
    for (const deal of deals) {
      const { expected, revenue } = deal
      const category = this.category(deal)
      if (category === 'won') found.total_revenue += revenue ?? expected ?? 0
      const value = expected ?? revenue ?? 0
      if (category === 'lost') found.lost_value += value
      if (category !== 'open') continue
      found.open_pipeline += value
      found.weighted_pipeline += (value * this.pipeline.stages[deal.stage].probability) / 100
    }
    return { ...found, weighted_pipeline: round(found.weighted_pipeline) }
  }

  call(method: string, path: string, body?: object) {
    return this.service.call(method, path, { token: this.org.users.admin.token, body })
  }

  async post(path: string, body: object): Promise<string> {
    const reply = await this.call('POST', path, body)
    assert.ok(reply.status < 300, `${path} ${reply.text}`)
    return reply.headers.get('x-record-id')!
  }

  async put(path: string, body: object) {
    const reply = await this.call('PUT', path, body)
    assert.equal(reply.status, 200, `${path} ${JSON.stringify(body)} ${reply.text}`)
  }
}

/** Fields that reveal money: no customer or partner reads any of them. */
const money = [
  'total_revenue',
  'total_formatted_revenue',
  'open_pipeline',
  'weighted_pipeline',
  'lost_value',
  'totals_by_currency',
  'total_deals',
  'completed_deals',
  'revenue',
  'expected_deal_value',
  'calculated_revenue',
  'formatted_revenue',
  'formatted_deal_value',
  'project_fee',
]

const widgetOf = (type: string) =>
  `/api/dashboards/widget/?widget_type=${type}&time_filter=this_year`

const closed = [
  '/api/project/forecast/',
  widgetOf('deals_by_stage'),
  widgetOf('deals_won_lost'),
  widgetOf('revenue_forecast'),
  widgetOf('deal_funnel'),
]

function pick<T>(list: T[], at: number): T | undefined {
  return list[at % (list.length || 1)]
}

function alive({ isGone }: { isGone: boolean }): boolean {
  return !isGone
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
