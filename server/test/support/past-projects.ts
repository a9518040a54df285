import assert from 'node:assert/strict'
import type { planStory } from './plan-story.ts'
import type { TestOrganization, TestService } from './service.ts'
import { sql } from './service.ts'

type Story = ReturnType<typeof planStory>
type Task = { item_id: string; title: string }

type Past = {
  template: string
  name: string
  /** the last day of each task by its title; those that are not named are deleted */
  done: { [title: string]: string }
  /** tasks that the template lacks, with their first and last day */
  added?: { [title: string]: [start: string, due: string] }
}

/** Makes a project of a template on Monday, March 4, 2030 and finishes it as it really went; returns its id. */
export async function finishProject(
  { service, org }: { service: TestService; org: TestOrganization },
  { ask, make }: Pick<Story, 'ask' | 'make'>,
  { template, name, done, added = {} }: Past,
): Promise<string> {
  const { project_id } = await ask('POST', `/api/templates/template/${template}/use/`, {
    project_name: name,
    start_date: '2030-03-04',
  })
  const plan = await ask('GET', `/api/project/info/${project_id}/plan/`)
  const days = new Map<string, string>()
  for (const { item_id, title } of plan.tasks as Task[]) {
    const day = done[title]
    if (day) days.set(item_id, day)
    else await ask('DELETE', `/api/tasks/${item_id}/`)
  }
  const milestone_id = plan.milestones.at(-1).milestone_id
  for (const [title, [start_date, due_date]] of Object.entries(added)) {
    days.set(await make('/api/tasks/', { title, milestone_id, start_date, due_date }), due_date)
  }
  for (const [id, day] of days) {
    await ask('PUT', `/api/tasks/${id}/`, { is_completed: true })
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update tasks set completed_at = ${`${day}T12:00:00Z`}
        where organization_id = ${org.id} and id = ${id}`),
    )
  }
  const { status } = await ask('PUT', `/api/project/info/${project_id}/`, { status: 'completed' })
  assert.ok(status === undefined || status.category === 'completed')
  return project_id
}
