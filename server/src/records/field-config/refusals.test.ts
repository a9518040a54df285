import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('the definition of a custom field', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { token: org.users.admin.token, body })
  const define = (...fields: object[]) =>
    call('PUT', '/api/organization/settings/fields/tasks/', { fields })
  const create = (custom_fields: object) =>
    call('POST', '/api/tasks/', { title: 'x', custom_fields })

  test('has no default where it is unique: the second record could not be created', async () => {
    refusedField(await define({ key: 'code', unique: true, default: 'A1' }), ['fields.0.default'])
    assert.equal((await define({ key: 'code', unique: true })).status, 200)
    refusedField(await define({ key: 'code', default: 'A1' }), ['fields.0.default'])
    for (const _ of [1, 2]) assert.equal((await create({})).status, 201)
  })

  test('is refused with the whole path of what is wrong', async () => {
    const right = { key: 'level', type: 'select', options: ['low', 'high'] }
    const wrong: [object, string][] = [
      [{ ...right, default: 'none' }, 'fields.1.default'],
      [{ ...right, options: ['low', { color: '#14704C' }] }, 'fields.1.options.1'],
      [{ ...right, options: ['low', 'high', 'low'] }, 'fields.1.options.2.value'],
    ]
    for (const [field, path] of wrong) {
      refusedField(await define({ key: 'other' }, field), [path], JSON.stringify(field))
    }
    const { body } = await call('GET', '/api/organization/settings/fields/?module=tasks')
    const keys = JSON.stringify(body)
    assert.ok(!keys.includes('"other"'), 'nothing of a refused request is written')
  })

  test('accepts only numbers whose totals fit', async () => {
    await define({ key: 'size', type: 'number' })
    for (const size of [1.1e15, -1e308]) {
      refusedField(await create({ size }), ['custom_fields.size'])
    }
    assert.equal((await create({ size: -1e15 })).status, 201)
  })

  test('that is required needs an entry of a list', async () => {
    await define({ key: 'areas', type: 'multi_select', options: ['a'], required: true })
    refusedField(await create({ areas: [] }), ['custom_fields.areas'])
    assert.equal((await create({ areas: ['a'] })).status, 201)
  })

  test('has as many options as all can be read with, and a refusal names some of them', async () => {
    const options = Array.from({ length: 500 }, (_, n) => `option ${n}`)
    const fields = Array.from({ length: 21 }, (_, n) => ({
      key: `list${n}`,
      type: 'select',
      options,
    }))
    refusedField(await define(...fields), ['fields.19.options', 'fields.20.options'])
    assert.equal((await define({ key: 'choice', type: 'select', options })).status, 200)
    const reply = await create({ choice: 'none' })
    refusedField(reply, ['custom_fields.choice'])
    assert.match(reply.body.errors[0].message, /option 0, .*, option 49 or 450 more$/)
  })

  test('takes an option that is chosen twice once', async () => {
    await define({ key: 'twice', type: 'multi_select', options: ['a', 'b'] })
    const { body, status } = await create({ areas: ['a'], twice: ['a', 'b', 'A'] })
    assert.deepEqual([status, body.custom_fields.twice], [201, ['a', 'b']])
  })
})
