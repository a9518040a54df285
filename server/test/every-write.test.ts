import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Route } from '../src/surfaces/route.ts'
import { accessOf } from './support/access.ts'
import { compareNotices } from './support/change-notices.ts'
import { depth, drawn } from './support/depth.ts'
import { refused, refusedField } from './support/refused.ts'
import type { Reply } from './support/service.ts'
import { startService } from './support/service.ts'
import {
  addedTo,
  caseOf,
  everyRoute,
  logOf,
  pathOf,
  readingOf,
  refusable,
  send,
} from './support/routes.ts'
import type { Surface, Made } from './support/world.ts'
import { fresh, makeWorld } from './support/world.ts'

// The common effects of every write: log entries, versions, and idempotent retries.

const started = await startService()
const notices = await compareNotices(started.runtime.database.url)
const world = await makeWorld(started)
const { service, org } = world

for (const [n, { surface, route, title }] of everyRoute(world).entries()) {
  const { method, operation } = route
  const { can, input } = operation
  const { writes } = accessOf(surface, route)
  const request = () => caseOf(route).request(world)
  // one that succeeds and two concurrent ones; more for every eighth route, since all share the same code
  const times = n % 8 === 0 ? 8 : 3

  describe(title, () => {
    test(writes ? 'leaves one row in the log' : 'leaves nothing in the log', async () => {
      const { logs, withoutChanges, logsAnother } = caseOf(route)
      const { made, reply, added } = await watched(surface, route)
      assert.equal(reply.status, route.status, reply.text)
      assert.equal(added.length, logs?.rows ?? (writes ? 1 : 0), JSON.stringify(added))
      for (const row of added) {
        // without credentials the caller is identified by the body
        if (can !== 'anyone') assert.equal(row.actor_id, org.users.admin.user_id)
        assert.equal(row.actor_type, surface.name === 'integration' ? 'app' : 'user')
        if (!logsAnother) assert.equal(row.source, surface.name)
        assert.ok(row.title)
        // a log entry that somebody writes is itself the record; a copy is another record than its source
        const { id, milestone_id } = made.params ?? {}
        const many = Array.isArray(made.body?.ids) ? (made.body.ids as string[]) : []
        const known = [reply.headers.get('x-record-id'), id, milestone_id, ...many]
        const ids = known.filter(Boolean)
        const inRow = [row.reference_id, row.id].some((id) => ids.includes(id))
        if (ids.length && !logsAnother) assert.ok(inRow, `${ids} is not in the row`)
        const isChange =
          ['POST', 'PUT', 'PATCH'].includes(method) && !operation.name.startsWith('restore_')
        if (!isChange || withoutChanges) continue
        assert.ok(row.changes?.length, `no changes in ${JSON.stringify(row)}`)
        for (const change of row.changes) {
          assert.deepEqual(Object.keys(change).sort(), ['field', 'from', 'to'])
          assert.notDeepEqual(change.from, change.to)
        }
      }
    })

    if (!writes) return

    if (method === 'PUT' || method === 'PATCH') {
      test('changes nothing the second time', async () => {
        const made = await request()
        const first = await send(world, surface, route, made)
        const before = await logOf(world)
        const second = await send(world, surface, route, made)
        assert.equal(second.status, route.status, second.text)
        assert.equal(second.headers.get('etag'), first.headers.get('etag'))
        assert.deepEqual(await logOf(world), before)
      })
    }

    if (method === 'POST' && typeof can === 'object' && can.action === 'create') {
      test('says where the new record is', async () => {
        const reply = await send(world, surface, route, await request())
        const id = reply.headers.get('x-record-id')
        assert.match(id ?? '', /^[0-9a-z]{25}$/)
        // a record that the surface cannot read alone is only named
        if (!route.location) return
        const read = await service.call('GET', reply.headers.get('location')!, {
          headers: surface.admin(),
        })
        assert.equal(read.status, 200, read.text)
        assert.ok(Object.values(read.body).includes(id))
      })
    }

    const reading = ['PUT', 'PATCH', 'DELETE'].includes(method) && readingOf(surface, route)
    if (reading && method !== 'DELETE') {
      test('changes nothing if it is sent what was read', async () => {
        const { params } = await request()
        const read = await send(world, surface, reading, { params })
        const before = await logOf(world)
        const back = await send(world, surface, route, { params, body: read.body })
        assert.equal(back.status, route.status, back.text)
        assert.equal(back.headers.get('etag'), read.headers.get('etag'))
        assert.deepEqual(await logOf(world), before)
      })
    }

    if (reading) {
      test('minds If-Match', async () => {
        const tagOf = async ({ params }: Made) =>
          (await send(world, surface, reading, { params })).headers.get('etag')!
        const make = async () => {
          const made = await request()
          return { made, tag: await tagOf(made) }
        }
        const { made, tag } = await make()
        assert.match(tag, /^"\d+"$/)
        const before = await logOf(world)
        const wrong = ['"0"', '"999999"', 'W/"1"', 'nonsense', '""', '"0", "7"', `${tag}x`]
        for (const stale of drawn(wrong, depth(2, 7))) {
          refused(
            await send(world, surface, route, made, { headers: { 'if-match': stale } }),
            412,
            stale,
          )
        }
        assert.deepEqual(await logOf(world), before)
        if (method !== 'DELETE') {
          // after the write the old version is stale
          const changed = await send(world, surface, route, made, { headers: { 'if-match': tag } })
          assert.equal(changed.status, route.status)
          assert.notEqual(changed.headers.get('etag'), tag)
          const again = await send(world, surface, reading, { params: made.params })
          assert.equal(changed.headers.get('etag'), again.headers.get('etag'))
          refused(await send(world, surface, route, made, { headers: { 'if-match': tag } }), 412)
        }
        // a change again to the same value changes nothing, a removed record is gone
        const next = method === 'DELETE' ? make : async () => ({ made, tag: await tagOf(made) })
        for (const right of [() => '*', (own: string) => own, (own: string) => `"0", ${own}`]) {
          const now = await next()
          const reply = await send(world, surface, route, now.made, {
            headers: { 'if-match': right(now.tag) },
          })
          assert.equal(reply.status, route.status, reply.text)
        }
      })
    }

    if (method !== 'POST' || can === 'anyone') return

    test('does a thing once for its Idempotency-Key, which other callers have for theirs', async () => {
      const key = { 'idempotency-key': fresh('key') }
      const { made, reply: first, added } = await watched(surface, route, key)
      assert.equal(first.status, route.status, first.text)
      assert.equal(first.headers.get('idempotency-replayed'), null)
      const other = world.other!
      const there = other.surfaces.find(({ name }) => name === surface.name)!
      const theirs = await caseOf(route).request(other)
      const apart = await send(other, there, route, theirs, { headers: key })
      assert.equal(apart.status, route.status, apart.text)
      assert.equal(apart.headers.get('idempotency-replayed'), null)
      const before = await logOf(world)
      if (caseOf(route).endsSession) return
      const second = await send(world, surface, route, made, { headers: key })
      sameAnswer(second, first)
      assert.equal(second.headers.get('idempotency-replayed'), 'true')
      assert.deepEqual(await logOf(world), before)
      assert.equal(added.length, caseOf(route).logs?.rows ?? 1)
      // another body, and another query, under the same key
      const body = { ...made.body, never_heard_of: fresh() }
      refusedField(await send(world, surface, route, { ...made, body }, { headers: key }), [
        'Idempotency-Key',
      ])
      const query = { _: 'another' }
      refusedField(await send(world, surface, route, { ...made, query }, { headers: key }), [
        'Idempotency-Key',
      ])
      // with and without a trailing slash a path is the same
      const path = pathOf(route, made)
      const slash = await service.call(
        method,
        path.endsWith('/') ? path.slice(0, -1) : `${path}/`,
        {
          headers: { ...(made.headers ?? surface.admin()), ...key },
          body: made.body,
        },
      )
      assert.equal(slash.headers.get('idempotency-replayed'), 'true')
      assert.deepEqual(await logOf(world), before)
    })

    const unsent = refusable(route)

    test('stores refusals for the Idempotency-Key too', async () => {
      const made = await unsent(world)
      for (const wrong of wrongs(made)) {
        const headers = { 'idempotency-key': fresh('key') }
        const first = await send(world, surface, route, wrong, { headers })
        assert.ok([400, 404].includes(first.status), first.text)
        const second = await send(world, surface, route, wrong, { headers })
        assert.equal(second.headers.get('idempotency-replayed'), 'true', second.text)
        assert.equal(second.status, first.status)
        assert.deepEqual(second.body, first.body)
      }
      for (const key of ['', 'x'.repeat(256)]) {
        const reply = await send(world, surface, route, made, {
          headers: { 'idempotency-key': key },
        })
        refusedField(reply, ['Idempotency-Key'])
      }
    })

    test('does it once when the same key comes many times at the same moment', async () => {
      if (caseOf(route).endsSession) return
      const made = await unsent(world)
      const before = await logOf(world)
      const headers = { 'idempotency-key': fresh('key') }
      const all = await Promise.all(
        Array.from({ length: times }, () => send(world, surface, route, made, { headers })),
      )
      const done = all.filter(({ status }) => status === route.status)
      assert.ok(done.length >= 1, all.map(({ text }) => text).join('\n'))
      for (const reply of all) {
        if (reply.status === route.status) sameAnswer(reply, done[0]!)
        else assert.equal(reply.body?.code, 'in_flight', reply.text)
      }
      assert.equal(done.filter(({ headers }) => !headers.has('idempotency-replayed')).length, 1)
      const { entries } = await logOf(world)
      assert.equal(entries - before.entries, caseOf(route).logs?.rows ?? 1)
      sameAnswer(await send(world, surface, route, made, { headers }), done[0]!)
    })

    function wrongs(made: Made): Made[] {
      const list: Made[] = []
      if (route.path.includes('{')) list.push({ ...made, params: { id: 'nope' } })
      const [name] = (input.body?.required ??
        Object.keys((input.body?.properties ?? {}) as object)) as string[]
      if (name) list.push({ ...made, body: { ...made.body, [name]: { wrong: true } } })
      return list
    }
  })
}

test('every process is notified of all that was changed of what it caches', () => notices.check())

/** Sends a valid request and returns the log entries that it added. */
async function watched(surface: Surface, route: Route, headers: { [name: string]: string } = {}) {
  const made = await caseOf(route).request(world)
  const before = await logOf(world)
  const reply = await send(world, surface, route, made, { headers })
  const added = await addedTo(world, before)
  assert.equal((await logOf(world)).entries, before.entries + added.length)
  return { made, reply, added }
}

function sameAnswer(reply: Reply, first: Reply) {
  assert.equal(reply.status, first.status, reply.text)
  assert.equal(reply.text, first.text)
  for (const name of ['content-type', 'location', 'x-record-id', 'etag']) {
    assert.equal(reply.headers.get(name), first.headers.get(name), name)
  }
}
