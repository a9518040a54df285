import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Measured } from '../../data/figures.ts'
import type { Clause } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import { fieldOf } from '../../data/modules.ts'
import type { Screens } from '../../records/definition.ts'
import { number, percent, shortMoney } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import type { Look } from '../../ui/chart/frame.tsx'
import type { Point, Value } from '../../ui/chart/points.ts'
import { Ring } from '../../ui/chart/ring.tsx'
import { Rows } from '../../ui/chart/rows.tsx'
import { Upright } from '../../ui/chart/upright.tsx'
import { Empty } from '../../ui/empty.tsx'
import type { FigureLink as Link, Figures as Table } from './figure-table.tsx'
import { FigureTable } from './figure-table.tsx'
import type { Cell, Grid, Line } from './grid.ts'
import { filled } from './grid.ts'
import { listAddress } from './lists.ts'
import type { Chart } from './question.ts'
import { OtherCurrencies } from './other-currencies.tsx'
import styles from './report.module.css'
import { TableHead } from './table-head.tsx'
import { figureWords, groupWords, measureWords } from './words.ts'
import { t } from '../../locales/text.ts'

type Props = {
  grid: Grid
  asked: Measured
  module: Module
  screens: Screens
  filter: Clause[]
  chart: Chart
  total: number
  leftOut: { groups: number; columns: number }
  isStale: boolean
  /** the name of the files */
  name: string
  onCurrency: () => void
}

/** What a report found: a sentence, a chart, and the same numbers as a table whose cells lead to their records. */
export function Result(props: Props) {
  const { grid, asked, module, chart, total, leftOut, isStale, name, onCurrency } = props
  const format = useFormat()
  const navigate = useNavigate()
  const drawn = useRef<HTMLDivElement>(null)
  if (!total) {
    return (
      <Empty icon="chart" title={t('No records of this kind')}>
        {t('Change which ones are counted, or what is looked at.')}
      </Empty>
    )
  }
  const table = tableOf(props, format)
  const [first = 'count'] = asked.measures.split(',')
  const words = measureWords(module, first)
  const finding = findingOf(props, format)
  const open = (href: string) => void navigate({ href })
  return (
    <div className={styles.result} aria-busy={isStale}>
      <div ref={drawn}>
        {chart === 'table' ? (
          <p className={styles.finding}>{finding}</p>
        ) : (
          <Drawing {...props} label={words} finding={finding} onOpen={open} />
        )}
      </div>
      <TableHead
        note={t('the same numbers, each leads to its records')}
        name={name}
        texts={table.texts}
        drawn={chart === 'table' ? undefined : drawn}
      />
      <FigureTable table={table} label={words} />
      <p className={styles.notes}>
        {[
          leftOut.groups
            ? t(
                '{number} smaller group is not shown, but in the totals | {number} smaller groups are not shown, but in the totals',
                {
                  number: number(leftOut.groups, format),
                  count: leftOut.groups,
                },
              )
            : '',
          leftOut.columns
            ? t(
                '{number} smaller column is not shown, but in the totals | {number} smaller columns are not shown, but in the totals',
                {
                  number: number(leftOut.columns, format),
                  count: leftOut.columns,
                },
              )
            : '',
        ]
          .filter(Boolean)
          .join('. ')}
        {grid.elsewhere ? <OtherCurrencies count={grid.elsewhere} onNext={onCurrency} /> : null}
      </p>
    </div>
  )
}

type Format = ReturnType<typeof useFormat>

/** What the figures come to, in a sentence. */
export function findingOf(
  { grid, asked, module, total }: Pick<Props, 'grid' | 'asked' | 'module' | 'total'>,
  format: Format,
): string {
  const [first = 'count'] = asked.measures.split(',')
  const records = t('{number} {one} | {number} {many}', {
    number: number(total, format),
    count: total,
    one: module.word.one,
    many: module.word.many,
  })
  if (first === 'count') return records
  const value = figureWords(grid.all.figure, module, format)
  return t('{measure}: {value}, {records}', {
    measure: measureWords(module, first),
    value,
    records,
  })
}

type DrawingProps = Pick<Props, 'grid' | 'asked' | 'module' | 'screens' | 'filter' | 'chart'> &
  Look & { onOpen: (href: string) => void }

