import type { Health } from './health.ts'
import { t } from '../locales/text.ts'

type Input = Health['inputs'][number]
type Change = Health['changes'][number]

/** The value of an input in words: "7 overdue tasks". */
export function inputWords({
  input,
  value,
  unit,
}: Pick<Input, 'input' | 'value' | 'unit'>): string {
  if (value === null) return unit
  switch (input) {
    case 'nps':
      return t('Net promoter score of {score}', { score: signed(value) })
    case 'csat':
      return t('{percent}% of the ratings are satisfied', { percent: Math.round(value) })
    case 'sentiment':
      return t('What the customer writes sounds negative')
    case 'silence':
      return t('1 day without any activity | {count} days without any activity', { count: value })
    case 'overdue_work':
      return t('{count} overdue task | {count} overdue tasks', { count: value })
    case 'unsigned_documents':
      return t(
        '{count} document that waits for signatures | {count} documents that wait for signatures',
        { count: value },
      )
    case 'open_risks':
      return t('{count} open task marked as a risk | {count} open tasks marked as a risk', {
        count: value,
      })
    default:
      return `${value} ${unit}`
  }
}

/** How much an input changed the score: "12 more than before". */
export function changeWords({ change }: Pick<Change, 'change'>): string {
  const points = Math.abs(Math.round(change))
  if (!points) return ''
  return change < 0
    ? t('took {points} more than before', { points })
    : t('took {points} less than before', { points })
}

/** A rounded number with its sign: +19, −14, 0. */
export function signed(value: number): string {
  const rounded = Math.round(value)
  if (!rounded) return '0'
  return rounded < 0 ? `−${-rounded}` : `+${rounded}`
}
