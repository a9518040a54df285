import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchLoop } from '../../../test/support/loop.ts'
import { refusedField } from '../../../test/support/refused.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { slowness } from '../../../test/support/speed.ts'

test('an invalid address in the feedback form is refused at once, however long it is', async () => {
  const service = await startService()
  const org = await makeOrganization(service)
  const { token } = org.users.admin
  const { body: form } = await service.call('GET', '/api/widget-config', { token })
  const send = (email: string) =>
    service.call('POST', '/api/widget-submit', { body: { key: form.key, message: 'Hello', email } })
  assert.equal((await send('ann@acme.test')).status, 200)
  const loop = watchLoop()
  refusedField(await send(`a@${'.'.repeat(9990)} `), ['email'])
  assert.ok(loop.longest().ms < 50 * slowness(), `${loop.longest().ms}`)
  loop.stop()
})
