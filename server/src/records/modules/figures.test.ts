import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Temporal } from 'temporal-polyfill'
import { refusedField } from '../../../test/support/refused.ts'
import { drawnSeed, scatter, scatterHistories } from '../../../test/support/scattered.ts'
import type { Member, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, sql, startService } from '../../../test/support/service.ts'

const now = new Date('2025-03-18T15:30:00Z')

type Figure = {
  measure: string
  currency_unit: string | null
  count: number
  value: number | null
}
type Value = string | boolean | null
type Group = {
  value: Value
  label: string | null
  count: number
  filter: object[]
  figures: Figure[]
  records: unknown[]
  cells: { value: Value; count: number; figures: Figure[] }[]
}
type Figures = {
  groups: Group[]
  columns: Omit<Group, 'cells'>[]
  figures: Figure[]
  total: number
  left_out: { groups: number; columns: number }
}
type Row = { [field: string]: any }
type Question = {
  path: string
  by: string
  unit?: string
  width?: string
  then?: string
  then_unit?: string
}
type Asked = Question & {
  measures: string
  project_type?: string
  /** a condition, and the same by hand */
  only?: [condition: object, holds: (row: Row) => boolean]
}

const deals = { path: '/api/project/info/', project_type: 'deal' }
const money = 'count,sum:expected_deal_value,median:expected_deal_value,share:expected_deal_value'
const questions: Asked[] = [
  { ...deals, by: 'stage_id', then: 'closed_at', then_unit: 'year', measures: money },
  { ...deals, by: 'closed_at', unit: 'month', then: 'project_owner', measures: `${money},share` },
  { ...deals, by: 'lost_reason', measures: 'average:revenue,distinct:account_id' },
  { ...deals, by: 'creation_time', unit: 'week', measures: 'count,average:project_score' },
  {
    path: deals.path,
    project_type: 'project',
    by: 'status',
    then: 'due_date',
    then_unit: 'quarter',
    measures: 'share,median:project_score,sum:open_tasks_count',
  },
  {
    path: '/api/tasks/',
    by: 'due_date',
    unit: 'week',
    then: 'status',
    measures: 'count,distinct:owner,distinct:creation_time',
  },
  { path: '/api/tasks/', by: 'owner', then: 'is_completed', measures: 'share,distinct:title' },
  { path: '/api/tasks/', by: 'is_completed', then: 'owner', measures: 'count' },
  { path: '/api/tasks/', by: 'completed_at', unit: 'day', measures: 'count' },
  { path: '/api/account/info/', by: 'account_owner', measures: 'average:health_score' },
  // those that come with the product, as the screens ask for them
  {
    ...deals,
    by: 'forecasted_date',
    unit: 'month',
    then: 'stage_id',
    measures: 'sum:expected_deal_value,count',
    only: [{ field: 'closed_at', operator: 'is_empty' }, ({ closed_at }) => !closed_at],
  },
  {
    ...deals,
    by: 'closed_at',
    unit: 'month',
    then: 'stage_id',
    measures: 'count',
    only: [{ field: 'closed_at', operator: 'is_not_empty' }, ({ closed_at }) => closed_at],
  },
  {
    ...deals,
    by: 'lost_reason',
    measures: 'count,sum:expected_deal_value,share',
    only: [{ field: 'lost_reason', operator: 'is_not_empty' }, ({ lost_reason }) => lost_reason],
  },
  {
    path: '/api/tasks/',
    by: 'owner',
    then: 'due_date',
    then_unit: 'month',
    measures: 'count',
    only: [
      { field: 'is_completed', operator: 'eq', value: false },
      ({ is_completed }) => !is_completed,
    ],
  },
  {
    path: deals.path,
    project_type: 'project',
    by: 'completed_at',
    unit: 'month',
    then: 'project_owner',
    measures: 'count',
    only: [{ field: 'completed_at', operator: 'is_not_empty' }, ({ completed_at }) => completed_at],
  },
  {
    path: '/api/account/info/',
    by: 'segment',
    measures: 'average:health_score,median:health_score,count',
  },
  { path: '/api/account/info/', by: 'health_score', width: '20', measures: 'count' },
  { ...deals, by: 'expected_deal_value', width: '250', then: 'stage_id', measures: 'count' },
]

