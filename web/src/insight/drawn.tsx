import type { ReactNode } from 'react'
import type { Lead, WidgetData } from '../data/dashboards.ts'
import { signed } from '../data/health-words.ts'
import type { Format } from '../records/field/format.ts'
import { day, money, number, percent, shortDay, shortMoney } from '../records/field/format.ts'
import type { Look } from '../ui/chart/frame.tsx'
import type { Point } from '../ui/chart/points.ts'
import { Ring } from '../ui/chart/ring.tsx'
import { Rows } from '../ui/chart/rows.tsx'
import { Upright } from '../ui/chart/upright.tsx'
import type { Clause } from '../data/list.ts'
import { listAddress, lists } from './report/lists.ts'
import { t } from '../locales/text.ts'

type Data = WidgetData
/** The numbers of one type of widget. */
type Of<T extends Data['widget_type']> = Extract<Data, { widget_type: T }>

/** What a widget says at first: a number, beside that of the time before. */
export type Headline = {
  value: string
  /** what it was before, if it can be compared */
  before?: { value: string; now: number; then: number; isPoints?: boolean } | undefined
  /** whether more is worse */
  isBad?: boolean
  /** the address of the records that it counts */
  to?: string | undefined
}

/** The address of the records behind a number, or behind a member of it, such as `won`. */
function leadTo({ module, filter, filters }: Lead, member?: string): string | undefined {
  const screens = lists.of(module ?? undefined)
  const its = member === undefined ? filter : filters[member]
  return screens && its ? listAddress(screens, its as Clause[]) : undefined
}

/** A widget as it is drawn. */
export type Drawn = {
  headline?: Headline
  /** what the numbers show, in a sentence */
  finding: string
  /** nothing to draw: the finding says it */
  isEmpty: boolean
  chart: (look: Look) => ReactNode
}

type Drawing<T extends Data['widget_type']> = (data: Of<T>, format: Format) => Drawn

/** How each type of widget is drawn. */
const drawings: { [T in Data['widget_type']]: Drawing<T> } = {
  activities: (data, format) =>
    daily(
      data,
      format,
      {
        name: t('Entries'),
        none: t('No entries in this time'),
        most: (best) => t('Most on {day}: {number} entry | Most on {day}: {number} entries', best),
      },
      'lines',
      (from, to) => `/activity?from=${from}&to=${to}`,
    ),
  new_companies: (data, format) =>
    daily(data, format, {
      name: t('New companies'),
      none: t('No new companies in this time'),
      most: (best) =>
        t('Most on {day}: {number} new company | Most on {day}: {number} new companies', best),
    }),
  new_contacts: (data, format) =>
    daily(data, format, {
      name: t('New contacts'),
      none: t('No new contacts in this time'),
      most: (best) =>
        t('Most on {day}: {number} new contact | Most on {day}: {number} new contacts', best),
    }),
  meetings: (data, format) =>
    daily(
      data,
      format,
      {
        name: t('Meetings'),
        none: t('No meetings in this time'),
        most: (best) =>
          t('Most on {day}: {number} meeting | Most on {day}: {number} meetings', best),
      },
      'grouped',
      (from, to) => `/calendar?on=${from}&as=${from === to ? 'day' : 'list'}`,
    ),
  overdue_tasks: overdue,
  deals_by_stage: byStage,
  deal_funnel: funnel,
  revenue_forecast: forecast,
  deals_won_lost: wonLost,
  projects_by_status: (data, format) =>
    byStatus(data, format, {
      unit: t('projects'),
      none: t('No projects in this time'),
      open: (number) => t('Open projects; {number} were completed', { number }),
    }),
  tasks_by_status: (data, format) =>
    byStatus(data, format, {
      unit: t('tasks'),
      none: t('No tasks in this time'),
      open: (number) => t('Open tasks; {number} were completed', { number }),
    }),
  milestone_progress: milestones,
  accounts_health: health,
  survey_nps: promoters,
}

/** A widget's numbers as a sentence and a chart. */
export function drawn(data: Data, format: Format): Drawn {
  const draw = drawings[data.widget_type] as Drawing<Data['widget_type']>
  return draw(data as never, format)
}

/** A count as texts need it: as it is written, and for its plural. */
const counted = (count: number, format: Format) => ({ number: number(count, format), count })

