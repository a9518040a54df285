import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { depth } from '../support/depth.ts'
import type { TestService } from '../support/service.ts'
import { makeOrganization, startService } from '../support/service.ts'
import { bringing } from './bring.ts'

const now = new Date('2026-03-18T15:30:00Z')
const zones = ['Pacific/Auckland', 'America/New_York', 'Asia/Kolkata', 'UTC']
/** The filters of widgets that mean whole months in the past, and their days. */
const spans: { [filter: string]: [from: string, to: string] } = {
  last_month: ['2026-02-01', '2026-02-28'],
  last_quarter: ['2025-10-01', '2025-12-31'],
  last_year: ['2025-01-01', '2025-12-31'],
  this_month: ['2026-03-01', '2026-03-31'],
}

type Row = { [column: string]: any }

/** When a row was finished, as its file says it: a day, a time on the organization's clock, an instant, or not at all. */
const finished = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  {
    weight: 6,
    arbitrary: fc.record({
      // until the day before now in every zone
      day: fc.integer({ min: 0, max: 437 }),
      minute: fc.integer({ min: 0, max: 1439 }),
      form: fc.constantFrom('day', 'clock', 'instant'),
    }),
  },
)
const row = fc.record({
  outcome: fc.constantFrom('won', 'lost', 'open'),
  at: finished,
  value: fc.integer({ min: 1, max: 999 }),
})
type Made = typeof row extends fc.Arbitrary<infer T> ? T : never

/** How the file writes it, and the day on which it was on the organization's clock. */
function written(at: Made['at'], zone: string): { text: string; day: string } {
  if (!at) return { text: '', day: '' }
  const day = Temporal.PlainDate.from('2025-01-05').add({ days: at.day })
  const time = Temporal.PlainTime.from('00:00').add({ minutes: at.minute })
  if (at.form === 'day') return { text: day.toString(), day: day.toString() }
  const clock = `${day.toString()} ${time.toString({ smallestUnit: 'second' })}`
  if (at.form === 'clock') return { text: clock, day: day.toString() }
  const instant = `${clock.replace(' ', 'T')}Z`
  const local = Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate()
  return { text: instant, day: local.toString() }
}

const within = (day: string, [from, to]: [string, string]) => day !== '' && day >= from && day <= to

describe('finished records of a file, over months and zones', () => {
  let service: TestService

  before(async () => {
    service = await startService({}, () => now, true)
  })

  async function widget(token: string, type: string, filter: string): Promise<Row> {
    const at = `/api/dashboards/widget/?widget_type=${type}&time_filter=${filter}`
    const { status, body, text } = await service.call('GET', at, { token })
    assert.equal(status, 200, text)
    return body
  }

  test('count in the months that a naive count of the file says, and in no other', async () => {
    const runs = fc.asyncProperty(
      fc.constantFrom(...zones),
      fc.array(row, { minLength: 1, maxLength: 25 }),
      async (zone, made) => {
        const org = await makeOrganization(service, zone)
        const { token } = org.users.admin
        const { bring } = bringing(service, org)
        const all = made.map((each, n) => ({ ...each, n, ...written(each.at, zone) }))
        const deals = all.map(({ n, outcome, value, text }) =>
          [`Deal ${n}`, value, `Closed ${outcome}`, text].join(','),
        )
        const open = (line: string) => line.replace('Closed open', 'Proposal')
        const csv = ['Deal Name,Amount,Deal Stage,Won time', ...deals.map(open)].join('\n')
        const { failed, errors } = await bring('deals', csv)
        assert.equal(failed, 0, JSON.stringify(errors))
        const status = { won: 'Done', lost: 'Cancelled', open: 'In progress' }
        const lines = all.map(({ n, outcome, text }) =>
          [`Row ${n}`, status[outcome], outcome === 'won' ? text : ''].join(','),
        )
        await bring('tasks', ['Task name,Status,Completed at', ...lines].join('\n'))
        await bring('projects', ['Project name,Status,Completed at', ...lines].join('\n'))

        for (const [filter, span] of Object.entries(spans)) {
          const its = (outcome: string) =>
            all.filter((each) => each.outcome === outcome && within(each.day, span))
          const sum = (rows: Made[]) => rows.reduce((total, { value }) => total + value, 0)
          const closed = await widget(token, 'deals_won_lost', filter)
          const expected = {
            won: its('won').length,
            lost: its('lost').length,
            won_value: sum(its('won')),
            lost_value: sum(its('lost')),
          }
          const { won, lost, won_value, lost_value } = closed.totals
          assert.deepEqual({ won, lost, won_value, lost_value }, expected, `${filter} in ${zone}`)
          for (const { date, ...day } of closed.series as Row[]) {
            const that = its('won').filter((each) => each.day === date)
            assert.equal(day.won, that.length, `${date} in ${zone}`)
          }
          const forecast = await widget(token, 'revenue_forecast', filter)
          for (const month of forecast.series as Row[]) {
            const that = its('won').filter(({ day }) => day.startsWith(month.month))
            assert.deepEqual([month.won, month.won_value], [that.length, sum(that)], month.month)
          }
          const done = its('won').length
          for (const type of ['tasks_by_status', 'projects_by_status']) {
            const { totals } = await widget(token, type, filter)
            assert.equal(totals.completed, done, `${type} ${filter} in ${zone}`)
          }
        }
      },
    )
    await fc.assert(runs, { numRuns: depth(4, 40) })
  })
})