for (const [timezone, week_start] of [
  ['America/New_York', 1],
  ['Pacific/Auckland', 7],
] as const) {
  describe(`figures of lists in ${timezone}, counted again by hand`, () => {
    let service: TestService
    let org: TestOrganization
    let callers: { [who: string]: Member }

    before(async () => {
      service = await startService({}, () => now)
      org = await makeOrganization(service, timezone)
      callers = (await scatter(service, org, now, drawnSeed(7))).callers
      const { token } = org.users.admin
      const body = { week_start }
      const { status, text } = await service.call('PUT', '/api/organization/settings/', {
        token,
        body,
      })
      assert.equal(status, 200, text)
      await scatterHistories(service, org, now, drawnSeed(8))
    })

    for (const who of ['admin', 'manager', 'member', 'owner', 'customer']) {
      test(`show the ${who} what its own lists add up to, and lead to them`, async () => {
        const { token } = callers[who]!
        const kinds = new Set<string | null>()
        const lists = new Map<string, Promise<Row[]>>()
        for (const question of questions) {
          const found = await ask(question, token)
          if (!found) {
            assert.equal(who, 'customer')
            continue
          }
          const which = `${question.path} ${question.project_type}`
          const read = lists.get(which) ?? listOf(question, token)
          lists.set(which, read)
          const list = (await read).filter(question.only?.[1] ?? (() => true))
          for (const { currency_unit } of list) kinds.add(currency_unit ?? null)
          await compare(question, found, list, token)
        }
        if (who === 'admin') assert.deepEqual([...kinds].sort(), ['EUR', 'JPY', 'USD', null].sort())
      })
    }

    async function ask(
      { path, only, ...query }: Asked,
      token: string,
    ): Promise<Figures | undefined> {
      const filter = JSON.stringify(only ? [only[0]] : [])
      const at = `${path}groups/?${new URLSearchParams({ ...query, filter })}`
      const { status, body, text } = await service.call('GET', at, { token })
      if (status === 400 && /must be one of|is not a number|is of numbers/.test(text))
        return undefined
      assert.equal(status, 200, `${at} ${text}`)
      return body as Figures
    }

    async function listOf({ path, project_type }: Asked, token: string): Promise<Row[]> {
      const found: Row[] = []
      for (let page = 1; ; page++) {
        const kind = project_type ? `&project_type=${project_type}` : ''
        const at = `${path}?page=${page}&items_per_page=100${kind}`
        const { body, text } = await service.call('GET', at, { token })
        assert.ok(Array.isArray(body), text)
        found.push(...(body as Row[]))
        if (body.length < 100) return found
      }
    }

    async function compare(question: Asked, found: Figures, list: Row[], token: string) {
      const { by, unit, width, then, then_unit, measures } = question
      const names = measures.split(',')
      const words = JSON.stringify(question)
      const check = (figures: Figure[], its: Row[], where: string) => {
        assert.deepEqual(
          figures.map(rounded),
          names.flatMap((name) => naive(name, its, list)).map(rounded),
          `${words} ${where}`,
        )
      }
      assert.equal(found.total, list.length, words)
      check(found.figures, list, 'of all')
      const groups = Map.groupBy(list, (row) => valueOf(row[by], unit, Number(width ?? 0)))
      assert.deepEqual(new Set(found.groups.map(({ value }) => value)), new Set(groups.keys()))
      assert.deepEqual(found.left_out, { groups: 0, columns: 0 }, words)
      for (const group of found.groups) {
        const its = groups.get(group.value) ?? []
        assert.equal(group.count, its.length, words)
        check(group.figures, its, String(group.value))
        if (group === found.groups[0] || group === found.groups.at(-1))
          assert.equal(await countOf(question, group.filter, token), its.length, words)
        if (!then) continue
        const cells = Map.groupBy(its, (row) => valueOf(row[then], then_unit))
        assert.equal(group.cells.length, cells.size, words)
        for (const cell of group.cells) {
          const both = cells.get(cell.value) ?? []
          assert.equal(cell.count, both.length, words)
          check(cell.figures, both, `${group.value} ${cell.value}`)
          if (cell !== group.cells.at(-1) || group !== found.groups.at(-1)) continue
          const column = found.columns.find(({ value }) => value === cell.value)!
          const filter = [...group.filter, ...column.filter]
          assert.equal(await countOf(question, filter, token), both.length, words)
        }
      }
      if (!then) return
      const columns = Map.groupBy(list, (row) => valueOf(row[then], then_unit))
      for (const column of found.columns) {
        const its = columns.get(column.value) ?? []
        check(column.figures, its, `column ${column.value}`)
        if (column !== found.columns[0]) continue
        assert.equal(await countOf(question, column.filter, token), its.length, words)
      }
      assert.equal(found.columns.length, columns.size)
    }

    async function countOf({ path, project_type, only }: Asked, filter: object[], token: string) {
      const query = new URLSearchParams({
        filter: JSON.stringify([...filter, ...(only ? [only[0]] : [])]),
        include_count: 'true',
        page: '1',
        items_per_page: '1',
        ...(project_type ? { project_type } : {}),
      })
      const reply = await service.call('GET', `${path}?${query}`, { token })
      assert.equal(reply.status, 200, reply.text)
      return Number(reply.headers.get('x-total-count'))
    }

    function valueOf(value: any, unit?: string, width = 0): Value {
      if (width) return value === null ? null : String(Math.floor(value / width) * width)
      if (unit) return value ? bucket(value, unit) : null
      if (value === null || value === undefined || value === '') return null
      if (typeof value !== 'object') return value
      return value.status_key ?? value.user_id
    }

    function bucket(value: string, unit: string): string {
      const day =
        value.length === 10
          ? Temporal.PlainDate.from(value)
          : Temporal.Instant.from(value).toZonedDateTimeISO(timezone).toPlainDate()
      const firsts: { [unit: string]: Temporal.PlainDate } = {
        day,
        week: day.subtract({ days: (day.dayOfWeek - week_start + 7) % 7 }),
        month: day.with({ day: 1 }),
        quarter: day.with({ day: 1, month: Math.floor((day.month - 1) / 3) * 3 + 1 }),
        year: day.with({ day: 1, month: 1 }),
      }
      return `${firsts[unit]!}`
    }

    function naive(measure: string, its: Row[], all: Row[]): Figure[] {
      const [kind, field] = measure.split(':') as [string, string | undefined]
      if (!field) {
        const share = all.length ? (its.length / all.length) * 100 : null
        const value = kind === 'count' ? its.length : share
        return [{ measure, currency_unit: null, count: its.length, value }]
      }
      const having = (list: Row[]) => list.filter((row) => valueOf(row[field]) !== null)
      const isMoney = /deal_value|revenue/.test(field)
      const units = isMoney
        ? [...new Set(having(its).map((row) => row.currency_unit))].sort()
        : [null]
      return units.map((currency_unit): Figure => {
        const of = (list: Row[]) =>
          having(list)
            .filter((row) => !isMoney || row.currency_unit === currency_unit)
            .map((row) => valueOf(row[field]))
        const values = of(its)
        return { measure, currency_unit, count: values.length, value: made(kind, values, of(all)) }
      })
    }

    function made(kind: string, values: Value[], whole: Value[]): number | null {
      if (kind === 'distinct') return new Set(values.map((each) => String(each).toLowerCase())).size
      const numbers = values.map(Number).sort((a, b) => a - b)
      const add = (list: number[]) => list.reduce((sum, each) => sum + each, 0)
      if (!numbers.length) return null
      const half = numbers.length / 2
      if (kind === 'sum') return add(numbers)
      if (kind === 'average') return add(numbers) / numbers.length
      if (kind === 'median') return (numbers[Math.ceil(half) - 1]! + numbers[Math.floor(half)]!) / 2
      return whole.length ? (add(numbers) / add(whole.map(Number))) * 100 : null
    }
  })
}

