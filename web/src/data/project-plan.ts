import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { refreshModule } from './cached.ts'
import { perform } from './history.ts'
import { keys } from './keys.ts'
import type { Place } from './modules.ts'
import { queryClient } from './query-client.ts'
import { t } from '../locales/text.ts'

/** The milestones and tasks of a project, in their order. */
export type ProjectPlan = components['schemas']['ProjectPlan']
export type PlanTask = ProjectPlan['tasks'][number]
export type PlanMilestone = ProjectPlan['milestones'][number]

/** A project's plan; cached below the key of tasks, so that it is refetched when a task changes anywhere. */
export function projectPlanQuery(id: string) {
  return queryOptions({
    queryKey: keys.list('tasks', { plan: id }),
    queryFn: ({ queryKey }) => readPlan(id, queryClient.getQueryData(queryKey)),
  })
}

type Read = { plan: ProjectPlan; tag?: string | null }

/** A plan; as it is known where the service says that it has not changed. */
async function readPlan(id: string, known: Read | undefined): Promise<Read> {
  const { data, headers, status } = await api.get('/api/project/info/{id}/plan/', {
    path: { id },
    ...(known?.tag ? { headers: { 'if-none-match': known.tag } } : {}),
  })
  return known && status === 304 ? known : { plan: data, tag: headers.get('etag') }
}

/** The dates that the rows of a plan have in one of its baselines, by their id. */
export function baselineQuery(id: string, baseline: string) {
  return queryOptions({
    queryKey: keys.list('tasks', { plan: id, baseline }),
    queryFn: async () => {
      const { data } = await api.get('/api/project/info/{id}/plan/', {
        path: { id },
        query: { baseline },
      })
      return new Map([
        ...data.tasks.map((row) => [row.item_id, row.baseline] as const),
        ...data.milestones.map((row) => [row.milestone_id, row.baseline] as const),
      ])
    },
  })
}

/** Keeps the dates of a plan as they are; the notice removes the baseline again. Throws the `Problem`. */
export function setBaseline(projectId: string, name: string, onSet: (id: string) => void) {
  return perform(projectId, async () => {
    const { data } = await api.post('/api/project/info/{id}/plan/baseline/', {
      path: { id: projectId },
      body: { name },
      idempotencyKey: crypto.randomUUID(),
    })
    await refreshPlan(projectId)
    onSet(data.baseline_id)
    return { message: t('Baseline set'), undo: () => removeBaseline(projectId, data.baseline_id) }
  })
}

/** Removes a baseline for good. */
export async function removeBaseline(id: string, baseline_id: string): Promise<void> {
  // at once, so that nothing is compared to it any more
  const putBack = await showInPlan(id, (plan) => ({
    ...plan,
    baselines: plan.baselines.filter((each) => each.baseline_id !== baseline_id),
  }))
  try {
    await api.delete('/api/project/info/{id}/plan/baseline/{baseline_id}/', {
      path: { id, baseline_id },
    })
  } catch (error) {
    putBack()
    throw error
  }
  await refreshPlan(id)
}

/** Where the milestones of a project are changed, as those of any module are. */
export function milestonesOf(projectId: string): Place {
  return {
    module: 'milestones',
    path: `/api/project/info/${encodeURIComponent(projectId)}/milestones/`,
    key: 'milestone_id',
    title_field: 'name',
    word: { one: t('milestone'), many: t('milestones') },
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
  // what is shown of many projects at once
  void queryClient.invalidateQueries({ queryKey: keys.lists('projects') })
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
