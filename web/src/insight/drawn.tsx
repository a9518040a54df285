import type { ReactNode } from 'react'
import type { WidgetData } from '../data/dashboards.ts'
import type { Format } from '../records/field/format.ts'
import { day, money, number, percent, shortDay, shortMoney } from '../records/field/format.ts'
import { capital } from '../ui/capital.ts'
import type { Look } from '../ui/chart/frame.tsx'
import type { Point } from '../ui/chart/points.ts'
import { Ring } from '../ui/chart/ring.tsx'
import { Rows } from '../ui/chart/rows.tsx'
import { Upright } from '../ui/chart/upright.tsx'
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
  activities: (data, format) => daily(data, format, ['entry', 'entries'], 'lines'),
  new_companies: (data, format) => daily(data, format, [t('new company'), t('new companies')]),
  new_contacts: (data, format) => daily(data, format, [t('new contact'), t('new contacts')]),
  meetings: (data, format) => daily(data, format, ['meeting', 'meetings']),
  overdue_tasks: overdue,
  deals_by_stage: byStage,
  deal_funnel: funnel,
  revenue_forecast: forecast,
  deals_won_lost: wonLost,
  projects_by_status: (data, format) => byStatus(data, format, 'projects'),
  tasks_by_status: (data, format) => byStatus(data, format, 'tasks'),
  milestone_progress: milestones,
  accounts_health: health,
  survey_nps: promoters,
}

/** A widget's numbers as a sentence and a chart. */
export function drawn(data: Data, format: Format): Drawn {
  const draw = drawings[data.widget_type] as Drawing<Data['widget_type']>
  return draw(data as never, format)
}

const count = (value: number, [one, many]: readonly [string, string], format: Format) =>
  `${number(value, format)} ${value === 1 ? one : many}`

/** At most so many bars stand in a chart; more days are joined. */
const mostBars = 46

type Dated = { date: string }

/** Days joined to as few groups as can be drawn, each with the sum of its days. */
function joined<R extends Dated>(series: R[], format: Format, numbersOf: (row: R) => number[]) {
  const size = Math.ceil(series.length / mostBars)
  const groups = Array.from({ length: Math.ceil(series.length / size) }, (_, at) =>
    series.slice(at * size, (at + 1) * size),
  )
  return groups.map((rows) => {
    const [first, last] = [rows[0], rows.at(-1)]
    const all = rows.map(numbersOf)
    const sums = (all[0] ?? []).map((_, of) =>
      all.reduce((sum, values) => sum + (values[of] ?? 0), 0),
    )
    const from = first ? shortDay(first.date, format) : ''
    const label = size > 1 && last ? `${from} – ${shortDay(last.date, format)}` : from
    return { label, sums }
  })
}

const valuesOf = (sums: number[], format: Format) =>
  sums.map((value) => ({ value, text: number(value, format) }))

function daily(
  data: Of<'activities' | 'new_companies' | 'new_contacts' | 'meetings'>,
  format: Format,
  words: readonly [string, string],
  as: 'grouped' | 'lines' = 'grouped',
): Drawn {
  const { series, totals, previous } = data
  const days = joined(series as { date: string; count: number }[], format, (row) => [row.count])
  const points = days.map(({ label, sums }) => ({ label, values: valuesOf(sums, format) }))
  const best = days.toSorted((a, b) => (b.sums[0] ?? 0) - (a.sums[0] ?? 0))[0]
  return {
    headline: headlineOf(totals.count, previous.totals.count, (value) => number(value, format)),
    finding: totals.count
      ? t('Most on {label}: {count}', {
          label: best?.label,
          count: count(best?.sums[0] ?? 0, words, format),
        })
      : t('No {words} in this time', { words: words[1] }),
    isEmpty: !totals.count,
    chart: (look) => (
      <Upright
        {...look}
        as={as}
        head={t('Day')}
        series={[{ name: capital(words[1]) }]}
        points={points}
      />
    ),
  }
}

