import type { Context } from '../../kit/ground/context.ts'
import type { NewEvent } from '../../kit/ground/event.ts'
import { badField, badFields, badRequest, conflict } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { equal } from '../../kit/ground/object.ts'
import type { Read } from './cells.ts'
import { errorsOf, withoutWrong } from './cells.ts'
import type { Body, SingleImportable } from './importable.ts'
import { linkResolver } from './links.ts'
import type { Outcome, Plan } from './outcome.ts'
import { asFailure, existsAlready, lineOf, unchanged } from './outcome.ts'

/**
 * Imports one round of rows whose records are written by their own operations, one by one: a row that is
 * refused leaves nothing, and the others stay. Returns the rows to retry without an invalid cell.
 */
export async function importSingly(
  ctx: Context,
  plan: Plan,
  importable: SingleImportable,
  rows: Read[],
  outcomes: Outcome[],
): Promise<Read[]> {
  const again: Read[] = []
  const resolve = await linkResolver(ctx, plan, rows)
  const quiet = withoutNotices(ctx)
  for (const row of rows) {
    const { ids, errors } = resolve(row)
    await ctx.run(sql`savepoint row`)
    try {
      if (errors.length) throw badFields(errors)
      const outcome = await importRow(quiet, plan, importable, row, { ...row.body, ...ids })
      await ctx.run(sql`release savepoint row`)
      outcomes.push(outcome)
    } catch (error) {
      const failure = asFailure(refusalOf(error))
      await ctx.run(sql`rollback to savepoint row`)
      if (failure.status >= 500) throw failure
      const without =
        failure.status === 400 ? withoutWrong(plan, row, errorsOf(failure)) : undefined
      if (without) again.push(without)
      else outcomes.push({ ...lineOf(row), is: 'failed', failure })
    }
    // lets other requests run
    await new Promise((resolve) => setImmediate(resolve))
  }
  return again
}

/** The context without notifications: new owners of records are notified once per import. */
function withoutNotices(ctx: Context): Context {
  const bare = ({ notify: _notify, ...happening }: NewEvent): NewEvent => happening
  return {
    ...ctx,
    emit: (happening) => ctx.emit(bare(happening)),
    emitMany: (happenings) => ctx.emitMany(happenings.map(bare)),
  }
}

/** An error of the database, such as a key that another record has, as a refusal of the row. */
function refusalOf(error: unknown): unknown {
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string' || !/^2[23]\d\w\d$/.test(code)) return error
  if (code === '23505') return conflict('Another record has the same key', 'duplicate')
  if (code === '23503') return badRequest('It names a record that does not exist')
  return badRequest('It has a value that cannot be stored')
}

async function importRow(
  ctx: Context,
  plan: Plan,
  importable: SingleImportable,
  row: Read,
  body: Body,
): Promise<Outcome> {
  const line = lineOf(row)
  const { on_duplicate } = plan.options
  const isNew = on_duplicate === 'create' && !row.id && !importable.adds
  const id = isNew ? undefined : await existing(ctx, importable, row, body, plan)
  if (id && (on_duplicate === 'update' || (await importable.adds?.(ctx, id, body)))) {
    return { ...line, ...(await updated(ctx, importable, id, body)) }
  }
  if (id && (on_duplicate === 'skip' || importable.adds)) {
    return { ...line, is: 'skipped', because: existsAlready, record_id: id }
  }
  const filled = Object.entries(body).filter(([, value]) => value !== null)
  const title = importable.title ?? importable.record.title
  if (typeof body[title] !== 'string') {
    throw badField(title, 'is required')
  }
  const { id: record_id, version } = await importable.create(ctx, Object.fromEntries(filled))
  plan.made.add(record_id)
  return { ...line, is: 'created', inserted: { id: record_id, version } }
}

/** Updates the record as the row says; returns it with the columns that an undo restores. */
async function updated(ctx: Context, importable: SingleImportable, id: string, body: Body) {
  const before = await storedRow(ctx, importable, id)
  const { version } = await importable.update(ctx, id, body)
  const after = await storedRow(ctx, importable, id)
  if (before.version === after.version) {
    return { is: 'skipped', because: unchanged, record_id: id } as const
  }
  const replaced = Object.entries(before).filter(
    ([column, value]) => !bookkeeping.has(column) && !equal(value, after[column]),
  )
  return { is: 'updated', changed: { id, version, before: Object.fromEntries(replaced) } } as const
}

const bookkeeping = new Set(['version', 'last_update_time'])

/** The existing record of a row: by its id, else by its contents. */
async function existing(
  ctx: Context,
  importable: SingleImportable,
  { id }: Read,
  body: Body,
  { import_id, made }: Plan,
): Promise<string | undefined> {
  const { record } = importable
  if (id) {
    const found = await ctx.one<{ id: string }>(sql`select t.id from ${sql.table(record.table)} t
      where ${scope(ctx, record, 'read')} and t.id = ${id}`)
    if (found) return found.id
  }
  const found = await importable.find(ctx, body)
  if (!found || !importable.isRepeatable) return found
  if (made.has(found)) return undefined
  // two rows of a file with the same name and day are two tasks
  const own = await ctx.one(sql`select t.record_id from import_records t
    where ${mine(ctx)} and t.import_id = ${import_id} and t.record_id = ${found} and t.is_created`)
  return own ? undefined : found
}

async function storedRow(
  ctx: Context,
  { record }: SingleImportable,
  id: string,
): Promise<Body & { version?: number }> {
  const found = await ctx.one<{ row: Body }>(sql`select row_to_json(t) as row
    from ${sql.table(record.table)} t where ${mine(ctx)} and t.id = ${id}`)
  return found?.row ?? {}
}
