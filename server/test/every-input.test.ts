import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ValidateFunction } from 'ajv'
import ajvFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { newId } from '../src/kit/ground/ids.ts'
import { isLocale, isTimeZone } from '../src/kit/ground/time.ts'
import { depth, drawn, firstTimes, isFull } from './support/depth.ts'
import { refused, refusedField } from './support/refused.ts'
import { startService } from './support/service.ts'
import { caseOf, everyRoute, logOf, pathOf, refusable, send } from './support/routes.ts'
import type { Made } from './support/world.ts'
import { makeWorld } from './support/world.ts'
import type { JSONSchema } from '../src/kit/ground/json-schema.ts'
import { refusesUnknown } from './support/strict.ts'

// Every route responds to invalid input with a clear refusal that names the field, and writes nothing.

const world = await makeWorld(await startService())
const { service } = world
/** Fields that have been sent too much: those of other routes with the same schema are refused by the same code. */
const isNew = firstTimes()

for (const { surface, route, title } of everyRoute(world)) {
  const { operation } = route
  const { input } = operation
  const query = propertiesOf(input.query)
  const body = propertiesOf(input.body)
  const isStrict = refusesUnknown(operation)
  const request = () => caseOf(route).request(world)
  const toRefuse = refusable(route)
  const sendWith = (made: Made, more: any) =>
    send(world, surface, route, { ...made, body: { ...made.body, ...more } })

  describe(title, () => {
    if (Object.keys(query).length) {
      test('names the query parameter that is wrong', async () => {
        const made = await toRefuse(world)
        for (const [name, schema] of Object.entries(query)) {
          for (const value of drawn(wrongTexts(name, schema), depth(2, Infinity))) {
            const path = pathOf(route, { ...made, query: { ...made.query, [name]: value } })
            const reply = await service.call(route.method, path, {
              headers: surface.admin(),
              body: made.body,
            })
            refusedField(reply, [name], `${name}=${value.slice(0, 60)}`)
          }
          const twice =
            pathOf(route, { ...made, query: { ...made.query, [name]: '1' } }) + `&${name}=2`
          const reply = await service.call(route.method, twice, {
            headers: surface.admin(),
            body: made.body,
          })
          refusedField(reply, [name], `${name} twice`)
        }
        if ('limit' in query && 'items_per_page' in query) {
          const differing = { ...made.query, limit: '2', items_per_page: '3' }
          const reply = await send(world, surface, route, { ...made, query: differing })
          refusedField(reply, ['limit'], 'limit and items_per_page')
        }
        for (const name of (input.query?.required ?? []) as string[]) {
          const { [name]: _, ...others } = made.query!
          refusedField(await send(world, surface, route, { ...made, query: others }), [name])
        }
      })
    }

    test('refuses query parameters that it does not know, and passes over those of caches', async () => {
      const made = await request()
      const query = { ...made.query, 'never[heard]': 'x' }
      refusedField(await send(world, surface, route, { ...made, query }), ['never[heard]'])
      const busted = await send(world, surface, route, {
        ...made,
        query: { ...made.query, _: '1' },
      })
      assert.equal(busted.status, route.status, busted.text)
    })

    test('refuses what cannot be stored, in the path and the query', async () => {
      const made = await toRefuse(world)
      const headers = { ...surface.admin(), ...made.headers }
      const path = pathOf(route, made)
      const joint = path.includes('?') ? '&' : '?'
      for (const text of ['%00', 'a%00b']) {
        refused(
          await service.call(route.method, `${path}${joint}_=${text}`, {
            headers,
            body: made.body,
          }),
          400,
        )
      }
      if (!route.path.includes('{')) return
      for (const id of ['%00', 'a%00']) {
        const reply = await service.call(route.method, route.path.replace(/\{\w+\}/, id), {
          headers,
          body: made.body,
        })
        refused(reply, 400)
      }
      for (const id of drawn(['%', '%ff', '%zz', '%c3%28'], depth(1, 4))) {
        const reply = await service.call(route.method, route.path.replace(/\{\w+\}/, id), {
          headers,
          body: made.body,
        })
        assert.ok([400, 404].includes(reply.status), `${id} ${reply.status}`)
        refused(reply, reply.status)
      }
    })

    if (route.method === 'GET') return

    test('refuses bodies that are too large or of another kind', async () => {
      const made = await toRefuse(world)
      const large = JSON.stringify({ never_heard_of: 'x'.repeat(1024 * 1024) })
      refused(await send(world, surface, route, made, { raw: large }), 413)
      const types = [
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'nonsense',
      ]
      for (const type of drawn(types, depth(1, 4))) {
        refused(
          await send(world, surface, route, made, {
            raw: 'a=1',
            headers: { 'content-type': type },
          }),
          415,
          type,
        )
      }
    })

    test('says little of a large body in which much is wrong', async () => {
      const made = await request()
      for (const [name, schema] of Object.entries(body)) {
        const kind = JSON.stringify(schema)
        if (!kind.includes('"array"') || !(isFull || isNew(`${name} ${kind}`))) continue
        for (const one of drawn(['1', '{}'], depth(1, 2))) {
          const many = `[${Array(20_000).fill(one).join()}]`
          const rest = JSON.stringify({ ...made.body, [name]: undefined }).slice(1, -1)
          const raw = `{${rest}${rest && ','}"${name}":${many}}`
          const reply = await send(world, surface, route, made, { raw })
          assert.ok(reply.status < 500, `${name} ${reply.status}`)
          assert.ok(reply.text.length < 100_000, `${name} ${reply.text.length}`)
        }
      }
    })

    test('refuses bodies that are no JSON', async () => {
      const made = await toRefuse(world)
      const broken = [
        '{',
        '{"a":}',
        'nope',
        '{"a":1}x',
        "{'a':1}",
        '{"a":1,}',
        '[1',
        '\u{feff}x',
        '{"__proto__":{"a":1}}',
      ]
      for (const raw of drawn(broken, depth(3, 9))) {
        const reply = await send(world, surface, route, made, { raw })
        refused(reply, 400, raw)
        assert.equal(reply.body.message, 'Invalid request body')
      }
      const bytes = await fetch(service.url + pathOf(route, made), {
        method: route.method,
        headers: { ...(made.headers ?? surface.admin()), 'content-type': 'application/json' },
        body: Buffer.from('{"a":"\xff"}', 'latin1'),
      })
      assert.equal(bytes.status, 400, 'not UTF-8')
      assert.equal(((await bytes.json()) as any).message, 'Invalid request body')
    })

    test('refuses what cannot be stored, in the body', async () => {
      const made = await toRefuse(world)
      const strange = [
        '{"a":"\\u0000"}',
        '{"a":"\\ud800"}',
        '{"a":["x\\udfff"]}',
        '{"a\\u0000":1}',
        '{"a":{"b":"\\u0000"}}',
      ]
      for (const raw of drawn(strange, depth(2, 5)))
        refused(await send(world, surface, route, made, { raw }), 400, raw)
      const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
      const nestings = [deep(21), deep(20_000), `${'['.repeat(50_000)}${']'.repeat(50_000)}`]
      for (const raw of drawn(nestings, depth(1, 3)))
        refused(await send(world, surface, route, made, { raw }), 400)
    })

    if (!input.body) return

    test('requires an object', async () => {
      const made = await toRefuse(world)
      const others = ['null', '5', '"x"', 'true', ...(input.body!.properties ? ['[]'] : [])]
      for (const raw of drawn(others, depth(2, 5))) {
        refused(await send(world, surface, route, made, { raw }), 400, raw)
      }
    })

    test('names what is missing', async () => {
      const made = await toRefuse(world)
      const required = (input.body!.required ?? []) as string[]
      for (const name of required) {
        const { [name]: _, ...others } = made.body
        refusedField(await send(world, surface, route, { ...made, body: others }), [name])
      }
      if (required.length) {
        for (const raw of ['', '{}'])
          refusedField(await send(world, surface, route, made, { raw }), required)
      }
    })

    test('names the field of the wrong type, length or form', async () => {
      const made = await toRefuse(world)
      const before = await logOf(world)
      for (const [name, schema] of Object.entries(body)) {
        for (const value of wrongValues(schema)) {
          const reply = await sendWith(made, { [name]: value })
          refusedField(reply, [name], `${name}: ${JSON.stringify(value).slice(0, 60)}`)
        }
      }
      for (const [alias, name] of Object.entries(operation.aliases ?? {})) {
        for (const value of wrongValues(body[name]!)) {
          const { [name]: _, ...others } = made.body ?? {}
          const reply = await send(world, surface, route, {
            ...made,
            body: { ...others, [alias]: value },
          })
          refusedField(reply, [alias], `${alias}: ${JSON.stringify(value).slice(0, 60)}`)
        }
      }
      assert.deepEqual(await logOf(world), before)
    })

    test('names the field that holds an unknown or another organization’s id', async () => {
      const made = await toRefuse(world)
      const before = await logOf(world)
      const foreign = await theirIds()
      for (const [name, schema] of Object.entries(body)) {
        if (!holdsId(name, schema) || caseOf(route).newIds?.includes(name)) continue
        for (const id of drawn([...foreign, newId(), 'nope', '0'], depth(3, 7))) {
          refusedField(await sendWith(made, { [name]: id }), [name], `${name}: ${id}`)
        }
        if (!schema.anyOf) continue
        const keys = ['id', 'user_id', 'company_id', 'contact_id', 'email']
        for (const key of drawn(keys, depth(2, 5))) {
          const sent = { [name]: { [key]: foreign[0] } }
          refusedField(await sendWith(made, sent), [name], JSON.stringify(sent))
        }
        if (caseOf(route).emptyObjects?.includes(name)) continue
        refusedField(await sendWith(made, { [name]: {} }), [name], `${name}: {}`)
      }
      assert.deepEqual(await logOf(world), before)
    })

    test('stores, ignores or names unknown keys, nested up to 20 levels', async () => {
      if (!input.body!.properties) return
      const unknown = {
        never_heard_of: nested(18),
        constructor: 1,
        'with space': [1],
        toString: 'x',
        'é.ü': null,
      }
      const reply = await sendWith(await request(), unknown)
      if (isStrict) return refusedField(reply, ['never_heard_of'])
      assert.equal(reply.status, route.status, reply.text)
      const path = reply.headers.get('location')
      if (!path) return
      const read = await service.call('GET', path, { headers: surface.admin() })
      assert.equal(read.status, 200, read.text)
      if (!('custom_fields' in body)) return
      const { custom_fields: stored } = read.body
      const custom = Array.isArray(stored)
        ? Object.fromEntries(stored.map(({ key, value }) => [key, value]))
        : stored
      const { never_heard_of, constructor, 'with space': spaced, toString } = custom
      assert.deepEqual([never_heard_of, constructor, spaced, toString], [nested(18), 1, [1], 'x'])
    })
  })
}

