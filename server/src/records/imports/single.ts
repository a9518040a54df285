import type { Context } from '../../kit/ground/context.ts'
import type { NewEvent } from '../../kit/ground/event.ts'
import { badField, badFields, badRequest, conflict } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { equal } from '../../kit/ground/object.ts'
import { inSavepoint } from '../../kit/write/savepoint.ts'
import type { Read } from './cells.ts'
import { errorsOf, withoutWrong } from './cells.ts'
import { takenBy } from './history.ts'
import type { Body, Fitting, How, SingleImportable } from './importable.ts'
import { linkResolver } from './links.ts'
import type { Outcome, Plan } from './outcome.ts'
import { asFailure, existsAlready, isUnwanted, leftOut, lineOf, unchanged } from './outcome.ts'

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
  const linked = rows.map((row) => {
    const { ids, errors } = resolve(row)
    return { row, errors, body: { ...row.body, ...ids } }
  })
  const fitting = await fittingOf(ctx, plan, importable, linked)
  for (const { row, errors, body } of linked) {
    const its = fitting.get(row) ?? []
    const isAnswered = its.length > 1 && String(row.line) in plan.options.answers
    const asked = isAnswered ? { question: which(importable, its) } : {}
    if (isUnwanted(plan, row)) {
      outcomes.push({ ...leftOut(row), ...asked })
      continue
    }
    try {
      const outcome = await inSavepoint(ctx, async () => {
        if (errors.length) throw badFields(errors)
        return importRow(quiet, plan, importable, row, body, its)
      })
      outcomes.push({ ...outcome, ...asked })
    } catch (error) {
      const failure = asFailure(refusalOf(error))
      if (failure.status >= 500) throw failure
      const without =
        failure.status === 400 ? withoutWrong(plan, row, errorsOf(failure)) : undefined
      if (without) again.push(without)
      else outcomes.push({ ...lineOf(row), is: 'failed', failure, ...asked })
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

type Chosen = { id: string; match?: Fitting } | undefined

async function importRow(
  ctx: Context,
  plan: Plan,
  importable: SingleImportable,
  row: Read,
  body: Body,
  fitting: Fitting[],
): Promise<Outcome> {
  const line = lineOf(row)
  const { on_duplicate, answers, tell_apps: tellsApps } = plan.options
  const answer = answers[String(row.line)]
  const isNew = answer === 'new' || (on_duplicate === 'create' && !row.id && !importable.adds)
  const found = isNew
    ? undefined
    : answer === undefined
      ? await existing(ctx, plan, importable, row, body, fitting)
      : await chosen(ctx, importable, answer)
  if (found && 'several' in found) {
    const question = which(importable, found.several)
    const failure = badRequest(`row: ${question.text}`, [{ field: 'row', message: question.text }])
    return { ...line, is: 'failed', failure, question }
  }
  const { id, match } = found ?? {}
  if (id && (on_duplicate === 'update' || (await importable.adds?.(ctx, id, body)))) {
    const outcome = await updated(ctx, importable, id, body, { tellsApps })
    plan.taken.add(id)
    return { ...line, match, ...outcome }
  }
  if (id && (on_duplicate === 'skip' || importable.adds)) {
    plan.taken.add(id)
    const because = match ? `${existsAlready}: ${match.text}` : existsAlready
    return { ...line, is: 'skipped', because, record_id: id, match }
  }
  const filled = Object.entries(body).filter(([, value]) => value !== null)
  const title = importable.title ?? importable.record.title
  if (typeof body[title] !== 'string') {
    throw badField(title, 'is required')
  }
  const made = await importable.create(ctx, Object.fromEntries(filled), { tellsApps })
  const { id: record_id, version } = made
  plan.taken.add(record_id)
  return { ...line, is: 'created', inserted: { id: record_id, version } }
}

function which({ record }: SingleImportable, candidates: Fitting[]) {
  const names = candidates.slice(0, 5).map((each) => each.text)
  const text = `could be any of ${candidates.length} ${record.word}s (${names.join('; ')}): say which`
  return { text, candidates }
}

/** Updates the record as the row says; returns it with the columns that an undo restores. */
async function updated(
  ctx: Context,
  importable: SingleImportable,
  id: string,
  body: Body,
  how: How,
) {
  const before = await storedRow(ctx, importable, id)
  const { version } = await importable.update(ctx, id, body, how)
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

/** The record that an answer says; 400 if there is none that the caller may read. */
async function chosen(ctx: Context, importable: SingleImportable, id: string): Promise<Chosen> {
  const found = await byId(ctx, importable, id)
  if (!found) throw badField('row', 'the chosen record does not exist')
  return found
}

async function byId(ctx: Context, { record }: SingleImportable, id: string) {
  return ctx.one<{ id: string }>(sql`select t.id from ${sql.table(record.table)} t
    where ${scope(ctx, record, 'read')} and t.id = ${id}`)
}

/**
 * The existing record of a row: by its id, else by its contents; where several records fit that no other row is about,
 * the one that is as the row says, or all of them.
 */
async function existing(
  ctx: Context,
  { taken, options }: Plan,
  importable: SingleImportable,
  { id }: Read,
  body: Body,
  fitting: Fitting[],
): Promise<Chosen | { several: Fitting[] }> {
  const named = id === null ? undefined : await byId(ctx, importable, id)
  if (named) return named
  if (!importable.fitting) {
    const found = await importable.find?.(ctx, body)
    return found ? { id: found } : undefined
  }
  const free = fitting.filter((each) => !taken.has(each.id))
  const [first] = free
  if (!first) return undefined
  if (free.length === 1) return { id: first.id, match: first }
  for (const each of free.slice(0, mostTried)) {
    if (await isAsStored(ctx, importable, each.id, body)) return { id: each.id, match: each }
  }
  // whichever it is, nothing is made of the row
  if (options.on_duplicate === 'skip') return { id: first.id, match: first }
  return { several: free }
}

/** The number of records that are compared with a row that fits all of them; each is an update that is rolled back. */
const mostTried = 5

/** Whether the row would change nothing of the record. */
async function isAsStored(ctx: Context, importable: SingleImportable, id: string, body: Body) {
  const quiet: Context = { ...ctx, emit: () => '', emitMany: () => [], enqueue: () => {} }
  await ctx.run(sql`savepoint comparing`)
  try {
    const { changed } = await importable.update(quiet, id, body, { tellsApps: false })
    return !changed
  } catch (error) {
    asFailure(refusalOf(error))
    return false
  } finally {
    await ctx.run(sql`rollback to savepoint comparing`)
  }
}

/** The records that rows may be about, by row, without those that rows of earlier batches are about. */
async function fittingOf(
  ctx: Context,
  plan: Plan,
  importable: SingleImportable,
  rows: { row: Read; body: Body }[],
): Promise<Map<Read, Fitting[]>> {
  if (!importable.fitting || !rows.length) return new Map()
  const mapped = new Set<string>()
  for (const { target } of plan.places.values()) if ('name' in target) mapped.add(target.name)
  const found = await importable.fitting(
    ctx,
    rows.map(({ body }) => body),
    mapped,
  )
  const ids = found.flat().map(({ id }) => id)
  for (const id of await takenBy(ctx, plan.import_id, ids)) plan.taken.add(id)
  return new Map(rows.map(({ row }, at) => [row, found[at] ?? []]))
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