/** The figures as a chart, whose marks lead to their records. */
export function Drawing({ grid, asked, module, screens, filter, chart, ...look }: DrawingProps) {
  const format = useFormat()
  const by = fieldOf(module, asked.by)?.label ?? asked.by
  const valueOf = ({ figure, count, filter: own }: Cell): Value => ({
    value: figure?.value ?? 0,
    text: figureWords(figure, module, format),
    ...(count && figure?.count ? { to: listAddress(screens, [...filter, ...own]) } : {}),
  })
  const { label } = look
  // averages and medians have no parts: they are drawn as bars
  const [measure = 'count'] = asked.measures.split(',')
  if (chart === 'ring' && /^(count|sum|share)\b/.test(measure)) {
    return (
      <Ring
        {...look}
        head={by}
        unit={label}
        total={figureWords(grid.all.figure, module, format)}
        points={sixAtMost(grid.lines).map((line): Point =>
          line === 'rest'
            ? restOf(grid.lines, (value) => number(value, format))
            : {
                label: groupWords(line.group, asked.unit, format, asked.width),
                values: [valueOf(line.all)],
              },
        )}
      />
    )
  }
  if (chart === 'funnel') {
    const lines = filled(grid.lines, asked.unit)
    const first = Math.max(...lines.map(({ all }) => all.figure?.value ?? 0))
    return (
      <Rows
        {...look}
        head={by}
        series={[{ name: label }]}
        whole={first}
        points={lines.map((line, at): Point => {
          const before = lines[at - 1]?.all.figure?.value
          const now = line.all.figure?.value ?? 0
          return {
            label: groupWords(line.group, asked.unit, format, asked.width),
            values: [valueOf(line.all)],
            note: before
              ? t('{share} of the step before', {
                  share: percent(Math.round((100 * now) / before), format),
                })
              : undefined,
          }
        })}
      />
    )
  }
  const series = grid.columns.length
    ? grid.columns.map((column) => ({ name: groupWords(column, asked.then_unit, format) }))
    : [{ name: label }]
  const unit = grid.currency
  return (
    <Upright
      height={300}
      {...look}
      head={by}
      as={chart === 'lines' ? 'lines' : 'stacked'}
      series={series}
      tick={(value) =>
        unit && grid.all.figure?.currency_unit
          ? shortMoney(value, unit, format)
          : number(value, format)
      }
      points={filled(grid.lines, asked.unit).map((line) => ({
        label: groupWords(line.group, asked.unit, format, asked.width),
        values: (grid.columns.length ? line.cells : [line.all]).map(valueOf),
      }))}
    />
  )
}

/** The largest ones, and a word for the rest: more than six slices cannot be told apart. */
function sixAtMost(lines: Line[]): (Line | 'rest')[] {
  return lines.length > 6 ? [...largest(lines).slice(0, 5), 'rest'] : lines
}

function largest(lines: Line[]): Line[] {
  const valueOf = ({ all }: Line) => all.figure?.value ?? 0
  return lines.toSorted((a, b) => valueOf(b) - valueOf(a))
}

function restOf(lines: Line[], words: (value: number) => string): Point {
  const value = largest(lines)
    .slice(5)
    .reduce((sum, { all }) => sum + (all.figure?.value ?? 0), 0)
  return {
    label: t('Other'),
    color: 'var(--d0)',
    values: [{ value, text: words(Math.round(value * 100) / 100) }],
  }
}

/** Lines and columns of the first measure, then the others of whole lines; the last line is of all. */
function tableOf({ grid, asked, module, screens, filter }: Props, format: Format): Table {
  const [first = 'count', ...rest] = asked.measures.split(',')
  const link = ({ figure, count, filter: own }: Cell): Link => ({
    text: figureWords(figure, module, format),
    ...(count && figure?.count ? { to: listAddress(screens, [...filter, ...own]) } : {}),
  })
  const hasColumns = grid.columns.length > 0
  const head = [
    fieldOf(module, asked.by)?.label ?? asked.by,
    ...grid.columns.map((column) => groupWords(column, asked.then_unit, format)),
    hasColumns ? t('Total') : measureWords(module, first),
    ...rest.map((measure) => measureWords(module, measure)),
  ]
  const rows = grid.lines.map(({ group, cells, all, others }) => ({
    label: { text: groupWords(group, asked.unit, format, asked.width) },
    cells: [...(hasColumns ? cells : []), all, ...others].map(link),
  }))
  const last = {
    label: { text: t('Total') },
    cells: [...grid.columns.map((column) => column.all), grid.all, ...grid.others].map(link),
  }
  const raw = ({ figure }: Cell) => String(figure?.value ?? '')
  const texts = [
    head,
    ...grid.lines.map(({ group, cells, all, others }) => [
      groupWords(group, asked.unit, format, asked.width),
      ...[...(hasColumns ? cells : []), all, ...others].map(raw),
    ]),
    [t('Total'), ...[...grid.columns.map(({ all }) => all), grid.all, ...grid.others].map(raw)],
  ]
  return { head, rows, last, texts }
}
