import type { Answers, Page } from '../../forms/form-parts.ts'
import { questionsOf } from '../structure.ts'

const scaleTypes = ['ratings', 'nps', 'csat', 'ces']

/** Whether the answers to a type of field are numbers. */
export function isNumeric(type: string): boolean {
  return type === 'number' || type === 'calculated' || scaleTypes.includes(type)
}

/** The score of a response: the answer to one question, or the mean of all its scales. */
export function scoreOf(pages: Page[], answers: Answers, field_id?: string): number | null {
  const scored = questionsOf(pages).filter(({ id, type }) =>
    field_id ? id === field_id : scaleTypes.includes(type),
  )
  const values = scored.map(({ id }) => Number(answers[id] ?? NaN)).filter(Number.isFinite)
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null
}
