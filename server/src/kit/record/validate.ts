import ajvFormats from 'ajv-formats'
import type { ErrorObject, Options, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { badField, badFields, badRequest } from '../ground/errors.ts'
import { isOptionalLink } from './schema.ts'
import { distinctTags } from './tag-list.ts'
import { dayOfInstant } from '../ground/dates.ts'
import { isLocale, isTimeZone } from '../ground/time.ts'
import { isAddressOrPath, webAddress } from '../ground/web-address.ts'
import type { JSONSchema } from '../ground/json-schema.ts'
import { isEmailAddress, withReadableDomain } from '../ground/email-address.ts'
import { suppliedId } from '../ground/ids.ts'
import { composed } from '../ground/composed.ts'
import { hintFor } from '../ground/nearest.ts'
import type { Members } from '../ground/object.ts'
import { equal, isObject } from '../ground/object.ts'

/**
 * Whether a value is valid, as every request asks: half the code of those that say why. Then the first error of a
 * value, and all of them.
 */
type Ways = { valid: Ajv2020; first: Ajv2020; every: Ajv2020 }

const bodies = waysOf(false)
const texts = waysOf(true)

/** Of input with more parts than this only the first error is reported: finding all takes seconds. */
const manyParts = 5000

/**
 * Checks a body. Nothing is converted, unlike Ajv's usual coercion, which turns null into "". Throws
 * one 400 that names every wrong field and what would be right.
 */
export function checkBody(schema: JSONSchema, body: unknown): void {
  check(bodies, schema, body)
}

/** Compiles the check of a body before its first use; the largest takes 50 ms. */
export function prepareBody(schema: JSONSchema): void {
  compiled(bodies.valid, schema)
}

/**
 * What of a checked body a change takes: properties that only the answer has, as of a read that is sent
 * back, are left out, and what neither has is 400 with the nearest name.
 */
export function settableOf<B extends object>(body: B, taken: object, shown: object): B {
  const known = Object.keys((taken as JSONSchema).properties ?? {})
  const read = (shown as JSONSchema).properties ?? {}
  const unknown = Object.keys(body).filter(
    (name) => !known.includes(name) && !Object.hasOwn(read, name),
  )
  if (unknown.length) {
    const message = (name: string) => `is not known here; ${hintFor(name, known)}`
    throw badFields(unknown.map((field) => ({ field, message: message(field) })))
  }
  return Object.fromEntries(Object.entries(body).filter(([name]) => known.includes(name))) as B
}

/**
 * Checks and converts, in place, what arrives as text: query and path parameters. A switch is on
 * for `true`, `1`, `yes` and off for `false`, `0`, `no`, in any case; a whole number has digits alone. 400 for
 * a parameter that comes twice.
 */
export function checkTexts(schema: JSONSchema, values: unknown): void {
  const converted = values as { [name: string]: unknown }
  const repeated = Object.keys(converted).filter((name) => Array.isArray(converted[name]))
  if (repeated.length) {
    throw badFields(repeated.map((field) => ({ field, message: 'must be given once' })))
  }
  for (const [name, part] of Object.entries((schema.properties ?? {}) as JSONSchema)) {
    const word = converted[name]
    if (typeof word !== 'string') continue
    const { type } = part as JSONSchema
    if (type === 'boolean') converted[name] = switchOf(word)
    // Ajv would read `1e2`, `0x10` and blanks as numbers too; the empty text it refuses
    else if (type === 'integer' && !/^-?\d+$/.test(word)) converted[name] = ''
  }
  check(texts, schema, values)
}

function switchOf(word: string): boolean | string {
  if (/^(true|1|yes)$/i.test(word)) return true
  return /^(false|0|no)$/i.test(word) ? false : word
}

/**
 * A body whose names and e-mails (texts that may not be blank, and addresses) have lost the blanks
 * around them and are in one form of Unicode, before anything compares or stores them. Domains of addresses are in
 * letters rather than punycode. A link that a form left empty counts as none, and
 * of tags each is there once. A
 * day sent as a date and time, as automation platforms do, is its day in the organization's zone. The
 * same object where nothing changes: a large body is not copied for each request.
 */
export function trimmed(schema: JSONSchema, body: unknown, timezone?: string): unknown {
  if (!isObject(body)) return body
  const changes = daysOf(schema, body, timezone)
  const { names, emails, links, tags, inner } = formOf(schema)
  for (const [name, part] of inner) {
    const value = body[name]
    if (!isObject(value)) continue
    const days = daysOf(part, value, timezone)
    if (Object.keys(days).length) changes[name] = { ...value, ...days }
  }
  for (const name of names) {
    const value = body[name]
    if (typeof value !== 'string') continue
    const text = composed(value.trim())
    if (value !== text) changes[name] = text
  }
  for (const name of emails) {
    const value = body[name]
    if (typeof value !== 'string') continue
    const address = withReadableDomain(composed(value.trim()))
    if (value !== address) changes[name] = address
  }
  for (const name of links) {
    const value = body[name]
    if (typeof value === 'string' && !value.trim()) changes[name] = null
  }
  for (const name of tags) {
    const value = body[name]
    if (!Array.isArray(value)) continue
    const distinct = distinctTags(value)
    if (!equal(distinct, value)) changes[name] = distinct
  }
  return Object.keys(changes).length ? { ...body, ...changes } : body
}

/** The days of the instants in a body, or in an object inside one; other texts are not named. */
function daysOf(schema: JSONSchema, sent: Members, timezone?: string): Members {
  if (!timezone) return {}
  const days = formOf(schema).days.flatMap((name) => {
    const value = sent[name]
    const day = typeof value === 'string' ? dayOfInstant(value.trim(), timezone) : undefined
    return day === undefined ? [] : [[name, day] as const]
  })
  return Object.fromEntries(days)
}

type Form = {
  names: string[]
  emails: string[]
  links: string[]
  tags: string[]
  days: string[]
  /** objects inside with days of their own */
  inner: [name: string, schema: JSONSchema][]
}
const forms = new WeakMap<JSONSchema, Form>()

/** Which properties hold names and addresses, and links; found once, since imports check every row. */
function formOf(schema: JSONSchema): Form {
  let form = forms.get(schema)
  if (!form) {
    const all = Object.entries((schema.properties ?? {}) as { [name: string]: JSONSchema })
    const those = (predicate: (part: JSONSchema) => boolean) =>
      all.filter(([, part]) => predicate(part)).map(([name]) => name)
    form = {
      names: those(({ pattern }) => pattern === '\\S'),
      emails: those(({ format }) => format === 'email'),
      links: those(isOptionalLink),
      tags: those(({ items }) => (items as JSONSchema | undefined)?.format === 'tag'),
      days: those(isDayField),
      inner: all.filter(([, part]) => {
        const parts = Object.values((part.properties ?? {}) as { [name: string]: JSONSchema })
        return parts.some(isDayField)
      }),
    }
    forms.set(schema, form)
  }
  return form
}

function isDayField({ format, anyOf }: JSONSchema): boolean {
  return format === 'date' || ((anyOf ?? []) as JSONSchema[]).some((part) => part.format === 'date')
}

/**
 * Refuses what PostgreSQL or JSON cannot store (NUL, lone surrogates, numbers such as 1e400) and
 * nesting deeper than 20, naming the place.
 */
export function checkStorable(value: unknown): void {
  const found = unstorable(value, 0)
  if (!found) return
  const field = found.path.toReversed().join('.') || 'body'
  throw badField(field, found.message)
}

/** What cannot be stored, and its path from the inside out: of most values nobody needs to know it. */
function unstorable(
  value: unknown,
  depth: number,
): { path: string[]; message: string } | undefined {
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return undefined
    return { path: [], message: 'must be a number that fits into 64 bits' }
  }
  if (typeof value === 'string')
    return isStorable(value) ? undefined : { path: [], message: badText }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= 20) throw badRequest('Invalid request body: nested deeper than 20 levels')
  const isList = Array.isArray(value)
  for (const [key, inner] of Object.entries(value as Members)) {
    if (!isList && !isStorable(key)) return { path: [], message: badText }
    const found = unstorable(inner, depth + 1)
    if (found) {
      found.path.push(key)
      return found
    }
  }
  return undefined
}

