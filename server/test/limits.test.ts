import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JSONSchema } from '../src/kit/ground/json-schema.ts'
import type { Operation } from '../src/kit/ground/operation.ts'
import { caseOf, everyRoute, logOf, send } from './support/routes.ts'
import { startService } from './support/service.ts'
import { makeWorld } from './support/world.ts'

// The lengths of the specification's part 8, on every path that takes or shows the field, wherever in the body.

const ids = [
  'dashboard_id',
  'profile_id',
  'organization',
  'log_id',
  'notification_id',
  'holidays_id',
  'project_id',
]
const limits: { [field: string]: number } = {
  ...Object.fromEntries(ids.map((name) => [name, 25])),
  time_range_default: 20,
  dashboard_name: 100,
  display_id: 100,
  company_name: 255,
  full_name: 255,
  do_not_contact: 10,
}

/** What is ignored whatever it is: it is in the path, or the operation does not change it. */
const ignored: { [operation: string]: string } = {
  create_milestone: 'project_id',
  update_milestone: 'project_id',
  create_time_entry: 'project_id',
  update_time_entry: 'project_id',
  update_notification: 'notification_id',
  update_user: 'full_name',
}

const world = await makeWorld(await startService())

type Place = (string | number)[]

/**
 * Where a body may hold a limited field: the places of its schema; and of what creates or changes a record the fields
 * that a read shows, which callers send back.
 */
function placesOf({ name: operation, input: { body }, output }: Operation): Place[] {
  const found = inside(body ?? {}, [], 4)
  const isRecord = /^(create|update|replace|upsert)_/.test(operation)
  const shown = isRecord ? Object.keys((output?.properties ?? {}) as object) : []
  const known = shown.filter((name) => name in limits && !found.some(([first]) => first === name))
  return [...found, ...known.filter((name) => name !== ignored[operation]).map((name) => [name])]
}

function inside(schema: JSONSchema, at: Place, levels: number): Place[] {
  if (!levels) return []
  const { properties = {}, items, anyOf = [], oneOf = [] } = schema
  const named = Object.entries(properties as { [name: string]: JSONSchema }).flatMap(
    ([name, part]) => [
      ...(name in limits ? [[...at, name]] : []),
      ...inside(part, [...at, name], levels - 1),
    ],
  )
  const others = [...(anyOf as JSONSchema[]), ...(oneOf as JSONSchema[])]
  return [
    ...named,
    ...(items ? inside(items as JSONSchema, [...at, 0], levels - 1) : []),
    ...others.flatMap((part) => inside(part, at, levels)),
  ]
}

/** The value at a place, in nothing else. */
function holding([first, ...rest]: Place, value: unknown): unknown {
  if (first === undefined) return value
  const inner = holding(rest, value)
  return first === 0 ? [inner] : { [first]: inner }
}

for (const { surface, route, title } of everyRoute(world)) {
  const { operation } = route
  if (route.method === 'GET' || !operation.writes || !operation.input.body?.properties) continue
  const places = [...new Map(placesOf(operation).map((at) => [at.join('.'), at]))]
  if (!places.length) continue
  describe(title, () => {
    for (const [name, at] of places) {
      test(`refuses ${name} beyond its limit`, async () => {
        const made = await caseOf(route).request(world)
        const before = await logOf(world)
        const most = limits[String(at.at(-1))]!
        const body = { ...made.body, ...(holding(at, 'x'.repeat(most + 1)) as object) }
        const reply = await send(world, surface, route, { ...made, body })
        // a bulk operation says so of each record
        if (reply.body?.failed) assert.ok(!reply.body.updated && reply.body.failed[0], reply.text)
        // the project of a subscription is looked up, and none has such an id
        else if (operation.name === 'subscribe') assert.equal(reply.status, 404, reply.text)
        else {
          assert.equal(reply.status, 400, reply.text)
          const fields = reply.body.errors.map(({ field }: { field: string }) => field.split('.'))
          assert.ok(
            fields.some((parts: string[]) => parts.some((part) => at.includes(part))),
            reply.text,
          )
        }
        assert.deepEqual(await logOf(world), before)
      })
    }
  })
}

describe('an import', () => {
  for (const [module, field, required] of [
    ['companies', 'company_name', 'company_name'],
    ['companies', 'display_id', 'company_name'],
    ['contacts', 'full_name', 'full_name'],
    ['contacts', 'display_id', 'full_name'],
    ['contacts', 'do_not_contact', 'full_name'],
  ] as const) {
    test(`of ${module} makes no record of a row with ${field} beyond its limit`, async () => {
      const { service } = world
      const { token } = world.org.users.admin
      const columns = { [required]: 'Limited', [field]: 'x'.repeat(limits[field]! + 1) }
      const csv = [Object.keys(columns).join(), Object.values(columns).join()].join('\n')
      const made = await service.call('POST', '/api/imports/', { token, body: { module, csv } })
      assert.ok(made.status < 300, made.text)
      const [row] = made.body.preview
      assert.deepEqual(
        row.errors.map((error: { field: string }) => error.field),
        [field],
        made.text,
      )
    })
  }
})
