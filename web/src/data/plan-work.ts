import type { Values } from './change.ts'
import { changeRecord } from './change.ts'
import type { Act } from './history.ts'
import { perform } from './history.ts'
import type { LoadTask } from './load.ts'
import { moduleQuery } from './modules.ts'
import type { PlanOp } from './plan-moves.ts'
import { moveAlone } from './plan-moves.ts'
import { queryClient } from './query-client.ts'

/** Acts on tasks that belong to no project, for their undo. */
const noProject = 'load'

/** A task that goes to other days, to another person, or both. */
export type WorkMove = {
  task: LoadTask
  days: Pick<LoadTask, 'start_date' | 'due_date'>
  owner: { from: string; to: string }
  message: string
}
/** What the person has to agree to first, because more moves with it. */
export type MoreMoves = { projectId: string; ops: PlanOp[]; also: Act | undefined }

/**
 * Gives a task to another person, moves it to other days, or both, as one act that can be undone. Where more of its plan would
 * move with it nothing is done, and what is to be agreed to is returned. Throws the `Problem`.
 */
export async function moveWork(move: WorkMove): Promise<MoreMoves | undefined> {
  const { task, days, owner, message } = move
  const { item_id: id, project_id: projectId, start_date, due_date } = task
  const isMoved = days.start_date !== start_date || days.due_date !== due_date
  const isGiven = owner.from !== owner.to
  // a move in its plan makes another version, and is refused where somebody has changed the plan
  const put = putter(id, projectId !== null && isMoved ? undefined : task.version)
  const change = (to: Values, back: Values): Act => {
    return async () => {
      await put(to)
      return { message, undo: () => put(back) }
    }
  }
  const give = isGiven ? change({ owner: owner.to }, { owner: owner.from }) : undefined
  if (projectId !== null && isMoved) {
    const ops: PlanOp[] = [{ op: 'set', id, set: days }]
    const more = await moveAlone(projectId, new Set([id]), ops, { also: give, message })
    return more && { projectId, ops, also: give }
  }
  if (!isMoved && !give) return undefined
  const [to, back] = isMoved ? [days, { start_date, due_date }] : [{}, {}]
  const whole = isGiven
    ? change({ ...to, owner: owner.to }, { ...back, owner: owner.from })
    : change(to, back)
  await perform(projectId ?? noProject, whole)
  return undefined
}

/** Changes a task, each time with the version that the time before has made. */
function putter(id: string, first: number | undefined): (values: Values) => Promise<void> {
  let version = first
  return async (values) => {
    const module = await queryClient.ensureQueryData(moduleQuery('tasks'))
    version = await changeRecord(module, id, values, { version })
  }
}
