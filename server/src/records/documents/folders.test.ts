import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

type Role = keyof TestOrganization['users']

describe('The folders of documents', () => {
  let service: TestService
  let org: TestOrganization
  const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
    service.call(method, path, { token: org.users[role].token, body })
  const made = async (path: string, body: object) => {
    const reply = await call('POST', path, body)
    assert.equal(reply.status, 201, reply.text)
    return reply.headers.get('x-record-id')!
  }
  const paper = (body: object) => made('/api/documents/', { document_name: 'Paper', ...body })
  const folders = async (query = '', role: Role = 'admin') => {
    const reply = await call('GET', `/api/documents/folders/${query}`, undefined, role)
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  test('count the latest versions by account, folder and project, as lists find them', async () => {
    const [first, second] = [
      await made('/api/account/info/', { account_name: 'Clairval Santé' }),
      await made('/api/account/info/', { account_name: 'Olmeda Energía' }),
    ]
    const project = await made('/api/project/info/', {
      project_name: 'Go live',
      account_id: second,
    })
    const { user_id } = org.users.admin
    const versioned = await paper({
      account_id: first,
      menu_type: 'Contract',
      document_owner: user_id,
      document_status: 'published',
      editor_html_content: '<p>One</p>',
    })
    await call('PUT', `/api/documents/${versioned}/`, { editor_html_content: '<p>Two</p>' })
    await paper({ account_id: first, menu_type: 'contract' })
    await paper({ account_id: first, menu_type: ' ' })
    await paper({ project_id: project })
    await paper({ menu_type: 'Price lists' })
    const found = await folders()
    assert.deepEqual([found.total, found.mine, found.accounts_total], [5, 1, 2])
    // the one with the latest change first
    assert.deepEqual(
      found.accounts.map(({ account_name, count }: any) => [account_name, count]),
      [
        ['Olmeda Energía', 1],
        ['Clairval Santé', 3],
      ],
    )
    const [olmeda, clairval] = found.accounts
    assert.deepEqual(olmeda.projects, [{ project_id: project, project_name: 'Go live', count: 1 }])
    assert.equal(clairval.folders.length, 1)
    const [contract] = clairval.folders
    assert.equal(contract.count, 2)
    assert.deepEqual(found.inside, { count: 1, folders: [{ folder: 'Price lists', count: 1 }] })

    const filter = [
      { field: 'account_id', operator: 'eq', value: first },
      { field: 'menu_type', operator: 'eq', value: contract.folder },
    ]
    const list = await call('GET', `/api/documents/?filter=${JSON.stringify(filter)}`)
    assert.equal(list.body.length, 2, list.text)
    const searched = await folders('?q=clairval&limit=1')
    assert.deepEqual([searched.accounts.length, searched.accounts_total], [1, 1])
    assert.equal((await call('GET', '/api/documents/folders/?limit=0')).status, 400)
  })

  test('count what the caller sees alone', async () => {
    const before = await folders('', 'member')
    await paper({ is_private: true, menu_type: 'Board' })
    assert.deepEqual(await folders('', 'member'), before)
    const { folders: inside } = (await folders()).inside
    assert.ok(inside.some(({ folder }: { folder: string }) => folder === 'Board'))
  })

  test('have favourites of one’s own, for every version', async () => {
    const id = await paper({ document_status: 'published', editor_html_content: '<p>One</p>' })
    const star = (is_favourite: boolean, at = id) =>
      call('PUT', `/api/documents/${at}/favourite/`, { is_favourite })
    assert.equal((await star(true)).body.is_favourite, true)
    assert.equal((await star(true)).body.is_favourite, true)
    const { body } = await call('PUT', `/api/documents/${id}/`, {
      editor_html_content: '<p>Two</p>',
    })
    assert.notEqual(body.attach_id, id)
    assert.equal(body.is_favourite, true)
    const filter = JSON.stringify([{ field: 'is_favourite', operator: 'eq', value: true }])
    const found = async (role: Role) =>
      (await call('GET', `/api/documents/?filter=${filter}`, undefined, role)).body
    assert.deepEqual(
      (await found('admin')).map(({ attach_id }: { attach_id: string }) => attach_id),
      [body.attach_id],
    )
    assert.deepEqual(await found('member'), [])
    assert.equal((await folders()).favourites, 1)
    assert.equal((await folders('', 'member')).favourites, 0)
    assert.equal((await star(false, body.attach_id)).body.is_favourite, false)
    assert.equal((await folders()).favourites, 0)
    const hidden = await paper({ is_private: true })
    const reply = await call(
      'PUT',
      `/api/documents/${hidden}/favourite/`,
      { is_favourite: true },
      'member',
    )
    assert.equal(reply.status, 404)
  })
})
