import type { FieldError } from '../../../kit/ground/errors.ts'
import { badFields } from '../../../kit/ground/errors.ts'
import { isDay } from '../../../kit/ground/dates.ts'
import { wholeWebAddress } from '../../../kit/ground/web-address.ts'
import type { Answers, Condition, FormField, Page } from '../structure.ts'
import { questionsOf } from '../structure.ts'

/**
 * Answers by field id, checked against the questions; 400 names each by its id. The answer to a
 * question that earlier answers hide is dropped; partial answers may omit required ones.
 */
export function checkAnswers(pages: Page[], answers: Answers, isFinished: boolean): Answers {
  const questions = questionsOf(pages)
  const errors: FieldError[] = []
  const ids = new Set(questions.map(({ id }) => id))
  for (const id of Object.keys(answers)) {
    if (!ids.has(id)) {
      errors.push({ field: `answers.${id}`, message: 'is not a question of this survey' })
    }
  }
  const checked: Answers = {}
  for (const field of questions) {
    const value = answers[field.id]
    if (!isVisible(field, checked)) continue
    if (isEmpty(value)) {
      if (isFinished && field.required) {
        errors.push({ field: `answers.${field.id}`, message: 'is required' })
      }
      continue
    }
    const message = problem(field, value) ?? (isFinished ? missing(field, value) : undefined)
    if (message) errors.push({ field: `answers.${field.id}`, message })
    else checked[field.id] = value
  }
  if (errors.length) {
    throw badFields(errors)
  }
  return checked
}

/** Whether a question is shown after these answers to the earlier ones. */
export function isVisible({ show_if = [] }: FormField, answers: Answers): boolean {
  return show_if.every((condition) => holds(condition, answers))
}

/** What a valid answer lacks where the question is required: a matrix has an answer in each row. */
function missing({ type, required, rows = [] }: FormField, value: unknown): string | undefined {
  if (!required || type !== 'matrix') return undefined
  const open = (rows ?? []).find((row) => isEmpty((value as Answers)[row.value]))
  return open && `needs an answer in each row, also in ${open.label}`
}

function problem(field: FormField, value: unknown): string | undefined {
  const { type } = field
  // forms that are built elsewhere send null for none
  const [min, max] = [field.min ?? undefined, field.max ?? undefined]
  const words = (field.options ?? []).map((option) => option.value)
  const rows = (field.rows ?? []).map((row) => row.value)
  const isText = typeof value === 'string'
  const whole = (from: number, to: number) =>
    Number.isInteger(value) && (value as number) >= from && (value as number) <= to
      ? undefined
      : `must be a whole number from ${from} to ${to}`
  switch (type) {
    case 'short-text':
      return isText && value.length <= 1000 ? undefined : 'must be text of at most 1,000 characters'
    case 'long-text':
      return isText && value.length <= 20_000
        ? undefined
        : 'must be text of at most 20,000 characters'
    case 'email':
      // the length first: on long text the pattern takes quadratic time
      return isText && value.length <= 320 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)
        ? undefined
        : 'must be an e-mail address'
    case 'phone':
      return isText && /^[+()\d\s./-]{3,40}$/.test(value) ? undefined : 'must be a phone number'
    case 'url':
      return isText && value.length <= 2048 && wholeWebAddress(value)
        ? undefined
        : 'must be a web address'
    case 'date':
      return isText && isDay(value) ? undefined : 'must be a day YYYY-MM-DD'
    case 'time':
      return isText && /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? undefined : 'must be a time HH:MM'
    case 'number':
      if (typeof value !== 'number') return 'must be a number'
      if (min !== undefined && value < Number(min)) return `must be at least ${min}`
      return max !== undefined && value > Number(max) ? `must be at most ${max}` : undefined
    case 'single-select':
    case 'dropdown':
      return isIn(words, value) ? undefined : `must be one of ${words.join(', ')}`
    case 'multi-select':
    case 'ranking':
      return Array.isArray(value) &&
        new Set(value).size === value.length &&
        value.every((each: unknown) => isIn(words, each))
        ? undefined
        : `must be one or more of ${words.join(', ')}`
    case 'ratings':
      return whole(1, field.maxRating ?? 5)
    case 'nps':
      return whole(0, 10)
    case 'csat':
      return whole(1, field.maxRating ?? 5)
    case 'ces':
      return whole(1, field.maxRating ?? 7)
    case 'consent':
      if (typeof value !== 'boolean') return 'must be true or false'
      return field.required && !value ? 'must be accepted' : undefined
    case 'matrix':
      return typeof value === 'object' &&
        Object.entries(value as Answers).every(
          ([row, each]) => isIn(rows, row) && isIn(words, each),
        )
        ? undefined
        : 'must be one of the choices for each row'
    case 'statement':
      return 'is not a question'
  }
}

function holds({ field_id, operator = 'eq', value }: Condition, answers: Answers): boolean {
  const answer = answers[field_id]
  switch (operator) {
    case 'eq':
      return answer === value || isIn(answer, value)
    case 'neq':
      return answer !== value && !isIn(answer, value)
    case 'in':
      return isIn(value, answer)
    case 'not_in':
      return !isIn(value, answer)
    case 'contains':
      return isIn(answer, value) || (typeof answer === 'string' && answer.includes(String(value)))
    case 'gt':
      return Number(answer) > Number(value)
    case 'gte':
      return Number(answer) >= Number(value)
    case 'lt':
      return Number(answer) < Number(value)
    case 'lte':
      return Number(answer) <= Number(value)
    case 'is_empty':
      return isEmpty(answer)
    default:
      return !isEmpty(answer)
  }
}

/** Blanks alone are no answer, as on the page. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return !value.trim()
  return value === undefined || value === null || (Array.isArray(value) && !value.length)
}

/** Long lists as sets: an answer with many choices is compared with as many options and conditions. */
const members = new WeakMap<unknown[], Set<unknown>>()

function isIn(list: unknown, one: unknown): boolean {
  if (!Array.isArray(list)) return false
  if (list.length < 20) return list.includes(one)
  const known = members.get(list) ?? new Set<unknown>(list)
  members.set(list, known)
  return known.has(one)
}
