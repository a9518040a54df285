import type { Context } from '../../kit/ground/context.ts'
import { conflict } from '../../kit/ground/errors.ts'
import type { Job } from '../../kit/ground/job.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { LockedRecord } from '../../kit/write/write.ts'
import { update } from '../../kit/write/write.ts'
import type { Import, ImportRow, Status } from '../../model/imports/import.ts'
import { moves } from '../../model/imports/import.ts'

/** The jobs by name, so that enqueuing one does not import its code. */
export const importJobName: Pick<Job<{ import_id: string }>, 'name'> = { name: 'import' }
export const undoJobName: Pick<Job<{ import_id: string }>, 'name'> = { name: 'import-undo' }

/** Starts an import and sets further columns of it. */
export async function begin(
  ctx: Context,
  locked: LockedRecord<typeof Import>,
  set: { [column: string]: unknown },
) {
  const started_at = ctx.now().toISOString()
  await update(ctx, locked, {}, { set: { ...set, status: 'running', started_at } })
  ctx.enqueue(importJobName, { import_id: locked.id }, { as: 'caller' })
}

/** 409 unless the import may move to the status. */
export function checkMove({ status }: Pick<ImportRow, 'status'>, to: Status) {
  const next: readonly Status[] = moves[status]
  if (!next.includes(to)) throw conflict(`The import is ${status}`, 'wrong_status', { status })
}

/** Adds to an import's counts; its version stays the same, since progress is no change. */
export async function count(ctx: Context, id: string, numbers: { [column: string]: number }) {
  const set = Object.entries(numbers).map(
    ([name, n]) => sql`${sql.ref(name)} = ${sql.ref(`t.${name}`)} + ${n}`,
  )
  await ctx.run(sql`update imports t set ${sql.join(set)}, last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = ${id}`)
}
