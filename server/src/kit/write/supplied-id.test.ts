import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { applicationRoutes } from '../../surfaces/application/routes.ts'

test('an id of dots alone, or of a word that a path has in its place, is refused: it leads elsewhere', async () => {
  const service = await startService()
  const { token, user_id } = (await makeOrganization(service)).users.admin
  const hour = { start: '2027-01-04T10:00:00Z', end: '2027-01-04T11:00:00Z' }
  for (const [path, field, body] of [
    ['/api/dashboards/info/', 'dashboard_id', { dashboard_name: 'Dots' }],
    ['/api/holidays/holinfo/', 'holidays_id', { country: 'FR', holidays: [] }],
    ['/api/notifyhub/notify-info/', 'notification_id', { user_id, title: 'Dots' }],
    ['/api/activity/log/', 'log_id', { title: 'Dots' }],
    ['/api/calendar/info/', 'calendar_id', { title: 'Dots', ...hour }],
  ] as const) {
    const send = (id: string) =>
      service.call('POST', path, { token, body: { ...body, [field]: id } })
    for (const id of ['.', '..', '...']) refusedField(await send(id), [field], `${path} ${id}`)
    const ends = applicationRoutes().map((route) => route.path.split(path)[1]?.replace('/', ''))
    const words = ends.filter((end) => end && /^[\w-]+$/.test(end)) as string[]
    assert.ok(words.length, path)
    for (const word of words) refusedField(await send(word), [field], `${path} ${word}`)
    for (const id of ['a..b', '.a', '~', '-', 'groups-', 'bulk_2']) {
      assert.equal((await send(id)).status, 201, `${path} ${id}`)
    }
  }
})
