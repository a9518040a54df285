import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf, BodyOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import type { Act, Done } from './history.ts'
import { perform } from './history.ts'
import { keys } from './keys.ts'
import { undoAll } from './plan-rows.ts'
import { whenOnline } from './plan-waiting.ts'
import { refreshPlan } from './project-plan.ts'
import { t } from '../locales/text.ts'

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

/** What belongs to a move besides: something else that is done and undone with it, and what to say of it. */
export type WithMove = { also?: Act | undefined; message?: string }

/** Moves with what follows, as it was previewed, as one act; redone as the plan is then. Throws the `Problem`. */
export function movePlan(
  projectId: string,
  move: PlanMove,
  plan_version: string,
  { also, message: words }: WithMove = {},
): Promise<void> {
  let seen: { plan_version?: string } = { plan_version }
  return perform(projectId, async () => {
    const { data } = await sendMove(projectId, move, { dry_run: false, ...seen })
    seen = {}
    const { bulk_id, moved } = data
    const takeBack = async () => (bulk_id ? undoAll(projectId, [bulk_id]) : true)
    let more: Done | undefined
    try {
      more = await also?.()
    } catch (error) {
      await takeBack()
      throw error
    }
    const tasks = tasksIn(moved)
    await refreshPlan(projectId)
    const links = move.ops.some(({ op }) => op !== 'set')
    const own = words ?? (links ? t('Dependencies changed') : t('Moved'))
    const message =
      tasks > 1 ? t('Moved {count} task | Moved {count} tasks', { count: tasks }) : own
    if (!bulk_id && !more) return undefined
    const undo = async () => {
      await more?.undo()
      return takeBack()
    }
    return { message, undo }
  })
}

/**
 * Moves at once what reaches no further than the rows themselves; otherwise returns what would move with it, for the person
 * to agree to. Throws the `Problem`.
 */
export function moveAlone(
  projectId: string,
  ids: ReadonlySet<string>,
  ops: PlanOp[],
  more: WithMove = {},
): Promise<PlanChanges | undefined> {
  return whenOnline(() => moveNow(projectId, ids, ops, more))
}

async function moveNow(
  projectId: string,
  ids: ReadonlySet<string>,
  ops: PlanOp[],
  more: WithMove,
): Promise<PlanChanges | undefined> {
  const move: PlanMove = { ops, follow: 'use_gaps' }
  const { data } = await sendMove(projectId, move, { dry_run: true })
  const others = tasksIn(data.moved.filter(({ id }) => !ids.has(id)))
  // days that have passed are written down afterwards
  if (others || data.conflicts.some(({ kind }) => kind !== 'past')) return data
  await movePlan(projectId, move, data.plan_version, more)
  return undefined
}
