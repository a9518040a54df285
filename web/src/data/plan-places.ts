import { api } from '../api/client.ts'
import { request } from '../api/request.ts'
import { notifyRefusal, rememberOwnChange } from './change.ts'
import { notify } from './notices.ts'
import type { PlanTarget, ProjectPlan } from './project-plan.ts'
import { milestonesOf, refreshPlan, showInPlan } from './project-plan.ts'
import type { AnyRecord } from './record.ts'
import { pathOf } from './record.ts'

/** Where a milestone or task is in a plan: what it is below, and its neighbours there. */
export type PlanPlace = {
  kind: 'milestone' | 'task'
  milestone_id: string | null
  parent_id: string | null
  after: string | null
  before: string | null
}

/** Puts a row of a plan into another place: shown at once, put back if it is refused; the notice moves it back. */
export async function placeInPlan(
  target: PlanTarget,
  to: PlanPlace,
  from: PlanPlace,
  { show, message }: { show: (plan: ProjectPlan, to: PlanPlace) => ProjectPlan; message: string },
): Promise<void> {
  const { projectId } = target
  const putBack = await showInPlan(projectId, (plan) => show(plan, to))
  try {
    await sendPlace(target, to)
    notify({
      message,
      undo: () => placeInPlan(target, from, to, { show, message: 'Moved back' }),
    })
  } catch (error) {
    putBack()
    notifyRefusal(error)
  }
  await refreshPlan(projectId)
}

/** Without neighbours it is alone below what it belongs to. */
async function sendPlace({ place, id }: PlanTarget, to: PlanPlace): Promise<void> {
  const { kind, milestone_id, parent_id, after, before } = to
  const set = kind === 'task' ? { milestone_id, parent_id } : {}
  const isAlone = after === null && before === null
  const { data } = isAlone
    ? await request<AnyRecord | null>('PUT', pathOf(place, id), { body: set })
    : await request<AnyRecord | null>('POST', `${pathOf(place, id)}move/`, {
        body: { set, ...(after ? { after } : {}), ...(before ? { before } : {}) },
      })
  rememberOwnChange(place.module, id, data?.version)
}

/** Adds a milestone or task to a plan, in its place; returns its id. Throws the `Problem`. */
export async function addToPlan(
  projectId: string,
  title: string,
  to: PlanPlace,
  idempotencyKey: string,
): Promise<string> {
  const { kind, milestone_id, parent_id } = to
  const { headers } =
    kind === 'milestone'
      ? await api.post('/api/project/info/{id}/milestones/', {
          path: { id: projectId },
          body: { name: title },
          idempotencyKey,
        })
      : await api.post('/api/tasks/', {
          body: {
            title,
            project_id: projectId,
            ...(milestone_id ? { milestone_id } : {}),
            ...(parent_id ? { parent_id } : {}),
          },
          idempotencyKey,
        })
  const id = headers.get('x-record-id') ?? ''
  const { after, before } = to
  if (after !== null || before !== null) {
    const path = kind === 'milestone' ? milestonesOf(projectId).path : '/api/tasks/'
    await request('POST', `${path}${encodeURIComponent(id)}/move/`, {
      body: { ...(after ? { after } : {}), ...(before ? { before } : {}) },
    })
  }
  return id
}
