import { isDay, parseInstant } from '../ground/dates.ts'
import { hasEncodedWord } from '../ground/email-address.ts'
import { wholeWebAddress } from '../ground/web-address.ts'

export type Option = {
  value: string
  label: string
  color: string | null
  icon: string | null
  position: number
  is_default: boolean
}

/** A field's definition in an organization: of a custom field, or its changes to a built-in one. */
export type Definition = {
  key: string
  label: string
  type: string
  required: boolean
  unique: boolean
  description: string | null
  options: Option[]
  default: unknown
  position: number
  group: string | null
  is_archived: boolean
  /** customers and partners are shown its values */
  is_shared: boolean
  is_built_in: boolean
}

/** What is wrong with a value for a definition; undefined when it fits. */
export function problem(definition: Definition, value: unknown): string | undefined {
  if (definition.is_archived) return 'is archived and takes no new values'
  const isEmpty = value === null || value === '' || (Array.isArray(value) && !value.length)
  if (definition.required && isEmpty) return 'is required'
  if (value === null) return undefined
  return (checks[definition.type] ?? (() => undefined))(value, definition)
}

type Check = (value: unknown, definition: Definition) => string | undefined

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= max

const shortText: Check = (value) =>
  isText(value, 1000) ? undefined : 'must be text of at most 1000 characters'

// as those of other fields, so that totals of them fit
const aNumber: Check = (value) => {
  if (typeof value !== 'number') return 'must be a number'
  return Math.abs(value) <= 1e15 ? undefined : 'must be from -1000000000000000 to 1000000000000000'
}

const matching =
  (pattern: RegExp, message: string): Check =>
  (value) =>
    isText(value, 2048) && pattern.test(value) ? undefined : message

const checks: { [type: string]: Check } = {
  text: shortText,
  long_text: (value) =>
    isText(value, 50_000) ? undefined : 'must be text of at most 50000 characters',
  number: aNumber,
  currency: aNumber,
  percent: aNumber,
  boolean: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  date: (value) =>
    typeof value === 'string' && isDay(value) ? undefined : 'must be a date, as YYYY-MM-DD',
  datetime: (value) =>
    isText(value, 40) && (isDay(value) || parseInstant(value, 'UTC') !== undefined)
      ? undefined
      : 'must be a date and time in ISO 8601',
  select: (value, { options }) => (isOption(options, value) ? undefined : oneOf(options)),
  multi_select: (value, { options }) =>
    Array.isArray(value) && value.every((each) => isOption(options, each))
      ? undefined
      : `must be a list, of which each entry ${oneOf(options)}`,
  email: (value) =>
    isText(value, 2048) && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) && !hasEncodedWord(value)
      ? undefined
      : 'must be a valid e-mail address',
  phone: matching(/^[+\d][\d\s().\-/]{2,40}$/, 'must be a phone number'),
  url: (value) =>
    isText(value, 2048) && wholeWebAddress(value)
      ? undefined
      : 'must be a URL that begins with http or https',
  user: matching(/^[0-9a-z]{1,25}$/, 'must be the id of a user'),
  rating: (value) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 10
      ? undefined
      : 'must be a whole number from 0 to 10',
}

/** The types that a field definition may have. */
export const fieldTypes = [...Object.keys(checks), 'json']

function isOption(options: Option[], value: unknown): boolean {
  return options.some((option) => option.value === value)
}

/** A message names no more options than this. */
const mostNamed = 50

function oneOf(options: Option[]): string {
  // by what people see, and the key that programs send
  const named = options
    .slice(0, mostNamed)
    .map(({ value, label }) => (label.toLowerCase() === value ? value : `${label} (${value})`))
  const others = options.length - named.length
  if (others > 0) return `must be one of ${named.join(', ')} or ${others} more`
  return `must be one of ${named.join(', ') || 'the options (there are none yet)'}`
}
