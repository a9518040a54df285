import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Temporal } from 'temporal-polyfill'
import { refusedField } from '../../../test/support/refused.ts'
import type { Row, Seen } from '../../../test/support/seen.ts'
import { seenBy, storedRows } from '../../../test/support/seen.ts'
import {
  drawnSeed,
  scatter,
  scatteredTemplate,
  scatterHistories,
} from '../../../test/support/scattered.ts'
import type { Member, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

const now = new Date('2025-03-18T15:30:00Z')
const today = '2025-03-18'
const currencies = ['USD', 'EUR', 'JPY']
/** What each range means on that day, where months count as a whole. */
const ranges: { [filter: string]: [from: string, wholeFrom: string, to: string] } = {
  '12_months': ['2024-03-19', '2024-03-01', today],
  this_quarter: ['2025-01-01', '2025-01-01', '2025-03-31'],
  last_quarter: ['2024-10-01', '2024-10-01', '2024-12-31'],
}
const sides: { [report: string]: string[] } = {
  go_live: ['month', 'template', 'owner', 'segment'],
  plan: ['template'],
  funnel: ['stage'],
  cohorts: ['month'],
  forecast: ['month'],
  nps: ['segment', 'owner', 'account', 'survey', 'month'],
  health: ['month'],
}
type Value = number | null
type Line = { key: string | null; values: Value[] }
type Recount = { rows: Line[]; total: Value[] | null }

for (const timezone of ['America/New_York', 'Asia/Kolkata']) {
  describe(`reports in ${timezone}, counted again by hand`, () => {
    let service: TestService
    let org: TestOrganization
    let callers: { [who: string]: Member }
    let raw: { [table: string]: Row[] }
    before(async () => {
      service = await startService({}, () => now)
      org = await makeOrganization(service, timezone)
      callers = (await scatter(service, org, now, drawnSeed(50))).callers
      await scatterHistories(service, org, now, drawnSeed(51))
      const tables = `projects stages statuses stage_changes milestones tasks accounts companies contacts meetings
        survey_responses events surveys record_activity account_health_days`
      raw = await storedRows(service, org, tables.split(/\s+/))
      const accounts = new Map(raw.accounts!.map((each) => [each.id, each]))
      for (const project of raw.projects!) {
        project.currency =
          project.currency_unit ?? accounts.get(project.account_id)?.currency_unit ?? 'USD'
      }
    })

    for (const who of ['admin', 'manager', 'member', 'owner']) {
      test(`show the ${who} the result of a naive recount of the same lists`, async () => {
        const { token } = callers[who]!
        const seen = await seenBy(service, raw, token)
        let at = 0
        for (const [report, all] of Object.entries(sides)) {
          for (const by of all) {
            for (const [time_filter, [from, whole, to]] of Object.entries(ranges)) {
              const currency = currencies[at++ % 3]!
              const query = `by=${by}&time_filter=${time_filter}&currency_unit=${currency}`
              const path = `/api/reports/${report}/?${query}`
              const { status, body, text } = await service.call('GET', path, { token })
              assert.equal(status, 200, `${path} ${text}`)
              const first = by === 'month' ? whole : from
              if (report !== 'plan') assert.deepEqual([body.from, body.to], [first, to], path)
              const last = to < today ? to : today
              const expected = recounts[report]!(seen, { by, from: first, to, last, currency })
              const byKey = (rows: Line[]) =>
                Object.fromEntries(rows.map(({ key, values }) => [key ?? 'none', values]))
              assert.deepEqual(byKey(body.rows), byKey(expected.rows), path)
              assert.deepEqual(body.total, expected.total, `${path} total`)
              if (who !== 'manager') await followed(body, token, path)
            }
          }
        }
      })
    }

    test('are not for customers', async () => {
      for (const report of Object.keys(sides)) {
        const { token } = callers.customer!
        const { status } = await service.call('GET', `/api/reports/${report}/`, { token })
        assert.equal(status, 403)
      }
    })

    test('differ between those who see different things, and none is empty', async () => {
      const shown = new Set<string>()
      for (const who of ['admin', 'member', 'owner']) {
        const all: Line[][] = []
        for (const report of Object.keys(sides)) {
          const { token } = callers[who]!
          const { body } = await service.call('GET', `/api/reports/${report}/`, { token })
          all.push(body.rows)
          const isFilled = body.rows.some(({ values }: Line) => values.some(Boolean))
          if (who === 'admin') assert.ok(isFilled, report)
        }
        shown.add(JSON.stringify(all.map((rows) => rows.map(({ values }) => values))))
      }
      assert.equal(shown.size, 3)
    })

    test('refuse what they do not know, and say what would be right', async () => {
      const { token } = callers.admin!
      const wrong = async (path: string, field: string) =>
        refusedField(await service.call('GET', `/api/reports/${path}`, { token }), [field])
      assert.equal((await service.call('GET', '/api/reports/nothing/', { token })).status, 404)
      await wrong('go_live/?by=survey', 'by')
      await wrong('go_live/?time_filter=soon', 'time_filter')
      await wrong('cohorts/?pipeline_id=nobody', 'pipeline_id')
      await wrong('forecast/?currency_unit=euro', 'currency_unit')
    })

    /** The first and the last of the numbers that lead to a list find as many records there. */
    async function followed(body: Row, token: string, path: string) {
      const keys = body.columns.map(({ key }: Row) => key)
      const all = body.rows.flatMap(({ module, filters, values }: Row) =>
        Object.entries(filters).map(([key, filter]) => ({
          module,
          filter,
          count: values[keys.indexOf(key)],
        })),
      )
      for (const { module, filter, count } of new Set([all[0], all.at(-1)].filter(Boolean))) {
        const kind = module === 'deals' ? 'deal' : 'project'
        const query = new URLSearchParams({
          project_type: kind,
          filter: JSON.stringify(filter),
          include_count: 'true',
          page: '1',
          items_per_page: '1',
        })
        const reply = await service.call('GET', `/api/project/info/?${query}`, { token })
        assert.equal(reply.status, 200, reply.text)
        assert.equal(Number(reply.headers.get('x-total-count')), count, `${path} ${query}`)
      }
    }

    type Asked = { by: string; from: string; to: string; last: string; currency: string }
    const recounts: { [report: string]: (seen: Seen, asked: Asked) => Recount } = {
      go_live({ projects, accounts }, { by, from, to }) {
        const live = projects!
          .filter(({ completed_at }) => completed_at && inside(dayOf(completed_at), from, to))
          .map((project) => {
            const done = dayOf(project.completed_at)
            const begun = project.start_date?.slice(0, 10) ?? dayOf(project.creation_time)
            const account = accounts!.find(({ id }) => id === project.account_id)
            const keys: { [by: string]: string | null } = {
              month: monthOf(done),
              template: project.template_id,
              owner: project.project_owner,
              segment: account?.segment ?? null,
            }
            return { key: keys[by]!, days: Math.max(0, between(begun, done)) }
          })
        const values = (its: { days: number }[]): Value[] => {
          const days = its.map((each) => each.days)
          return [its.length, tenth(middle(days)), tenth(average(days)), tenth(most85(days))]
        }
        return { rows: grouped(live, values), total: values(live) }
      },
      plan({ projects, tasks }) {
        const past = projects!.filter(
          ({ template_id, completed_at }) =>
            template_id === scatteredTemplate.template_id && completed_at,
        )
        const took = (of: (task: Row) => boolean) =>
          past.flatMap(({ id }) => {
            const its = tasks!.filter(
              (task) => task.project_id === id && task.completed_at && of(task),
            )
            if (!its.length) return []
            const ends = its.map(({ completed_at }) => dayOf(completed_at))
            const starts = its.map(({ start_date, completed_at }) => {
              const done = dayOf(completed_at)
              return start_date < done ? start_date : done
            })
            return [workdays(starts.toSorted()[0]!, ends.toSorted().at(-1)!)]
          })
        const values = (planned: number, days: number[]): Value[] => {
          const half = middle(days)
          const rounded = half === null ? null : Math.round(half)
          return [
            planned,
            rounded,
            most85(days),
            rounded === null ? null : rounded - planned,
            days.length,
          ]
        }
        if (!past.length) return { rows: [], total: null }
        const id = scatteredTemplate.template_id
        return {
          rows: [
            {
              key: id,
              values: values(
                9,
                took(() => true),
              ),
            },
            ...scatteredTemplate.stages.map(({ stage_id, tasks: lines }, i) => {
              const refs = lines.map((each) => `${id}/${each.id}`)
              const its = took(({ template_ref }) => refs.includes(template_ref))
              return { key: `${id}/${stage_id}`, values: values([7, 2][i]!, its) }
            }),
          ],
          total: null,
        }
      },
      funnel({ deals }, { from, to }) {
        const cohort = made(deals!, from, to)
        const first = cohort.length
        const rows = way().map(({ id }, i, steps): Line => {
          const reached = (from: number) => cohort.filter(({ step }) => step >= from).length
          const stays = raw
            .stage_changes!.filter(
              ({ project_id, stage_id, left_at }) =>
                stage_id === id && left_at && cohort.some(({ deal }) => deal.id === project_id),
            )
            .map(
              ({ entered_at, left_at }) => (Date.parse(left_at) - Date.parse(entered_at)) / 864e5,
            )
          return {
            key: id,
            values: [
              reached(i),
              tenth(share(reached(i), first)),
              tenth(share(reached(i), reached(Math.max(0, i - 1)))),
              tenth(round(middle(stays))),
              tenth(round(most85(stays))),
              cohort.filter(({ deal }) => deal.stage_id === id).length,
              cohort.filter(({ deal, step }) => step === i && categoryOf(deal) === 'lost').length,
            ].map((value, at) => (at && !steps.length ? null : value)),
          }
        })
        const lost = cohort.filter(({ deal }) => categoryOf(deal) === 'lost').length
        return { rows, total: [first, null, null, null, null, null, lost] }
      },
      cohorts({ deals }, { from, to, last }) {
        const steps = way()
        const values = (its: ReturnType<typeof made>): Value[] => [
          its.length,
          ...steps.map((_, i) =>
            its.length ? share(its.filter(({ step }) => step >= i).length, its.length) : null,
          ),
          its.length
            ? share(its.filter(({ deal }) => categoryOf(deal) === 'won').length, its.length)
            : null,
        ]
        return {
          rows: months(from, last).map((month) => ({
            key: month.from,
            values: values(made(deals!, month.from, month.to)),
          })),
          total: values(made(deals!, from, to)),
        }
      },
      forecast({ deals }, { from, last, currency }) {
        const money = (value: number) =>
          currency === 'JPY' ? Math.round(value) : Math.round(value * 100) / 100
        const sum = (list: number[]) => list.reduce((all, each) => all + each, 0)
        const rows = months(from, last).map((month): Line => {
          const since = midnight(month.from)
          const open = deals!.filter(
            ({ creation_time, closed_at }) =>
              creation_time < since && !(closed_at && closed_at < since),
          )
          const due = open.filter((deal) => {
            const then = (field: string) => {
              const moves = raw
                .events!.filter(
                  ({ reference_id, changes, occurred_at }) =>
                    reference_id === deal.id &&
                    changes?.[0].field === field &&
                    occurred_at >= since,
                )
                .toSorted((a, b) => a.occurred_at.localeCompare(b.occurred_at))
              return moves.length ? moves[0]!.changes[0].from : deal[field]
            }
            const day = (then('forecasted_date') ?? then('due_date'))?.slice(0, 10)
            return day && inside(day, month.from, month.to)
          })
          const mine = due.filter((deal) => deal.currency === currency)
          const value = ({ expected_deal_value, revenue }: Row) =>
            expected_deal_value ?? revenue ?? 0
          const chance = (deal: Row) => {
            const stay = raw.stage_changes!.find(
              ({ project_id, entered_at, left_at }) =>
                project_id === deal.id && entered_at < since && !(left_at && left_at < since),
            )
            return stage(stay?.stage_id ?? deal.stage_id).probability / 100
          }
          const won = deals!.filter(
            (deal) =>
              categoryOf(deal) === 'won' && inside(dayOf(deal.closed_at), month.from, month.to),
          )
          const brought = money(
            sum(
              won
                .filter((deal) => deal.currency === currency)
                .map(({ expected_deal_value, revenue }) => revenue ?? expected_deal_value ?? 0),
            ),
          )
          const forecast = money(sum(mine.map((deal) => value(deal) * chance(deal))))
          return {
            key: month.from,
            values: [
              due.length,
              money(sum(mine.map(value))),
              forecast,
              won.length,
              brought,
              money(brought - forecast),
            ],
          }
        })
        const total = [0, 1, 2, 3, 4, 5].map((at) =>
          money(sum(rows.map(({ values }) => values[at]!))),
        )
        return { rows, total }
      },
      nps({ responses, accounts }, { by, from, to }) {
        const answers = responses!
          .filter(({ finished, answers: its }) => finished && 'likely' in its)
          .filter(({ finished_at }) => inside(dayOf(finished_at), from, to))
          .map((response) => ({ response, score: response.answers.likely as number }))
        const values = (its: { score: number }[]): Value[] => {
          const promoters = its.filter(({ score }) => score >= 9).length
          const detractors = its.filter(({ score }) => score <= 6).length
          const nps = its.length ? round((100 * (promoters - detractors)) / its.length) : null
          return [nps, promoters, its.length - promoters - detractors, detractors, its.length]
        }
        const keyed = answers.flatMap((answer) => {
          const { id, survey_id, finished_at } = answer.response
          if (by === 'month') return [{ ...answer, key: monthOf(dayOf(finished_at)) }]
          if (by === 'survey') return [{ ...answer, key: survey_id }]
          const about = raw
            .record_activity!.filter(({ source_id }) => source_id === id)
            .flatMap(({ subject_id }) => accounts!.filter((account) => account.id === subject_id))
          const keys = about.map(({ id: account, segment, account_owner }) =>
            by === 'account' ? account : by === 'owner' ? account_owner : segment,
          )
          return [...new Set(keys.length ? keys : [null])].map((key) => ({ ...answer, key }))
        })
        return { rows: grouped(keyed, values), total: values(answers) }
      },
      health({ accounts }, { from, last }) {
        return {
          rows: months(from, last).map((month) => {
            const there = accounts!.filter(({ creation_time }) => dayOf(creation_time) <= month.to)
            const scores = there.flatMap(({ id }) => {
              const days = raw
                .account_health_days!.filter(
                  ({ account_id, day }) => account_id === id && day <= month.to,
                )
                .toSorted((a, b) => a.day.localeCompare(b.day))
              return days.length ? [days.at(-1)!.score as number] : []
            })
            const within = (least: number, most: number) =>
              scores.filter((score) => score >= least && score <= most).length
            return {
              key: month.from,
              values: [
                tenth(average(scores)),
                within(70, 100),
                within(40, 69),
                within(0, 39),
                there.length,
              ],
            }
          }),
          total: null,
        }
      },
    }

    const stage = (id: string) => raw.stages!.find((each) => each.id === id)!
    const categoryOf = ({ stage_id }: Row) => stage(stage_id).category as string
    const way = () =>
      raw
        .stages!.filter(({ category }) => category !== 'lost')
        .toSorted((a, b) => a.position - b.position)

    /** The deals made within some days, each with how far it came. */
    function made(deals: Row[], from: string, to: string) {
      const steps = way()
      return deals
        .filter(({ creation_time }) => inside(dayOf(creation_time), from, to))
        .map((deal) => {
          const been = raw
            .stage_changes!.filter(({ project_id }) => project_id === deal.id)
            .map(({ stage_id }) => steps.findIndex(({ id }) => id === stage_id))
          return { deal, step: Math.max(0, ...been) }
        })
    }

    function dayOf(time: string): string {
      return `${Temporal.Instant.from(time).toZonedDateTimeISO(timezone).toPlainDate()}`
    }

    function midnight(day: string): string {
      const start = Temporal.PlainDate.from(day).toZonedDateTime(timezone)
      return new Date(start.epochMilliseconds).toISOString()
    }
  })
}

function grouped<R extends { key: string | null }>(list: R[], values: (its: R[]) => Value[]) {
  return [...Map.groupBy(list, ({ key }) => key)].map(([key, its]) => ({
    key,
    values: values(its),
  }))
}

function months(from: string, last: string) {
  const found = []
  let first = Temporal.PlainDate.from(from)
  for (; `${first}` <= last; first = first.add({ months: 1 }).with({ day: 1 })) {
    const end = `${first.with({ day: first.daysInMonth })}`
    found.push({ from: `${first}`, to: end < last ? end : last })
  }
  return found
}

const monthOf = (day: string) => `${day.slice(0, 7)}-01`
const inside = (day: string, from: string, to: string) => day >= from && day <= to
const between = (from: string, to: string) =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).total('days')

/** Mondays to Fridays, both days included. */
function workdays(from: string, to: string): number {
  let count = 0
  const last = Temporal.PlainDate.from(to)
  for (let day = Temporal.PlainDate.from(from); Temporal.PlainDate.compare(day, last) <= 0;) {
    if (day.dayOfWeek < 6) count++
    day = day.add({ days: 1 })
  }
  return count
}

const average = (list: number[]): Value =>
  list.length ? list.reduce((all, each) => all + each, 0) / list.length : null

function middle(list: number[]): Value {
  const sorted = list.toSorted((a, b) => a - b)
  const half = (sorted.length - 1) / 2
  return list.length ? (sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2 : null
}

/** The least of the numbers that 85 % do not exceed. */
function most85(list: number[]): Value {
  const sorted = list.toSorted((a, b) => a - b)
  return (
    sorted.find((each) => sorted.filter((other) => other <= each).length >= 0.85 * list.length) ??
    null
  )
}

const tenth = (value: Value): Value => (value === null ? null : Math.round(value * 10) / 10)
const round = (value: Value): Value => (value === null ? null : Math.round(value * 100) / 100)
const share = (part: number, whole: number): number =>
  whole ? Math.round((10_000 * part) / whole) / 100 : 0