const badText = 'contains characters that cannot be stored (NUL or half a surrogate pair)'

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Errors are collected only for input that is wrong. */
function waysOf(coerceTypes: boolean): Ways {
  // errors bring the schema whose properties an unknown one may have meant
  const described = { coerceTypes, verbose: true }
  return {
    valid: makeAjv({ coerceTypes, messages: false }),
    first: makeAjv(described),
    every: makeAjv({ ...described, allErrors: true }),
  }
}

function makeAjv(options: Options) {
  const ajv = new Ajv2020({
    ...options,
    strict: false,
    useDefaults: options.coerceTypes === true,
    // the schemas are ours, and checked with the API document
    meta: false,
    validateSchema: false,
    code: { regExp: patternFor },
  })
  ajvFormats.default(ajv, ['uri'])
  ajv.addFormat('email', isEmailAddress)
  ajv.addFormat('date', (text: string) => text.length === 10 && isInstant(text))
  // an offset is optional: without one the organization's time zone applies
  ajv.addFormat('date-time', (text: string) => isInstant(text))
  ajv.addFormat('time-zone', isTimeZone)
  ajv.addFormat('tag', true)
  ajv.addFormat('color', (text: string) => text === '' || hexColor.test(text))
  ajv.addFormat('locale', isLocale)
  // forms send the empty text for none
  ajv.addFormat('address-or-path', (text: string) => text === '' || isAddressOrPath(text))
  ajv.addFormat('web-address', (text: string) => text === '' || webAddress(text) !== undefined)
  return ajv
}

