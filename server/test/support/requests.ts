import fc from 'fast-check'
import type { OpenApi } from '../../src/surfaces/openapi.ts'
import type { Arbitrary } from './values.ts'
import { anyId, hostile, hostileText, resolve, sometimes, textOf, valueOf } from './values.ts'
import type { JSONSchema } from '../../src/kit/ground/json-schema.ts'

/** One request, as generated. An id that begins with `known:` is replaced by a real one of that number. */
export type Fuzzed = {
  operation: string
  method: string
  path: string
  params: { [name: string]: string }
  query: [name: string, value: string][]
  headers: { [name: string]: string }
  /** what is sent, as text; undefined for no body */
  body: string | undefined
  contentType: string
  credentials: 'own' | 'none' | 'garbage' | 'crossed'
  /** path, query and body are those of the operation's case instead */
  isCase: boolean
}

/** Requests to every operation of the document: mostly nearly right, some of them hostile. */
export function anyRequest(document: OpenApi): Arbitrary<Fuzzed> {
  const fields = fieldNames(document)
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )
  return fc.oneof(
    ...operations.map(({ path, method, operation }) => ({
      // a password's hash costs as much as a thousand other requests
      weight: /login|sign_in/.test(operation.operationId) ? 1 : 12,
      arbitrary: requestOf(document, path, method, operation, fields),
    })),
  )
}

function requestOf(
  document: OpenApi,
  path: string,
  method: string,
  operation: any,
  fields: string[],
): Arbitrary<Fuzzed> {
  const parameters = ((operation.parameters ?? []) as any[]).map((each) => resolve(document, each))
  const named = (place: string) => parameters.filter((each) => each.in === place)
  const [contentType, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const schema = (media as any)?.schema as JSONSchema | undefined
  const isForm = contentType === 'application/x-www-form-urlencoded'
  const params = fc.record(
    Object.fromEntries(named('path').map(({ name }) => [name, anyId])),
  ) as Arbitrary<Fuzzed['params']>
  return fc.record({
    isCase: sometimes(fc.constant(true), fc.constant(false), 8),
    operation: fc.constant(operation.operationId as string),
    method: sometimes(
      fc.constantFrom('HEAD', 'OPTIONS', 'PATCH', 'GET', 'POST'),
      fc.constant(method.toUpperCase()),
      40,
    ),
    path: fc.constant(path),
    params,
    query: anyQuery(document, named('query'), fields),
    headers: anyHeaders,
    body: schema
      ? anyBody(document, schema, isForm)
      : sometimes(fc.constantFrom('{}', '[]', 'x'), fc.constant(undefined), 10),
    contentType: sometimes(
      fc.constantFrom(
        'text/plain',
        'application/json; charset=latin1',
        'multipart/form-data',
        'x',
        '',
      ),
      fc.constant(contentType ?? 'application/json'),
      25,
    ),
    credentials: sometimes(
      fc.constantFrom('none', 'garbage', 'crossed'),
      fc.constant('own'),
      20,
    ) as Arbitrary<Fuzzed['credentials']>,
  })
}

const safeText = fc.string({ unit: 'grapheme-ascii', maxLength: 30 }).map((text) => text.trim())

const headerValues: { [name: string]: Arbitrary<string> } = {
  'if-match': fc.constantFrom(
    '*',
    '"1"',
    '"2"',
    '"0"',
    'W/"1"',
    '"1", "2"',
    'x',
    `"${'9'.repeat(20)}"`,
    ',',
  ),
  'idempotency-key': fc.oneof(
    { weight: 6, arbitrary: fc.uuid() },
    { weight: 2, arbitrary: fc.constantFrom('a', 'é'.repeat(200), 'x'.repeat(256)) },
    { weight: 1, arbitrary: safeText },
  ),
  'x-request-id': safeText,
  accept: fc.constantFrom('text/html', '*/*', 'x', 'application/json;q=0'),
  'x-forwarded-for': fc.constantFrom('1.2.3.4', 'x, y', '::1'),
  range: fc.constant('bytes=0-1'),
  'x-http-method-override': fc.constant('DELETE'),
  'if-none-match': fc.constantFrom('*', '"1"'),
  'accept-encoding': fc.constantFrom('gzip', 'br', 'identity;q=0'),
}

const anyHeaders: Arbitrary<Fuzzed['headers']> = fc
  .tuple(
    ...Object.entries(headerValues).map(([name, value]) =>
      sometimes(
        value.map((text) => [[name, text]]),
        fc.constant([]),
        8,
      ),
    ),
  )
  .map((lists) => Object.fromEntries(lists.flat() as [string, string][]))

function anyQuery(
  document: OpenApi,
  parameters: any[],
  fields: string[],
): Arbitrary<Fuzzed['query']> {
  const each = parameters.map(({ name, schema, required }) => {
    const right = words[name]?.(fields) ?? (/id$/i.test(name) ? anyId : textOf(document, schema))
    const value = sometimes(hostileText, right, 12)
    const present = value.map((text): [string, string][] => [[name, text]])
    const often = required ? 30 : 4
    return sometimes(fc.constant([] as [string, string][]), present, often)
  })
  // most parameters are left out most of the time
  const thinned = each.map((arbitrary, i) =>
    parameters[i].required
      ? arbitrary
      : fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary }),
  )
  const strange = sometimes(
    fc.tuple(hostileText, hostileText).map((pair) => [pair]),
    fc.constant([]),
    25,
  )
  return fc
    .tuple(...thinned, strange as Arbitrary<[string, string][]>)
    .map((lists) => lists.flat() as Fuzzed['query'])
}

