import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchLoop } from '../../../test/support/loop.ts'
import { startMailbox } from '../../../test/support/mailbox.ts'
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

test('names in a mail stay in one line, and do not turn the text beside them round', async () => {
  const mailbox = await startMailbox()
  const service = await startService({ smtpUrl: mailbox.url }, undefined, true)
  const { token } = (await makeOrganization(service)).users.admin
  const send = (method: string, path: string, body: object) =>
    service.call(method, path, { token, body })
  const renamed = await send('PUT', '/api/organization/settings/', { name: 'Acme \u202egro.live' })
  assert.equal(renamed.status, 200, renamed.text)
  const email = 'invited@acme.test'
  const full_name = 'Ada\r\n\r\nPay \u2066here\u2069:\u2028https://evil.example'
  const invited = await send('POST', '/api/users/profile/action/', { email, full_name })
  assert.equal(invited.status, 200, invited.text)
  const { from, to, subject, text = '' } = await mailbox.next(email)
  assert.match(text, /^Hello Ada Pay here: https:\/\/evil\.example,\n/)
  assert.equal(to?.[0]?.name, 'Ada Pay here: https://evil.example')
  for (const each of [from?.name, subject, text]) {
    assert.match(each ?? '', /Acme gro\.live/)
    assert.doesNotMatch(each ?? '', /[\u202a-\u202e\u2066-\u2069]/)
  }
})