/** A number with the way to its records, if it is not nothing. */
const one = (value: number, lead: Lead, member?: string): Sum => ({
  value,
  to: value ? leadTo(lead, member) : undefined,
})

/** What is counted by day, in words. */
type Daily = {
  name: string
  none: string
  most: (best: { day: string; number: string; count: number }) => string
}

/** At most so many bars stand in a chart; more days are joined. */
const mostBars = 46

type Dated = { date: string }

/** A number, and where it leads if it is not nothing. */
type Sum = { value: number; to?: string | undefined }

/** Days joined to as few groups as can be drawn, each with the sum of its days. */
function joined<R extends Dated & Lead>(
  series: R[],
  format: Format,
  numbersOf: (row: R) => number[],
  members: string[] = [],
) {
  const size = Math.ceil(series.length / mostBars)
  const groups = Array.from({ length: Math.ceil(series.length / size) }, (_, at) =>
    series.slice(at * size, (at + 1) * size),
  )
  return groups.map((rows) => {
    const [first, last] = [rows[0], rows.at(-1)]
    const all = rows.map(numbersOf)
    const lead = first && last ? spanned(first, last.date) : undefined
    const sums = (all[0] ?? []).map((_, of): Sum => {
      const value = all.reduce((sum, values) => sum + (values[of] ?? 0), 0)
      return { value, to: lead && value ? leadTo(lead, members[of]) : undefined }
    })
    const from = first ? shortDay(first.date, format) : ''
    const label = size > 1 && last ? `${from} – ${shortDay(last.date, format)}` : from
    return { label, mark: from, sums, from: first?.date ?? '', to: last?.date ?? '' }
  })
}

/** How the records of several days are found: as those of the first, up to the last. */
function spanned<R extends Dated & Lead>({ date, module, filter, filters }: R, last: string): Lead {
  const until = (conditions: Lead['filter']) =>
    conditions &&
    conditions.map((each) =>
      each.operator === 'between' && String(each.value) === `${date},${date}`
        ? { ...each, value: [date, last] }
        : each,
    )
  const all = Object.entries(filters).map(([member, its]) => [member, until(its) ?? []] as const)
  return { module, filter: until(filter), filters: Object.fromEntries(all) }
}

const valuesOf = (sums: Sum[], format: Format) =>
  sums.map(({ value, to }) => ({ value, text: number(value, format), to }))

function daily(
  data: Of<'activities' | 'new_companies' | 'new_contacts' | 'meetings'>,
  format: Format,
  words: Daily,
  as: 'grouped' | 'lines' = 'grouped',
  /** where the days of a bar are shown, if no list has them */
  dayTo?: (from: string, to: string) => string | undefined,
): Drawn {
  const { series, totals, previous } = data
  const days = joined(series as (Lead & { date: string; count: number })[], format, (row) => [
    row.count,
  ])
  const points = days.map(({ label, mark, sums, from, to }) => ({
    label,
    mark,
    values: valuesOf(
      sums.map((sum) => (sum.value && dayTo ? { ...sum, to: dayTo(from, to) } : sum)),
      format,
    ),
  }))
  const amountIn = ({ sums }: (typeof days)[number]) => sums[0]?.value ?? 0
  const best = days.toSorted((a, b) => amountIn(b) - amountIn(a))[0]
  return {
    headline: headlineOf(totals.count, previous.totals.count, (value) => number(value, format), {
      to: leadTo(data),
    }),
    finding: totals.count
      ? words.most({ day: best?.label ?? '', ...counted(best ? amountIn(best) : 0, format) })
      : words.none,
    isEmpty: !totals.count,
    chart: (look) => (
      <Upright {...look} as={as} head={t('Day')} series={[{ name: words.name }]} points={points} />
    ),
  }
}

function overdue(data: Of<'overdue_tasks'>, format: Format): Drawn {
  const { series, totals, previous } = data
  const most = series.toSorted((a, b) => b.count - a.count)[0]
  return {
    headline: {
      ...headlineOf(totals.count, previous.totals.count, (value) => number(value, format), {
        to: leadTo(data),
      }),
      isBad: true,
    },
    finding: most?.count
      ? t('At most {count}, on {day}', {
          count: number(most.count, format),
          day: day(most.date, format),
        })
      : t('Nothing was late in this time'),
    isEmpty: !most?.count,
    chart: (look) => (
      <Upright
        {...look}
        as="lines"
        head={t('Day')}
        series={[{ name: t('Overdue'), color: 'var(--d5)' }]}
        points={series.map((row) => ({
          label: shortDay(row.date, format),
          values: valuesOf([one(row.count, row)], format),
        }))}
      />
    ),
  }
}