function overdue(data: Of<'overdue_tasks'>, format: Format): Drawn {
  const { series, totals, previous } = data
  const most = series.toSorted((a, b) => b.count - a.count)[0]
  return {
    headline: {
      ...headlineOf(totals.count, previous.totals.count, (value) => number(value, format)),
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
        points={series.map(({ date, count: value }) => ({
          label: shortDay(date, format),
          values: valuesOf([value], format),
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
    headline: headlineOf(totals.open_value, previous.totals.open_value, amount),
    finding: totals.count
      ? t('{count}, {amount} weighted{othersWords}', {
          count: count(totals.open, [t('open deal'), t('open deals')], format),
          amount: amount(totals.weighted),
          othersWords: othersWords(others, format),
        })
      : t('No deals in this time'),
    isEmpty: !totals.count,
    chart: (look) => (
      <Rows
        {...look}
        head={t('Stage')}
        series={[{ name: t('Deals') }]}
        points={rows.map((row) => ({
          label: stageName(row, several),
          values: valuesOf([row.count], format),
          note: shortMoney(row.value, unit, format),
          color: categoryColor(row.category),
        }))}
      />
    ),
  }
}

type Other = { currency_unit: string; value: number }

/** Amounts of other currencies are named, never added. */
function othersWords(others: Other[], format: Format): string {
  if (!others.length) return ''
  const amounts = others.map(({ value, currency_unit }) => money(value, currency_unit, format))
  return t(', and {amounts}', { amounts: amounts.join(', ') })
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
    headline: headlineOf(totals.count, previous.totals.count, (value) => number(value, format)),
    finding: totals.count
      ? t('Of {count} made in this time {won} are won and {lost} lost', {
          count: count(totals.count, ['deal', 'deals'], format),
          won: number(totals.won, format),
          lost: number(totals.lost, format),
        })
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
            values: valuesOf([row.count], format),
            note: isFirst ? undefined : percent(Math.round(row.step_conversion), format),
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
    ? `. ${count(totals.late, [t('deal is'), t('deals are')], format)} late, ${amount(totals.late_value)}`
    : ''
  const isEmpty = !totals.count && !totals.won
  return {
    headline: headlineOf(totals.forecast, previous.totals.forecast, amount),
    finding: isEmpty
      ? t('Nothing is expected in this time{late}', { late })
      : t('{amount} won, {amount2} expected of {count}{late}', {
          amount: amount(totals.won_value),
          amount2: amount(totals.weighted),
          count: count(totals.count, [t('open deal'), t('open deals')], format),
          late,
        }),
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
          values: [row.won_value, row.weighted].map((value) => ({ value, text: amount(value) })),
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
  const days = joined(series, format, (row) => [row.won, row.lost])
  const rate = totals.win_rate
  return {
    headline:
      rate === null
        ? { value: '–' }
        : headlineOf(
            rate,
            previous.totals.win_rate,
            (value) => percent(Math.round(value), format),
            true,
          ),
    finding:
      rate === null
        ? t('No deal was closed in this time')
        : t('{won} won ({money}), {lost} lost', {
            won: number(totals.won, format),
            money: money(totals.won_value, totals.currency_unit, format),
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
        points={days.map(({ label, sums }) => ({ label, values: valuesOf(sums, format) }))}
      />
    ),
  }
}

function byStatus(
  data: Of<'projects_by_status' | 'tasks_by_status'>,
  format: Format,
  things: string,
): Drawn {
  const { series, totals, previous } = data
  const points = series.flatMap((row): Point[] =>
    row.count
      ? [{ label: row.status_name ?? t('No status'), values: valuesOf([row.count], format) }]
      : [],
  )
  return {
    headline: headlineOf(totals.open, previous.totals.open, (value) => number(value, format)),
    finding: totals.count
      ? `Open ${things}; ${number(totals.completed, format)} were completed`
      : t('No {things} in this time', { things }),
    isEmpty: !totals.count,
    chart: (look) => (
      <Ring
        {...look}
        head={t('Status')}
        unit={things}
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
    { label: t('Other'), values: valuesOf([rest], format), color: 'var(--d0)' },
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
      true,
    ),
    finding: totals.count
      ? t('{completed} of {count} are completed, {overdue} overdue', {
          completed: number(totals.completed, format),
          count: count(totals.count, ['milestone', 'milestones'], format),
          overdue: number(totals.overdue, format),
        })
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
              text: t('{completed} of {count}', {
                completed: number(row.completed, format),
                count: number(row.count, format),
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
        : headlineOf(totals.average, previous.totals.average, score, true),
    finding: totals.count
      ? t('Average of all scores; {critical} of {count} are critical', {
          critical: number(totals.critical ?? 0, format),
          count: count(totals.count, ['account', 'accounts'], format),
        })
      : t('No accounts yet'),
    isEmpty: !totals.count,
    chart: (look) => (
      <Ring
        {...look}
        head={t('Health')}
        unit="accounts"
        total={number(totals.count, format)}
        points={series.map(({ band, count: value }) => ({
          label: bands[band]?.label ?? band,
          color: bands[band]?.color,
          values: valuesOf([value], format),
        }))}
      />
    ),
  }
}

function promoters(data: Of<'survey_nps'>, format: Format): Drawn {
  const { series, totals, previous } = data
  const days = joined(series, format, (row) => [row.promoters, row.passives, row.detractors])
  const signed = (value: number) => `${value > 0 ? '+' : ''}${number(Math.round(value), format)}`
  return {
    headline:
      totals.nps === null
        ? { value: '–' }
        : headlineOf(totals.nps, previous.totals.nps, signed, true),
    finding: totals.count
      ? t('{count}: {promoters} promoters, {detractors} detractors', {
          count: count(totals.count, ['answer', 'answers'], format),
          promoters: number(totals.promoters, format),
          detractors: number(totals.detractors, format),
        })
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
        points={days.map(({ label, sums }) => ({ label, values: valuesOf(sums, format) }))}
      />
    ),
  }
}

function headlineOf(
  now: number,
  then: number | null,
  words: (value: number) => string,
  isPoints = false,
): Headline {
  const before = then === null ? undefined : { value: words(then), now, then, isPoints }
  return { value: words(now), before }
}
