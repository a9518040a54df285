import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planStory } from '../../../test/support/plan-story.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

test('milestones are listed by when they are due, of an owner or of projects', async () => {
  const service = await startService()
  const org = await makeOrganization(service)
  const { ask, make } = planStory(service, org)
  const { user_id } = org.users.admin
  const of = async (project_name: string) => {
    const project = await make('/api/project/info/', { project_name })
    const add = (name: string, due_date: string, owner: string | null) =>
      make(`/api/project/info/${project}/milestones/`, { name, due_date, owner })
    await add(`${project_name} in time`, '2031-05-14', user_id)
    await add(`${project_name} of nobody`, '2031-05-14', null)
    await add(`${project_name} later`, '2031-06-14', user_id)
    return project
  }
  const [one] = [await of('Clairval'), await of('Yamabuki')]
  const due = async (whose: object) => {
    const within = { field: 'due_date', operator: 'between', value: ['2031-05-12', '2031-05-18'] }
    const query = new URLSearchParams({
      page: '1',
      items_per_page: '200',
      sort: 'due_date',
      filter: JSON.stringify([within, whose]),
      fields: 'milestone_id,name,due_date,project_id,completed_at',
    })
    const rows: { name: string }[] = await ask('GET', `/api/milestones/?${query}`)
    return rows.map(({ name }) => name).toSorted()
  }
  assert.deepEqual(await due({ field: 'owner', operator: 'eq', value: user_id }), [
    'Clairval in time',
    'Yamabuki in time',
  ])
  assert.deepEqual(await due({ field: 'project_id', operator: 'in', value: [one] }), [
    'Clairval in time',
    'Clairval of nobody',
  ])
})
