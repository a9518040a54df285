import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { asSent, changeRecord, deleteRecord, notifyRefusal } from './change.ts'
import type { Values } from './change.ts'
import { refreshModule } from './cached.ts'
import { keys } from './keys.ts'
import type { Place } from './modules.ts'
import { notify } from './notices.ts'
import { queryClient } from './query-client.ts'
import type { AnyRecord } from './record.ts'
import { valueOf } from './record.ts'

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

/** Where the milestones of a project are changed, as those of any module are. */
export function milestonesOf(projectId: string): Place {
  return {
    module: 'milestones',
    path: `/api/project/info/${encodeURIComponent(projectId)}/milestones/`,
    key: 'milestone_id',
    title_field: 'name',
    word: { one: 'milestone', many: 'milestones' },
  }
}

/** The statuses that milestones can get. */
export const milestoneStatusesQuery = queryOptions({
  queryKey: keys.setting('statuses', { module: 'milestones' }),
  queryFn: async () => {
    const query = { module: 'milestones' as const }
    const { data } = await api.get('/api/organization/settings/statuses/', { query })
    return data.flatMap(({ statuses }) => statuses).filter(({ is_archived }) => !is_archived)
  },
  staleTime: 300_000,
})
export type MilestoneStatus = components['schemas']['StatusSettings']['statuses'][number]

/** Reads a plan again, with what follows from it. */
export async function refreshPlan(projectId: string): Promise<void> {
  await refreshModule('tasks')
  void queryClient.invalidateQueries({ queryKey: keys.record('projects', projectId) })
}

/** Shows a change of a plan before it is stored; returns what puts it back. */
export async function showInPlan(
  projectId: string,
  change: (plan: ProjectPlan) => ProjectPlan,
): Promise<() => void> {
  const { queryKey } = projectPlanQuery(projectId)
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueryData(queryKey)
  if (before) queryClient.setQueryData(queryKey, { plan: change(before.plan) })
  return () => void queryClient.setQueryData(queryKey, before)
}

/** A task or milestone of a plan that is changed: where it is stored, and as it was shown. */
export type PlanTarget = { projectId: string; place: Place; id: string; row: AnyRecord }

type PlanChange = {
  values: Values
  /** the values in the plan's form, where it differs */
  shown?: Values
  message: string
  /** overwrite what others changed meanwhile */
  regardless?: boolean
}

/**
 * Changes a task or milestone of a plan: shown at once, reverted if it is refused; the notice can undo it. Throws the
 * `Problem`.
 */
export async function changeInPlan(target: PlanTarget, change: PlanChange): Promise<void> {
  const { projectId, place, id, row } = target
  const { values, message, regardless = false } = change
  const shown = { ...values, ...change.shown }
  const apply = <Row extends object>(each: Row): Row =>
    (each as AnyRecord)[place.key] === id ? { ...each, ...shown } : each
  const putBack = await showInPlan(projectId, (plan) => ({
    ...plan,
    tasks: plan.tasks.map(apply),
    milestones: plan.milestones.map(apply),
  }))
  try {
    await changeRecord(place, id, values, { shown, version: row.version, regardless })
  } catch (error) {
    putBack()
    void refreshPlan(projectId)
    throw error
  }
  void queryClient.invalidateQueries({ queryKey: keys.record('projects', projectId) })
  const was = Object.fromEntries(Object.keys(shown).map((name) => [name, valueOf(row, name)]))
  const undone = Object.fromEntries(
    Object.keys(values).map((name) => [name, asSent(valueOf(row, name))]),
  )
  notify({
    message,
    undo: () =>
      changeInPlan(
        { ...target, row: { ...shown } },
        { values: undone, shown: was, message: 'Undone', regardless: true },
      ).catch(notifyRefusal),
  })
}

/** Deletes a task or milestone of a plan with all that is `below` it; the notice restores them. */
export async function deleteFromPlan(
  { projectId, place, id }: PlanTarget,
  title: string,
  below: ReadonlySet<string>,
): Promise<void> {
  const putBack = await showInPlan(projectId, (plan) => ({
    ...plan,
    tasks: plan.tasks.filter(({ item_id }) => item_id !== id && !below.has(item_id)),
    milestones: plan.milestones.filter(({ milestone_id }) => milestone_id !== id),
  }))
  try {
    await deleteRecord(place, id, title)
  } catch (error) {
    putBack()
    notifyRefusal(error)
  }
  void queryClient.invalidateQueries({ queryKey: keys.record('projects', projectId) })
}
