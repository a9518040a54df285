import type { FieldError } from '../../kit/ground/errors.ts'
import { badField, badFields } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { isDay } from '../../kit/ground/dates.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

export const fieldTypes = [
  'short-text',
  'long-text',
  'email',
  'phone',
  'number',
  'url',
  'date',
  'time',
  'single-select',
  'multi-select',
  'dropdown',
  'ratings',
  'nps',
  'csat',
  'ces',
  'matrix',
  'ranking',
  'consent',
  'statement',
] as const

// oxlint-disable-next-line typescript/no-explicit-any -- what a body brings, before it is checked
type Given = { [key: string]: any }
type Option = { value: string; label: string }
type Condition = { field_id: string; operator?: string; value?: unknown }

export type FormField = {
  id: string
  type: (typeof fieldTypes)[number]
  label: string
  required?: boolean
  options?: Option[]
  rows?: Option[]
  maxRating?: number
  min?: number
  max?: number
  /** asked only where all of these hold */
  show_if?: Condition[]
  [key: string]: unknown
}
export type Page = { id: string; title: string; fields: FormField[] }
export type Answers = { [field_id: string]: unknown }

/** How a body gives a structure: an array of pages, or an object with them. */
export const structureSchema: JSONSchema = {
  anyOf: [
    { type: 'array', maxItems: 100, items: { type: 'object' } },
    {
      type: 'object',
      properties: { pages: { type: 'array', maxItems: 100, items: { type: 'object' } } },
    },
  ],
}

/** What the conditions of a question may ask of the answer to another. */
const conditionOperators = [
  'eq',
  'neq',
  'in',
  'not_in',
  'contains',
  'gt',
  'gte',
  'lt',
  'lte',
  'is_empty',
  'is_not_empty',
]

const needOptions = ['single-select', 'multi-select', 'dropdown', 'ranking']

/** The pages of a structure, each field checked and complete; 400 names the path. */
export function pagesOf(given: unknown): Page[] {
  const pages = Array.isArray(given) ? given : ((given as { pages?: unknown[] }).pages ?? [])
  const seen = new Set<string>()
  return (pages as Given[]).map((page, p) => {
    const fields = page.fields ?? []
    if (!Array.isArray(fields)) throw badField(`form_structure.${p}.fields`, 'must be an array')
    if (fields.length > 500) throw badField(`form_structure.${p}.fields`, 'must have at most 500')
    return {
      ...page,
      id: text(page.id) ?? newId(),
      title: text(page.title) ?? '',
      fields: fields.map((field, f) => {
        const at = `form_structure.${p}.fields.${f}`
        if (typeof field !== 'object' || field === null) throw badField(at, 'must be an object')
        if (!fieldTypes.includes(field.type)) {
          throw badField(`${at}.type`, `must be one of ${fieldTypes.join(', ')}`)
        }
        if (!text(field.label)) throw badField(`${at}.label`, 'is required')
        const id = text(field.id) ?? newId()
        if (seen.has(id)) throw badField(`${at}.id`, `${id} is there twice`)
        // answers are an object by these ids, and every object has a constructor
        if (id in {}) throw badField(`${at}.id`, `${id} cannot be an id`)
        seen.add(id)
        if (field.required !== undefined && typeof field.required !== 'boolean') {
          throw badField(`${at}.required`, 'must be true or false')
        }
        const options = optionsOf(field.options, `${at}.options`)
        if (needOptions.includes(field.type) && !options?.length) {
          throw badField(`${at}.options`, 'is required')
        }
        const rows = optionsOf(field.rows, `${at}.rows`)
        const { show_if = [], maxRating = 5 } = field
        if (!Array.isArray(show_if)) throw badField(`${at}.show_if`, 'must be an array')
        if (!Number.isInteger(maxRating) || maxRating < 2 || maxRating > 20) {
          throw badField(`${at}.maxRating`, 'must be a whole number from 2 to 20')
        }
        for (const condition of show_if) {
          if (!seen.has(condition?.field_id)) {
            throw badField(`${at}.show_if`, `no earlier question has the id ${condition?.field_id}`)
          }
          if (!conditionOperators.includes(condition.operator ?? 'eq')) {
            throw badField(
              `${at}.show_if`,
              `operator must be one of ${conditionOperators.join(', ')}`,
            )
          }
        }
        return { ...field, id, ...(options ? { options } : {}), ...(rows ? { rows } : {}) }
      }),
    }
  })
}

