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
      return t('Net promoter score of {signed}', { signed: signed(value) })
    case 'csat':
      return t('{value}% of the ratings are satisfied', { value: Math.round(value) })
    case 'sentiment':
      return t('What the customer writes sounds negative')
    case 'silence':
      return t('1 day without any activity | {count} days without any activity', { count: value })
    default:
      return `${value} ${value === 1 ? singular(unit) : unit}`
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

function singular(unit: string): string {
  return unit
    .replace(/^(overdue|open) tasks/, '$1 task')
    .replace(/^documents that wait/, 'document that waits')
}

/** A whole number such as a net promoter score, with a real minus sign. */
export function signed(value: number): string {
  return value < 0 ? `−${Math.abs(Math.round(value))}` : String(Math.round(value))
}
