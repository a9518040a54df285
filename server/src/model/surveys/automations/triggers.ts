import { Type } from 'typebox'
import type { Static } from 'typebox'
import { badField, badFields } from '../../../kit/ground/errors.ts'
import { unknownKeys } from '../../../kit/ground/nearest.ts'
import { enumeration } from '../../../kit/ground/json-schema.ts'
import type { Answers, Page } from '../../forms/form-parts.ts'
import { questionsOf } from '../structure.ts'
import { isNumeric, scoreOf } from './score.ts'

/** The triggers of automations. A score is the answer to `field_id`, or the mean of all scales. */
export const triggers = [
  { type: 'response_submitted', label: 'A response is submitted' },
  { type: 'score_above', label: 'The score of a response is above a value' },
  { type: 'score_below', label: 'The score of a response is below a value' },
  { type: 'published', label: 'The survey is published' },
  { type: 'closed', label: 'The survey is closed' },
] as const

const types = triggers.map(({ type }) => type)
export const triggerType = enumeration(types, { title: 'SurveyTriggerType' })
export type TriggerType = Static<typeof triggerType>

/** The members of a trigger as a read shows it. */
export const triggerProperties = {
  type: triggerType,
  value: Type.Optional(Type.Number({ description: 'the value that a score is compared with' })),
  field_id: Type.Optional(
    Type.String({ description: 'the question whose answer is the score; the mean when absent' }),
  ),
}
const trigger = Type.Object(triggerProperties)
export type Trigger = Static<typeof trigger>

type TriggerInput = { type?: unknown; value?: unknown; field_id?: unknown }

/** 400 for a trigger that is unknown or does not fit the questions. */
export function checkTrigger(trigger: TriggerInput, pages: Page[], at: string) {
  const errors = unknownKeys(trigger, Object.keys(triggerProperties), at)
  if (errors.length) throw badFields(errors)
  const { type, value, field_id } = trigger
  if (!types.some((known) => known === type)) {
    throw badField(`${at}.type`, `must be one of ${types.join(', ')}`)
  }
  if (type !== 'score_above' && type !== 'score_below') return
  if (typeof value !== 'number') throw badField(`${at}.value`, 'must be a number')
  const isScored = questionsOf(pages).some((each) => each.id === field_id && isNumeric(each.type))
  if (field_id !== undefined && !isScored) {
    throw badField(`${at}.field_id`, 'must be the id of a question with a number or a scale')
  }
}

/** Whether the score of a response is on the trigger's side of its value; true for other triggers. */
export function scoreMatches({ type, value, field_id }: Trigger, pages: Page[], answers: Answers) {
  if (type !== 'score_above' && type !== 'score_below') return true
  const score = scoreOf(pages, answers, field_id)
  if (score === null || value === undefined) return false
  return type === 'score_above' ? score > value : score < value
}
