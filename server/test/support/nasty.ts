import type { JSONSchema } from '../../src/kit/ground/json-schema.ts'
import { readConfig } from '../../src/config.ts'
import { depth, drawn } from './depth.ts'
import { mostKeys } from '../../src/surfaces/body-keys.ts'

const { bodyValues: mostValues } = readConfig({}).bounds

/** How much of a body's bytes, values and keys an expensive value may use; the rest is for others. */
const room = { bytes: 1024 * 1024 - 48_000, values: mostValues - 1000, keys: mostKeys - 20 }

/** Texts that are expensive for what may happen to them: patterns, trimming, normalizing, sanitizing. */
const nastyTexts: { [kind: string]: (length: number) => string } = {
  'nested tags': (length) => repeated('<b><i>', length),
  'open tags': (length) => repeated('<a href="', length),
  blanks: (length) => `x${' '.repeat(Math.max(0, length - 2))}x`,
  'accents out of order': (length) => `a${repeated('\u0315\u0300\u05ae', length - 1)}`,
  'characters that expand': (length) => repeated('\ufdfa', length),
  ats: (length) => `${repeated('a@', length - 1)}!`,
  'one letter': (length) => `${'a'.repeat(length - 1)}!`,
  // each line of a CSV file is a row, and a hundred thousand of them take long to store
  lines: (length) => repeated('-\n', Math.min(length, 40_000)),
  entities: (length) => repeated('&#60;&lt;', length),
}
const kinds = Object.keys(nastyTexts)
/** Long texts are sent in so many kinds each. */
const perText = depth(3, kinds.length)

/** Up to this length texts are sent together with those of other fields. */
const usual = 20_000

/** A costly value, and what makes it so. */
export type Nasty = { kind: string; value: unknown }

type Properties = { [name: string]: JSONSchema }

/** The costly values of one property; none where it takes only what is small. */
export function nastiesOf(schema: JSONSchema, level = 0): Nasty[] {
  const either = eitherOf(schema)
  if (either) return either.flatMap((each) => nastiesOf(each, level))
  return typesOf(schema).flatMap((type) => {
    if (type === 'array') return arrays(schema)
    if (type === 'object') return objects(schema, level)
    if (type !== 'string' || !isFree(schema) || lengthOf(schema) <= usual) return []
    // what names another record is compared with it, whatever it is
    const some = level ? ['characters that expand'] : drawn(kinds, perText)
    return some.map((kind) => ({ kind, value: fitting(nastyTexts[kind]!(lengthOf(schema))) }))
  })
}

/**
 * Bodies with a text of the greatest length in each property that takes one of usual length; in each
 * body another kind of text.
 */
export function nastyBodies(properties: Properties): Nasty[] {
  const names = Object.keys(properties).filter((name) => isLong(properties[name]!))
  if (!names.length) return []
  return [0, 3, 6].map((first) => {
    const entries = names.map((name, i) => {
      const kind = kinds[(first + i) % kinds.length]!
      return [name, nastyTexts[kind]!(lengthOf(properties[name]!))]
    })
    return { kind: `texts from ${kinds[first]}`, value: Object.fromEntries(entries) as object }
  })
}

/** What nobody has declared, as much as a body may hold; the costliest to parse first. */
export const unknown: Nasty[] = [
  {
    kind: 'unknown values',
    value: { never: filled(Infinity, () => manyKeys(room.keys - 100)), heard: filled(9, deep) },
  },
  { kind: 'custom fields', value: customFields() },
  { kind: 'unknown keys', value: manyKeys(room.keys) },
  { kind: 'unknown text', value: { never_heard_of: '\ufdfa'.repeat(room.bytes / 3) } },
]

/** As many as a record may have, below 64 KiB together. */
function customFields(): { [key: string]: string } {
  const text = '\ufdfa'.repeat(30)
  return Object.fromEntries(Array.from({ length: 450 }, (_, n) => [`k${n * 7919}`, text]))
}

function isLong(schema: JSONSchema): boolean {
  const length = lengthOf(schema)
  return typesOf(schema).includes('string') && isFree(schema) && length > 100 && length <= usual
}

function eitherOf({ anyOf, oneOf }: JSONSchema) {
  return (anyOf ?? oneOf) as JSONSchema[] | undefined
}

function typesOf({ type = ['array', 'object', 'string'] }: JSONSchema): string[] {
  return [type].flat() as string[]
}

function isFree({ format, enum: words, pattern }: JSONSchema): boolean {
  return !format && !words && (!pattern || pattern === '\\S')
}

