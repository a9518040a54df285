import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { planStory } from '../../../test/support/plan-story.ts'
import type { TestOrganization } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

type Story = ReturnType<typeof planStory>
type Row = { [field: string]: any }

describe('a milestone', () => {
  let service: Awaited<ReturnType<typeof startService>>
  let org: TestOrganization
  let story: Story

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    story = planStory(service, org)
  })

  async function made(more: object = {}) {
    const { make } = story
    const project = await make('/api/project/info/', { project_name: 'Clairval' })
    const path = `/api/project/info/${project}/milestones/`
    const milestone_id = await make(path, { name: 'Data', due_date: '2020-01-02', ...more })
    const [first, second] = await Promise.all(
      ['Export', 'Import'].map((title) => make('/api/tasks/', { title, milestone_id })),
    )
    return { project, path, milestone_id, first, second }
  }
  const set = (id: string | undefined, is_completed: boolean, as?: string) =>
    story.ask('PUT', `/api/tasks/${id}/`, { is_completed }, as)
  const statusOf = async ({ path, milestone_id }: { path: string; milestone_id: string }) => {
    const { status, completed_at } = await story.ask('GET', `${path}${milestone_id}/`)
    return [status.category, completed_at !== null]
  }

  test('is completed with the last of its tasks, and in progress with the first that is opened', async () => {
    const plan = await made()
    await set(plan.first, true)
    assert.deepEqual(await statusOf(plan), ['not_started', false])
    await set(plan.second, true)
    assert.deepEqual(await statusOf(plan), ['completed', true])
    const log = await story.ask('GET', `/api/activity/log/milestones/${plan.milestone_id}/`)
    const types = log.map(({ type }: Row) => type).toReversed()
    assert.deepEqual(types, ['milestone_created', 'milestone_updated', 'milestone_completed'])
    await set(plan.first, false)
    assert.deepEqual(await statusOf(plan), ['in_progress', false])
  })

  test('follows whoever completes them, who may not change it, and both of two at once', async () => {
    const plan = await made()
    const { user_id, token } = org.users.member
    await story.allow('member', {
      projects: { read: 'all', update: 'none' },
      tasks: { read: 'all', update: 'own' },
    })
    for (const id of [plan.first, plan.second]) {
      await story.ask('PUT', `/api/tasks/${id}/`, { owner: user_id })
    }
    await Promise.all([set(plan.first, true, token), set(plan.second, true)])
    assert.deepEqual(await statusOf(plan), ['completed', true])
  })

  test('stays as it is where the organization wants that, and is late only where something is open', async () => {
    const own = await makeOrganization(service)
    const { ask, make } = planStory(service, own)
    const settings = '/api/organization/settings/'
    assert.equal((await ask('GET', settings)).complete_milestones, true)
    await ask('PUT', settings, { complete_milestones: false })
    const project = await make('/api/project/info/', { project_name: 'Clairval' })
    const path = `/api/project/info/${project}/milestones/`
    const ids = []
    for (const name of ['Done', 'Open', 'Empty']) {
      const milestone_id = await make(path, { name, due_date: '2020-01-02' })
      ids.push(milestone_id)
      if (name === 'Empty') continue
      const id = await make('/api/tasks/', { title: name, milestone_id })
      if (name === 'Done') await ask('PUT', `/api/tasks/${id}/`, { is_completed: true })
    }
    const done = await ask('GET', `${path}${ids[0]}/`)
    assert.equal(done.completed_at, null)
    const late = await ask('GET', '/api/milestones/?due_filter=overdue&sort=name')
    assert.deepEqual(
      late.map(({ name }: Row) => name),
      ['Empty', 'Open'],
    )
    const { milestone_status } = await ask('GET', `/api/project/info/${project}/`)
    assert.equal(milestone_status.overdue, 2)
  })
})