/** The pattern of a schema; `\\S`, a text that is not blank, also asks for something that can be seen. */
function patternFor(pattern: string, flags: string): RegExp {
  return new RegExp(pattern === '\\S' ? seen : pattern, flags)
}
// as Ajv writes it into code that stands alone, which nothing here does
patternFor.code = 'new RegExp'

/** A character that leaves a mark: no blank, no control character, none that Unicode says to ignore. */
const seen = '[^\\s\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2800]'

function isInstant(text: string): boolean {
  const parts =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i
  const [, day, time = '00:00'] = parts.exec(text) ?? []
  if (!day || day.startsWith('0000')) return false
  const midnight = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(+midnight) || midnight.toISOString().slice(0, 10) !== day) return false
  return /^([01]\d|2[0-3]):[0-5]\d/.test(time) && !/:[6-9]\d(\.|$)/.test(time.slice(5))
}

/** As CSS has it; pages and mails know no others. */
const hexColor = /^#([\da-f]{3}|[\da-f]{6})$/i

const cache = new WeakMap<Ajv2020, WeakMap<JSONSchema, ValidateFunction>>()

function compiled(ajv: Ajv2020, schema: JSONSchema): ValidateFunction {
  let known = cache.get(ajv)
  if (!known) cache.set(ajv, (known = new WeakMap()))
  let validate = known.get(schema)
  if (!validate) known.set(schema, (validate = ajv.compile(schema)))
  return validate
}

function check({ valid, first, every }: Ways, schema: JSONSchema, value: unknown): void {
  if (compiled(valid, schema)(value)) return
  const validate = compiled(partsOf(value) <= manyParts ? every : first, schema)
  validate(value)
  const errors = new Map<string, string>()
  for (const error of instructive(validate.errors ?? [])) {
    const field = fieldOf(error)
    // errors of anyOf and if say less than those of their branches; the first error of a field wins
    if (!['anyOf', 'if'].includes(error.keyword) && !errors.has(field)) {
      errors.set(field, sentence(error))
    }
  }
  throw badFields([...errors].map(([field, message]) => ({ field, message })))
}

/** Without those that say that a value is not null, where another says what it should be. */
function instructive(errors: ErrorObject[]): ErrorObject[] {
  const others = errors.filter(
    ({ keyword, params }) => keyword !== 'type' || params.type !== 'null',
  )
  return others.length ? others : errors
}

/** How many values there are in a value; of very many, that they are too many. */
function partsOf(value: unknown, before = 0): number {
  let parts = before + 1
  if (typeof value !== 'object' || value === null) return parts
  for (const inner of Object.values(value)) {
    parts = partsOf(inner, parts)
    if (parts > manyParts) break
  }
  return parts
}

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath.split('/').slice(1)
  const parts = path.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (error.keyword === 'required') parts.push(String(error.params.missingProperty))
  if (error.keyword === 'additionalProperties') parts.push(String(error.params.additionalProperty))
  return parts.join('.') || 'body'
}

function unknownProperty({ params, parentSchema }: ErrorObject): string {
  const { additionalProperty } = params as { additionalProperty: string }
  const { properties = {} } = (parentSchema ?? {}) as { properties?: object }
  return `is not known here; ${hintFor(additionalProperty, Object.keys(properties))}`
}