/** The questions of a structure; statements ask nothing. */
export function questionsOf(pages: Page[]): FormField[] {
  return pages.flatMap(({ fields }) => fields).filter(({ type }) => type !== 'statement')
}

/**
 * Answers by field id, checked against the questions; 400 names each by its id. What is not asked
 * because of the answers before is dropped; partial answers may leave out what is required.
 */
export function checkAnswers(pages: Page[], answers: Answers, isFinished: boolean): Answers {
  const questions = questionsOf(pages)
  const errors: FieldError[] = []
  for (const id of Object.keys(answers)) {
    if (!questions.some((each) => each.id === id)) {
      errors.push({ field: `answers.${id}`, message: 'is no question of this survey' })
    }
  }
  const kept: Answers = {}
  for (const field of questions) {
    const value = answers[field.id]
    if (!isVisible(field, kept)) continue
    if (isEmpty(value)) {
      if (isFinished && field.required) {
        errors.push({ field: `answers.${field.id}`, message: 'is required' })
      }
      continue
    }
    const message = problem(field, value)
    if (message) errors.push({ field: `answers.${field.id}`, message })
    else kept[field.id] = value
  }
  if (errors.length) {
    throw badFields(errors)
  }
  return kept
}

/** Whether a question is asked after these answers to those before it. */
export function isVisible({ show_if = [] }: FormField, answers: Answers): boolean {
  return show_if.every((condition) => holds(condition, answers))
}

function problem(field: FormField, value: unknown): string | undefined {
  const { type, options = [], rows = [], min, max } = field
  const words = options.map((option) => option.value)
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
      // the length first: on long text the pattern takes time that grows with its square
      return isText && value.length <= 320 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)
        ? undefined
        : 'must be an e-mail address'
    case 'phone':
      return isText && /^[+()\d\s./-]{3,40}$/.test(value) ? undefined : 'must be a phone number'
    case 'url':
      return isText && value.length <= 2048 && /^https?:\/\/\S+$/i.test(value)
        ? undefined
        : 'must be a web address'
    case 'date':
      return isText && isDay(value) ? undefined : 'must be a day YYYY-MM-DD'
    case 'time':
      return isText && /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? undefined : 'must be a time HH:MM'
    case 'number':
      if (typeof value !== 'number') return 'must be a number'
      if (min !== undefined && value < min) return `must be at least ${min}`
      return max !== undefined && value > max ? `must be at most ${max}` : undefined
    case 'single-select':
    case 'dropdown':
      return words.includes(value as string) ? undefined : `must be one of ${words.join(', ')}`
    case 'multi-select':
    case 'ranking':
      return Array.isArray(value) &&
        new Set(value).size === value.length &&
        value.every((each) => words.includes(each))
        ? undefined
        : `must be some of ${words.join(', ')}`
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
        Object.entries(value as object).every(
          ([row, each]) => rows.some((one) => one.value === row) && words.includes(each),
        )
        ? undefined
        : 'must be one of the choices for each row'
    case 'statement':
      return 'is no question'
  }
}

function holds({ field_id, operator = 'eq', value }: Condition, answers: Answers): boolean {
  const answer = answers[field_id]
  const isIn = (list: unknown, one: unknown) => Array.isArray(list) && list.includes(one)
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

function isEmpty(value: unknown): boolean {
  return (value ?? '') === '' || (Array.isArray(value) && !value.length)
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() ? value.slice(0, 1000) : undefined
}

function optionsOf(given: unknown, at: string): Option[] | undefined {
  if (given === undefined || given === null) return undefined
  if (!Array.isArray(given)) throw badField(at, 'must be an array')
  return given.map((each, i) => {
    const { value, label } = typeof each === 'object' && each ? each : { value: each, label: each }
    const word = text(value) ?? text(label)
    if (!word) throw badField(`${at}.${i}`, 'must have a value or a label')
    return { ...(typeof each === 'object' ? each : {}), value: word, label: text(label) ?? word }
  })
}
