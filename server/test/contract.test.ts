import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import type { JSONSchema } from '../src/kit/ground/json-schema.ts'
import type { Route } from '../src/surfaces/route.ts'
import { schemaCheck } from './support/answers.ts'
import { depth } from './support/depth.ts'
import { caseOf, everyRoute, send } from './support/routes.ts'
import { startService } from './support/service.ts'
import { resolve, valueOf } from './support/values.ts'
import type { Surface, World } from './support/world.ts'
import { makeWorld } from './support/world.ts'

// A client that relies on the API document: requests to every operation of both surfaces, in which each
// member is valid by its schema. No answer is a 5xx, or a status or body that is not in the document
// (`support/answers.ts` checks each), and no member is always refused. `npm run contract`
// sends 10,000; CONTRACT_SEEDS=7,8 repeats others.

const seeds = (process.env.CONTRACT_SEEDS ?? '1,2').split(',').map(Number)
const wanted = Number(process.env.CONTRACT_REQUESTS ?? depth(120, 240))
/** How often a member must have been tried before it counts as always refused, since some fit only beside others. */
const enough = wanted < 5000 ? 4 : 8
/** Operations whose answers last until they are ended, or whose success ends what others need. */
const skipped =
  /^(stream_|logout|end_|invalidate_|login|start_web|change_password|erase_|import_|leave_|test_webhook)/
/** Credentials and the like, which no schema can describe. */
const secretNames = /password|token|code|challenge|secret|signature/

type Tried = { sent: number; refused: number; example: string }