function byStage(data: Of<'deals_by_stage'>, format: Format): Drawn {
  const { totals, previous } = data
  const { currency_unit: unit } = totals
  const rows = data.series.filter((row) => row.count || row.category === 'open')
  const several = new Set(rows.map(({ pipeline_id }) => pipeline_id)).size > 1
  const amount = (value: number) => money(value, unit, format)
  const others = totals.by_currency.filter((each) => each.currency_unit !== unit && each.count)
  return {
    headline: headlineOf(totals.open_value, previous.totals.open_value, amount, {
      to: leadTo(data, 'open'),
    }),
    finding: totals.count ? openWords(totals, others, format) : t('No deals in this time'),
    isEmpty: !totals.count,
    chart: (look) => (
      <Rows
        {...look}
        head={t('Stage')}
        series={[{ name: t('Deals') }]}
        points={rows.map((row) => ({
          label: stageName(row, several),
          values: valuesOf([one(row.count, row)], format),
          note: shortMoney(row.value, unit, format),
          color: categoryColor(row.category),
        }))}
      />
    ),
  }
}

type Other = { currency_unit: string; value: number }

/** Amounts of other currencies are named, never added. */
function openWords(
  { open, weighted, currency_unit: unit }: Of<'deals_by_stage'>['totals'],
  others: Other[],
  format: Format,
): string {
  const said = { ...counted(open, format), amount: money(weighted, unit, format) }
  if (!others.length) {
    return t('{number} open deal, {amount} weighted | {number} open deals, {amount} weighted', said)
  }
  const amounts = others.map(({ value, currency_unit }) => money(value, currency_unit, format))
  return t(
    '{number} open deal, {amount} weighted, and {others} | {number} open deals, {amount} weighted, and {others}',
    { ...said, others: amounts.join(', ') },
  )
}

function stageName(row: { stage_name: string | null; pipeline_name: string | null }, all: boolean) {
  const name = row.stage_name ?? t('No stage')
  return all && row.pipeline_name ? `${name} (${row.pipeline_name})` : name
}

function categoryColor(category: string | null): string {
  if (category === 'lost') return 'var(--d0)'
  return category === 'won' ? 'var(--d1)' : 'color-mix(in srgb, var(--d1) 62%, var(--surface))'
}

function funnel(data: Of<'deal_funnel'>, format: Format): Drawn {
  const { series, totals, previous } = data
  const several = new Set(series.map(({ pipeline_id }) => pipeline_id)).size > 1
  return {
    headline: headlineOf(totals.count, previous.totals.count, (value) => number(value, format), {
      to: leadTo(data),
    }),
    finding: totals.count
      ? t(
          'Of {number} deal made in this time {won} are won and {lost} lost | Of {number} deals made in this time {won} are won and {lost} lost',
          {
            ...counted(totals.count, format),
            won: number(totals.won, format),
            lost: number(totals.lost, format),
          },
        )
      : t('No deals were made in this time'),
    isEmpty: !totals.count,
    chart: (look) => (
      <Rows
        {...look}
        head={t('Stage')}
        series={[{ name: t('Deals that came so far') }]}
        points={series.map((row, at) => {
          const isFirst = series[at - 1]?.pipeline_id !== row.pipeline_id
          return {
            label: stageName(row, several),
            values: valuesOf([one(row.count, row)], format),
            note: [
              ...(isFirst ? [] : [percent(Math.round(row.step_conversion), format)]),
              ...(row.median_days === null
                ? []
                : [t('{days} d', { days: number(Math.round(row.median_days), format) })]),
            ].join(', '),
            color: `color-mix(in srgb, var(--d1) ${Math.min(100, 40 + at * 14)}%, var(--surface))`,
          }
        })}
      />
    ),
  }
}

