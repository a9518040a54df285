import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { connectApp } from '../../../test/support/integration.ts'
import { refused, refusedField } from '../../../test/support/refused.ts'
import type { TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('a create with match', () => {
  let service: TestService
  let app: ConnectedApp
  let project: string

  before(async () => {
    service = await startService()
    const org = await makeOrganization(service)
    app = await connectApp(service, org)
    const { token } = org.users.admin
    const fields = [
      { key: 'crm_id', type: 'text', unique: true },
      { key: 'color', type: 'text' },
    ]
    for (const module of ['companies', 'contacts', 'deals', 'projects', 'tasks']) {
      const path = `/api/modules/${module}/fields/`
      const reply = await service.call('PUT', path, { token, body: { fields } })
      assert.equal(reply.status, 200, reply.text)
    }
    const made = await app.call('POST', '/automation/project', { body: { project_name: 'Plan' } })
    project = made.body.project_id
  })

  const kinds: { [kind: string]: (name: string) => { path: string; body: object; key: string } } = {
    company: (name) => ({ path: 'company', body: { company_name: name }, key: 'company_id' }),
    contact: (name) => ({ path: 'contact', body: { full_name: name }, key: 'contact_id' }),
    project: (name) => ({ path: 'project', body: { project_name: name }, key: 'project_id' }),
    deal: (name) => ({
      path: 'project',
      body: { project_name: name, project_type: 'deal' },
      key: 'project_id',
    }),
    task: (name) => ({
      path: 'task',
      body: { title: name, project_id: project },
      key: 'item_id',
    }),
  }
  const update = { match: 'custom_fields.crm_id', on_duplicate: 'update' }

  for (const [kind, make] of Object.entries(kinds)) {
    test(`updates the ${kind} that has the value`, async () => {
      const custom_fields = { crm_id: `Id-${kind}` }
      const { path, body, key } = make(`First ${kind}`)
      const send = (more: object, query: { [name: string]: string } = update) =>
        app.call('POST', `/automation/${path}`, {
          query,
          body: { ...body, custom_fields, ...more },
        })
      const first = await send({})
      assert.equal(first.status, 201, first.text)
      const changed = make(`Second ${kind}`).body
      const second = await send({
        ...changed,
        custom_fields: { crm_id: `iD-${kind}`, color: 'red' },
      })
      assert.equal(second.status, 200, second.text)
      assert.equal(second.body.data[key], first.body.data[key])
      assert.deepEqual(second.body.data.custom_fields, { crm_id: `iD-${kind}`, color: 'red' })
      assert.match(JSON.stringify(second.body.data), new RegExp(`Second ${kind}`))

      const conflict = await send(make(`Third ${kind}`).body, { match: 'custom_fields.crm_id' })
      refused(conflict, 409)
      assert.deepEqual(Object.values(conflict.body.data), [first.body.data[key]])
    })
  }

  test('makes one record of many requests at the same moment', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        app.call('POST', '/automation/company', {
          query: update,
          body: { company_name: `Twin ${n}`, crm_id: 'twin' },
        }),
      ),
    )
    const statuses = replies.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [...Array.from({ length: 9 }, () => 200), 201])
    assert.equal(new Set(replies.map(({ body }) => body.data.company_id)).size, 1)
  })

  test('does not take another record for the one that is meant', async () => {
    const make = (crm_id: string) =>
      app.call('POST', '/automation/company', {
        query: update,
        body: { company_name: 'Same name', domain: 'same.test', custom_fields: { crm_id } },
      })
    const first = await make('one')
    assert.equal(first.status, 201, first.text)
    const second = await make('two')
    refused(second, 409)
    assert.equal(second.body.data.company_id, first.body.data.company_id)
  })

  test('names what is wrong', async () => {
    const send = (match: string, custom_fields: object = { crm_id: 'x' }) =>
      app.call('POST', '/automation/contact', {
        query: { match },
        body: { full_name: 'Ada', custom_fields },
      })
    for (const wrong of ['crm_id', 'custom_fields.color', 'custom_fields.', 'custom_fields.none'])
      refusedField(await send(wrong), ['match'], wrong)
    refusedField(await send('custom_fields.crm_id', {}), ['custom_fields.crm_id'])
    refusedField(await send('custom_fields.crm_id', { crm_id: '' }), ['custom_fields.crm_id'])
  })
})