function lengthOf({ maxLength }: JSONSchema): number {
  return typeof maxLength === 'number' ? maxLength : room.bytes
}

function repeated(text: string, length: number): string {
  return text.repeat(Math.max(0, Math.floor(length / text.length))) || text.slice(0, length)
}

/** As much of a text as a body has room for. */
function fitting(text: string): string {
  const bytes = Buffer.byteLength(JSON.stringify(text))
  return bytes <= room.bytes ? text : text.slice(0, Math.floor((text.length * room.bytes) / bytes))
}

function arrays({ maxItems, items }: JSONSchema): Nasty[] {
  const item = (items ?? {}) as JSONSchema
  const most = typeof maxItems === 'number' ? maxItems : Infinity
  return [
    { kind: 'many entries', value: filled(most, (n) => smallest(item, n)) },
    { kind: 'large entries', value: filled(most, (n) => largest(item, 0, n)) },
  ]
}

/** So many values as there is room for. */
function filled(most: number, make: (n: number) => unknown): unknown[] {
  const values: unknown[] = []
  let { bytes, values: left } = room
  while (values.length < most) {
    const value = make(values.length)
    bytes -= Buffer.byteLength(JSON.stringify(value)) + 1
    left -= countOf(value)
    if (bytes < 0 || left < 0) break
    values.push(value)
  }
  return values
}

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, inner) => sum + countOf(inner), 2)
}

function objects({ properties, additionalProperties }: JSONSchema, level: number): Nasty[] {
  const own = Object.entries((properties ?? {}) as Properties)
  const inner = own.flatMap(([name, schema]) =>
    nastiesOf(schema, level + 1).map(({ kind, value }) => ({
      kind: `${name}: ${kind}`,
      value: { [name]: value },
    })),
  )
  if (additionalProperties === false) return inner
  return [
    ...inner,
    { kind: 'many keys', value: manyKeys(room.keys) },
    { kind: 'many values', value: { list: filled(Infinity, (n) => n), deep: deep() } },
  ]
}

/** An object with so many keys, none of them a number, which would be cheaper. */
function manyKeys(count: number): { [key: string]: number } {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n * 7919}`, n]))
}

function deep(): unknown {
  return JSON.parse(`${'{"a":['.repeat(7)}1${']}'.repeat(7)}`)
}

function smallest(schema: JSONSchema, n: number): unknown {
  const either = eitherOf(schema)
  if (either?.[0]) return smallest(either[0], n)
  if (Array.isArray(schema.enum)) return schema.enum[0]
  switch (typesOf(schema)[0]) {
    case 'string':
      return textOf(schema, `${n}`, n)
    case 'integer':
    case 'number':
      return Math.max(Number(schema.minimum ?? 0), 1)
    case 'boolean':
      return true
    case 'object': {
      const properties = (schema.properties ?? {}) as Properties
      const required = (schema.required ?? []) as string[]
      return Object.fromEntries(required.map((name) => [name, smallest(properties[name] ?? {}, n)]))
    }
    default:
      return 'type' in schema ? [] : n
  }
}

function largest(schema: JSONSchema, depth: number, n: number): unknown {
  const either = eitherOf(schema)
  if (either?.length) return largest(either.at(-1)!, depth, n)
  if (Array.isArray(schema.enum)) return schema.enum[0]
  switch (typesOf(schema)[0]) {
    case 'string':
      return textOf(schema, repeated(`<b>${n}`, Math.min(lengthOf(schema), 2000)), n)
    case 'array': {
      const count = depth > 2 ? 0 : Math.min(10, Number(schema.maxItems ?? 10))
      const items = (schema.items ?? {}) as JSONSchema
      return Array.from({ length: count }, (_, i) => largest(items, depth + 1, i))
    }
    case 'object': {
      const properties = Object.entries((schema.properties ?? {}) as Properties)
      const own = properties.map(([name, each]) => [name, largest(each, depth + 1, n)])
      const more = schema.additionalProperties === false ? {} : manyKeys(10)
      return depth > 2 ? {} : { ...more, ...Object.fromEntries(own) }
    }
    default:
      return smallest(schema, n)
  }
}

function textOf({ format, pattern, maxLength }: JSONSchema, text: string, n: number): string {
  if (format === 'email') return `a${n}@b.test`
  if (format === 'date') return new Date(n * 86_400_000).toISOString().slice(0, 10)
  if (format === 'date-time') return new Date(n * 86_400_000).toISOString()
  if (pattern && pattern !== '\\S') return 'a'
  return typeof maxLength === 'number' ? text.slice(0, maxLength) : text
}