function forecast(data: Of<'revenue_forecast'>, format: Format): Drawn {
  const { series, totals, previous } = data
  const { currency_unit: unit } = totals
  const amount = (value: number) => money(value, unit, format)
  const late = totals.late
    ? t('{number} deal is late, {amount} | {number} deals are late, {amount}', {
        ...counted(totals.late, format),
        amount: amount(totals.late_value),
      })
    : null
  const isEmpty = !totals.count && !totals.won
  const expected = isEmpty
    ? t('Nothing is expected in this time')
    : t(
        '{won} won, {weighted} expected of {number} open deal | {won} won, {weighted} expected of {number} open deals',
        {
          ...counted(totals.count, format),
          won: amount(totals.won_value),
          weighted: amount(totals.weighted),
        },
      )
  return {
    headline: headlineOf(totals.forecast, previous.totals.forecast, amount, { to: leadTo(data) }),
    finding: [expected, late].filter((each) => each !== null).join('. '),
    isEmpty,
    chart: (look) => (
      <Upright
        {...look}
        as="stacked"
        head={t('Month')}
        series={[
          { name: t('Won'), color: 'var(--d1)' },
          {
            name: t('Expected, weighted'),
            color: 'color-mix(in srgb, var(--d1) 40%, var(--surface))',
          },
        ]}
        tick={(value) => shortMoney(value, unit, format)}
        points={series.map((row) => ({
          label: monthWords(row.month, format),
          values: [
            { ...one(row.won_value, row, 'won'), text: amount(row.won_value) },
            { ...one(row.weighted, row), text: amount(row.weighted) },
          ],
        }))}
      />
    ),
  }
}

/** A month of a year, as YYYY-MM. */
function monthWords(month: string, { locale }: Format): string {
  const date = new Date(`${month}-15T12:00:00Z`)
  return date.toLocaleDateString(locale, { month: 'short', year: '2-digit', timeZone: 'UTC' })
}

function wonLost(data: Of<'deals_won_lost'>, format: Format): Drawn {
  const { series, totals, previous } = data
  const days = joined(series, format, (row) => [row.won, row.lost], ['won', 'lost'])
  const rate = totals.win_rate
  return {
    headline:
      rate === null
        ? { value: '–' }
        : headlineOf(
            rate,
            previous.totals.win_rate,
            (value) => percent(Math.round(value), format),
            { isPoints: true, to: leadTo(data) },
          ),
    finding:
      rate === null
        ? t('No deal was closed in this time')
        : t('{won} won ({amount}), {lost} lost', {
            won: number(totals.won, format),
            amount: money(totals.won_value, totals.currency_unit, format),
            lost: number(totals.lost, format),
          }),
    isEmpty: rate === null,
    chart: (look) => (
      <Upright
        {...look}
        as="stacked"
        head={t('Day')}
        series={[
          { name: t('Won'), color: 'var(--d1)' },
          { name: t('Lost'), color: 'var(--d5)' },
        ]}
        points={days.map(({ label, mark, sums }) => ({
          label,
          mark,
          values: valuesOf(sums, format),
        }))}
      />
    ),
  }
}

function byStatus(
  data: Of<'projects_by_status' | 'tasks_by_status'>,
  format: Format,
  words: { unit: string; none: string; open: (completed: string) => string },
): Drawn {
  const { series, totals, previous } = data
  const points = series.flatMap((row): Point[] =>
    row.count
      ? [
          {
            label: row.status_name ?? t('No status'),
            values: valuesOf([one(row.count, row)], format),
          },
        ]
      : [],
  )
  return {
    headline: headlineOf(totals.open, previous.totals.open, (value) => number(value, format)),
    finding: totals.count ? words.open(number(totals.completed, format)) : words.none,
    isEmpty: !totals.count,
    chart: (look) => (
      <Ring
        {...look}
        head={t('Status')}
        unit={words.unit}
        total={number(totals.count, format)}
        points={sixAtMost(points, format)}
      />
    ),
  }
}

/** The first ones, and the rest as one: more than six slices cannot be told apart. */
function sixAtMost(points: Point[], format: Format): Point[] {
  if (points.length <= 6) return points
  const rest = points.slice(5).reduce((sum, { values }) => sum + (values[0]?.value ?? 0), 0)
  return [
    ...points.slice(0, 5),
    { label: t('Other'), values: valuesOf([{ value: rest }], format), color: 'var(--d0)' },
  ]
}

