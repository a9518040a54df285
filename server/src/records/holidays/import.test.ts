import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOrganization, startService } from '../../../test/support/service.ts'

test('the public holidays of a country are stored once, however often the request is repeated', async () => {
  const service = await startService()
  const { token } = (await makeOrganization(service)).users.admin
  const call = (path: string) => service.call('GET', `/api/holidays/holinfo/${path}`, { token })
  // the process that computes has started: whoever waits for that too long is 503
  assert.equal((await call('import/?country=AT&year=2027')).body.holidays_id, null)
  const save = async (query: string) => (await call(`import/?${query}&save=true`)).body.holidays_id
  const ids = await Promise.all(Array.from({ length: 4 }, () => save('country=AT&year=2027')))
  assert.equal(new Set(ids).size, 1)
  assert.equal(await save('country=AT&year=2027'), ids[0])
  const others = [await save('country=AT&year=2028'), await save('country=DE&state=BY&year=2027')]
  const list = (await call('?page=1&items_per_page=50')).body as { holidays_id: string }[]
  const stored = list.map(({ holidays_id }) => holidays_id)
  assert.deepEqual(stored.sort(), [ids[0], ...others].sort())
})
