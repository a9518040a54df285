import type { At, Look, Said, Table } from './frame.tsx'
import { t } from '../../locales/text.ts'

/** A number of a chart, in the words that people read, and the address of what is behind it. */
export type Value = { value: number; text: string; to?: string | undefined }

/** A group of a chart: one value for each series. */
export type Point = {
  label: string
  /** what stands below it on the axis, where the label is too long for that */
  mark?: string
  values: Value[]
  /** what is said beside it, such as the share of the step before */
  note?: string | undefined
  color?: string | undefined
}

/** What charts of points take. */
export type PointsLook = Look & {
  points: Point[]
  /** the names of the series; the first is the only one in most charts */
  series: { name: string; color?: string | undefined }[]
  /** what the points are, above their column of the table */
  head: string
  /** the words of a mark of the axis */
  tick?: (value: number) => string
}

/** The colours of series, in their order. */
export function colorOf(at: number): string {
  return `var(--d${(at % 6) + 1})`
}

/** What the value of a point says. */
export function sayPoint({ points, series }: Pick<PointsLook, 'points' | 'series'>, at: At): Said {
  const [along, of] = at
  const point = points[along]
  const value = point?.values[of]
  if (!point || !value) return { text: '' }
  const name = series.length > 1 ? `, ${series[of]?.name ?? ''}` : ''
  const note = point.note ? `, ${point.note}` : ''
  return { text: `${point.label}${name}: ${value.text}${note}`, to: value.to }
}

/** The same numbers as a table. */
export function tableOf({ points, series, head }: PointsLook): Table {
  const noted = points.some(({ note }) => note)
  return {
    columns: [head, ...series.map(({ name }) => name), ...(noted ? [t('Note')] : [])],
    rows: points.map(({ label, values, note }) => [
      label,
      ...values.map(({ text }) => text),
      ...(noted ? [note ?? ''] : []),
    ]),
  }
}