function milestones(data: Of<'milestone_progress'>, format: Format): Drawn {
  const { series, totals, previous } = data
  const rows = series.slice(0, 8)
  return {
    headline: headlineOf(
      totals.progress,
      previous.totals.progress,
      (value) => percent(Math.round(value), format),
      { isPoints: true },
    ),
    finding: totals.count
      ? t(
          '{completed} of {number} milestone are completed, {overdue} overdue | {completed} of {number} milestones are completed, {overdue} overdue',
          {
            completed: number(totals.completed, format),
            ...counted(totals.count, format),
            overdue: number(totals.overdue, format),
          },
        )
      : t('No project has milestones in this time'),
    isEmpty: !totals.count,
    chart: (look) => (
      <Rows
        {...look}
        head={t('Project')}
        whole={100}
        series={[{ name: t('Completed') }]}
        points={rows.map((row) => ({
          label: row.project_name ?? t('A project'),
          values: [
            {
              value: row.count ? (100 * row.completed) / row.count : 0,
              text: t('{completed} of {all}', {
                completed: number(row.completed, format),
                all: number(row.count, format),
              }),
              to: `/projects/${row.project_id}`,
            },
          ],
          note: row.overdue
            ? t('{overdue} late', { overdue: number(row.overdue, format) })
            : undefined,
        }))}
      />
    ),
  }
}

const bands: { [band: string]: { label: string; color: string } } = {
  healthy: { label: t('Healthy'), color: 'var(--d1)' },
  at_risk: { label: t('At risk'), color: 'var(--d3)' },
  critical: { label: t('Critical'), color: 'var(--d5)' },
}

function health(data: Of<'accounts_health'>, format: Format): Drawn {
  const { series, totals, previous } = data
  const score = (value: number) => number(Math.round(value), format)
  return {
    headline:
      totals.average === null
        ? { value: '–' }
        : headlineOf(totals.average, previous.totals.average, score, {
            isPoints: true,
            to: leadTo(data),
          }),
    finding: totals.count
      ? t(
          'Average of all scores; {critical} of {number} account are critical | Average of all scores; {critical} of {number} accounts are critical',
          {
            critical: number(totals.critical ?? 0, format),
            ...counted(totals.count, format),
          },
        )
      : t('No accounts yet'),
    isEmpty: !totals.count,
    chart: (look) => (
      <Ring
        {...look}
        head={t('Health')}
        unit={t('accounts')}
        total={number(totals.count, format)}
        points={series.map((row) => ({
          label: bands[row.band]?.label ?? row.band,
          color: bands[row.band]?.color,
          values: valuesOf([one(row.count, row)], format),
        }))}
      />
    ),
  }
}

function promoters(data: Of<'survey_nps'>, format: Format): Drawn {
  const { series, totals, previous } = data
  const days = joined(series, format, (row) => [row.promoters, row.passives, row.detractors])
  return {
    headline:
      totals.nps === null
        ? { value: '–' }
        : headlineOf(totals.nps, previous.totals.nps, signed, { isPoints: true }),
    finding: totals.count
      ? t(
          '{number} answer: {promoters} promoters, {detractors} detractors | {number} answers: {promoters} promoters, {detractors} detractors',
          {
            ...counted(totals.count, format),
            promoters: number(totals.promoters, format),
            detractors: number(totals.detractors, format),
          },
        )
      : t('Nobody answered in this time'),
    isEmpty: !totals.count,
    chart: (look) => (
      <Upright
        {...look}
        as="stacked"
        head={t('Day')}
        series={[
          { name: t('Promoters'), color: 'var(--d1)' },
          { name: t('Passives'), color: 'var(--d0)' },
          { name: t('Detractors'), color: 'var(--d5)' },
        ]}
        points={days.map(({ label, mark, sums }) => ({
          label,
          mark,
          values: valuesOf(sums, format),
        }))}
      />
    ),
  }
}

function headlineOf(
  now: number,
  then: number | null,
  words: (value: number) => string,
  { isPoints = false, to }: { isPoints?: boolean; to?: string | undefined } = {},
): Headline {
  const before = then === null ? undefined : { value: words(then), now, then, isPoints }
  return { value: words(now), before, to: now ? to : undefined }
}
