import { api } from '../api/client.ts'
import type { Values } from './change.ts'
import { rememberOwnChange } from './change.ts'
import { perform } from './history.ts'
import { whenOnline } from './plan-waiting.ts'
import type { PlanTarget } from './plan-rows.ts'
import type { ProjectPlan } from './project-plan.ts'
import { refreshPlan, showInPlan } from './project-plan.ts'

/** Where a milestone or task is in a plan: what it is below, and its neighbours there. */
export type PlanPlace = {
  kind: 'milestone' | 'task'
  milestone_id: string | null
  parent_id: string | null
  after: string | null
  before: string | null
}

/** A row that gets another place, and the one that it has. */
export type PlanStep = { target: PlanTarget; to: PlanPlace; from: PlanPlace }

/**
 * Puts rows of a plan into other places, one after the other, in one write: shown at once, put back if it is refused.
 * Throws the `Problem`.
 */
export function placeInPlan(
  projectId: string,
  steps: PlanStep[],
  show: (plan: ProjectPlan, id: string, to: PlanPlace) => ProjectPlan,
  message: string,
): Promise<void> {
  const put = async (places: { target: PlanTarget; to: PlanPlace }[]) => {
    const putBack = await showInPlan(projectId, (plan) =>
      places.reduce((now, { target, to }) => show(now, target.id, to), plan),
    )
    try {
      await sendPlaces(projectId, places)
    } catch (error) {
      putBack()
      throw error
    } finally {
      void refreshPlan(projectId)
    }
  }
  return perform(projectId, async () => {
    await put(steps)
    const back = steps.toReversed().map(({ target, from }) => ({ target, to: from }))
    return { message, undo: () => put(back) }
  })
}

/** Without neighbours a task is alone below what it belongs to. */
async function sendPlaces(projectId: string, places: { target: PlanTarget; to: PlanPlace }[]) {
  const rows = places.map(
    ({ target: { id }, to: { kind, milestone_id, parent_id, ...beside } }) => ({
      kind,
      id,
      ...beside,
      ...(kind === 'task' ? { milestone_id, parent_id } : {}),
    }),
  )
  const { data } = await whenOnline(() =>
    api.post('/api/project/info/{id}/plan/moves/', { path: { id: projectId }, body: { rows } }),
  )
  for (const [at, { target }] of places.entries()) {
    rememberOwnChange(target.place.module, target.id, data.rows[at]?.version)
  }
}

/** A line that is added to a plan; `below` is the place, in the list, of the one before it that it is a part of. */
export type AddedLine = {
  kind: PlanPlace['kind']
  title: string
  more: Values
  below: number | undefined
}

/**
 * Adds milestones and tasks to a plan in one write: those below no other one at a place, one after the other; `more` are
 * further fields. Returns their ids; throws the `Problem`.
 */
export async function addToPlan(
  projectId: string,
  lines: AddedLine[],
  { kind, milestone_id, parent_id, after, before }: PlanPlace,
  idempotencyKey: string,
): Promise<string[]> {
  const body = {
    lines: lines.map((line) => ({
      ...line.more,
      kind: line.kind,
      title: line.title,
      ...(line.below === undefined ? {} : { below: line.below }),
    })),
    ...(kind === 'task' && milestone_id ? { milestone_id } : {}),
    ...(kind === 'task' && parent_id ? { parent_id } : {}),
    ...(after ? { after } : {}),
    ...(before ? { before } : {}),
  }
  const { data } = await whenOnline(() =>
    api.post('/api/project/info/{id}/plan/lines/', {
      path: { id: projectId },
      body,
      idempotencyKey,
    }),
  )
  return data.ids
}
