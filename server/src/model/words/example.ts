import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { isObject } from '../../kit/ground/object.ts'
import { exampleFor } from './words.ts'

type Schemas = { [name: string]: JSONSchema }

/** How an example is made. */
export type Ways = {
  /** where references lead */
  schemas?: Schemas
  /** a body that somebody would send: what must be there, and what is plain */
  isRequest?: boolean
}

/** A value that satisfies a schema and looks like what its members are called. */
export function exampleOf(
  schema: JSONSchema,
  ways: Ways,
  name = '',
  title = '',
  depth = 0,
): unknown {
  const { $ref } = schema
  if (typeof $ref === 'string') {
    const target = $ref.split('/').at(-1) ?? ''
    return exampleOf(ways.schemas?.[target] ?? {}, ways, name, target, depth)
  }
  if (schema.example !== undefined) return schema.example
  const known = exampleFor(name, title)
  if (known !== undefined && fits(schema, known)) return known
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const merged: { [name: string]: unknown } = {}
  const add = (part: JSONSchema) => {
    const value = exampleOf(part, ways, name, title, depth + 1)
    if (isObject(value)) Object.assign(merged, value)
  }
  for (const part of (schema.allOf ?? []) as JSONSchema[]) add(part)
  const either = ((schema.oneOf ?? schema.anyOf) as JSONSchema[] | undefined)?.find(
    ({ type }) => type !== 'null',
  )
  if (either && !schema.properties) return exampleOf(either, ways, name, title, depth)
  if (either) add(either)
  const types = [schema.type ?? 'object'].flat() as string[]
  switch (types.find((type) => type !== 'null')) {
    case 'string':
      return textOf(schema, name)
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' && schema.minimum > 1 ? schema.minimum : 1
    case 'boolean':
      return true
    case 'array':
      return arrayOf(schema, ways, name, title, depth)
    default:
      return { ...membersOf(schema, ways, title, depth), ...merged }
  }
}

function arrayOf(schema: JSONSchema, ways: Ways, name: string, title: string, depth: number) {
  const items = (schema.items ?? {}) as JSONSchema
  const isNeeded = typeof schema.minItems === 'number' && schema.minItems > 0
  if ((depth > 3 || isLikeSchema(items, ways)) && !isNeeded) return []
  const one = name.replace(/ies$/, 'y').replace(/s$/, '')
  return [exampleOf(items, ways, one, title, depth + 1)]
}

/** Whether its values have a type and a default: linters take an example of one for a schema, which it is not. */
function isLikeSchema({ $ref, ...own }: JSONSchema, { schemas = {} }: Ways): boolean {
  const schema = typeof $ref === 'string' ? schemas[$ref.split('/').at(-1) ?? ''] : own
  const properties = (schema?.properties ?? {}) as Schemas
  return 'type' in properties && 'default' in properties
}

/** How many members of a request are shown beside those that it must have. */
const most = 6

function membersOf(schema: JSONSchema, ways: Ways, title: string, depth: number) {
  const all = Object.entries((schema.properties ?? {}) as Schemas)
  const required = (schema.required ?? []) as string[]
  const own = typeof schema.title === 'string' && !title ? schema.title : title
  const isNeeded = (name: string) => required.includes(name)
  const plain = all.filter(([name, inner]) => !isNeeded(name) && isPlainMember(name, inner, own))
  const optional = new Set(plain.slice(0, most).map(([name]) => name))
  const chosen = ways.isRequest
    ? all.filter(([name]) => isNeeded(name) || (depth < 2 && optional.has(name)))
    : all.filter(([name]) => depth < 5 || isNeeded(name))
  return Object.fromEntries(
    chosen.map(([name, inner]) => [name, exampleOf(inner, ways, name, own, depth + 1)]),
  )
}

/** What a request can set whatever else there is: no link, no id, no other name of the same. */
function isPlainMember(name: string, schema: JSONSchema, title: string): boolean {
  const isOther = String(schema.description ?? '').startsWith('the same as ')
  const known = exampleFor(name, title)
  const isValue = known !== undefined && known !== null && typeof known !== 'object'
  return !isOther && isValue && !/(^|_)ids?$/.test(name) && !schema.$ref && fits(schema, known)
}

/** Whether a value is of the type of a schema, and one of its words. */
function fits(schema: JSONSchema, value: unknown): boolean {
  const either = (schema.anyOf ?? schema.oneOf) as JSONSchema[] | undefined
  if (either) return either.some((each) => !each.$ref && fits(each, value))
  if (Array.isArray(schema.enum)) return schema.enum.includes(value)
  if ('const' in schema) return schema.const === value
  const types = [schema.type ?? []].flat() as string[]
  if (!types.includes(typeOf(value)) && !(types.includes('number') && typeof value === 'number'))
    return false
  if (typeof value === 'string') return fitsText(schema, value)
  if (Array.isArray(value)) {
    const items = schema.items as JSONSchema | undefined
    return !items || (value as unknown[]).every((each) => fits(items, each))
  }
  return !isObject(value) || !schema.properties
}

function fitsText({ format, maxLength, minLength, pattern }: JSONSchema, value: string): boolean {
  if (typeof maxLength === 'number' && value.length > maxLength) return false
  if (typeof minLength === 'number' && value.length < minLength) return false
  if (typeof pattern === 'string' && !new RegExp(pattern).test(value)) return false
  if (format === 'date') return /^\d{4}-\d\d-\d\d$/.test(value)
  if (format === 'date-time') return /^\d{4}-\d\d-\d\dT/.test(value)
  if (format === 'email') return value.includes('@')
  return format === 'uri' || format === 'web-address' ? /^https?:/.test(value) : true
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

function textOf({ format, maxLength, minLength }: JSONSchema, name: string): string {
  if (format === 'date-time') return '2026-01-15T09:30:00.000Z'
  if (format === 'date') return '2026-01-15'
  if (format === 'email' || /email/.test(name)) return 'ada@example.com'
  if (format === 'uri' || format === 'web-address' || name.endsWith('url'))
    return 'https://example.com/'
  if (format === 'address-or-path') return '/logos/acme.png'
  if (format === 'time-zone') return 'Europe/Paris'
  if (format === 'locale') return 'en-GB'
  const made = /(^|_)id$/.test(name)
    ? '03h9vqz0k4m2x7c5t8b1n6r3d'
    : name.replaceAll('_', ' ') || 'text'
  const padded = typeof minLength === 'number' ? made.padEnd(minLength, 'x') : made
  return typeof maxLength === 'number' ? padded.slice(0, maxLength) : padded
}
