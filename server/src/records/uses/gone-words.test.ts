import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idOf, makeOrganization, startService } from '../../../test/support/service.ts'

// A saved filter that names a custom field, an option or a status that is gone still opens its list.

const service = await startService()
const org = await makeOrganization(service)
const send = (method: string, path: string, body?: object) =>
  service.call(method, path, { token: org.users.admin.token, ...(body ? { body } : {}) })

const settings = '/api/organization/settings/fields/companies/'

async function filter(conditions: object[], more: object = {}) {
  const body = { name: 'Plans', module: 'companies', conditions, ...more }
  const reply = await send('POST', '/api/filters/filter/', body)
  assert.equal(reply.status, 201, reply.text)
  return idOf(reply)
}
const opened = async (id: string) => {
  const reply = await send('GET', `/api/company/?page=1&items_per_page=25&filter_id=${id}`)
  assert.equal(reply.status, 200, reply.text)
  return reply
}

const usesOf = async (kind: string, id: string): Promise<string[]> => {
  const { status, body, text } = await send('GET', `/api/uses/${kind}/${encodeURIComponent(id)}/`)
  assert.equal(status, 200, text)
  type Use = { field: string; records: { name: string }[] }
  const each = (body as Use[]).flatMap(({ field, records }) =>
    records.map(({ name }) => `${name} in ${field}`),
  )
  return each.toSorted()
}

test('who may not change the words of a module is not told, and other forms are refused', async () => {
  const asked = (kind: string, id: string, as: 'admin' | 'member') =>
    service.call('GET', `/api/uses/${kind}/${id}/`, { token: org.users[as].token })
  assert.equal((await asked('field', 'companies.plan', 'member')).status, 403)
  assert.equal((await asked('option', 'companies', 'admin')).status, 400)
  assert.equal((await asked('field', 'nothing.plan', 'admin')).status, 400)
  assert.equal((await asked('status', 'nothing', 'admin')).status, 404)
})

test('a deleted custom field in conditions, sort, columns and groups', async () => {
  await send('PUT', settings, {
    fields: [{ key: 'plan', type: 'select', options: [{ value: 'gold', label: 'Gold' }] }],
  })
  const id = await filter([{ field: 'custom_fields.plan', operator: 'eq', value: 'gold' }], {
    sort: '-custom_fields.plan',
    columns: ['company_name', 'custom_fields.plan'],
    group_by: 'custom_fields.plan',
  })
  assert.deepEqual((await opened(id)).body, [])
  assert.deepEqual(await usesOf('field', 'companies.plan'), [
    'Plans in columns',
    'Plans in conditions',
    'Plans in group_by',
    'Plans in sort',
  ])
  assert.deepEqual(await usesOf('option', 'companies.plan.gold'), ['Plans in conditions'])
  assert.deepEqual(await usesOf('option', 'companies.plan.silver'), [])
  assert.equal((await send('DELETE', `${settings}plan/`)).status, 204)
  await opened(id)
  const widget = `/api/dashboards/widget/?widget_type=new_companies&filter_id=${id}`
  const { status, text } = await send('GET', widget)
  assert.equal(status, 200, text)
})

test('a deleted option of a custom field', async () => {
  const options = (...values: string[]) => values.map((value) => ({ value, label: value }))
  await send('PUT', settings, {
    fields: [{ key: 'tier', type: 'select', options: options('one', 'two') }],
  })
  const id = await filter([{ field: 'custom_fields.tier', operator: 'eq', value: 'two' }])
  await opened(id)
  await send('PUT', settings, { fields: [{ key: 'tier', options: options('one') }] })
  await opened(id)
})

test('a deleted option of an option set', async () => {
  const { body } = await send('GET', '/api/option-sets/')
  const set = body.find((each: { module: string }) => each.module === 'companies')
  const value = set.options.at(-1).value
  const field = set.field ?? set.set
  const id = await filter([{ field, operator: 'eq', value }])
  await opened(id)
  const path = `/api/option-sets/companies/${set.set}/${encodeURIComponent(value)}/`
  const gone = await send('DELETE', path)
  assert.ok(gone.status < 300, gone.text)
  await opened(id)
})

test('a deleted status', async () => {
  const statuses = '/api/organization/settings/statuses/tasks/'
  const { body } = await send('PUT', statuses, {
    statuses: [{ status_name: 'Waiting', category: 'on_hold' }],
  })
  const waiting = body.statuses.find(
    (each: { status_key: string }) => each.status_key === 'waiting',
  )
  const id = idOf(
    await send('POST', '/api/filters/filter/', {
      name: 'On hold',
      module: 'tasks',
      conditions: [{ field: 'status', operator: 'eq', value: 'waiting' }],
    }),
  )
  const open = () => send('GET', `/api/tasks/?page=1&items_per_page=25&filter_id=${id}`)
  assert.equal((await open()).status, 200)
  assert.deepEqual(await usesOf('status', waiting.status_id), ['On hold in conditions'])
  assert.equal((await send('DELETE', `${statuses}${waiting.status_id}/`)).status, 204)
  const { status, text } = await open()
  assert.equal(status, 200, text)
})
