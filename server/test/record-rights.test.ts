import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { records } from '../src/model/all.ts'
import type { AnyRecord } from '../src/kit/record/record.ts'
import type { RecordAction } from '../src/kit/ground/operation.ts'
import { createUser } from '../src/records/users/create.ts'
import { permissionModules, roleKinds } from '../src/model/users/roles/permissions.ts'
import type { Route } from '../src/surfaces/route.ts'
import { caseOf, everyRoute, pathOf, readingOf } from './support/routes.ts'
import type { Reply } from './support/service.ts'
import { rows, sql, startService } from './support/service.ts'
import type { Made, Texts } from './support/world.ts'
import { addMember, fresh, makeWorld } from './support/world.ts'

// What a read says that the caller may do with a record (`can`) is what the operations then answer: 403 or 404
// where it is false, and neither where it is true, whatever else the state of the record refuses.

const service = await startService()
const world = await makeWorld(service)
const { org } = world
const ours = everyRoute(world).filter(({ surface }) => surface.name === 'application')
let account = ''

/** The records that a read of the application surface shows with what the caller may do. */
const described = ours.flatMap(({ surface, route }) => {
  const reading = readingOf(surface, route)
  const { properties = {} } = (reading?.operation.output ?? {}) as { properties?: object }
  if (route.method !== 'PUT' || !reading || !('can' in properties)) return []
  const at = (method: string, path: string) =>
    ours.find(({ route: each }) => each.method === method && each.path === path)?.route
  const [list] = route.path.split('{id}')
  return [
    {
      update: route,
      reading,
      remove: at('DELETE', route.path),
      restore: at('POST', `${route.path}restore/`),
      create: at('POST', list!),
      record: recordOf(route),
    },
  ]
})

type Described = (typeof described)[number]

const callers = [...roleKinds, 'everything'] as const
/** A caller: of a role that every organization has, or of one that allows everything but is no admin's. */
type Caller = (typeof callers)[number]
const tokens = new Map<Caller, string>()

/** Who made a record, and whether the account of confined callers has it. */
const makers = ['an admin', 'an admin, shared', 'the caller', 'the service'] as const
type Maker = (typeof makers)[number]

before(async () => {
  account = (await world.post('/api/account/info/', { account_name: 'Theirs' })).headers.get(
    'x-record-id',
  )!
  for (const kind of ['customer', 'partner', 'observer'] as const) {
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update users set account_id = ${account}
        where organization_id = ${org.id} and id = ${org.users[kind].user_id}`),
    )
  }
  service.runtime.cache.evict(org.id)
  const everything = Object.fromEntries(
    permissionModules().map((module) => [
      module,
      { create: 'all', read: 'all', update: 'all', delete: 'all' },
    ]),
  )
  for (const kind of roleKinds) tokens.set(kind, org.users[kind].token)
  tokens.set('everything', (await addMember(service, org, everything)).token)
})

for (const each of described) {
  describe(`${each.update.path} says what the caller may do`, () => {
    for (const kind of callers) {
      for (const maker of makers) {
        test(`as ${kind}, made by ${maker}`, async () => {
          const found: string[] = []
          for (const action of ['update', 'delete', 'restore'] as const) {
            for (const made of await recordsFor(each, kind, maker, action)) {
              const fault = await faultOf(each, kind, action, made)
              if (fault) found.push(fault)
            }
          }
          assert.deepEqual(found, [])
        })
      }
    }
  })
}

/** What is wrong with one member of `can`; undefined if it is right, or the record is hidden. */
async function faultOf(
  { update, remove, restore, reading }: Described,
  kind: Caller,
  action: RecordAction,
  made: Made,
): Promise<string | undefined> {
  const as = (route: Route, body?: unknown) =>
    service.call(route.method, pathOf(route, made), { token: tokens.get(kind)!, body })
  const read = await as(reading)
  if (read.status !== 200) return undefined
  const may = read.body.can[action] as boolean
  if (action === 'update')
    return mismatch(action, may, await as(update, changeOf(update, kind, made)))
  if (action === 'delete' && remove) return mismatch(action, may, await as(remove))
  if (!remove || !restore) return may ? `can.${action} is true without an operation` : undefined
  const removed = await service.call('DELETE', pathOf(remove, made), {
    token: org.users.admin.token,
  })
  return removed.status < 300 ? mismatch(action, may, await as(restore)) : undefined
}

function mismatch(action: string, may: boolean, { status, text }: Reply): string | undefined {
  const isRefused = status === 403 || status === 404
  return may === isRefused ? `can.${action} is ${may}: ${status} ${text.slice(0, 120)}` : undefined
}

/** What an update sends: confined callers may only complete tasks. */
function changeOf({ operation }: Route, kind: Caller, { body }: Made): unknown {
  const isConfined = ['customer', 'partner', 'observer'].includes(kind)
  return operation.name === 'update_task' && isConfined ? { is_completed: true } : body
}

/** Records of a kind for one attempt each. */
async function recordsFor(
  each: Described,
  kind: Caller,
  maker: Maker,
  action: RecordAction,
): Promise<Made[]> {
  const { update, create, record } = each
  if (maker === 'the service') {
    const ids = record ? await shipped(record.table) : []
    if (record?.table === 'users' && action === 'update' && kind !== 'everything') {
      ids.push(org.users[kind].user_id)
    }
    return ids.map((id) => ({ params: { id }, body: {} }))
  }
  if (maker === 'the caller') {
    if (!create) return []
    const made = await caseOf(create).request(world)
    const reply = await service.call('POST', pathOf(create, made), {
      token: tokens.get(kind)!,
      body: made.body,
    })
    const id = reply.headers.get('x-record-id')
    if (reply.status >= 300 || !id) return []
    const { params = {}, body } = await caseOf(update).request(world)
    return [{ params: { ...params, id }, body }]
  }
  const made = await caseOf(update).request(world)
  if (maker === 'an admin, shared' && record) await share(record, made.params!)
  return [made]
}

/** What every organization begins with, and a new person of each of its roles. */
async function shipped(table: string): Promise<string[]> {
  if (table === 'users') {
    return service.runtime.database.transaction(org.id, async (queries) => {
      const ids: string[] = []
      for (const kind of roleKinds) {
        const person = { full_name: kind, password_hash: null, role_id: org.roles[kind] }
        ids.push(await createUser(queries, org.id, { ...person, email: `${fresh()}@acme.test` }))
      }
      return ids
    })
  }
  if (!['roles', 'templates', 'dashboards'].includes(table)) return []
  const found = await rows<{ id: string }>(
    service,
    sql`select id from ${sql.table(table)} t where organization_id = ${org.id}
      and (to_jsonb(t) @> '{"is_system_role": true}' or to_jsonb(t) @> '{"is_predefined": true}'
        or to_jsonb(t) @> '{"is_protected": true}')`,
  )
  return found.map(({ id }) => id)
}

async function share({ table }: AnyRecord, { id }: Texts) {
  const columns = await rows<{ column_name: string }>(
    service,
    sql`select column_name from information_schema.columns where table_name = ${table}
      and column_name in ('is_shared', 'account_id')`,
  )
  const values: { [column: string]: unknown } = { is_shared: true, account_id: account }
  for (const { column_name } of columns) {
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update ${sql.table(table)} set ${sql.ref(column_name)} = ${values[column_name]}
        where organization_id = ${org.id} and id = ${id}`),
    )
  }
}

function recordOf({ operation }: Route): AnyRecord | undefined {
  const word = operation.name.replace(/^update_/, '')
  return records.find((record) => record.word === word)
}