type Properties = { [name: string]: JSONSchema }

function propertiesOf(schema: JSONSchema | undefined): Properties {
  return (schema?.properties ?? {}) as Properties
}

function nested(levels: number): unknown {
  return levels ? { a: nested(levels - 1) } : 1
}

const strict = ajvWith(false)
const texts = ajvWith(true)

function ajvWith(coerceTypes: boolean) {
  const ajv = new Ajv2020({ strict: false, coerceTypes })
  ajvFormats.default(ajv, ['email', 'uri', 'date'])
  ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)))
  ajv.addFormat('time-zone', isTimeZone)
  ajv.addFormat('locale', isLocale)
  ajv.addFormat('tag', true)
  ajv.addFormat('color', /^(#([\da-f]{3}|[\da-f]{6}))?$/i)
  ajv.addFormat('web-address', (text: string) => !/^[a-z]+:(?!\/\/)|^ftp/i.test(text))
  return ajv
}

const validators = new Map<Ajv2020, Map<string, ValidateFunction>>([
  [strict, new Map()],
  [texts, new Map()],
])

/** A schema's validator, cached because many properties of many routes have the same schema. */
function compiled(ajv: Ajv2020, schema: JSONSchema): ValidateFunction {
  const own = validators.get(ajv)!
  const key = JSON.stringify(schema)
  return own.get(key) ?? own.set(key, ajv.compile(schema)).get(key)!
}

/** Values that a property's schema refuses: of other types, out of bounds, of bad form, too long. */
function wrongValues(schema: JSONSchema): unknown[] {
  const max = Number(schema.maxLength ?? 0)
  const types = [12.5, 'x y', {}, null]
  const inside = [[5, { a: 1 }], true, []]
  const bounds = [-1e30, 1e300, Array.from({ length: 501 }, () => 'x')]
  const forms = ['', '   ', 'x y', 'javascript:alert(1)', '2026-02-30', '2026-13-01T00:00:00Z']
  // limited to what a JSON body may contain: more is 413
  const lengths = ['x'.repeat(max + 1), 'é'.repeat(max + 1)].filter(
    (text) => Buffer.byteLength(text) < 1_000_000,
  )
  const isRight = compiled(strict, schema)
  const isWrong = (value: unknown) => !isRight(value)
  // a few of each kind: the kinds matter, and there are thousands of properties
  return [types, inside, bounds, forms, lengths].flatMap((kind) =>
    drawn(kind.filter(isWrong).slice(0, 2), depth(1, 2)),
  )
}

/** The same for text in a query, and words that only mean something else where they stand. */
function wrongTexts(name: string, schema: JSONSchema): string[] {
  const candidates = ['', 'x', '1.5', '-1', '0', '501', '99999999999', 'maybe', 'x'.repeat(20_001)]
  // coercion changes the value inside its object
  const isRight = compiled(texts, { type: 'object', properties: { value: schema } })
  const wrong = candidates.filter((value) => {
    // booleans in a query have more words than true and false
    if (schema.type === 'boolean' && value === '0') return false
    return !isRight({ value })
  })
  return [...wrong, ...(nonsense[name] ?? [])]
}

const nonsense: { [name: string]: string[] } = {
  sort: ['nope', 'custom_fields', 'company_name,company_name', '-'],
  filter: [
    'nope',
    '{}',
    '5',
    '[5]',
    '[{"field":"nope","operator":"eq","value":1}]',
    '[{"field":"id"}]',
  ],
  fields: ['nope', 'id,nope'],
  next_cursor: ['nope', 'e30', 'WyJhIl0'],
  options: ['maybe'],
  field_config: ['maybe'],
}

/** Whether a property of a body names another record. */
function holdsId(name: string, schema: JSONSchema): boolean {
  const either = (schema.anyOf ?? []) as JSONSchema[]
  if (either.some(({ maxLength }) => maxLength === 25)) return true
  return name.endsWith('_id') && schema.maxLength === 25
}

async function theirIds(): Promise<string[]> {
  const { org } = world.other!
  const { params: company } = await caseOf(routeOf('read_company')).request(world.other!)
  const { params: contact } = await caseOf(routeOf('read_contact')).request(world.other!)
  return [org.users.admin.user_id, company!.id!, contact!.id!, org.id]
}

function routeOf(name: string) {
  return everyRoute(world).find(({ route }) => route.operation.name === name)!.route
}