function rounded({ value, ...rest }: Figure) {
  return { ...rest, value: value === null ? null : Math.round(value * 100) / 100 }
}

describe('figures of lists', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
  })

  const wrong = async (path: string, query: { [name: string]: string }, field: string) => {
    const at = `${path}groups/?${new URLSearchParams(query)}`
    return refusedField(await service.call('GET', at, { token }), [field])
  }

  test('refuse what they do not know, and say what would be right', async () => {
    const path = '/api/tasks/'
    await wrong(path, { by: 'status', unit: 'month' }, 'unit')
    await wrong(path, { by: 'due_date', unit: 'fortnight' }, 'unit')
    await wrong(path, { by: 'status', then: 'description' }, 'then')
    await wrong(path, { by: 'status', then: 'status' }, 'then')
    await wrong(path, { by: 'status', then: 'owner', then_unit: 'day' }, 'then_unit')
    await wrong(path, { by: 'status', then_unit: 'day' }, 'then_unit')
    for (const measures of ['size', 'sum', 'count:title', 'sum:title', 'median:', 'distinct:users'])
      await wrong(path, { by: 'status', measures }, 'measures')
    const many = 'count,share,distinct:title,distinct:owner,distinct:status,distinct:due_date'
    await wrong(path, { by: 'status', measures: many }, 'measures')
    await wrong(path, { by: 'status', measures: 'count', items: '1' }, 'items')
    await wrong(path, { by: 'status', measures: 'count', sum: 'total_elapsed_time' }, 'sum')
  })

  test('are of months where no unit is named, and come in the order of days or as requested', async () => {
    for (const due_date of ['2025-02-28', '2025-01-31', '2025-02-01', null]) {
      const body = { title: 'One', due_date }
      assert.equal((await service.call('POST', '/api/tasks/', { token, body })).status, 201)
    }
    const at = '/api/tasks/groups/?by=due_date'
    const { body } = await service.call('GET', at, { token })
    const values = (found: Figures) => found.groups.map(({ value, count }) => [value, count])
    assert.deepEqual(values(body), [
      ['2025-01-01', 1],
      ['2025-02-01', 2],
      [null, 1],
    ])
    assert.deepEqual(body.groups[1].filter, [
      { field: 'due_date', operator: 'between', value: ['2025-02-01', '2025-02-28'] },
    ])
    const largest = await service.call('GET', `${at}&order=-count`, { token })
    assert.deepEqual(values(largest.body)[0], ['2025-02-01', 2])
    const empty = await service.call('GET', `${at}&q=nothingofthat`, { token })
    assert.deepEqual(
      [empty.body.groups, empty.body.total, empty.body.figures],
      [[], 0, [{ measure: 'count', currency_unit: null, count: 0, value: 0 }]],
    )
  })

  test('count the organization’s own dates and numbers, in the order of choices', async () => {
    const make = (path: string, body: object) => service.call('POST', path, { token, body })
    const fields = [
      { key: 'renewal', label: 'Renewal', type: 'date' },
      { key: 'seats', label: 'Seats', type: 'number' },
      {
        key: 'plan',
        label: 'Plan',
        type: 'select',
        options: [
          { value: 'z', label: 'Small' },
          { value: 'a', label: 'Large' },
        ],
      },
    ]
    const settings = '/api/organization/settings/fields/companies/'
    const stored = await service.call('PUT', settings, { token, body: { fields } })
    assert.equal(stored.status, 200, stored.text)
    for (const custom_fields of [
      { renewal: '2025-03-31', seats: 4, plan: 'a' },
      { renewal: '2025-04-01', seats: 6, plan: 'a' },
      { renewal: '2025-04-30', seats: 1, plan: 'z' },
    ]) {
      const company_name = `Of ${custom_fields.renewal}`
      const { status, text } = await make('/api/company/', { company_name, custom_fields })
      assert.ok(status < 300, text)
    }
    const query = new URLSearchParams({
      by: 'custom_fields.renewal',
      unit: 'quarter',
      then: 'custom_fields.plan',
      measures: 'sum:custom_fields.seats',
    })
    const { body, text } = await service.call('GET', `/api/company/groups/?${query}`, { token })
    assert.ok(body.groups, text)
    const shown = (body as Figures).groups.map(({ value, figures, cells }) => [
      value,
      figures[0]!.value,
      cells.map((cell) => [cell.value, cell.figures[0]!.value]),
    ])
    const [small, large] = body.columns.map(({ value }: Group) => value)
    assert.deepEqual(
      body.columns.map(({ label }: Group) => label),
      ['Small', 'Large'],
    )
    assert.deepEqual(shown, [
      ['2025-01-01', 4, [[large, 4]]],
      [
        '2025-04-01',
        7,
        [
          [small, 1],
          [large, 6],
        ],
      ],
    ])
  })

  test('have the last day that there is', async () => {
    const { token } = (await makeOrganization(service, 'Europe/Berlin')).users.admin
    const end_date = '9999-12-31T23:59:59Z'
    const made = await service.call('POST', '/api/surveys/', {
      token,
      body: { name: 'Never ends', form_structure: [], end_date },
    })
    assert.equal(made.status, 201, made.text)
    for (const unit of ['day', 'week', 'year']) {
      const found = await service.call('GET', `/api/surveys/groups/?by=end_date&unit=${unit}`, {
        token,
      })
      assert.equal(found.status, 200, found.text)
      const [{ filter, count }] = found.body.groups
      assert.deepEqual([count, filter[0].value[1]], [1, '9999-12-31'])
    }
  })

  test('are of fields of linked records, and of ranges of numbers, and lead to them', async () => {
    const { users } = await makeOrganization(service)
    const as = { token: users.admin.token }
    const make = async (path: string, body: object) => {
      const made = await service.call('POST', path, { ...as, body })
      assert.equal(made.status, 201, made.text)
      return made.headers.get('x-record-id')
    }
    for (const [segment, values] of [
      ['Enterprise', [100, 249.5]],
      ['Small', [250, 700]],
    ] as const) {
      const account_id = await make('/api/account/info/', {
        account_name: segment,
        segment,
        account_owner: users.admin.user_id,
      })
      for (const expected_deal_value of values) {
        const body = { project_name: 'One', project_type: 'deal', account_id, expected_deal_value }
        await make('/api/project/info/', body)
      }
    }
    const groups = async (query: string) => {
      const at = `/api/project/info/groups/?project_type=deal&${query}`
      const { status, body, text } = await service.call('GET', at, as)
      assert.equal(status, 200, text)
      for (const { filter, count } of body.groups) {
        const list = `/api/project/info/?project_type=deal&include_count=true&page=1&items_per_page=1&filter=${encodeURIComponent(JSON.stringify(filter))}`
        const { status, headers, text } = await service.call('GET', list, as)
        assert.equal(status, 200, text)
        assert.equal(Number(headers.get('x-total-count')), count, list)
      }
      return body.groups.map(({ value, count }: Group) => [value, count])
    }
    // as the choice has it that texts in any case are equal to
    assert.deepEqual(await groups('by=account_id.segment'), [
      ['enterprise', 2],
      ['Small', 2],
    ])
    assert.deepEqual(await groups('by=account_id.account_owner&then=account_id.segment'), [
      [users.admin.user_id, 4],
    ])
    assert.deepEqual(await groups('by=expected_deal_value&width=250'), [
      ['0', 2],
      ['250', 1],
      ['500', 1],
    ])
    assert.deepEqual(await groups('by=account_id.creation_time&unit=year'), [
      [`${new Date().getUTCFullYear()}-01-01`, 4],
    ])
    const asked = (query: string) => service.call('GET', `/api/project/info/groups/?${query}`, as)
    refusedField(await asked('by=stage_id&width=10'), ['width'])
    refusedField(await asked('by=expected_deal_value'), ['by'])
    refusedField(await asked('by=account_id.password'), ['by'])
    const theirs = await service.call('GET', '/api/project/info/groups/?by=account_id.segment', {
      token: users.customer.token,
    })
    refusedField(theirs, ['by'])
  })

  test('are at most four hundred of time, and name the largest of other groups', async () => {
    const many = await makeOrganization(service)
    const { id } = many
    await service.runtime.database.transaction(id, (queries) =>
      queries.run(sql`insert into companies (organization_id, id, company_name, unique_key, industry, record_source,
          created_by, version, creation_time, last_update_time)
        select ${id}, 'figure' || n, 'Company ' || n, 'company ' || n, 'industry ' || n, 'application',
          ${many.users.admin.user_id}, 1, timestamptz '2020-01-01T12:00Z' + n * interval '1 day', now()
        from generate_series(1, 401) n`),
    )
    const as = { token: many.users.admin.token }
    const path = '/api/company/groups/?by='
    const refused = await service.call('GET', `${path}creation_time&unit=day`, as)
    refusedField(refused, ['unit'])
    assert.match(refused.text, /401 groups of at most 400/)
    const byWeek = await service.call('GET', `${path}creation_time&unit=week`, as)
    assert.equal(byWeek.status, 200, byWeek.text)
    const { body } = await service.call(
      'GET',
      `${path}industry&then=creation_time&then_unit=year`,
      as,
    )
    assert.deepEqual(
      [body.groups.length, body.left_out.groups, body.total, body.figures[0].value],
      [100, 301, 401, 401],
    )
  })
})
