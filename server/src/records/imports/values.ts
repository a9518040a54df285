import { dayOfInstant } from '../../kit/ground/dates.ts'
import type { Definition, Option } from '../../kit/record/field-types.ts'
import type { Field } from '../../kit/record/record.ts'
import { problem } from '../../kit/record/field-types.ts'
import { optionNamed } from '../../kit/record/option-sets.ts'
import { plainText } from '../../model/sheets/csv-text.ts'
import type { Cell } from '../../model/sheets/cell.ts'
import { sheetError, textOf } from '../../model/sheets/cell.ts'
import type { DateOrder } from '../../model/sheets/dates.ts'
import { dayBy, readDate, serialDate } from '../../model/sheets/dates.ts'
import { addressOf } from '../../model/sheets/email.ts'
import type { DecimalSign } from '../../model/sheets/numbers.ts'
import { readNumber, valueBy } from '../../model/sheets/numbers.ts'
import { withScheme } from '../../model/sheets/website.ts'
import { yesOrNo } from './words.ts'

/** The formats of a column's values, and its possible values. */
export type Formats = {
  decimal: DecimalSign | undefined
  order: DateOrder | undefined
  /** the currency that the column names most often */
  currency: string | undefined
  /** the options of a built-in field, by value and label */
  options: Option[]
}
type How = Formats & { timezone: string }

/** Why a cell is not accepted: words that follow its value in the message; a harmless one never loses its row. */
export class Unreadable extends Error {
  isHarmless: boolean
  constructor(message: string, isHarmless = false) {
    super(message)
    this.isHarmless = isHarmless
  }
}

/** A cell as a value of the field's kind. Throws `Unreadable` if it is none. */
export function valueOf(field: Field, cell: Cell, how: How): unknown {
  const text = safeText(cell)
  switch (field.kind) {
    case 'integer':
    case 'number':
      return numberOf(cell, how)
    case 'boolean':
      return booleanOf(text)
    case 'list':
      return listOf(text)
    case 'json':
      return jsonOf(field, text)
    case 'date':
      return dateOf(cell, how)
    case 'timestamp':
      return timeOf(cell, how)
    default:
      return textFor(field, cell, how)
  }
}

/** A cell as the value of a custom field; without a definition it is text. */
export function customValue(
  { key, definition }: { key: string; definition: Definition | undefined },
  cell: Cell,
  how: How,
): unknown {
  if (!definition) return textKept(key, cell, how)
  const value = ofType(definition, cell, how)
  const message = problem(definition, value)
  if (message) throw new Unreadable(message)
  return value
}

/** The value of a custom field that nobody has defined: text, and days and addresses as they are written elsewhere. */
function textKept(key: string, cell: Cell, how: How): string {
  const text = safeText(cell)
  if (key === 'facebook_url') return withScheme(textOf(profileAddress(key, cell)))
  if (key === 'website') return withScheme(text)
  if (key !== 'created_on' && key !== 'birthday') return text
  try {
    return dateOf(cell, how)
  } catch (error) {
    if (error instanceof Unreadable) return text
    throw error
  }
}

const profiles: { [field: string]: string } = {
  twitter_url: 'https://twitter.com/',
  facebook_url: 'https://www.facebook.com/',
  linkedin_url: 'https://www.linkedin.com/in/',
}

/** The address of a profile of which a cell has only the name, such as `@acme`; any other cell as it is. */
export function profileAddress(field: string, cell: Cell): Cell {
  const name = /^@?([\w-]{1,100})$/.exec(textOf(cell))?.[1]
  const site = profiles[field]
  return site && name ? site + name : cell
}

function ofType({ type, options }: Definition, cell: Cell, how: How): unknown {
  const text = safeText(cell)
  const option = (word: string) => optionNamed(options, word) ?? word
  switch (type) {
    case 'number':
    case 'currency':
    case 'percent':
    case 'rating':
      return numberOf(cell, how)
    case 'boolean':
      return booleanOf(text)
    case 'select':
      return option(text)
    case 'multi_select':
      return listOf(text).map((each) => (typeof each === 'string' ? option(each) : each))
    case 'date':
      return dateOf(cell, how)
    case 'datetime':
      return timeOf(cell, how)
    case 'email':
      return addressOf(text).email
    case 'url':
      return withScheme(text)
    case 'json':
      return parsed(text) ?? text
    default:
      return text
  }
}

/** The text of a cell without the apostrophe of an export; refuses errors of the spreadsheet. */
export function safeText(cell: Cell): string {
  const text = plainText(textOf(cell))
  const message = sheetError(text)
  if (message) throw new Unreadable(message)
  return text
}

