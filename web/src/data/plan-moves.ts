import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf, BodyOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import { undoBulk } from './bulk.ts'
import { keys } from './keys.ts'
import { notify } from './notices.ts'
import { refreshPlan } from './project-plan.ts'

type Body = NonNullable<BodyOf<'/api/project/info/{id}/plan/changes/', 'post'>>

/** What follows a move: by as much as a dependency would break, by as many working days, or nothing. */
export type Follow = NonNullable<Body['follow']>
/** A change of dates or dependencies. */
export type PlanOp = Body['ops'][number]
export type PlanMove = { ops: PlanOp[]; follow: Follow }
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
  return api.post('/api/project/info/{id}/plan/changes/', {
    path: { id: projectId },
    body: { ...move, ...more },
    ...(more.dry_run ? {} : { idempotencyKey: crypto.randomUUID() }),
  })
}

/** What a move would move besides: read again when anything in the plan changes. */
export function planMoveQuery(projectId: string, move: PlanMove) {
  return queryOptions({
    queryKey: keys.list('tasks', { plan: projectId, move }),
    queryFn: async () => (await sendMove(projectId, move, { dry_run: true })).data,
    retry: false,
  })
}

/** Moves with what follows, as it was previewed; the notice undoes all of it. Throws the `Problem`. */
export async function movePlan(
  projectId: string,
  move: PlanMove,
  plan_version: string,
): Promise<void> {
  const { data } = await sendMove(projectId, move, { dry_run: false, plan_version })
  const { bulk_id, moved } = data
  const tasks = tasksIn(moved)
  await refreshPlan(projectId)
  const links = move.ops.some(({ op }) => op !== 'set')
  notify({
    message: tasks > 1 ? `Moved ${tasks} tasks` : links ? 'Dependencies changed' : 'Moved',
    ...(bulk_id
      ? { undo: async () => void (await undoBulk(rows, bulk_id, () => refreshPlan(projectId))) }
      : {}),
  })
}

/**
 * Moves at once what reaches no further than the row itself; otherwise returns what would move with it, for the person
 * to agree to. Throws the `Problem`.
 */
export async function moveAlone(
  projectId: string,
  id: string,
  ops: PlanOp[],
): Promise<PlanChanges | undefined> {
  const move: PlanMove = { ops, follow: 'use_gaps' }
  const { data } = await sendMove(projectId, move, { dry_run: true })
  const others = tasksIn(data.moved.filter((each) => each.id !== id))
  // days that have passed are written down afterwards
  if (others || data.conflicts.some(({ kind }) => kind !== 'past')) return data
  await movePlan(projectId, move, data.plan_version)
  return undefined
}

const rows = { word: { one: 'row', many: 'rows' } }
