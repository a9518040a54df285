import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { undoBulk } from './bulk.ts'
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

/** What follows a move: as far as a dependency would break, by as many working days, or nothing. */
export type Follow = 'use_gaps' | 'keep_gaps' | 'none'
export type PlanMove = {
  taskId: string
  start_date: string | null
  due_date: string | null
  follow: Follow
}
export type PlanChanges = AnswerOf<'/api/project/info/{id}/plan/changes/', 'post'>

/** How many tasks move; their milestones, whose dates follow, are not counted. */
export function tasksIn(moved: PlanChanges['moved']): number {
  return moved.filter(({ kind }) => kind === 'task').length
}

function sendMove(
  projectId: string,
  move: PlanMove,
  more: { dry_run: boolean; plan_version?: string },
) {
  const { taskId, start_date, due_date, follow } = move
  return api.post('/api/project/info/{id}/plan/changes/', {
    path: { id: projectId },
    body: { follow, ops: [{ op: 'set', id: taskId, set: { start_date, due_date } }], ...more },
    ...(more.dry_run ? {} : { idempotencyKey: crypto.randomUUID() }),
  })
}

/** What moving a task would move besides it: read again when anything in the plan changes. */
export function planMoveQuery(projectId: string, move: PlanMove) {
  return queryOptions({
    queryKey: keys.list('tasks', { plan: projectId, move }),
    queryFn: async () => (await sendMove(projectId, move, { dry_run: true })).data,
    retry: false,
  })
}

/** Moves a task with what follows, as it was previewed; the notice undoes all of it. Throws the `Problem`. */
export async function movePlanTask(
  projectId: string,
  move: PlanMove,
  plan_version: string,
): Promise<void> {
  const { data } = await sendMove(projectId, move, { dry_run: false, plan_version })
  const { bulk_id, moved } = data
  const tasks = tasksIn(moved)
  await refreshPlan(projectId)
  notify({
    message: tasks > 1 ? `Moved ${tasks} tasks` : 'Moved',
    ...(bulk_id ? { undo: () => undoBulk(rows, bulk_id, () => refreshPlan(projectId)) } : {}),
  })
}

const rows = { word: { one: 'row', many: 'rows' } }

async function refreshPlan(projectId: string): Promise<void> {
  await refreshModule('tasks')
  void queryClient.invalidateQueries({ queryKey: keys.record('projects', projectId) })
}
