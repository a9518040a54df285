import type { Health } from './health.ts'

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
      return `Net promoter score of ${signed(value)}`
    case 'csat':
      return `${Math.round(value)}% of the ratings are satisfied`
    case 'sentiment':
      return 'What the customer writes sounds negative'
    case 'silence':
      return value === 1 ? '1 day without any activity' : `${value} days without any activity`
    default:
      return `${value} ${value === 1 ? singular(unit) : unit}`
  }
}

/** How much an input changed the score: "12 more than before". */
export function changeWords({ change }: Pick<Change, 'change'>): string {
  const points = Math.abs(Math.round(change))
  if (!points) return ''
  return change < 0 ? `took ${points} more than before` : `took ${points} less than before`
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
