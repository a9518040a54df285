import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { refreshModule } from './cached.ts'
import type { Values } from './change.ts'
import { changeRecord, createRecord, notifyRefusal } from './change.ts'
import { keys } from './keys.ts'
import type { Place } from './modules.ts'
import { notify } from './notices.ts'
import { queryClient } from './query-client.ts'

/** The milestones and tasks of a project, in their order. */
export type ProjectPlan = components['schemas']['ProjectPlan']
export type PlanTask = ProjectPlan['tasks'][number]
export type PlanMilestone = ProjectPlan['milestones'][number]

/** A project's plan; cached below the key of tasks, so that it is refetched when a task changes anywhere. */
export function projectPlanQuery(id: string) {
  return queryOptions({
    queryKey: keys.list('tasks', { plan: id }),
    queryFn: async () => ({
      plan: (await api.get('/api/project/info/{id}/plan/', { path: { id } })).data,
    }),
  })
}

type PlanChange = {
  values: Values
  /** the values in the plan's form */
  shown: Partial<PlanTask>
  message: string
  /** the undo */
  undo?: Omit<PlanChange, 'undo' | 'message'>
}

/** Changes a task of a plan: shown at once, reverted if it is refused; the notice can undo it. */
export async function changePlanTask(
  tasks: Place,
  projectId: string,
  taskId: string,
  { values, shown, message, undo }: PlanChange,
): Promise<void> {
  const { queryKey } = projectPlanQuery(projectId)
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueryData(queryKey)
  if (before) {
    const changed = before.plan.tasks.map((each) =>
      each.item_id === taskId ? { ...each, ...shown } : each,
    )
    queryClient.setQueryData(queryKey, { plan: { ...before.plan, tasks: changed } })
  }
  try {
    await changeRecord(tasks, taskId, values, { regardless: true })
    notify({
      message,
      ...(undo
        ? { undo: () => changePlanTask(tasks, projectId, taskId, { ...undo, message: 'Undone' }) }
        : {}),
    })
  } catch (error) {
    queryClient.setQueryData(queryKey, before)
    notifyRefusal(error)
  }
  void queryClient.invalidateQueries({ queryKey: keys.record('projects', projectId) })
}

/** Adds a task to a project's plan, at the end of its milestone. */
export async function addPlanTask(
  tasks: Place,
  projectId: string,
  title: string,
  milestoneId: string | null,
): Promise<void> {
  await createRecord(
    tasks,
    { title, project_id: projectId, ...(milestoneId ? { milestone_id: milestoneId } : {}) },
    crypto.randomUUID(),
  )
  void queryClient.invalidateQueries({ queryKey: keys.record('projects', projectId) })
}

/** Adds a milestone to a project's plan. */
export async function addMilestone(projectId: string, name: string): Promise<void> {
  await api.post('/api/project/info/{id}/milestones/', {
    path: { id: projectId },
    body: { name },
    idempotencyKey: crypto.randomUUID(),
  })
  await refreshModule('tasks')
}