function sentence(error: ErrorObject): string {
  const { keyword, params, message } = error
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'type':
      return wrongType(error)
    case 'enum':
      return oneOf(params.allowedValues as unknown[])
    case 'const':
      return `must be ${params.allowedValue}`
    case 'maxLength':
      return `must be at most ${params.limit} characters`
    case 'minLength':
    case 'pattern':
      return params.pattern === '\\S' || params.limit === 1
        ? 'must not be empty'
        : (patternOf(error) ??
            `must match ${params.pattern ?? `at least ${params.limit} characters`}`)
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'maxItems':
      return `must have at most ${entries(params.limit)}`
    case 'minItems':
      return `must have at least ${entries(params.limit)}`
    case 'format':
      return `must be a valid ${formats[params.format as string] ?? params.format}`
    case 'additionalProperties':
      return unknownProperty(error)
    default:
      return message ?? 'is not valid'
  }
}

function entries(count: number): string {
  return `${count} ${count === 1 ? 'entry' : 'entries'}`
}

function oneOf(values: unknown[]): string {
  return `must be one of ${values.map(String).join(', ')}`
}

/** What a value of another type should have been: a day rather than a text, one of the words of a set. */
function wrongType(error: ErrorObject): string {
  const { enum: words, format } = (error.parentSchema ?? {}) as JSONSchema
  if (Array.isArray(words)) return oneOf(words)
  const types = [error.params.type].flat() as string[]
  const meant = formats[format as string]
  if (!meant || !types.includes('string'))
    return patternOf(error) ?? `must be ${typesInWords(types)}`
  return `must be a valid ${meant}${types.includes('null') ? ', or null' : ''}`
}

/** What the pattern of a text means, where it is one of those below. */
function patternOf({ parentSchema }: ErrorObject): string | undefined {
  return patterns[(parentSchema as JSONSchema | undefined)?.pattern as string]
}

/** `integer` and `null` → `a whole number, or null`. */
function typesInWords(types: string[]): string {
  const named = types.filter((type) => type !== 'null').map((type) => typeWords[type] ?? type)
  const last = named.pop() ?? 'null'
  const words = named.length ? `${named.join(', ')} or ${last}` : last
  return types.includes('null') && last !== 'null' ? `${words}, or null` : words
}

const typeWords: { [type: string]: string } = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const patterns: { [pattern: string]: string } = {
  '^\\s*$': 'must be blank',
  '^\\d{1,9}$': 'must be a whole number from 0, of at most 9 digits',
  '^#[0-9a-fA-F]{6}$': 'must be a color, as #14704C',
  '^([01]\\d|2[0-3]):[0-5]\\d$': 'must be a time as HH:MM, such as 08:30',
  '^[A-Z]{3}$': 'must be a currency of ISO 4217, such as EUR',
  '^[A-Za-z][A-Za-z0-9_]{0,99}$':
    'must be a letter, then letters, digits and _, at most 100 characters',
  '^[a-z][a-z0-9_]{0,39}$':
    'must be a small letter, then small letters, digits and _, at most 40 characters',
  '^[a-z0-9_]{1,100}$': 'must be small letters, digits and _, at most 100 characters',
  '^[^\\S\\r\\n]*\\S[^\\r\\n]*$': 'must be one line, and not empty',
  '^[A-Za-z0-9+/]+={0,2}$': 'must be base64',
  '^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$': 'must be a domain in small letters, such as acme.com',
  '^\\s*(-?\\d{1,15}(\\.\\d+)?\\s*)?$': 'must be a number, of at most 15 digits before the point',
  '^(today|12_months|\\d{1,4}_days|(this|last)_(week|month|quarter|year))$':
    'must be one of today, N_days such as 30_days, 12_months, this_ or last_ week, month, quarter or year, such as this_month',
  [suppliedId.pattern as string]:
    'must be letters, digits, _, ., ~ and -, not dots alone, and no word of a path such as groups',
}

const formats: { [format: string]: string } = {
  email: 'e-mail address',
  color: 'color, as #14704C',
  uri: 'URL',
  date: 'date, as YYYY-MM-DD',
  'date-time': 'date and time in ISO 8601',
  locale: 'language tag, such as en-GB',
  'time-zone': 'IANA time zone, such as Europe/Paris',
  'web-address': 'web address (http or https), without blanks or credentials',
  'address-or-path': 'web address (http or https) or a path without blanks',
}
