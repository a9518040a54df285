import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchLoop } from '../../../test/support/loop.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { slowness } from '../../../test/support/speed.ts'

test('long letters to hundreds of people leave others their turn', async () => {
  const service = await startService()
  const { token } = (await makeOrganization(service)).users.admin
  const invite = (count: number) =>
    service.call('POST', '/api/calendar/info/', {
      token,
      body: {
        title: 'Everybody',
        description: '<&\n'.repeat(3300),
        start: '2026-01-05T10:00:00Z',
        end: '2026-01-05T11:00:00Z',
        attendees: Array.from({ length: count }, (_, n) => ({
          type: 'external',
          email: `guest${n}@acme.test`,
        })),
      },
    })
  // loads what the first one needs
  assert.equal((await invite(1)).status, 201)
  const loop = watchLoop()
  assert.equal((await invite(200)).status, 201)
  assert.ok(loop.longest().ms < 120 * slowness(), `${loop.longest().ms}`)
  loop.stop()
})
