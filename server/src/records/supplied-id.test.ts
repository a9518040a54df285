import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedField } from '../../test/support/refused.ts'
import { makeOrganization, startService } from '../../test/support/service.ts'

test('an id of dots alone is refused: in a path it leads elsewhere', async () => {
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
    for (const id of ['a..b', '.a', '~', '-']) {
      assert.equal((await send(id)).status, 201, `${path} ${id}`)
    }
  }
})