/** Parameters that only mean something in a grammar of their own. */
const words: { [name: string]: (fields: string[]) => Arbitrary<string> } = {
  sort: (fields) =>
    fc
      .array(
        fc
          .tuple(fc.constantFrom('', '-'), fc.constantFrom(...fields))
          .map((parts) => parts.join('')),
        { maxLength: 3 },
      )
      .map((list) => list.join(',')),
  fields: (fields) =>
    fc
      .array(fc.constantFrom(...fields), { minLength: 1, maxLength: 4 })
      .map((list) => list.join(',')),
  filter: (fields) =>
    fc.array(condition(fields), { maxLength: 4 }).map((list) => JSON.stringify(list)),
  next_cursor: () =>
    fc.oneof(
      fc.nat(1000).map((n) => `cursor:${n}`),
      hostileText,
    ),
  page: () => fc.constantFrom('1', '2', '3', '100', '2000000000'),
  items_per_page: () => fc.constantFrom('1', '2', '25', '500'),
  limit: () => fc.constantFrom('1', '2', '25', '500'),
}

const operators =
  'eq neq gt gte lt lte between in not_in contains not_contains starts_with ends_with is_empty is_not_empty contains_any contains_all contains_none today yesterday current_week last_month past future current_quarter last_x_days next_x_days nope'.split(
    ' ',
  )

function condition(fields: string[]): Arbitrary<unknown> {
  const value = fc.oneof(
    hostile,
    fc.constantFrom(
      '2026-01-01',
      'Acme',
      5,
      true,
      ['a', 'b'],
      ['2026-01-01', '2026-02-01'],
      [1, 2],
      null,
    ),
  )
  const field = sometimes(
    fc.constantFrom(
      'company.industry',
      'company_owner.email',
      'custom_fields.tier',
      'custom_fields.',
      'reports_to.full_name',
      '.',
    ),
    fc.constantFrom(...fields),
    4,
  )
  const simple = fc.record(
    { field, operator: fc.constantFrom(...operators), value },
    { requiredKeys: ['field', 'operator'] },
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { weight: 6, arbitrary: simple },
      { weight: 1, arbitrary: fc.record({ or: fc.array(tie('tree'), { maxLength: 3 }) }) },
      { weight: 1, arbitrary: fc.record({ and: fc.array(tie('tree'), { maxLength: 3 }) }) },
      { weight: 1, arbitrary: fc.record({ not: tie('tree') }) },
      { weight: 1, arbitrary: hostile },
    ),
  }))
  return tree!
}

function anyBody(
  document: OpenApi,
  schema: JSONSchema,
  isForm: boolean,
): Arbitrary<string | undefined> {
  const right = valueOf(document, schema, 0)
  const spoiled = fc
    .tuple(right, fc.array(fc.tuple(fc.nat(1000), hostile), { minLength: 1, maxLength: 2 }))
    .map(([value, changes]) => spoil(value, changes))
  const write = (value: unknown) => (isForm ? formText(value) : JSON.stringify(value))
  return fc.oneof(
    { weight: 8, arbitrary: right.map(write) },
    { weight: 6, arbitrary: spoiled.map(write) },
    { weight: 1, arbitrary: hostile.map(write) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        undefined,
        '',
        '{',
        'null',
        '[]',
        '{"a":1}}',
        '{"__proto__":{}}',
        '{"a":1,"a":2}',
      ),
    },
  )
}

/** Puts other values in place of some. */
function spoil(value: unknown, changes: [number, unknown][]): unknown {
  if (typeof value !== 'object' || value === null) return changes[0]![1]
  const copy: any = Array.isArray(value) ? [...value] : { ...value }
  const keys = Object.keys(copy)
  for (const [n, other] of changes) {
    const key = keys.length ? keys[n % keys.length]! : 'x'
    Object.defineProperty(copy, key, {
      value: other,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return copy
}

function formText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const pairs = Object.entries(value).map(([key, each]): [string, string] => [
    wellFormed(key),
    wellFormed(typeof each === 'string' ? each : JSON.stringify(each)),
  ])
  return new URLSearchParams(pairs).toString()
}

function wellFormed(text: string): string {
  return text.toWellFormed()
}

/** The names of the fields of every record, for sorting and filtering. */
function fieldNames(document: OpenApi): string[] {
  const names = Object.values(document.components.schemas!).flatMap(({ properties }) =>
    Object.keys(properties ?? {}),
  )
  return [...new Set(names)]
}
