import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Counted } from '../../data/counted.ts'
import { number, shortMoney } from '../../records/field/format.ts'
import type { Clause } from '../../data/list.ts'
import { useFormat } from '../../records/field/use-format.ts'
import type { Look } from '../../ui/chart/frame.tsx'
import type { Point } from '../../ui/chart/points.ts'
import { Rows } from '../../ui/chart/rows.tsx'
import { Upright } from '../../ui/chart/upright.tsx'
import { columnWords, rowWords, sideWords, valueWords } from './counted-words.ts'
import { listAddress, lists } from './lists.ts'
import { t } from '../../locales/text.ts'

/** How each report is drawn: the columns that are its bars or lines, and that which is said beside them. */
const drawings: {
  [report in Counted['report']]: {
    columns: string[]
    as: 'grouped' | 'stacked' | 'lines' | 'rows'
    note?: string
    colors?: string[]
  }
} = {
  go_live: { columns: ['median', 'p85'], as: 'grouped' },
  plan: { columns: ['planned', 'median'], as: 'grouped' },
  funnel: { columns: ['deals'], as: 'rows', note: 'step_conversion' },
  cohorts: { columns: ['won'], as: 'grouped' },
  forecast: { columns: ['forecast', 'won_value'], as: 'grouped' },
  nps: {
    columns: ['promoters', 'passives', 'detractors'],
    as: 'rows',
    note: 'nps',
    colors: ['var(--d1)', 'var(--d0)', 'var(--d5)'],
  },
  health: {
    columns: ['healthy', 'at_risk', 'critical'],
    as: 'stacked',
    colors: ['var(--d1)', 'var(--d3)', 'var(--d5)'],
  },
}

/** More rows than these are read in the table alone. */
const mostRows = 30

/** The main numbers of a report as a chart, whose marks lead to their records where a list has them. */
export function CountedChart({ data, ...look }: { data: Counted } & Omit<Look, 'finding'>) {
  const format = useFormat()
  const navigate = useNavigate()
  const { label } = look
  const [isTable, setTable] = useState(false)
  const { report, by, currency_unit: currency, columns } = data
  const { columns: shown, as, note, colors } = drawings[report]
  const at = (key: string) => columns.findIndex((column) => column.key === key)
  const isParted = new Set(data.rows.filter(({ level }) => !level).map(({ key }) => key)).size < 2
  const rows = data.rows.filter(({ level }) => isParted || !level).slice(0, mostRows)
  const points = rows.map((row): Point => {
    const screens = lists.of(row.module ?? undefined)
    return {
      label: rowWords(row, by, format),
      values: shown.map((key) => {
        const column = columns[at(key)]
        const value = row.values[at(key)] ?? null
        const filter = row.filters[key] ?? Object.values(row.filters)[0]
        return {
          value: value ?? 0,
          text: column ? valueWords(column, value, currency, format) : '',
          to: value && filter && screens ? listAddress(screens, filter as Clause[]) : undefined,
        }
      }),
      note: note && columns[at(note)] ? noteOf(row) : undefined,
    }
  })
  /** A score, or the share of the stage before and how long deals stay. */
  function noteOf({ values }: Counted['rows'][number]): string | undefined {
    const of = (key: string) => {
      const column = columns[at(key)]
      return column ? valueWords(column, values[at(key)], currency, format) : ''
    }
    if (report !== 'funnel') return of(note ?? '')
    const stay = values[at('median_days')] === null ? '' : of('median_days')
    return [of('step_conversion'), stay].filter(Boolean).join(' · ')
  }
  const series = shown.map((key, of) => {
    const column = columns[at(key)]
    return { name: column ? columnWords(column) : key, color: colors?.[of] }
  })
  const props = {
    finding: findingOf(),
    head: sideWords[by],
    series,
    points,
    isTable,
    onTable: () => setTable(!isTable),
    onOpen: (href: string) => void navigate({ href }),
    ...look,
  }
  /** The totals of the columns that are drawn, or of the last row. */
  function findingOf(): string {
    const values = data.total ?? data.rows.at(-1)?.values ?? []
    const said = columns.flatMap((column, of) =>
      shown.includes(column.key) || column.key === note
        ? values[of] === null || values[of] === undefined
          ? []
          : [
              t('{label}: {number}', {
                label: columnWords(column),
                number: valueWords(column, values[of], currency, format),
              }),
            ]
        : [],
    )
    return said.length ? said.join(' · ') : label
  }
  if (as === 'rows') return <Rows {...props} />
  return (
    <Upright
      height={280}
      {...props}
      as={as}
      tick={(value) => (currency ? shortMoney(value, currency, format) : number(value, format))}
    />
  )
}
