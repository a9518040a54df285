import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { addMember } from '../../../test/support/world.ts'

// The forms that the tasks of a project have, and what became of each.

type Row = { [name: string]: any }

describe('the forms of a project', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: unknown, token = org.users.admin.token) =>
    service.call(method, path, { token, body })

  async function ok(method: string, path: string, body?: unknown, token?: string): Promise<Row> {
    const reply = await call(method, path, body, token)
    assert.ok(reply.status < 300, reply.text)
    return { ...reply.body, id: reply.headers.get('x-record-id') }
  }

  const pages = [
    {
      id: 'p1',
      title: '',
      fields: [
        { id: 'goal', type: 'short-text', label: 'Goal?', required: true },
        { id: 'note', type: 'short-text', label: 'Note?' },
      ],
    },
  ]

  const formsOf = async (project: string, token?: string): Promise<Row[]> =>
    (await ok('GET', `/api/project/info/${project}/forms/`, undefined, token)).forms

  test('are its tasks with questions, by their day, with who is due and who has answered', async () => {
    const { id } = await ok('POST', '/api/project/info/', { project_name: 'Go-live' })
    const other = await ok('POST', '/api/project/info/', { project_name: 'Another' })
    assert.deepEqual(await formsOf(String(id)), [])
    const form = await ok('POST', '/api/surveys/', {
      name: 'Kick-off',
      item_type: 'form',
      form_structure: pages,
    })
    const task = async (title: string, more: object = {}, project_id = id) =>
      (await ok('POST', '/api/tasks/', { title, project_id, ...more })).item_id as string
    const form_id = form.survey_id as string
    const { user_id } = org.users.admin
    const late = await task('Late', { form_id, due_date: '2027-03-02' })
    const soon = await task('Soon', { form_id, due_date: '2027-03-01', owner: user_id })
    const own = await task('Own', { form_structure: { pages } })
    await task('Plain')
    await task('Empty', { form_structure: { pages: [] } })
    await task('Elsewhere', { form_id }, other.id)
    await ok('PUT', `/api/tasks/${soon}/`, { form_responses: { goal: 'Live', note: 'x' } })
    await ok('PUT', `/api/tasks/${soon}/`, { form_responses: { note: null } })
    await ok('PUT', `/api/tasks/${late}/`, {
      form_responses: { goal: 'Later' },
      is_completed: true,
    })
    const [first, second, third, ...none] = await formsOf(String(id))
    assert.deepEqual(none, [])
    const { answered_at, owner_name, answered_by, ...rest } = first ?? {}
    assert.deepEqual(rest, {
      item_id: soon,
      title: 'Soon',
      form_id,
      form_name: 'Kick-off',
      state: 'draft',
      answer_count: 1,
      due_date: '2027-03-01',
    })
    assert.ok(answered_at && owner_name)
    assert.equal(answered_by, owner_name)
    assert.deepEqual([second?.item_id, second?.state, second?.answer_count], [late, 'answered', 1])
    assert.deepEqual(
      [third?.item_id, third?.state, third?.form_id, third?.answered_by, third?.owner_name],
      [own, 'open', null, null, null],
    )
    await ok('DELETE', `/api/tasks/${late}/`)
    assert.deepEqual(
      (await formsOf(String(id))).map(({ title }) => title),
      ['Soon', 'Own'],
    )
  })

  test('say who has answered only to those who read the log, and to customers what it shows them', async () => {
    const { customer } = org.users
    const account = await ok('POST', '/api/account/info/', { account_name: 'Quiet one' })
    const place = { project_name: 'Quiet', account_id: account.id, is_shared: true }
    const { id } = await ok('POST', '/api/project/info/', place)
    await ok('PUT', `/api/users/profile/${customer.user_id}/`, { account_id: account.id })
    const made = (title: string) =>
      ok('POST', '/api/tasks/', {
        title,
        project_id: id,
        is_shared: true,
        form_structure: { pages },
      })
    const answered = await made('Answered')
    await ok('PUT', `/api/tasks/${answered.item_id}/`, { form_responses: { goal: 'Live' } })
    const taken = await made('Taken back')
    await ok('PUT', `/api/tasks/${taken.item_id}/`, { form_responses: { goal: 'Live' } })
    await ok('PUT', `/api/tasks/${taken.item_id}/`, { form_responses: { goal: null } })
    const whoOf = async (token?: string) =>
      (await formsOf(String(id), token)).map(
        ({ title, answer_count, answered_by, answered_at }) => [
          title,
          answer_count,
          answered_by !== null,
          answered_at !== null,
        ],
      )
    assert.deepEqual(await whoOf(), [
      ['Answered', 1, true, true],
      ['Taken back', 0, false, false],
    ])
    const rights = { projects: { read: 'all' }, tasks: { read: 'all' } } as const
    const without = await addMember(service, org, { ...rights, activity: { read: 'none' } })
    const ownAlone = await addMember(service, org, { ...rights, activity: { read: 'own' } })
    for (const { token } of [without, ownAlone]) {
      assert.deepEqual(await whoOf(token), [
        ['Answered', 1, false, false],
        ['Taken back', 0, false, false],
      ])
    }
    await ok('PUT', `/api/tasks/${answered.item_id}/`, { form_responses: { note: 'x' } })
    const reader = await addMember(service, org, { ...rights, activity: { read: 'all' } })
    assert.deepEqual((await whoOf(reader.token))[0], ['Answered', 2, true, true])
    // as much as the log shows them
    const path = `/api/activity/log/tasks/${answered.item_id}/`
    const [entry] = (await call('GET', path, undefined, customer.token)).body
    const [theirs] = await formsOf(String(id), customer.token)
    assert.deepEqual(
      [theirs?.answered_by, theirs?.answered_at],
      [entry.created_by.full_name, entry.creation_time],
    )
  })

  test('are those that the caller may read, and the project is, too', async () => {
    const { id } = await ok('POST', '/api/project/info/', { project_name: 'Rights' })
    const task = await ok('POST', '/api/tasks/', {
      title: 'Mine alone',
      project_id: id,
      is_private: true,
      form_structure: { pages },
    })
    const reader = await addMember(service, org, {
      projects: { read: 'all' },
      tasks: { read: 'all' },
    })
    const path = `/api/project/info/${id}/forms/`
    assert.deepEqual((await call('GET', path)).body.forms.length, 1, task.item_id)
    assert.deepEqual(await formsOf(String(id), reader.token), [])
    const without = await addMember(service, org, { projects: { read: 'all' } })
    assert.equal((await call('GET', path, undefined, without.token)).status, 403)
    const tasksAlone = await addMember(service, org, { tasks: { read: 'all' } })
    assert.equal((await call('GET', path, undefined, tasksAlone.token)).status, 404)
    const stranger = await makeOrganization(service)
    assert.equal((await call('GET', path, undefined, stranger.users.admin.token)).status, 404)
  })
})
