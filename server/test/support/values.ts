import fc from 'fast-check'
import type { OpenApi } from '../../src/surfaces/openapi.ts'
import type { JSONSchema } from '../../src/kit/ground/json-schema.ts'

export type Arbitrary<T> = fc.Arbitrary<T>

/** The first about once in `times`, the second otherwise. */
export function sometimes<A, B>(
  rare: Arbitrary<A>,
  usual: Arbitrary<B>,
  times: number,
): Arbitrary<A | B> {
  return fc.oneof({ weight: 1, arbitrary: rare }, { weight: times - 1, arbitrary: usual })
}

export const hostileText: Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\u{feff}',
    '\u202e',
    '😀'.repeat(300),
    'x'.repeat(11_000),
    "' or 1=1 --",
    '%',
    '%00',
    '{id}',
    '../../etc/passwd',
    '__proto__',
    'constructor',
    'null',
    'undefined',
    'NaN',
    '1e999',
    '-0',
    '0x10',
    '99999999999999999999',
    '-1',
    '1.5',
    'true',
    '2026-02-30',
    '0000-00-00',
    '9999-12-31T23:59:60Z',
    '275760-09-13T00:00:00.000Z',
    'Infinity',
    '{{7*7}}',
    '<script>alert(1)</script>',
    'http://[::1',
    'ſ',
    'İ'.repeat(260),
  ),
)

export const hostile: Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    1e308,
    5e-324,
    [],
    {},
    [[]],
    [null],
  ),
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
  fc
    .integer({ min: 15, max: 25 })
    .map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown),
)

export const anyId: Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.nat(1000).map((n) => `known:${n}`) },
  { weight: 2, arbitrary: hostileText },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '0',
      'z'.repeat(25),
      'x'.repeat(600),
      'field-config',
      '.',
      '..',
      'restore',
    ),
  },
)

const anyAddress: Arbitrary<string> = fc.oneof(
  fc.webUrl().map((url) => url.replace(/^(\w+:\/\/[^/?#:]+)/, '$1.invalid')),
  fc.constantFrom(
    'http://127.0.0.1:9/hook',
    'http://[::1]:9/',
    'http://[::1',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/',
    'https://user:secret@host.invalid/',
    'ftp://host.invalid/',
    'https://',
    'host.invalid',
  ),
)

/** A value that a schema describes, or nearly. */
export function valueOf(
  document: OpenApi,
  unresolved: JSONSchema,
  depth: number,
): Arbitrary<unknown> {
  const schema = resolve(document, unresolved)
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  const either = (schema.anyOf ?? schema.oneOf) as JSONSchema[] | undefined
  if (either) return fc.oneof(...either.map((each) => valueOf(document, each, depth)))
  if (schema.if) {
    return fc.oneof(
      ...[schema.then, schema.else].map((each) => valueOf(document, each as JSONSchema, depth)),
    )
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type as string[]
    return fc.oneof(...types.map((type) => valueOf(document, { ...schema, type }, depth)))
  }
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: bound(schema.minimum, -1000), max: bound(schema.maximum, 1000) })
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'array': {
      const items = (schema.items ?? {}) as JSONSchema
      return depth > 3
        ? fc.constant([])
        : fc.array(valueOf(document, items, depth + 1), { maxLength: 3 })
    }
    case 'object':
      // most conditions that a generator makes name no field: the example is one that every list knows
      if (schema.title === 'FilterCondition') {
        return sometimes(objectOf(document, schema, depth), fc.constant(schema.example), 3)
      }
      return objectOf(document, schema, depth)
    case 'string':
      return stringOf(schema)
    default:
      return depth > 3 ? fc.constant(null) : fc.jsonValue({ maxDepth: 2 })
  }
}

function bound(limit: unknown, otherwise: number): number {
  return typeof limit === 'number' ? Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, limit)) : otherwise
}

function objectOf(document: OpenApi, schema: JSONSchema, depth: number): Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as { [name: string]: JSONSchema })
  const either = ((schema.allOf ?? []) as JSONSchema[]).flatMap(
    ({ anyOf }) => ((anyOf as JSONSchema[] | undefined)?.[0]?.required ?? []) as string[],
  )
  const required = [...((schema.required ?? []) as string[]), ...either]
  if (depth > 3) return fc.constant({})
  // a few of many properties, so that one bad luck does not spoil every body
  const optional = properties.map(([name]) => name).filter((name) => !required.includes(name))
  const chosen = optional.length
    ? fc.subarray(optional, { maxLength: Math.min(4, optional.length) })
    : fc.constant([])
  const values = Object.fromEntries(
    properties.map(([name, each]) => [
      name,
      named(name, each) ?? valueOf(document, each, depth + 1),
    ]),
  )
  return chosen.chain((names) => {
    const wanted = [...new Set([...required, ...names])].filter((name) => values[name])
    const own = fc.record(Object.fromEntries(wanted.map((name) => [name, values[name]!])))
    const more = sometimes(fc.dictionary(hostileText, hostile, { maxKeys: 2 }), fc.constant({}), 6)
    return fc.tuple(own, more).map(([known, unknown]) => ({ ...unknown, ...known }))
  })
}

/** Values that a property's name asks for. Addresses lead nowhere: some operations go there. */
function named(name: string, schema: JSONSchema): Arbitrary<unknown> | undefined {
  if (/url$/i.test(name)) return anyAddress
  const isReference = ((schema.anyOf ?? []) as JSONSchema[]).some(
    ({ maxLength }) => maxLength === 25,
  )
  if (!isReference && !name.endsWith('_id')) return undefined
  return fc.oneof(anyId, fc.record({ id: anyId }), fc.constant(null))
}

function stringOf(schema: JSONSchema): Arbitrary<string> {
  const max = Math.min(Number(schema.maxLength ?? 40), 60)
  switch (schema.format) {
    case 'email':
      return fc.emailAddress()
    case 'date':
      return fc
        .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((day) => day.toISOString().slice(0, 10))
    case 'date-time':
      return fc
        .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((at) => at.toISOString())
    case 'uri':
    case 'color':
      return fc.constant('#14704c')
    case 'web-address':
      return anyAddress
    case 'locale':
      return fc.constantFrom('en', 'de-CH', 'pt-BR')
    case 'time-zone':
      return fc.constantFrom('UTC', 'Europe/Paris', 'America/New_York')
    default:
      return typeof schema.pattern === 'string' && schema.pattern !== '\\S'
        ? fc.stringMatching(new RegExp(schema.pattern))
        : fc.oneof(
            fc.string({ minLength: Math.min(1, max), maxLength: max }),
            fc.lorem({ maxCount: 2 }).map((text) => text.slice(0, max)),
          )
  }
}

/** A value of a query or path parameter, as text. */
export function textOf(document: OpenApi, schema: JSONSchema): Arbitrary<string> {
  return valueOf(document, schema, 3).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  )
}

/** What a `$ref` points to. */
export function resolve(document: OpenApi, value: any): any {
  const path = /^#\/(.+)$/.exec(value?.$ref ?? '')?.[1]
  if (!path) return value
  return path.split('/').reduce((at: any, part) => at[part], document)
}
