import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOrganization, startService } from '../../../test/support/service.ts'

test('a custom field may have the name of what every object inherits', async () => {
  const service = await startService()
  const { token } = (await makeOrganization(service)).users.admin
  const call = (method: string, path: string, body?: object) =>
    service.call(method, path, { token, body })
  const configuration = '/api/organization/settings/fields/companies/'
  for (const key of ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'toLocaleString']) {
    const fields = [{ key, label: `The ${key}`, type: 'text', unique: true }]
    const defined = await call('PUT', configuration, { fields })
    assert.equal(defined.status, 200, defined.text)
    const again = await call('PUT', configuration, { fields: [{ key, label: key }] })
    const [field] = again.body.fields.filter((each: { key: string }) => each.key === key)
    assert.deepEqual([field?.label, field?.type, field?.is_built_in], [key, 'text', false])
    const made = await call('POST', '/api/company/', { company_name: key, [key]: 'kept' })
    assert.equal(made.status, 200, made.text)
    const conditions = [{ field: `custom_fields.${key}`, operator: 'eq', value: 'kept' }]
    const filter = encodeURIComponent(JSON.stringify(conditions))
    const list = `/api/company/?page=1&items_per_page=5&sort=custom_fields.${key}&filter=${filter}`
    const found = await call('GET', list)
    assert.deepEqual(
      found.body.map((each: { company_name: string }) => each.company_name),
      [key],
      found.text,
    )
    const described = await call('GET', '/api/modules/companies/')
    assert.equal(described.status, 200, described.text)
    const removed = await call('DELETE', `${configuration}${key}/`)
    assert.equal(removed.body.code, 'field_in_use', removed.text)
  }
})
