import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOrganization, startService } from '../../../test/support/service.ts'

test('paginated templates are reversed, and read by cursor', async () => {
  const service = await startService()
  const { token } = (await makeOrganization(service)).users.admin
  const read = async (query: string) => {
    const path = `/api/templates/template/paginated-templates/?${query}`
    const reply = await service.call('GET', path, { token })
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  const names = ({ results }: { results: { template_name: string }[] }) =>
    results.map(({ template_name }) => template_name)
  for (const sort of ['', 'sort=template_name&']) {
    const forwards = names(await read(sort))
    assert.ok(forwards.length > 1)
    assert.deepEqual(names(await read(`${sort}reverse=true`)), forwards.toReversed())
  }
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await read(`reverse=true&items_per_page=1&next_cursor=${cursor}`)
    found.push(...names(page))
    cursor = page.next_cursor
  }
  assert.deepEqual(found, names(await read('reverse=true')))
})
