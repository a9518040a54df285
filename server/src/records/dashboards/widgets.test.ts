import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Temporal } from 'temporal-polyfill'
import type { Member, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import type { Row, Seen } from '../../../test/support/seen.ts'
import { seenBy, storedRows } from '../../../test/support/seen.ts'
import { drawnSeed, scatter, scatterHistories } from '../../../test/support/scattered.ts'
import { widgetTypes } from '../../model/dashboards/widget-types.ts'

// a Tuesday, nine days after the clocks went forward in New York
const now = new Date('2025-03-18T15:30:00Z')
const today = '2025-03-18'

/** What each `time_filter` means on that day: from, to, and the same of the period before. */
const periods: { [filter: string]: [string, string, string, string] } = {
  today: [today, today, '2025-03-17', '2025-03-17'],
  '7_days': ['2025-03-12', today, '2025-03-05', '2025-03-11'],
  '30_days': ['2025-02-17', today, '2025-01-18', '2025-02-16'],
  this_week: ['2025-03-17', '2025-03-23', '2025-03-10', '2025-03-16'],
  last_week: ['2025-03-10', '2025-03-16', '2025-03-03', '2025-03-09'],
  this_month: ['2025-03-01', '2025-03-31', '2025-02-01', '2025-02-28'],
  last_month: ['2025-02-01', '2025-02-28', '2025-01-01', '2025-01-31'],
  this_quarter: ['2025-01-01', '2025-03-31', '2024-10-01', '2024-12-31'],
  last_quarter: ['2024-10-01', '2024-12-31', '2024-07-01', '2024-09-30'],
  this_year: ['2025-01-01', '2025-12-31', '2024-01-01', '2024-12-31'],
  last_year: ['2024-01-01', '2024-12-31', '2023-01-01', '2023-12-31'],
  '12_months': ['2024-03-19', today, '2023-03-19', '2024-03-18'],
}

/** Forecasts look ahead where the filter counts days. */
const ahead: typeof periods = {
  ...periods,
  '7_days': [today, '2025-03-24', '2025-03-11', '2025-03-17'],
  '30_days': [today, '2025-04-16', '2025-02-16', '2025-03-17'],
  '12_months': [today, '2026-03-17', '2024-03-18', '2025-03-17'],
}

type Numbers = { series: Row[]; totals: Row }
type Span = { from: string; to: string; last: string }

/** Where it is the same day as in New York at that moment. */
const timezones = ['America/New_York', 'Asia/Kolkata']
const currencies = ['USD', 'EUR', 'JPY'] as const

for (const timezone of timezones) widgetsIn(timezone)

function widgetsIn(timezone: string) {
  describe(`widgets in ${timezone}, counted again by hand`, () => {
    let currency: (typeof currencies)[number] = 'USD'
    let service: TestService
    let org: TestOrganization
    let callers: { [who: string]: Member }
    let raw: { [table: string]: Row[] }
    before(async () => {
      service = await startService({}, () => now)
      org = await makeOrganization(service, timezone)
      callers = (await scatter(service, org, now, drawnSeed(42))).callers
      await scatterHistories(service, org, now, drawnSeed(43))
      const tables = ['projects', 'stages', 'statuses', 'stage_changes', 'milestones', 'tasks']
      const more = [
        'accounts',
        'companies',
        'contacts',
        'meetings',
        'survey_responses',
        'events',
        'account_health_days',
      ]
      raw = await storedRows(service, org, [...tables, ...more])
      const accounts = new Map(raw.accounts!.map((each) => [each.id, each.currency_unit]))
      for (const project of raw.projects!)
        project.currency = project.currency_unit ?? accounts.get(project.account_id) ?? 'USD'
    })

    for (const who of ['admin', 'manager', 'member', 'owner', 'customer']) {
      test(`show the ${who} the result of a naive recount of the same lists`, async () => {
        const { token } = callers[who]!
        const seen = await seenBy(service, raw, token)
        for (const [kind, widget_type] of widgetTypes.entries()) {
          // every period for the admin, and for the others a different few with each kind
          const some = Object.keys(periods).filter(
            (_, i) => who === 'admin' || (i + kind) % 4 === 0,
          )
          for (const filter of some) {
            currency = currencies[(kind + Object.keys(periods).indexOf(filter)) % 3]!
            const query = `widget_type=${widget_type}&time_filter=${filter}&currency_unit=${currency}`
            const at = `/api/dashboards/widget/?${query}`
            const { status, body, text } = await service.call('GET', at, { token })
            const isInternal = /^(deal|revenue|accounts_health|survey_nps)/.test(widget_type)
            if (who === 'customer' && isInternal) {
              assert.equal(status, 403, text)
              continue
            }
            assert.equal(status, 200, text)
            const table = widget_type === 'revenue_forecast' ? ahead : periods
            const [from, to, earlier, until] = table[filter]!
            const { previous } = body
            const days = [body.from, body.to, previous.from, previous.to]
            assert.deepEqual(days, [from, to, earlier, until], query)
            assert.deepEqual(Object.keys(previous.totals), Object.keys(body.totals))
            const of = (first: string, final: string, isPrevious: boolean) => {
              const span = { from: first, to: final, last: final < today ? final : today }
              return recounts[widget_type]!(seen, span, isPrevious)
            }
            const expected = of(from, to, false)
            assert.deepEqual(picked(body.totals, expected.totals), expected.totals, query)
            for (const row of expected.series) {
              const its = body.series.find((each: Row) => same(each, row))
              assert.ok(its, `${query}: ${JSON.stringify(row)} of ${JSON.stringify(body.series)}`)
            }
            const { totals } = of(earlier, until, true)
            assert.deepEqual(picked(previous.totals, totals), totals, `${query} before`)
          }
        }
      })
    }

    test('differ between those who see different things, and none is empty', async () => {
      const kinds = ['tasks_by_status', 'projects_by_status', 'milestone_progress', 'activities']
      const counted = new Set<string>()
      for (const who of ['admin', 'member', 'owner', 'customer']) {
        const { token } = callers[who]!
        const counts: number[] = []
        for (const kind of kinds) {
          const at = `/api/dashboards/widget/?widget_type=${kind}&time_filter=12_months`
          const { status, body, text } = await service.call('GET', at, { token })
          assert.equal(status, 200, text)
          counts.push(body.totals.count)
        }
        assert.ok(counts.some(Boolean), who)
        counted.add(counts.join())
      }
      assert.equal(counted.size, 4, [...counted].join(' | '))
    })

    const stage = (id: string) => raw.stages!.find((each) => each.id === id)!
    const statusOf = (id: string) => raw.statuses!.find((each) => each.id === id)!

    const recounts: {
      [widget_type: string]: (seen: Seen, span: Span, isPrevious: boolean) => Numbers
    } = {
      activities: ({ activities }, span) => perDay(activities!, 'occurred_at', span),
      new_companies: ({ companies }, span) => perDay(companies!, 'creation_time', span),
      new_contacts: ({ contacts }, span) => perDay(contacts!, 'creation_time', span),
      deals_by_stage({ deals }, span) {
        const standing = deals!.flatMap((deal) => {
          if (dayOf(deal.creation_time) > span.to) return []
          // the stay that it was in at the end of the period
          const stays = raw
            .stage_changes!.filter(({ project_id }) => project_id === deal.id)
            .filter(({ entered_at }) => dayOf(entered_at) <= span.to)
            .toSorted((a, b) => a.entered_at.localeCompare(b.entered_at))
          const stay = stays.at(-1)!
          const { category } = stage(stay.stage_id)
          if (category !== 'open' && dayOf(stay.entered_at) < span.from) return []
          return [{ stage_id: stay.stage_id, category, value: worth(deal, category) }]
        })
        const of = (category: string) => standing.filter((each) => each.category === category)
        return {
          series: raw.stages!.map(({ id }) => {
            const its = standing.filter(({ stage_id }) => stage_id === id)
            return { stage_id: id, count: its.length, value: total(its) }
          }),
          totals: {
            count: standing.length,
            value: total(standing),
            open: of('open').length,
            weighted: money(
              of('open').reduce(
                (all, { stage_id, value }) => all + (value * stage(stage_id).probability) / 100,
                0,
              ),
            ),
            won: of('won').length,
            won_value: total(of('won')),
            lost: of('lost').length,
          },
        }
      },
      deal_funnel({ deals }, span) {
        const steps = raw
          .stages!.filter(({ category }) => category !== 'lost')
          .toSorted((a, b) => a.position - b.position)
        const cohort = deals!
          .filter(({ creation_time }) => inside(dayOf(creation_time), span))
          .map((deal) => {
            const been = raw
              .stage_changes!.filter(({ project_id }) => project_id === deal.id)
              .map(({ stage_id }) => steps.findIndex(({ id }) => id === stage_id))
            const value = worth(deal, stage(deal.stage_id).category)
            return { step: Math.max(0, ...been), value, deal }
          })
        const now = (category: string) =>
          cohort.filter(({ deal }) => stage(deal.stage_id).category === category).length
        return {
          series: steps.map(({ id }, i) => {
            const reached = cohort.filter(({ step }) => step >= i)
            const conversion = share(reached.length, cohort.length)
            return { stage_id: id, count: reached.length, value: total(reached), conversion }
          }),
          totals: {
            count: cohort.length,
            won: now('won'),
            lost: now('lost'),
            conversion: share(now('won'), cohort.length),
          },
        }
      },
      revenue_forecast({ deals }, span) {
        const open = deals!
          .filter(({ stage_id }) => stage(stage_id).category === 'open')
          .map((deal) => ({
            expected: (deal.forecasted_date ?? deal.due_date)?.slice(0, 10) as string | undefined,
            value: worth(deal, 'open'),
            weighted: (worth(deal, 'open') * stage(deal.stage_id).probability) / 100,
          }))
        const won = deals!
          .filter(({ stage_id }) => stage(stage_id).category === 'won')
          .filter(({ closed_at }) => inside(dayOf(closed_at), span))
          .map((deal) => ({ month: dayOf(deal.closed_at).slice(0, 7), value: worth(deal, 'won') }))
        const due = open.filter(({ expected }) => expected && inside(expected, span))
        const weighted = (list: { weighted: number }[]) =>
          money(list.reduce((all, each) => all + each.weighted, 0))
        return {
          series: [...new Set(due.map(({ expected }) => expected!.slice(0, 7)))].map((month) => {
            const its = due.filter(({ expected }) => expected!.startsWith(month))
            const done = won.filter((each) => each.month === month)
            return { month, count: its.length, value: total(its), won_value: total(done) }
          }),
          totals: {
            count: due.length,
            value: total(due),
            weighted: weighted(due),
            won: won.length,
            forecast: round(weighted(due) + total(won)),
            late: open.filter(({ expected }) => expected && expected < span.from).length,
            later: open.filter(({ expected }) => expected && expected > span.to).length,
            undated: open.filter(({ expected }) => !expected).length,
          },
        }
      },
      deals_won_lost({ deals }, span) {
        const closed = deals!
          .filter(({ closed_at }) => closed_at && inside(dayOf(closed_at), span))
          .map((deal) => ({
            ...deal,
            value: worth(deal, stage(deal.stage_id).category),
            date: dayOf(deal.closed_at),
          }))
        const of = (category: string, list: Row[] = closed) =>
          list.filter(({ stage_id }) => stage(stage_id).category === category)
        return {
          series: [...new Set(closed.map(({ date }) => date))].map((date) => {
            const its = closed.filter((each) => each.date === date)
            const won_value = total(of('won', its))
            return { date, won: of('won', its).length, lost: of('lost', its).length, won_value }
          }),
          totals: {
            won: of('won').length,
            lost: of('lost').length,
            lost_value: total(of('lost')),
            win_rate: closed.length ? share(of('won').length, closed.length) : null,
          },
        }
      },
      projects_by_status: ({ projects }, span) => perStatus(projects!, span),
      tasks_by_status: ({ tasks }, span) => perStatus(tasks!, span),
      overdue_tasks({ tasks }, span) {
        const on = (day: string) =>
          tasks!.filter(
            ({ due_date, creation_time, completed_at }) =>
              due_date &&
              due_date.slice(0, 10) < day &&
              dayOf(creation_time) <= day &&
              !(completed_at && dayOf(completed_at) <= day),
          ).length
        const series = [span.from, span.last].map((date) => ({ date, count: on(date) }))
        return { series, totals: { count: on(span.last) } }
      },
      milestone_progress({ milestones, projects, deals }, span) {
        const groups = [...projects!, ...deals!]
          .filter((project) => {
            const ended = project.completed_at ?? project.closed_at
            return !ended || dayOf(ended) >= span.from
          })
          .map(({ id }) => {
            const its = milestones!
              .filter(({ project_id }) => project_id === id)
              .filter(({ creation_time }) => dayOf(creation_time) <= span.to)
            const isDone = ({ completed_at }: Row) => completed_at && dayOf(completed_at) <= span.to
            const late = its.filter(
              (each) => !isDone(each) && each.due_date && each.due_date.slice(0, 10) < span.last,
            )
            const completed = its.filter(isDone).length
            return { project_id: id, count: its.length, completed, overdue: late.length }
          })
          .filter(({ count }) => count)
        const add = (column: 'count' | 'completed' | 'overdue') =>
          groups.reduce((all, each) => all + each[column], 0)
        const totals = { count: add('count'), completed: add('completed'), overdue: add('overdue') }
        return { series: groups, totals: { projects: groups.length, ...totals } }
      },
      accounts_health({ accounts }, span, isPrevious) {
        const there = accounts!.filter(({ creation_time }) => dayOf(creation_time) <= span.to)
        // of the time before, the last score that was stored until its end
        const stored = ({ id }: Row) =>
          raw
            .account_health_days!.filter(
              ({ account_id, day }) => account_id === id && day <= span.to,
            )
            .toSorted((a, b) => a.day.localeCompare(b.day))
            .at(-1)?.score
        const scores = there
          .map((account) => (isPrevious ? stored(account) : account.shown.health_score))
          .filter((score): score is number => score !== undefined)
        const count = there.length
        if (!scores.length) return { series: [], totals: { count, average: null } }
        const healthy = scores.filter((score) => score >= 70).length
        const critical = scores.filter((score) => score < 40).length
        const average = round(scores.reduce((all, score) => all + score, 0) / scores.length)
        return {
          series: [{ band: 'at_risk', count: scores.length - healthy - critical }],
          totals: { count, average, healthy, critical },
        }
      },
      survey_nps({ responses }, span) {
        const scores = responses!
          .filter(({ finished, answers }) => finished && 'likely' in answers)
          .map(({ finished_at, answers }) => ({ date: dayOf(finished_at), score: answers.likely }))
          .filter(({ date }) => inside(date, span))
        const nps = (list: { score: number }[]) => {
          const promoters = list.filter(({ score }) => score >= 9).length
          const detractors = list.filter(({ score }) => score <= 6).length
          const shown = list.length ? round((100 * (promoters - detractors)) / list.length) : null
          return { count: list.length, promoters, detractors, nps: shown }
        }
        return {
          series: [...new Set(scores.map(({ date }) => date))].map((date) => ({
            date,
            ...nps(scores.filter((each) => each.date === date)),
          })),
          totals: nps(scores),
        }
      },
      meetings({ meetings }, span) {
        const held = meetings!.flatMap(
          ({ starts_at, repeat, is_meeting_cancelled, timezone: own }) => {
            const starts = repeat
              ? every(starts_at, repeat.rrule, own?.name ?? timezone)
              : [starts_at]
            return starts
              .map((start) => ({ date: dayOf(start), cancelled: is_meeting_cancelled as boolean }))
              .filter(({ date }) => inside(date, span))
          },
        )
        const of = (list: typeof held) => {
          const cancelled = list.filter((each) => each.cancelled).length
          const count = list.length - cancelled
          return { count, cancelled, minutes: 30 * count }
        }
        return {
          series: [...new Set(held.map(({ date }) => date))].map((date) => ({
            date,
            ...of(held.filter((each) => each.date === date)),
          })),
          totals: of(held),
        }
      },
    }

    function perStatus(list: Row[], span: Span): Numbers {
      const there = list.filter(
        ({ creation_time, completed_at }) =>
          dayOf(creation_time) <= span.to && (!completed_at || dayOf(completed_at) >= span.from),
      )
      const completed = there.filter(
        ({ completed_at }) => completed_at && dayOf(completed_at) <= span.to,
      ).length
      return {
        series: [...new Set(there.map(({ status_id }) => status_id))].map((status_id) => ({
          status_id,
          status_key: status_id && statusOf(status_id).status_key,
          count: there.filter((each) => each.status_id === status_id).length,
        })),
        totals: { count: there.length, completed, open: there.length - completed },
      }
    }

    function perDay(list: Row[], column: string, span: Span): Numbers {
      const dates = list.map((row) => dayOf(row[column])).filter((date) => inside(date, span))
      const series = [...new Set(dates)].map((date) => ({
        date,
        count: dates.filter((each) => each === date).length,
      }))
      return { series, totals: { count: dates.length } }
    }

    const starts = new Map<string, string[]>()

    /** The starts of a series in days, counted on from the first by its zone's calendar. */
    function every(start: string, rrule: string, zone: string): string[] {
      const id = `${start} ${zone}`
      const known = starts.get(id)
      if (known) return known
      const days = Number(/^FREQ=DAILY;INTERVAL=(\d+)$/.exec(rrule)![1])
      const first = Temporal.Instant.from(start).toZonedDateTimeISO(zone)
      const found = Array.from(
        { length: 400 },
        (_, i) => `${first.add({ days: i * days }).toInstant()}`,
      )
      starts.set(id, found)
      return found
    }

    const days = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' })

    const known = new Map<string, string>()

    function dayOf(time: string): string {
      let day = known.get(time)
      if (!day) known.set(time, (day = days.format(new Date(time))))
      return day
    }

    function inside(date: string, { from, to }: Span): boolean {
      return date >= from && date <= to
    }

    /** An amount in the currency that is asked for; those in others are not added to it. */
    function worth({ expected_deal_value, revenue, ...deal }: Row, category: string): number {
      if (deal.currency !== currency) return 0
      const value =
        category === 'won' ? (revenue ?? expected_deal_value) : (expected_deal_value ?? revenue)
      return value ?? 0
    }

    function total(list: { value?: number; [column: string]: any }[]): number {
      return money(list.reduce((all, { value }) => all + value!, 0))
    }

    function round(value: number): number {
      return Math.round(value * 100) / 100
    }

    /** An amount with the decimals of the currency that is asked for. */
    function money(value: number): number {
      return currency === 'JPY' ? Math.round(value) : round(value)
    }

    function share(part: number, whole: number): number {
      return whole ? round((100 * part) / whole) : 0
    }

    function picked(row: Row, like: Row): Row {
      return Object.fromEntries(Object.keys(like).map((key) => [key, row[key]]))
    }

    function same(row: Row, expected: Row): boolean {
      return Object.entries(expected).every(([key, value]) => row[key] === value)
    }
  })
}
