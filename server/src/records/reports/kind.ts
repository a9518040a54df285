import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { condition } from '../../kit/read/condition.ts'
import type { Range } from '../../model/dashboards/range.ts'
import type { ReportSide } from '../../model/dashboards/reports.ts'
import { reportNames, reportSides } from '../../model/dashboards/reports.ts'

const unit = enumeration(['count', 'percent', 'days', 'working_days', 'amount', 'points'], {
  title: 'ReportUnit',
  description: 'working days are those of the calendar of the project',
})

const filter = Type.Array(condition)

export const reportSchema = Type.Object(
  {
    report: enumeration(reportNames, { title: 'ReportName' }),
    by: enumeration(reportSides, { title: 'ReportSide' }),
    from: orNull(Type.String({ format: 'date', description: 'null where all times count' })),
    to: orNull(Type.String({ format: 'date' })),
    currency_unit: orNull(Type.String({ description: 'of the amounts' })),
    currencies: Type.Array(Type.String(), { description: 'in which there are amounts' }),
    left_out: Type.Integer({
      description: 'records that are not in the amounts, since theirs are in another currency',
    }),
    columns: Type.Array(
      Type.Object(
        {
          key: Type.String({ description: 'what is measured' }),
          label: orNull(Type.String({ description: 'the name of a stage' })),
          unit,
        },
        { title: 'ReportColumn', additionalProperties: false },
      ),
    ),
    rows: Type.Array(
      Type.Object(
        {
          key: orNull(
            Type.String({
              description: 'an id, a word, or the first day of a month; null of none',
            }),
          ),
          label: orNull(Type.String({ description: 'a name; null of months and of none' })),
          level: Type.Integer({ description: '1 for a part of the row of level 0 above it' }),
          values: Type.Array(orNull(Type.Number()), {
            description: 'in the order of the columns; null where nothing was measured',
          }),
          module: orNull(Type.String({ description: 'whose list has the records' })),
          filters: Type.Record(Type.String(), filter, {
            description: 'by the key of a column: conditions that find its records',
          }),
        },
        { title: 'ReportRow', additionalProperties: false },
      ),
    ),
    total: orNull(
      Type.Array(orNull(Type.Number()), {
        description: 'of all rows, each record once; null where rows have no sum',
      }),
    ),
  },
  { title: 'Report', additionalProperties: false },
)

export type Report = Static<typeof reportSchema>
export type ReportColumn = Report['columns'][number]
export type ReportRow = Report['rows'][number]

/** What a report is counted from. */
export type Asked = {
  by: ReportSide
  range: Range
  /** the word of the range */
  time_filter: string
  currency: string
  pipeline_id: string | undefined
}

/** What a report found, without what was asked. */
export type Found = Pick<Report, 'columns' | 'rows' | 'total'> & {
  left_out?: number
  currencies?: string[]
}

/** A report: the module that it needs, and how it is counted. */
export type ReportKind = {
  module: string
  /** whether all times count */
  isTimeless?: boolean
  /** whether it has amounts */
  hasMoney?: boolean
  count(ctx: Context, asked: Asked): Promise<Found>
}

type Condition = { [key: string]: unknown }

export const is = (field: string, value: string | null): Condition =>
  value === null ? { field, operator: 'is_empty' } : { field, operator: 'eq', value }
export const between = (field: string, from: string, to: string): Condition => ({
  field,
  operator: 'between',
  value: [from, to],
})

/** One decimal is enough of days and points. */
export function tenths(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10) / 10
}

/** The columns of keys in one unit each. */
export function columnsOf(units: { [key: string]: ReportColumn['unit'] }): ReportColumn[] {
  return Object.entries(units).map(([key, its]) => ({ key, label: null, unit: its }))
}

/** The months that have begun of a period: the first day of each within it, and the last. */
export function monthsOf({
  from,
  last,
}: Pick<Range, 'from' | 'last'>): { from: string; to: string }[] {
  const months = []
  for (let first = from; first <= last;) {
    const [year = 0, month = 0] = first.split('-').map(Number)
    const end = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
    months.push({ from: first, to: end < last ? end : last })
    first = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
  }
  return months
}

/** The first day of the month of a day. */
export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`

/** What finds the records of a column; nothing where no list has them. */
export function leading(column: string, conditions: Condition[] | undefined): ReportRow['filters'] {
  return conditions?.length ? { [column]: conditions } : {}
}
