import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { Status } from '../../model/statuses/status.ts'
import { statusFor, statusNamed } from '../../model/statuses/status.ts'
import type { TaskChanges } from './body.ts'

type Columns = { status_id?: string; is_completed?: boolean; completed_at?: string | null }

/**
 * The columns behind `status` and `is_completed`, which always agree. If one of the two equals the
 * stored value, the other decides: whoever sends a whole task back has changed only one of them.
 */
export async function statusColumns(
  ctx: Context,
  { status, is_completed }: Pick<TaskChanges, 'status' | 'is_completed'>,
  old?: { status: { id: string } | null; is_completed: boolean },
): Promise<{ columns: Columns; status: Status | undefined }> {
  let next = status ? await statusNamed(ctx, 'tasks', status) : undefined
  if (old && next?.id === old.status?.id) next = undefined
  const isDone = next ? next.category === 'completed' : undefined
  if (next && (is_completed ?? isDone) !== isDone && is_completed !== old?.is_completed) {
    throw badField('is_completed', `does not agree with the status ${next.status_key}`)
  }
  if (!next && is_completed !== undefined && is_completed !== (old?.is_completed ?? false)) {
    next = await statusFor(ctx, 'tasks', is_completed ? 'completed' : 'in_progress')
  }
  if (!next && !old) next = await statusFor(ctx, 'tasks', 'not_started')
  if (!next || next.id === old?.status?.id) return { columns: {}, status: undefined }
  const completed = next.category === 'completed'
  return {
    status: next,
    columns: {
      status_id: next.id,
      is_completed: completed,
      completed_at: completed ? ctx.now().toISOString() : null,
    },
  }
}