function textFor({ schema }: Field, cell: Cell, { options }: How): string {
  const text = safeText(cell)
  const words = schema.enum as string[] | undefined
  if (words) return wordOf(words, text)
  if (options.length) return optionNamed(options, text) ?? text
  if (schema.format === 'web-address') return withScheme(text)
  if (/^\d[.,]\d+e\+\d+$/i.test(text)) {
    throw new Unreadable('was shortened by a spreadsheet program: its digits are lost')
  }
  return text
}

function wordOf(words: string[], text: string): string {
  const options = words.map((value) => ({ value, label: value.replaceAll('_', ' ') }))
  const found = optionNamed(options, text)
  if (found) return found
  const isYes = words.includes('yes') && words.includes('no') ? yesOrNo(text) : undefined
  if (isYes !== undefined) return isYes ? 'yes' : 'no'
  throw new Unreadable(`must be one of ${words.join(', ')}`)
}

function numberOf(cell: Cell, { decimal, currency }: How): number {
  if (typeof cell === 'number') return cell
  const text = safeText(cell)
  const reading = readNumber(text)
  if (!reading) throw new Unreadable('is not a number')
  if ('refused' in reading) throw new Unreadable(reading.refused)
  if (currency && reading.currency && reading.currency !== currency) {
    throw new Unreadable(`is in ${reading.currency}, and its column in ${currency}`)
  }
  const value = valueBy(reading, decimal)
  if (value !== undefined) return value
  const { decimal_comma: comma, decimal_point: point } = reading.by
  throw new Unreadable(
    `is ${comma} or ${point}: choose decimal_comma or decimal_point for its column`,
  )
}

function booleanOf(text: string): boolean {
  const found = yesOrNo(text)
  if (found === undefined) throw new Unreadable('must be yes or no')
  return found
}

/** Several values in a cell, between semicolons, commas or line ends; or a JSON array. */
export function partsOf(text: string): string[] {
  return listOf(text).map(String)
}

function listOf(text: string): unknown[] {
  const json = text.startsWith('[') ? parsed(text) : undefined
  if (Array.isArray(json)) return json
  const sign = text.includes(':::')
    ? /:::/
    : text.includes(';')
      ? /;/
      : text.includes('\n')
        ? /\r?\n/
        : /,/
  const all = text
    .split(sign)
    .map((each) => each.trim())
    .filter(Boolean)
  return [...new Set(all)]
}

function jsonOf({ schema }: Field, text: string): unknown {
  const json = parsed(text)
  if (typeof json === 'object' && json !== null) return json
  const members = (schema.properties ?? {}) as { [name: string]: unknown }
  // an address in one cell is written as on an envelope
  if (json === undefined && ('address' in members || schema.additionalProperties === true)) {
    return { address: text }
  }
  throw new Unreadable('must be JSON')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** `at` is the same as an instant, where the day is one of the organization's clock. */
type Instant = { day: string; time?: string; at?: string }

function dateOf(cell: Cell, how: How): string {
  const { day, time, at } = instantOf(cell, how)
  if (at) return day
  const hasZone = time && /(z|[+-]\d{2}:?\d{2})$/i.test(time)
  return (hasZone && dayOfInstant(`${day}T${time}`, how.timezone)) || day
}

/** A day alone means its midnight; a time without an offset is in the organization's zone. */
function timeOf(cell: Cell, how: How): string {
  const { day, time = '00:00:00', at } = instantOf(cell, how)
  if (at) return at
  return `${day}T${time}`
}

function instantOf(cell: Cell, { order, timezone }: How): Instant {
  const text = safeText(cell)
  // milliseconds since 1970, from 2001 on, as programs keep them
  if (/^1\d{12}$/.test(text)) {
    const at = new Date(Number(text)).toISOString()
    return { day: dayOfInstant(at, timezone) ?? at.slice(0, 10), time: at.slice(11), at }
  }
  const serial =
    typeof cell === 'number'
      ? cell
      : /^\d{5}([.,]\d+)?$/.test(text) && Number(text.replace(',', '.'))
  if (serial !== false) {
    const [day, time] = (serialDate(serial) ?? '').split('T')
    if (day) return time ? { day, time } : { day }
  }
  const reading = readDate(text)
  if (!reading) throw new Unreadable('is not a date')
  const { day_first: first, month_first: second } = reading.by
  const day = dayBy(reading, order)
  if (day) return reading.time ? { day, time: reading.time } : { day }
  throw new Unreadable(`is ${first} or ${second}: choose day_first or month_first for its column`)
}
