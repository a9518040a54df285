import type { FieldError } from '../../../kit/ground/errors.ts'
import { badFields } from '../../../kit/ground/errors.ts'
import { isDay } from '../../../kit/ground/dates.ts'
import { wholeWebAddress } from '../../../kit/ground/web-address.ts'
import type { Answers, FormField, Page } from '../../forms/form-parts.ts'
import { askedParts, requiredParts } from '../../forms/answer-parts.ts'
import { questionsOf } from '../structure.ts'
import { asked, calculated, isEmpty, isIn, longest, mostFilesOf } from '../../forms/rules.ts'

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
  for (const field of asked(pages, checked)) {
    if (field.type === 'statement') continue
    // only what is calculated here
    const value = field.type === 'calculated' ? calculated(field, checked) : tidy(field, answers)
    if (isEmpty(value)) {
      if (isFinished && field.required && field.type !== 'calculated') {
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

/** An answer of several texts without those that are blank; none if all are. */
function tidy({ id, type }: FormField, answers: Answers): unknown {
  const value = answers[id]
  const isOpen = type === 'contact' || type === 'address' || type === 'signature'
  if (!isOpen || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const parts = Object.entries(value as Answers).filter(([, each]) => !isEmpty(each))
  return parts.length ? Object.fromEntries(parts) : undefined
}

/** What a valid answer lacks where the question is required: a matrix has an answer in each row. */
function missing(field: FormField, value: unknown): string | undefined {
  const { type, required, rows } = field
  if (!required) return undefined
  const own = value as Answers
  if (type === 'matrix' || type === 'rating-matrix') {
    const open = (rows ?? []).find((row) => isEmpty(own[row.value]))
    return open && `needs an answer in each row, also in ${open.label}`
  }
  const open = requiredParts(field).find((part) => isEmpty(own[part]))
  return open && `needs ${partWords[open] ?? open}, too`
}

const partWords: { [part: string]: string } = {
  first_name: 'a first name',
  last_name: 'a last name',
  email: 'an e-mail address',
  street: 'a street',
  city: 'a city',
  country: 'a country',
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
    case 'long-text': {
      const most = longest(field)
      if (!isText || value.length > most) {
        return `must be text of at most ${most.toLocaleString('en')} characters`
      }
      return typeof min === 'number' && value.length < min
        ? `must be text of at least ${min} characters`
        : undefined
    }
    case 'email':
      return isEmail(value) ? undefined : 'must be an e-mail address'
    case 'phone':
      return isPhone(value) ? undefined : 'must be a phone number'
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
    case 'ranking': {
      const isKnown =
        Array.isArray(value) &&
        new Set(value).size === value.length &&
        value.every((each: unknown) => isIn(words, each))
      if (!isKnown) return `must be one or more of ${words.join(', ')}`
      if (type === 'ranking') return undefined
      if (typeof min === 'number' && value.length < min) return `must be at least ${min} choices`
      return typeof max === 'number' && value.length > max
        ? `must be at most ${max} choices`
        : undefined
    }
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
      return isObject(value) &&
        Object.entries(value).every(([row, each]) => isIn(rows, row) && isIn(words, each))
        ? undefined
        : 'must be one of the choices for each row'
    case 'rating-matrix': {
      const highest = field.maxRating ?? 5
      return isObject(value) &&
        Object.entries(value).every(
          ([row, each]) =>
            isIn(rows, row) &&
            Number.isInteger(each) &&
            Number(each) >= 1 &&
            Number(each) <= highest,
        )
        ? undefined
        : `must be a whole number from 1 to ${highest} for each row`
    }
    case 'yes-no':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'contact':
      return partsProblem(value, askedParts(field))
    case 'address':
      return partsProblem(value, askedParts(field))
    case 'signature':
      return signatureProblem(value)
    case 'file': {
      const most = mostFilesOf(field)
      if (!Array.isArray(value) || !value.every(isFile)) {
        return 'must be a list of files, each with the document_id of a document of this survey'
      }
      return value.length > most ? `must be at most ${most} files` : undefined
    }
    case 'calculated':
      return undefined
    case 'statement':
      return 'is not a question'
  }
}

/** A file as an answer names it: its document, and its name and size in bytes for those who read the answer. */
export type AnsweredFile = { document_id: string; name?: string; size?: number }

function isFile(value: unknown): value is AnsweredFile {
  if (!isObject(value)) return false
  const { document_id: id } = value
  return typeof id === 'string' && id.length > 0 && id.length <= 25
}

function isEmail(value: unknown): boolean {
  // the length first: on long text the pattern takes quadratic time
  if (typeof value !== 'string' || value.length > 320) return false
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)
}

function isPhone(value: unknown): boolean {
  return typeof value === 'string' && /^[+()\d\s./-]{3,40}$/.test(value)
}

/** What is wrong with an answer of several texts. */
function partsProblem(value: unknown, parts: readonly string[]): string | undefined {
  if (!isObject(value)) return `must be an object with ${parts.join(', ')}`
  const unknown = Object.keys(value).find((name) => !parts.includes(name))
  if (unknown !== undefined) return `must have no ${unknown}, only ${parts.join(', ')}`
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string' || text.length > 255) {
      return `must have a ${name} of at most 255 characters`
    }
  }
  if (value.email !== undefined && !isEmail(value.email)) return 'must have an e-mail address'
  if (value.phone !== undefined && !isPhone(value.phone)) return 'must have a phone number'
  return undefined
}

/** A name, which signs, and how it was drawn: lines in a box of 600 by 200, as path data. */
function signatureProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object with a name'
  const { name, path, ...others } = value
  if (Object.keys(others).length) return 'must have only a name and a path'
  if (typeof name !== 'string' || name.length > 255) {
    return 'must have a name of at most 255 characters'
  }
  if (path === undefined) return undefined
  const isDrawn =
    typeof path === 'string' &&
    path.length <= 20_000 &&
    /^(M\d{1,3} \d{1,3}(L\d{1,3} \d{1,3})*)+$/.test(path)
  return isDrawn ? undefined : 'must have a path of lines, such as M10 20L30 40'
}

function isObject(value: unknown): value is Answers {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
