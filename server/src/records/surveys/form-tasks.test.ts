import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

// What publishing a form does with its open tasks is said before, chosen, and taken back in one act.

describe('the tasks of a form', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const call = async (method: string, path: string, body?: unknown, who = 'admin') =>
    service.call(method, `/api/${path}`, { token: org.users[who as 'admin'].token, body })
  const good = async (method: string, path: string, body?: unknown) => {
    const reply = await call(method, path, body)
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }
  const pages = (...labels: string[]) => [
    {
      id: 'p1',
      title: '',
      fields: labels.map((label) => ({ id: label.toLowerCase(), type: 'short-text', label })),
    },
  ]
  async function form(): Promise<string> {
    const body = { name: 'Kick-off', item_type: 'form', form_structure: pages('Who') }
    return (await good('POST', 'surveys/', body)).survey_id
  }
  const task = async (form_id: string, more: object = {}): Promise<string> =>
    (await good('POST', 'tasks/', { title: 'Fill it in', form_id, ...more })).item_id
  const labelsOf = async (id: string): Promise<string[]> =>
    (await good('GET', `tasks/${id}/`)).form_structure.pages[0].fields.map(
      ({ label }: { label: string }) => label,
    )

  test('are previewed, take the next questions where they are named, and have theirs back in one act', async () => {
    const id = await form()
    const [open, answered, other, done] = [
      await task(id),
      await task(id, { form_responses: { who: 'Ada' } }),
      await task(id),
      await task(id, { is_completed: true }),
    ] as const
    const preview = () => good('POST', `surveys/${id}/publish/preview/`)
    assert.deepEqual(await preview(), { tasks: [] })
    await good('PUT', `surveys/${id}/draft/`, { form_structure: pages('Who', 'When') })
    const { tasks } = await preview()
    const found = new Map<string, { [name: string]: unknown }>(
      tasks.map((each: { item_id: string }) => [each.item_id, each]),
    )
    assert.deepEqual([...found.keys()].toSorted(), [open, answered, other].toSorted())
    assert.deepEqual(
      [found.get(open)?.takes, found.get(open)?.why, found.get(open)?.version],
      [true, null, 1],
    )
    assert.deepEqual(
      [found.get(answered)?.takes, found.get(answered)?.why, found.get(answered)?.answer_count],
      [false, 'answered', 1],
    )

    await good('POST', `surveys/${id}/publish/`, { tasks: [open, answered] })
    assert.deepEqual(await labelsOf(open), ['Who', 'When'])
    assert.deepEqual(await labelsOf(answered), ['Who', 'When'])
    assert.deepEqual(await labelsOf(other), ['Who'])
    assert.deepEqual(await labelsOf(done), ['Who'])
    assert.deepEqual((await good('GET', `tasks/${answered}/`)).form_responses, { who: 'Ada' })

    const back = { tasks: [open, answered].map((item_id) => ({ item_id, version: 1 })) }
    assert.deepEqual(await good('PUT', `surveys/${id}/tasks/`, back), { changed: 2 })
    assert.deepEqual(await good('PUT', `surveys/${id}/tasks/`, back), { changed: 0 })
    assert.deepEqual(await labelsOf(open), ['Who'])
    assert.deepEqual(await labelsOf(answered), ['Who'])
  })

  test('are of this form, open and to be changed by the caller, and a version is one of the form', async () => {
    const id = await form()
    const own = await task(id)
    const foreign = await task(await form())
    const done = await task(id, { is_completed: true })
    const put = (tasks: object[]) => call('PUT', `surveys/${id}/tasks/`, { tasks })
    for (const item_id of [foreign, done, 'nowhere']) {
      const refused = await put([
        { item_id: own, version: 1 },
        { item_id, version: 1 },
      ])
      refusedField(refused, ['tasks.1'])
      refusedField(await call('POST', `surveys/${id}/publish/`, { tasks: [item_id] }), ['tasks.0'])
    }
    refusedField(await put([{ item_id: own, version: 9 }]), ['tasks.0.version'])
    refusedField(
      await put([
        { item_id: own, version: 1 },
        { item_id: own, version: 1 },
      ]),
      ['tasks'],
    )
    // a refusal publishes nothing
    assert.equal((await good('GET', `surveys/${id}/`)).status, 'draft')
    const elsewhere = await makeOrganization(service)
    const { token } = elsewhere.users.admin
    for (const [method, path] of [
      ['POST', 'publish/preview/'],
      ['PUT', 'tasks/'],
    ] as const) {
      const body = method === 'PUT' ? { tasks: [{ item_id: own, version: 1 }] } : {}
      const reply = await service.call(method, `/api/surveys/${id}/${path}`, { token, body })
      assert.equal(reply.status, 404)
    }
  })
})
