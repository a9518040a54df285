import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AnyRecord } from '../src/kit/record/record.ts'
import { isLink, isWritable } from '../src/kit/record/record.ts'
import { records } from '../src/model/all.ts'
import type { Route } from '../src/surfaces/route.ts'
import { caseOf, everyRoute, logOf, readingOf, send } from './support/routes.ts'
import { sql, startService } from './support/service.ts'
import { targets } from './support/targets.ts'
import { makeWorld } from './support/world.ts'

// A client that sends back what it read changes nothing, even if linked records have been deleted since.

const world = await makeWorld(await startService())

/** Lists of links, which are no reference fields: what a body holds for the id of a target. */
type Body = { [field: string]: unknown }
const lists: { [field: string]: { table: string; body: (id: string) => Body } } = {
  'task.users': { table: 'people', body: (id) => ({ users: [id] }) },
  'project.project_team': { table: 'people', body: (id) => ({ project_team: [id] }) },
  'document.private_users': { table: 'people', body: (id) => ({ private_users: [id] }) },
  'document.reference_id': {
    table: 'contacts',
    body: (id) => ({ module_name: 'contacts', reference_id: id }),
  },
  'meeting.users': { table: 'people', body: (id) => ({ users: [id] }) },
  'meeting.attendees': {
    table: 'contacts',
    body: (id) => ({ attendees: [{ type: 'contact', id }] }),
  },
  'dashboard.access_list': {
    table: 'people',
    body: (id) => ({ visibility: 'restricted', access_list: [{ access_id: id }] }),
  },
  'filter.conditions': {
    table: 'companies',
    body: (id) => ({
      module: 'contacts',
      columns: [],
      conditions: [{ field: 'company', operator: 'eq', value: id }],
    }),
  },
}

/**
 * Links that cannot be dead, since what they lead to takes the record along or is not deleted while it
 * is named, and the one that no change of its record sets.
 */
const alive = [
  'meeting_insight.calendar_id',
  'milestone.project_id',
  'time_entry.task_id',
  'user.role_id',
]
const unchanging = ['notification.user_id', 'survey_automation.survey_id']

for (const { surface, route, title } of everyRoute(world)) {
  const reading = readingOf(surface, route)
  const record = recordOf(route)
  // a PATCH is the operation of the PUT
  if (route.method !== 'PUT' || !reading || !record) continue
  const fields: { name: string; table: string; body: (id: string) => Body }[] = []
  for (const [name, field] of Object.entries(record.fields)) {
    if (!isLink(field) || !isWritable(field)) continue
    fields.push({ name, table: field.reference.table, body: (id) => ({ [name]: id }) })
  }
  for (const [at, { table, body }] of Object.entries(lists)) {
    const [word, name] = at.split('.')
    if (word === record.word) fields.push({ name: name!, table, body })
  }
  const without = [...alive, ...unchanging]
  const mortal = fields.filter(({ name }) => !without.includes(`${record.word}.${name}`))
  if (!mortal.length) continue

  describe(`${title} accepts what was read`, () => {
    for (const { name, table, body } of mortal) {
      test(`when the record behind ${name} is gone`, async () => {
        const target = targets[table]
        assert.ok(target, `no way to make a row of ${table}`)
        const id = await target(world)
        const { params } = await caseOf(route).request(world)
        const set = await send(world, surface, route, { params, body: body(id) })
        assert.equal(set.status, route.status, set.text)
        const earlier = await send(world, surface, reading, { params })
        await remove(table, id)

        const read = await send(world, surface, reading, { params })
        assert.equal(read.status, 200, read.text)
        const before = await logOf(world)
        const back = await send(world, surface, route, { params, body: read.body })
        assert.equal(back.status, route.status, back.text)
        const after = await send(world, surface, reading, { params })
        assert.equal(after.headers.get('etag'), read.headers.get('etag'))
        assert.equal(after.text, read.text)
        assert.deepEqual(await logOf(world), before)
        // what was read before the record went says the same
        const late = await send(world, surface, route, { params, body: earlier.body })
        assert.equal(late.status, route.status, `${name} ${late.text}`)
        const unchanged = await send(world, surface, reading, { params })
        assert.equal(unchanged.headers.get('etag'), read.headers.get('etag'), name)
        assert.equal(unchanged.text, read.text)
        assert.deepEqual(await logOf(world), before)
        // nor does naming it alone, but another that is gone is refused
        const word = Object.values(body(id)).some((value) => Array.isArray(value)) ? undefined : id
        if (!word) return
        const again = await send(world, surface, route, { params, body: body(id) })
        if (read.text.includes(id)) assert.equal(again.status, route.status, again.text)
        const other = await target(world)
        await remove(table, other)
        const refused = await send(world, surface, route, { params, body: body(other) })
        assert.equal(refused.status, 400, `${name} ${refused.text}`)
      })
    }
  })
}

/** Removes a record by its deletion, or a user by their departure. */
async function remove(table: string, id: string) {
  const from = table === 'people' ? 'users' : table
  await world.service.runtime.database.transaction(world.org.id, (queries) =>
    queries.run(sql`update ${sql.table(from)} set deleted_at = now() where id = ${id}`),
  )
}

function recordOf({ operation }: Route): AnyRecord | undefined {
  const word = operation.name.replace(/^(integration_)?update_/, '')
  return records.find((record) => record.word === word)
}
