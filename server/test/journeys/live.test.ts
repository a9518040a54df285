import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { firstIdAt, newId } from '../../src/kit/ground/ids.ts'
import type { RoleKind } from '../../src/model/users/roles/permissions.ts'
import { startBeside } from '../support/beside.ts'
import { atEnd } from '../support/finally.ts'
import { untilListening } from '../support/integration.ts'
import type { ServerEvent } from '../support/server-events.ts'
import { eventsIn, eventsOf } from '../support/server-events.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { idOf, makeOrganization, password, sql, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** What does not come in this many milliseconds does not come. */
const patience = 20_000

type Body = { [key: string]: unknown }

describe('the live stream of changes', () => {
  let writer: TestService
  let reader: TestService
  let org: TestOrganization

  before(async () => {
    writer = await startService()
    reader = await startBeside(writer)
    org = await makeOrganization(writer)
    await Promise.all([untilListening(reader), untilListening(writer)])
  })

  /** Follows a stream, by default of the other process; `next` gives the next event that is data. */
  async function follow(
    kind: RoleKind,
    {
      at = reader,
      query = '',
      headers = {},
    }: { at?: TestService; query?: string; headers?: object } = {},
  ) {
    const gone = new AbortController()
    atEnd(async () => gone.abort())
    const response = await fetch(`${at.url}/api/stream/${query}`, {
      headers: { authorization: `Bearer ${org.users[kind].token}`, ...headers },
      signal: AbortSignal.any([gone.signal, AbortSignal.timeout(patience)]),
    })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/event-stream')
    const events = eventsOf(response.body!)
    const first = (await events.next()).value
    const next = async (event?: string): Promise<ServerEvent | undefined> => {
      for (;;) {
        const { value } = await events.next()
        if (!value || (value.event && (!event || value.event === event))) return value
      }
    }
    /** the next change of this record: a stream may begin with what was committed just before it */
    const changeOf = async (id: string) => {
      for (;;) {
        const found = await next('changed')
        assert.ok(found)
        if (found.data.id === id) return found
      }
    }
    return { position: first!.id!, next, changeOf, stop: () => gone.abort() }
  }

  const send = async (kind: RoleKind, method: string, path: string, body?: Body) => {
    const reply = await writer.call(method, path, { token: org.users[kind].token, body })
    assert.ok(reply.status < 300, `${path} ${reply.text}`)
    return reply
  }
  const post = async (path: string, body: Body, kind: RoleKind = 'admin') =>
    idOf(await send(kind, 'POST', path, body))

  /** What a stream that begins after `after` has to say at once. */
  const missed = async (kind: RoleKind, after: string) => {
    const path = `/api/stream/?seconds=0&after=${encodeURIComponent(after)}`
    const reply = await reader.call('GET', path, { token: org.users[kind].token })
    assert.equal(reply.status, 200, reply.text)
    return eventsIn(reply.text).filter(({ event }) => event)
  }

  test('a change reaches the streams of its own and of another process within two seconds', async () => {
    for (const at of [writer, reader]) {
      const stream = await follow('member', { at })
      // the quickest of a few: another one may have had to wait for what else the machine does
      const times: number[] = []
      while (Math.min(...times) >= 2000 && times.length < 5) {
        const began = performance.now()
        const id = await post('/api/company/', { company_name: newId() })
        const { data } = await stream.changeOf(id)
        times.push(performance.now() - began)
        assert.deepEqual(data, {
          module: 'companies',
          id,
          version: 1,
          type: 'created',
          fields: ['company_name'],
          actor_id: org.users.admin.user_id,
        })
      }
      assert.ok(Math.min(...times) < 2000, `${times} ms`)
      stream.stop()
    }
  })

  test('an update names its fields and version, a deletion comes too, and a record once a read', async () => {
    const id = await post('/api/company/', { company_name: 'Before' })
    const stream = await follow('member')
    const before = await post('/api/company/', { company_name: 'Marker' })
    await stream.changeOf(before)
    await send('admin', 'PUT', `/api/company/${id}/`, { company_name: 'After', industry: 'Retail' })
    const { data } = await stream.changeOf(id)
    assert.deepEqual([data.type, data.version], ['updated', 2])
    assert.deepEqual(data.fields.toSorted(), ['company_name', 'industry'])
    await send('admin', 'DELETE', `/api/company/${id}/`)
    const deleted = await stream.changeOf(id)
    assert.equal(deleted.data.type, 'deleted')
    const position = deleted.id!
    const other = await post('/api/company/', { company_name: 'Other' })
    await send('admin', 'PUT', `/api/company/${other}/`, { industry: 'Retail' })
    await stream.changeOf(other)
    const again = (await missed('member', position)).filter(({ data }) => data.id === other)
    assert.deepEqual(
      again.map(({ data }) => [data.type, data.version, data.fields.toSorted()]),
      [['created', 2, ['company_name', 'industry']]],
    )
    stream.stop()
  })

  test('only what a reader may see: of the team, of oneself, of what is shared', async () => {
    const account = (
      await send('admin', 'POST', '/api/account/info/', { account_name: 'Customer' })
    ).body.account_id as string
    const { customer, partner } = org.users
    await send('admin', 'PUT', `/api/users/profile/${customer.user_id}/`, { account_id: account })
    await send('admin', 'PUT', `/api/users/profile/${partner.user_id}/`, { account_id: account })
    const project = await post('/api/project/info/', {
      project_name: 'Rollout',
      account_id: account,
      is_shared: true,
    })
    const earlier = new Set([customer.user_id, partner.user_id, account])
    const streams = {
      customer: await follow('customer'),
      member: await follow('member'),
      admin: await follow('admin'),
    }
    await post('/api/tasks/', { title: 'Internal', project_id: project })
    const own = await post('/api/tasks/', { title: 'Private', is_private: true })
    await send('admin', 'PUT', `/api/project/info/${project}/`, { revenue: 5000 })
    const shared = await post('/api/tasks/', {
      title: 'Shared',
      project_id: project,
      is_shared: true,
      tags: ['inner'],
    })
    await send('admin', 'PUT', `/api/project/info/${project}/`, { revenue: 6000, description: 'd' })
    const seen = async (kind: 'customer' | 'member' | 'admin') => {
      const found: ServerEvent[] = []
      for (;;) {
        const each = (await streams[kind].next('changed'))!
        found.push(each)
        if (each.data.id === project && each.data.fields.includes('description')) return found
      }
    }
    const [theirs, members, all] = [
      await seen('customer'),
      await seen('member'),
      await seen('admin'),
    ]
    const ids = new Set(theirs.map(({ data }) => data.id as string))
    assert.deepEqual(ids.difference(earlier), new Set([shared, project]))
    const fields = theirs.flatMap(({ data }) => data.fields)
    assert.ok(!fields.includes('revenue') && !fields.includes('tags'), fields.join())
    assert.ok(fields.includes('title'))
    // the person behind it is none whom the customer may see
    assert.deepEqual(new Set(theirs.map(({ data }) => data.actor_id)), new Set([null]))
    assert.ok(!members.some(({ data }) => data.id === own))
    assert.ok(all.some(({ data }) => data.id === own))
    assert.ok(all.some(({ data }) => data.id === project && data.fields.includes('revenue')))
    await send('admin', 'DELETE', `/api/tasks/${shared}/`)
    assert.equal((await streams.customer.changeOf(shared)).data.type, 'deleted')
    for (const stream of Object.values(streams)) stream.stop()
  })

  test('if more than fifty records of a module change at once, only the module is reported', async () => {
    const path = '/api/templates/template/'
    const { position, stop } = await follow('admin')
    for (let n = 0; n < 51; n++) await post(path, { template_name: `t ${n}` })
    const tag = await post('/api/tags/info/', { tag_name: 'one' })
    const said = await missed('admin', position)
    const templates = said.filter(({ data }) => data.module === 'templates')
    assert.deepEqual(
      templates.map(({ event, data }) => ({ event, data })),
      [{ event: 'many', data: { module: 'templates' } }],
    )
    assert.ok(said.some(({ event, data }) => event === 'changed' && data.id === tag))
    // nobody learns of what they may not read
    const theirs = (await missed('customer', position)).map(({ data }) => data.module as string)
    assert.ok(!theirs.includes('templates') && !theirs.includes('companies'), theirs.join())
    stop()
  })

  /** An event in a transaction that is open until `commit`. */
  async function writeLate() {
    const [event, id] = [newId(), newId()]
    const begun = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const slow = writer.runtime.database.transaction(org.id, async (queries) => {
      await queries.run(sql`insert into events (organization_id, id, type, title, module_id,
          reference_id, actor_type, actor_id, actor_name, source, raw_description, record_version)
        values (${org.id}, ${event}, 'company_updated', 'Late', 4, ${id}, 'user', null, 'x',
          'application', '{"action": "updated", "module": "companies"}', 7)`)
      begun.resolve()
      await held.promise
    })
    await begun.promise
    const commit = () => {
      held.resolve()
      return slow
    }
    return { event, id, commit }
  }

  test('what commits late is not lost', async () => {
    const stream = await follow('admin')
    const { event, id, commit } = await writeLate()
    const after = await post('/api/company/', { company_name: 'Quick' })
    await stream.changeOf(after)
    await commit()
    const late = await stream.changeOf(id)
    assert.equal(late.data.version, 7)
    assert.ok(late.id!.startsWith(event))
    stream.stop()
  })

  test('what is written after the clock was set back is not lost', async (t) => {
    const stream = await follow('admin')
    await stream.changeOf(await post('/api/company/', { company_name: 'Before' }))
    const real = Date.now
    t.mock.method(Date, 'now', () => real() - 3_600_000)
    const after = await post('/api/company/', { company_name: 'An hour earlier' })
    assert.equal((await stream.changeOf(after)).data.id, after)
    stream.stop()
  })

  test('from the position of a session it sends what was committed since, and nothing before', async () => {
    const session = async () => (await send('admin', 'GET', '/api/session/')).body
    const idsAfter = async (position: string) =>
      (await missed('admin', position)).map(({ data }) => data.id)
    const seen = await post('/api/tags/info/', { tag_name: 'seen by the page' })
    // a transaction of something else may be open for a moment, and holds the horizon
    await until(async () => !(await idsAfter((await session()).live_position)).includes(seen))
    const late = await writeLate()
    const { live_position } = await session()
    const unseen = await post('/api/tags/info/', { tag_name: 'unseen by the page' })
    await late.commit()
    const found = await idsAfter(live_position)
    assert.ok(found.includes(unseen) && found.includes(late.id), found.join())
    assert.ok(!found.includes(seen), found.join())
  })

  test('Last-Event-ID goes before the `after` of the address, which is of the beginning', async () => {
    const stream = await follow('admin')
    const tag = await post('/api/tags/info/', { tag_name: 'sent already' })
    const last = (await stream.changeOf(tag)).id!
    stream.stop()
    const query = '?after=what-is-this'
    const again = await follow('admin', { query, headers: { 'last-event-id': last } })
    const next = await post('/api/tags/info/', { tag_name: 'sent after it' })
    for (let id = ''; id !== next;) {
      const { data } = (await again.next())!
      assert.notEqual(data.module, 'surveys', 'everything may have changed, as after an unknown id')
      id = data.id as string
    }
    again.stop()
  })

  test('Last-Event-ID brings what was missed, from an event as from a notification', async () => {
    const stream = await follow('manager')
    const notify = () =>
      post('/api/notifyhub/notify-info/', { user_id: org.users.manager.user_id, title: 'Hi' })
    const first = await notify()
    assert.equal((await stream.next('notification'))!.id, first)
    const before = await post('/api/tags/info/', { tag_name: 'first' })
    const last = (await stream.changeOf(before)).id!
    stream.stop()
    const tag = await post('/api/tags/info/', { tag_name: 'second' })
    const second = await notify()
    for (const id of [last, first]) {
      const again = await follow('manager', { headers: { 'last-event-id': id } })
      const found: ServerEvent[] = []
      const isThere = (id: string) =>
        found.some(({ id: its, data }) => its === id || data?.id === id)
      while (!isThere(tag) || !isThere(second)) found.push((await again.next())!)
      const notified = found.filter(({ event }) => event === 'notification')
      assert.deepEqual(
        notified.map(({ id }) => id),
        [second],
      )
      again.stop()
    }
    // of an id that says nothing, or of too long ago, everything may have changed
    const unknown = await missed('admin', 'what-is-this')
    assert.ok(unknown.length > 10 && unknown.every(({ event }) => event === 'many'))
    const modules = unknown.map(({ data }) => data.module)
    assert.equal(new Set(modules).size, modules.length)
    assert.ok(!(await missed('customer', 'what')).some(({ data }) => data.module === 'deals'))
    const nothing = await missed('admin', `${firstIdAt(new Date(Date.now() + 120_000))}:`)
    assert.deepEqual(nothing, [])
  })

  test('says when rights change, follows them, and ends with the session', async () => {
    const { member } = org.users
    const stream = await follow('member')
    const role = `/api/users/role/${org.roles.member}/`
    const { permission } = (await send('admin', 'GET', role)).body
    const tags = { ...permission.tags, read: 'none' }
    await send('admin', 'PUT', role, { permission: { ...permission, tags } })
    assert.deepEqual((await stream.next('session'))!.data, { reason: 'rights_changed' })
    const unseen = await post('/api/tags/info/', { tag_name: 'unseen' })
    const company = await post('/api/company/', { company_name: 'Seen' })
    for (let id = ''; id !== company;) {
      id = (await stream.next('changed'))!.data.id as string
      assert.notEqual(id, unseen)
    }
    await send('admin', 'PUT', `/api/users/profile/${member.user_id}/`, { is_active: false })
    assert.deepEqual((await stream.next('session'))!.data, { reason: 'deactivated' })
    assert.equal(await stream.next(), undefined)
    const other = await follow('manager')
    await send('manager', 'POST', '/api/logout/')
    assert.deepEqual((await other.next('session'))!.data, { reason: 'signed_out' })
    assert.equal(await other.next(), undefined)
  })

  test('a browser follows by its cookie', async () => {
    const { email } = org.users.admin
    const entered = await reader.call('POST', '/api/session/', {
      body: { email, password },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(entered.status, 200, entered.text)
    const [cookie = ''] = entered.headers.getSetCookie()[0]!.split(';')
    const gone = new AbortController()
    atEnd(async () => gone.abort())
    const response = await fetch(`${reader.url}/api/stream/`, {
      headers: { cookie },
      signal: AbortSignal.any([gone.signal, AbortSignal.timeout(patience)]),
    })
    assert.equal(response.status, 200)
    const events = eventsOf(response.body!)
    await events.next()
    const id = await post('/api/tags/info/', { tag_name: 'by cookie' })
    for await (const { data } of events) if (data?.id === id) break
    gone.abort()
    assert.equal((await reader.call('GET', '/api/stream/')).status, 401)
  })
})
