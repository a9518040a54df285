import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { everyRoute, caseOf, pathOf } from './support/routes.ts'
import type { Reply } from './support/service.ts'
import { rows, sql, startService } from './support/service.ts'
import type { World } from './support/world.ts'
import { makeWorld } from './support/world.ts'

/** Reads whose answers hold the time, a new secret, or what the request itself did. */
const never = [
  'read_calendar_feed_url',
  'stream_notifications',
  'stream_changes',
  'list_sessions',
  'draw_survey_code',
  'read_usage',
]

// An administrator who names a user is answered to the byte as that user would be.
describe('X-View-As', () => {
  let world: World
  const as = (token: string, path: string, user?: string, method = 'GET', body?: unknown) =>
    world.service.call(method, path, {
      token,
      body,
      headers: user === undefined ? {} : { 'x-view-as': user },
    })

  before(async () => {
    world = await makeWorld(await startService())
  })

  test('answers every read as that user’s own', async () => {
    const { customer, member, observer, admin } = world.org.users
    // what is counted until now may be a second more in the second answer, as is the position in the stream
    const moving = /"request_id":"\w+"|"time_ago":"[^"]*"|"duration":\d+|"live_position":"[^"]*"/g
    const shown = ({ status, text }: Reply) => `${status} ${text.replace(moving, '')}`
    let compared = 0
    for (const { surface, route } of everyRoute(world)) {
      const { operation } = route
      const isOpen =
        operation.can === 'anyone' || operation.writes || never.includes(operation.name)
      if (surface.name !== 'application' || route.method !== 'GET' || isOpen) continue
      const made = await caseOf(route).request(world)
      if (made.headers) continue
      const path = pathOf(route, made)
      for (const { token, user_id } of [customer, member, observer]) {
        const [own, viewed] = [await as(token, path), await as(admin.token, path, user_id)]
        assert.equal(shown(viewed), shown(own), path)
        compared++
      }
    }
    assert.ok(compared > 150, String(compared))
  })

  test('is for reads alone', async () => {
    const { customer, admin } = world.org.users
    for (const { surface, route } of everyRoute(world)) {
      if (surface.name !== 'application' || route.method === 'GET') continue
      if (route.operation.can === 'anyone') continue
      const path = route.path.replace(/\{\w+\}/g, 'x')
      const reply = await as(admin.token, path, customer.user_id, route.method, {})
      assert.equal(`${reply.status} ${reply.body.code}`, '403 view_as_read_only', path)
    }
    const secret = await as(admin.token, '/api/calendar/feed-url/', customer.user_id)
    assert.equal(secret.body.code, 'view_as_read_only')
  })

  test('is for administrators, and for users of the organization', async () => {
    const { customer, manager, member, admin } = world.org.users
    for (const { token } of [manager, member, customer]) {
      const reply = await as(token, '/api/tasks/?page=1&items_per_page=5', admin.user_id)
      assert.equal(`${reply.status} ${reply.body.code}`, '403 view_as_not_allowed')
    }
    for (const id of ['nobody', '', world.other!.org.users.member.user_id]) {
      assert.equal((await as(admin.token, '/api/company/', id)).status, 404, id)
    }
    const app = world.surfaces.find(({ name }) => name === 'integration')!
    const headers = { ...app.admin(), 'x-view-as': customer.user_id }
    const reply = await world.service.call('GET', '/automation/company', { headers })
    assert.equal(reply.body.code, 'view_as_not_allowed', reply.text)
  })

  test('is noted in the log, once an hour', async () => {
    const { partner, admin } = world.org.users
    for (let i = 0; i < 3; i++) await as(admin.token, '/api/tasks/', partner.user_id)
    const found = await rows(
      world.service,
      sql`select actor_id, title from events where reference_id = ${partner.user_id}
        and raw_description ->> 'action' = 'viewed_as'`,
    )
    assert.equal(found.length, 1)
    assert.equal(found[0]?.actor_id, admin.user_id)
  })

  test('counts no download in the name of the user', async () => {
    const { admin, observer } = world.org.users
    const form = { document_name: 'x', editor_html_content: '<p>x</p>', is_shared: true }
    const { body } = await world.post('/api/documents/', form)
    const path = `/api/documents/${body.attach_id}/`
    await as(admin.token, `${path}file/`, observer.user_id)
    assert.equal((await as(admin.token, path)).body.download_count, 0)
  })

  test('is allowed to browsers of other origins', async () => {
    const reply = await world.service.call('OPTIONS', '/api/tasks/', {
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-view-as, authorization',
      },
    })
    assert.match(reply.headers.get('access-control-allow-headers') ?? '', /x-view-as/)
  })
})
