import type { Context } from '../../kit/ground/context.ts'
import { Failure } from '../../kit/ground/errors.ts'
import type { Job } from '../../kit/ground/job.ts'
import type { Locked } from '../../kit/write/many.ts'
import { lockMany, removeMany, rewriteMany } from '../../kit/write/many.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { readWhole } from '../../kit/read/one.ts'
import { projectOf } from '../../kit/write/announce.ts'
import { lock, once, update } from '../../kit/write/write.ts'
import { Import, batchSize, lockImport } from '../../model/imports/import.ts'
import type { ImportModule } from '../../model/imports/import.ts'
import type { Body, Importable, SingleImportable } from './importable.ts'
import { importables } from './importables.ts'
import { collectIfGrown } from './memory.ts'
import { takenKeys } from './bulk.ts'
import { insertErrors } from './report.ts'
import { count, undoJobName } from './start.ts'

/** A record that an import wrote, with what the undo needs. */
type Imported = {
  record_id: string
  line: number
  is_created: boolean
  version: number
  before: Body | null
  module: ImportModule | null
}

/** Undoes the rest of an import, one batch per transaction. */
export const undoJob: Job<{ import_id: string }> = {
  ...undoJobName,
  source: 'import',
  retries: 10,
  async run(work, { import_id }) {
    for (let isMore = true; isMore;) {
      work.signal.throwIfAborted()
      isMore = await work.write((ctx) => undoBatch(ctx, import_id))
      collectIfGrown()
    }
  },
  /** What is left of it can be undone by somebody else. */
  async refuse(ctx, { import_id }, reason) {
    const found = await lockImport(ctx, import_id)
    if (found?.status !== 'undoing') return
    const error = `Its undo has stopped: ${reason.toLowerCase()}`
    await update(
      ctx,
      await lock(ctx, Import, import_id, 'update'),
      {},
      { set: { status: 'failed', error } },
    )
  },
}

/**
 * Undoes a batch of an import: created records are deleted, updated ones get their former values back.
 * A record that was changed since, or deleted, stays as it is and is reported. False after the last.
 */
export async function undoBatch(ctx: Context, id: string): Promise<boolean> {
  const found = await lockImport(ctx, id)
  if (found?.status !== 'undoing') return false
  const rows = await ctx.all<Imported>(sql`
    delete from import_records r where ${mine(ctx, 'r')} and r.import_id = ${id} and r.record_id = any(array(
      select t.record_id from import_records t where ${mine(ctx)} and t.import_id = ${id}
      order by t.module is not null, t.record_id limit ${batchSize}))
    returning record_id, line, is_created, version, before, module`)
  // the others were only compared with a row
  const changed = rows.filter(({ is_created, before }) => is_created || before)
  const left: Left[] = []
  for (const [module, its] of Map.groupBy(changed, (row) => row.module ?? found.module)) {
    left.push(...(await undoRows(ctx, importables[module], its)))
  }
  const errors = left.map(({ row: { line, record_id }, message }) => ({
    line,
    phase: 'undo' as const,
    message,
    errors: [],
    cells: null,
    record_id,
  }))
  await insertErrors(ctx, id, errors)
  await count(ctx, id, { undone: changed.length - left.length, kept: left.length })
  if (rows.length === batchSize) return true
  const undone_at = ctx.now().toISOString()
  await update(
    ctx,
    await lock(ctx, Import, id, 'update'),
    {},
    { set: { status: 'undone', undone_at } },
  )
  return false
}

type Left = { row: Imported; message: string }

/** Undoes what was written to one module's records; returns what could not be undone, and why. */
async function undoRows(ctx: Context, importable: Importable, rows: Imported[]): Promise<Left[]> {
  const { record } = importable
  const ids = rows.map(({ record_id }) => record_id)
  const locked = await lockMany(ctx, record, ids, 'update')
  const left: Left[] = []
  const created: Locked[] = []
  const changed: { row: Imported; before: Locked; columns: Body }[] = []
  for (const row of rows) {
    const before = locked.get(row.record_id)
    if (!before && row.is_created) continue
    if (!before) left.push({ row, message: `The ${record.word} was deleted since` })
    else if (before.version !== row.version) {
      left.push({ row, message: `The ${record.word} was changed since, and stays as it is` })
    } else if (row.is_created) created.push(before)
    else changed.push({ row, before, columns: row.before ?? {} })
  }
  const changes = changed.map(({ before, columns }) => ({ id: before.id, columns }))
  const refused =
    importable.how === 'bulk'
      ? await takenKeys(ctx, importable, changes)
      : new Map<string, Failure>()
  const free = changed.filter(({ before }) => !refused.has(before.id))
  const outcomes = await rewriteMany(ctx, record, free)
  for (const { row } of changed) {
    const failure = refused.get(row.record_id) ?? outcomes.get(row.record_id)
    if (failure instanceof Failure) left.push({ row, message: failure.message })
  }
  if (importable.how === 'bulk') await removeMany(ctx, record, created)
  else {
    for (const { before } of free) await follow(ctx, importable, before, outcomes.get(before.id))
    for (const { id } of created) await removeOne(ctx, importable, id)
  }
  return left
}

/** Applies the module's further effects of restoring a record (`afterUndo`). */
async function follow(
  ctx: Context,
  { record, afterUndo }: SingleImportable,
  { id, whole: { row } }: Locked,
  outcome: { version: number } | Failure | undefined,
) {
  if (!afterUndo || !outcome || outcome instanceof Failure) return
  const { version } = outcome
  const whole = once(() => readWhole(ctx, record, id))
  const project_id = projectOf(record, id, row)
  await afterUndo(ctx, { id, version, project_id, changed: true, json: whole, whole }, row)
}

/** Deletes a record, unless it was already deleted with another, such as a subtask with its task. */
async function removeOne(ctx: Context, importable: SingleImportable, id: string) {
  try {
    await importable.remove(ctx, id)
  } catch (error) {
    if (!(error instanceof Failure && error.status === 404)) throw error
  }
}