test(`${wanted} requests by the document, of seeds ${seeds}, are answered as it says`, async (t) => {
  const service = await startService()
  const world = await makeWorld(service)
  const document = service.document()
  const owner = new pg.Client({ connectionString: service.runtime.database.url })
  await owner.connect()
  t.after(() => owner.end())
  const check = schemaCheck(document)
  const statuses = new Map<number, number>()
  const tried = new Map<string, Tried>()
  const succeeded = new Set<string>()
  const routes = everyRoute(world).filter(({ route }) => !skipped.test(route.operation.name))

  const everywhere = async (statement: string) => {
    await owner.query(`begin; set local app.organization = '*'; ${statement}; commit`)
  }

  for (const seed of seeds) {
    const first = (seed * 131) % routes.length
    for (let n = 0; n < wanted / seeds.length; n++) {
      const { surface, route } = routes[(first + n) % routes.length]!
      await request(surface, route, seed * 100_000 + n)
      // the tests' server has no autovacuum, which updates the planner's statistics as tables grow
      if (n % 500 === 120) await owner.query('analyze')
      // an organization has a hundred of them at most
      if (n % 500 === 120) await everywhere('delete from subscriptions')
    }
  }

  const byStatus = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`)
  t.diagnostic(`${byStatus.join(', ')}; ${succeeded.size} operations succeeded`)
  assert.deepEqual(
    [...statuses.keys()].filter((status) => status >= 500),
    [],
  )
  const refused = [...tried].filter(([, { sent, refused: no }]) => sent >= enough && sent === no)
  t.diagnostic(`${tried.size} members were tried`)
  assert.deepEqual(
    refused.map(([member, { sent, example }]) => `${member}, ${sent} times, such as ${example}`),
    [],
  )

  /** One valid request of the operation, with some members of its body or query as their schemas say. */
  async function request(surface: Surface, route: Route, seed: number) {
    const { operation, path, method } = route
    const made = await caseOf(route).request(world as World)
    const described = document.paths[path]![method.toLowerCase()]
    const schema = described?.requestBody?.content['application/json']?.schema
    const body = `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/requestBody`
    const pointer = `${body}/content/application~1json/schema`
    const isForm = made.body instanceof FormData || typeof made.body === 'string'
    const isObject = typeof made.body === 'object' && made.body && !Array.isArray(made.body)
    const added = schema && isObject && !isForm ? membersOf(schema, pointer, made.body, seed) : {}
    const { properties = {} } = resolve(document, schema ?? {}) as { properties?: any }
    const replaced = Object.keys(added).map((name) => replacedBy(properties[name]))
    // what is another name of a member takes its value
    const usual = isObject ? (made.body as { [name: string]: unknown }) : {}
    for (const name of Object.keys(added)) {
      const value = usual[sameAs(properties[name]) ?? '']
      if (value !== undefined) added[name] = value
    }
    const base = Object.entries(isObject ? made.body : {}).filter(
      ([name]) => !replaced.includes(name),
    )
    const reply = await send(world, surface, route, {
      ...made,
      ...(isObject && !isForm ? { body: { ...Object.fromEntries(base), ...added } } : {}),
    })
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    const about = () => `${method} ${path} ${JSON.stringify(added).slice(0, 1000)}`
    assert.ok(reply.status < 500, `${reply.status} ${reply.text.slice(0, 2000)} at ${about()}`)
    if (reply.status < 300) succeeded.add(operation.name)
    const named = (reply.body?.errors ?? []).map(({ field }: { field: string }) => field)
    for (const [name, value] of Object.entries(added)) {
      const isRefused =
        reply.status === 400 &&
        named.some((field: string) => field === name || field.startsWith(`${name}.`))
      if (reply.status >= 300 && !isRefused) continue
      const at = `${method} ${path} ${name}`
      const { sent, refused: no } = tried.get(at) ?? { sent: 0, refused: 0 }
      const example = `${JSON.stringify(value)?.slice(0, 100)}: ${reply.text.slice(0, 200)}`
      tried.set(at, { sent: sent + 1, refused: no + Number(isRefused), example })
    }
  }

  /** A few members of a body that it does not have yet, each valid by its schema. */
  function membersOf(schema: JSONSchema, pointer: string, body: object, seed: number) {
    const { properties = {} } = resolve(document, schema) as { properties?: any }
    const { $ref } = schema
    const at = typeof $ref === 'string' ? $ref.slice(1) : pointer
    const names = Object.keys(properties).filter(
      (name) => !(name in body) && !isLink(name, properties[name]) && !secretNames.test(name),
    )
    if (!names.length) return {}
    const chosen = fc.sample(
      fc.subarray(names, { minLength: 1, maxLength: Math.min(2, names.length) }),
      {
        seed,
        numRuns: 1,
      },
    )[0]!
    return Object.fromEntries(
      chosen.flatMap((name) => {
        const arbitrary = valueOf(document, properties[name], 1)
        const values = fc.sample(arbitrary, { seed, numRuns: 5 }).map(reachable).map(named)
        const valid = values.find((value) => !check(`${at}/properties/${name}`, value))
        return valid === undefined ? [] : [[name, valid]]
      }),
    )
  }
})

/** An address of an existing host, which a schema cannot require. */
function reachable(value: unknown) {
  if (typeof value !== 'string') return value
  return value.replace(/^(https?:\/\/)[^/?#:]*\.invalid/, '$1localhost')
}

/** Stages with a name each, which a new one needs. */
function named(value: unknown) {
  if (!Array.isArray(value) || !value.some((each) => each?.stage_key)) return value
  return value.map(({ name, ...each }, i) => ({ stage_name: name ?? `Stage ${i}`, ...each }))
}

/** The member that another one replaces, from its description. */
function replacedBy(schema: JSONSchema): string | undefined {
  return /in place of `(\w+)`/.exec(String(schema.description))?.[1] ?? sameAs(schema)
}

/** The member that another one only has another name for. */
function sameAs({ description }: JSONSchema): string | undefined {
  return /the same as (\w+), and may be sent/.exec(String(description))?.[1]
}

/** Names of other records, people, fields and the like, which must exist. */
function isLink(name: string, schema: any): boolean {
  return /(^|_)ids?$|Ids?$/.test(name) || namesWhatExists.test(JSON.stringify(schema))
}
const namesWhatExists =
  /identifies the record|identifier of the user|\bby (its |their )?ids?\b|(id|name) of one of|as the export gives|only these of|the members of/
