import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, startService } from '../support/service.ts'

let service: TestService
let org: TestOrganization
before(async () => {
  service = await startService()
  org = await makeOrganization(service)
})

const ask = (method: string, path: string, body?: unknown) =>
  service.call(method, path, { token: org.users.admin.token, body })

// the lists whose order is not that of their ids
const start = (day: string) => ({ start: `${day}T10:00:00Z`, end: `${day}T11:00:00Z` })
const meeting = async () => {
  const reply = await ask('POST', '/api/calendar/info/', { title: 'One', ...start('2030-01-01') })
  return reply.body.calendar_id
}
const lists: { [path: string]: (name: string) => Promise<object> | object } = {
  '/api/dashboards/info/': (name) => ({ dashboard_id: name, dashboard_name: name }),
  '/api/holidays/holinfo/': (name) => ({ holidays_id: name, country: 'FR', holidays: [] }),
  '/api/notifyhub/notify-info/': (name) => ({
    notification_id: name,
    user_id: org.users.admin.user_id,
    title: name,
  }),
  '/api/calendar/insight/': async (name) => ({
    meeting_insight_id: name,
    calendar_id: await meeting(),
  }),
  '/api/calendar/info/': (name) => ({ title: name, ...start(`2030-01-0${name.at(-1)}`) }),
  '/api/tags/info/': (name) => ({ tag_name: name }),
}

for (const [path, body] of Object.entries(lists)) {
  test(`${path} begins with the newest, and with reverse=true alone is turned round`, async () => {
    for (const name of ['made-2', 'made-3', 'made-1']) {
      const reply = await ask('POST', path, await body(name))
      assert.equal(reply.status, 201, reply.text)
    }
    const read = async (query: string) => {
      const reply = await ask('GET', `${path}?page=1&items_per_page=500&${query}`)
      assert.equal(reply.status, 200, reply.text)
      return reply.body.map((one: object) => JSON.stringify(one))
    }
    const newest = await read('')
    assert.ok(newest.length > 2)
    assert.deepEqual(await read('reverse=false'), newest)
    assert.deepEqual(await read('reverse=true'), newest.toReversed())
  })
}

test('occurrences between two days begin with the first, or the last with reverse=true', async () => {
  const repeat = 'FREQ=DAILY;COUNT=3'
  const made = await ask('POST', '/api/calendar/info/', {
    title: 'Daily',
    ...start('2031-05-01'),
    repeat,
  })
  assert.equal(made.status, 201, made.text)
  const starts = async (query: string) => {
    const reply = await ask('GET', `/api/calendar/info/?start=2031-05-01&end=2031-05-09${query}`)
    return reply.body.map((one: { start: string }) => one.start.slice(0, 10))
  }
  const days = ['2031-05-01', '2031-05-02', '2031-05-03']
  assert.deepEqual(await starts(''), days)
  assert.deepEqual(await starts('&reverse=true'), days.toReversed())
})
