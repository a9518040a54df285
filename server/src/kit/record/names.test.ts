import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('two members of a body that mean the same', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { token: org.users.admin.token, body })
  const represented = { prefer: 'return=representation' }
  const made = async (path: string, body: unknown) => {
    const { token } = org.users.admin
    const reply = await service.call('POST', path, { token, body, headers: represented })
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }

  test('are 400 where they say different things: one of them would be lost', async () => {
    const [one, other] = [
      await made('/api/company/', { company_name: 'One' }),
      await made('/api/company/', { company_name: 'Other' }),
    ]
    const bodies: [path: string, body: object, field: string][] = [
      ['/api/contact/', { full_name: 'A', email: 'a@x.test', primary_email: 'b@x.test' }, 'email'],
      [
        '/api/contact/',
        { full_name: 'A', company: one, company_id: other.company_id },
        'company_id',
      ],
      [
        '/api/documents/',
        { document_name: 'A', document: { document_name: 'B' } },
        'document_name',
      ],
      ['/api/project/info/', { project_name: 'A', project: { project_name: 'B' } }, 'project_name'],
    ]
    for (const [path, body, field] of bodies) {
      refusedField(await call('POST', path, body), [field], JSON.stringify(body))
    }
    const list = await call('GET', '/api/contact/?page=1&items_per_page=25')
    assert.deepEqual(list.body, [])
  })

  test('are not a name and the record’s own word for it, which goes first', async () => {
    const bodies: [path: string, body: object, own: string][] = [
      ['/api/account/info/', { account_name: 'A', name: 'B' }, 'account_name'],
      ['/api/tags/info/', { tag_name: 'A', name: 'B', tag_type: 'tasks' }, 'tag_name'],
      ['/api/tasks/', { title: 'A', name: 'B' }, 'title'],
    ]
    for (const [path, body, own] of bodies) assert.equal((await made(path, body))[own], 'A', path)
  })

  test('are taken where they say the same', async () => {
    const { company_id } = await made('/api/company/', { company_name: 'Same' })
    const account = await made('/api/account/info/', { account_name: 'Twice', name: ' Twice ' })
    assert.equal(account.account_name, 'Twice')
    const contact = await made('/api/contact/', {
      full_name: 'Ann',
      company: { company_id, company_name: 'Same' },
      company_id,
    })
    assert.equal(contact.company.company_id, company_id)
  })

  test('of a bulk change are 400 in the fields', async () => {
    const { item_id } = await made('/api/tasks/', { title: 'A' })
    const body = { ids: [item_id], action: 'update', fields: { title: 'B', name: 'C' } }
    assert.equal((await call('POST', '/api/tasks/bulk/', body)).status, 200)
    const contact = await made('/api/contact/', { full_name: 'Bo' })
    const fields = { email: 'a@x.test', primary_email: 'b@x.test' }
    const odd = { ids: [contact.contact_id], action: 'update', fields }
    refusedField(await call('POST', '/api/contact/bulk/', odd), ['fields.email'])
  })

  test('are 400 for a project whose account or template is named twice', async () => {
    const { account_id } = await made('/api/account/info/', { account_name: 'Globex' })
    const project = { project_name: 'P', account_id }
    const account = { account_name: 'Initech' }
    refusedField(await call('POST', '/api/project/info/', { project, account }), ['account'])
    const { body: found } = await call(
      'GET',
      '/api/account/info/?page=1&items_per_page=25&q=Initech',
    )
    assert.deepEqual(found, [])
    const same = { project, account: { account_name: 'Globex' } }
    assert.equal((await call('POST', '/api/project/info/', same)).status, 201)
    const template = async () =>
      (await made('/api/templates/template/', { template_name: 'T' })).template_id
    const [template_id, org_temp_id] = [await template(), await template()]
    const body = { project_name: 'P', template_id, org_temp_id }
    refusedField(await call('POST', '/api/project/info/', body), ['template_id'])
  })

  test('of the object around them are in what is wrong with a project', async () => {
    const create = (project: object, more: object = {}) =>
      call('POST', '/api/project/info/', { project: { project_name: 'P', ...project }, ...more })
    const days = { start_date: '2026-05-02', due_date: '2026-05-01' }
    for (const [wrong, field] of [
      [{ pipeline_id: 'none' }, 'project.pipeline_id'],
      [{ status: 'none' }, 'project.status'],
      [{ project_owner: { user_id: 'none' } }, 'project.project_owner'],
      [{ project_team: ['none'] }, 'project.project_team.0'],
      [days, 'project.due_date'],
    ] as const) {
      const reply = await create(wrong)
      refusedField(reply, [field])
      assert.ok(reply.body.message.startsWith(`${field}: `), reply.text)
    }
    const outside = await call('POST', '/api/project/info/', {
      project: { project_name: 'P' },
      ...days,
    })
    assert.deepEqual(
      outside.body.errors.map(({ field }: { field: string }) => field),
      ['due_date'],
    )
  })

  test('are 400 for a module whose number and word disagree, in bodies and queries', async () => {
    const { company_id } = await made('/api/company/', { company_name: 'Module' })
    const subject = { module_id: 4, module_name: 'projects', reference_id: company_id }
    const bodies: [path: string, body: object][] = [
      ['/api/interactions/info/', { content: 'x', ...subject }],
      ['/api/documents/', { document_name: 'x', ...subject }],
      ['/api/activity/log/', { title: 'x', ...subject }],
    ]
    for (const [path, body] of bodies) {
      refusedField(await call('POST', path, body), ['module_name'], path)
      const agreeing = { ...body, module_name: 'Company' }
      assert.equal((await call('POST', path, agreeing)).status, 201, path)
    }
    const query = `module_id=4&module_name=projects&reference_id=${company_id}`
    for (const path of ['/api/interactions/info/', '/api/documents/']) {
      refusedField(await call('GET', `${path}?${query}&items_per_page=1`), ['module_name'], path)
    }
  })
})
