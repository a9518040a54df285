import type { Context } from '../../kit/ground/context.ts'
import { Failure } from '../../kit/ground/errors.ts'
import { NoSuchFile } from '../../kit/ground/files.ts'
import type { Job, Work } from '../../kit/ground/job.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { lock, update } from '../../kit/write/write.ts'
import { batchOf } from './batches.ts'
import { Import, lockImport, usualOptions } from '../../model/imports/import.ts'
import type { ImportRow, Status } from '../../model/imports/import.ts'
import { importables } from './importables.ts'
import { collectIfGrown } from './memory.ts'
import { planOf } from './plan.ts'
import type { CreatedLink, Outcome } from './outcome.ts'
import { numbersOf } from './outcome.ts'
import { isReported, storeErrors } from './report.ts'
import { importLines } from './rows.ts'
import { storeRows } from './source.ts'
import { count, importJobName } from './start.ts'
import { checkMayCreate } from './upload.ts'
import type { NewNotification } from '../../kit/ground/event.ts'

const mostTries = 5
/** The maximum number of failures that are reported for an import that is rolled back; they are buffered until it has failed. */
const mostFailures = 10_000

/**
 * Runs an import, one batch per transaction, which also stores the progress: if a process
 * dies, another one continues after the last batch. An import that is all or
 * nothing, or a dry run, is a single transaction.
 */
export const importJob: Job<{ import_id: string }> = {
  ...importJobName,
  source: 'import',
  retries: 2 * mostTries,
  async run(work, { import_id }) {
    const found = await work.write((ctx) => begun(ctx, import_id))
    if (!found) return
    if (!(await haveRows(work, found))) return
    const { all_or_nothing, dry_run } = found.options
    if (all_or_nothing || dry_run) return importWhole(work, found)
    for (let isMore = true; isMore;) {
      work.signal.throwIfAborted()
      isMore = await work.write((ctx) => importBatch(ctx, import_id))
      collectIfGrown()
    }
  },
  async refuse(ctx, { import_id }, reason) {
    const found = await lockImport(ctx, import_id)
    if (found?.status === 'running') await end(ctx, import_id, 'failed', { error: reason })
  },
}

/** Counts the attempt; an import without progress in several attempts fails. */
async function begun(ctx: Context, id: string): Promise<ImportRow | undefined> {
  const found = await lockImport(ctx, id)
  if (found?.status !== 'running') return undefined
  if (found.tries < mostTries) {
    await count(ctx, id, { tries: 1 })
    return found
  }
  await end(ctx, id, 'failed', { error: 'It stopped several times at the same place' })
  return undefined
}

/** Reads the file if that has not been done; an import whose file can no longer be read fails. */
async function haveRows(work: Work, found: ImportRow): Promise<boolean> {
  try {
    await storeRows(work, found)
    return true
  } catch (error) {
    const isGone = error instanceof NoSuchFile
    if (!isGone && !(error instanceof Failure && error.status === 400)) throw error
    const message = isGone ? 'Its file is gone: upload it again' : error.message
    await work.write((ctx) => end(ctx, found.id, 'failed', { error: message }))
    return false
  }
}

async function importBatch(ctx: Context, id: string): Promise<boolean> {
  const found = await lockImport(ctx, id)
  if (found?.status !== 'running') return false
  try {
    checkMayCreate(ctx, found.module)
  } catch (error) {
    // the right has been withdrawn since the start
    await end(ctx, id, 'failed', { error: (error as Failure).message })
    return false
  }
  const lines = await batchOf(ctx, id, found.next_batch)
  if (!lines) {
    await end(ctx, id, 'completed')
    return false
  }
  const plan = await planOf(ctx, withDefaults(found), id)
  const outcomes = await importLines(ctx, plan, lines)
  await storeRecords(ctx, id, outcomes, plan.createdLinks)
  await storeErrors(ctx, id, outcomes)
  await count(ctx, id, { ...numbersOf(outcomes), next_batch: 1, tries: -found.tries })
  return true
}

/** Thrown to roll a whole import back. */
class RolledBack extends Error {
  isCancelled: boolean
  constructor(isCancelled = false) {
    super('rolled back')
    this.isCancelled = isCancelled
  }
}

async function importWhole(work: Work, found: ImportRow) {
  const { id, options } = found
  let numbers = numbersOf([])
  let failures: Outcome[] = []
  let stopped: string | undefined
  try {
    await work.write(async (ctx) => {
      // starts over each time the transaction is retried
      numbers = numbersOf([])
      failures = []
      checkMayCreate(ctx, found.module)
      const plan = await planOf(ctx, withDefaults(found), id)
      for (let number = 0; ; number++) {
        const lines = await batchOf(ctx, id, number)
        if (!lines) break
        const outcomes = await importLines(ctx, plan, lines)
        await storeRecords(ctx, id, outcomes, plan.createdLinks.splice(0))
        numbers = numbersOf(outcomes, numbers)
        const wrong = outcomes.filter(isReported)
        failures.push(...wrong.slice(0, mostFailures - failures.length))
        work.signal.throwIfAborted()
        collectIfGrown()
        if (!(await reportProgress(work, id, numbers.done))) throw new RolledBack(true)
      }
      if (options.dry_run || numbers.failed) throw new RolledBack()
      await ctx.run(sql`update imports t set created = ${numbers.created}, updated = ${numbers.updated},
          skipped = ${numbers.skipped}, cell_errors = ${numbers.cell_errors}
        where ${mine(ctx)} and t.id = ${id}`)
      await storeErrors(ctx, id, failures)
      await end(ctx, id, 'completed')
    })
    return
  } catch (error) {
    if (error instanceof Failure && error.status === 403) stopped = error.message
    else if (!(error instanceof RolledBack)) throw error
    else if (error.isCancelled) return
  }
  await work.write(async (ctx) => {
    const now = await lockImport(ctx, id)
    if (now?.status !== 'running') return
    await storeErrors(ctx, id, failures)
    // a dry run reports what it would have done; a rolled-back import reports nothing done
    const { done, failed, cell_errors } = numbers
    const result = options.dry_run ? numbers : { done, failed, cell_errors }
    await ctx.run(sql`update imports t set done = 0 where ${mine(ctx)} and t.id = ${id}`)
    await count(ctx, id, result)
    if (stopped) await end(ctx, id, 'failed', { error: stopped })
    else if (options.dry_run) await end(ctx, id, 'completed')
    else
      await end(ctx, id, 'failed', { error: `${numbers.failed} rows failed; nothing was imported` })
  })
}

/** Stores the progress outside the single transaction, so that others see it at once; false if the import must stop. */
function reportProgress(work: Work, id: string, done: number): Promise<boolean> {
  return work.write(async (ctx) => {
    const rows = await ctx.run(sql`update imports t set done = ${done}
      where ${mine(ctx)} and t.id = ${id} and t.status = 'running'`)
    return rows > 0
  })
}

/** Sets the final status, with one notification for each new owner of records. */
async function end(
  ctx: Context,
  id: string,
  status: Status,
  set: { [column: string]: unknown } = {},
) {
  const finished_at = ctx.now().toISOString()
  const notify = await owned(ctx, id)
  const locked = await lock(ctx, Import, id, 'update')
  await update(ctx, locked, {}, { set: { ...set, status, finished_at }, notify })
}

async function owned(ctx: Context, id: string): Promise<NewNotification[]> {
  const found = await lockImport(ctx, id)
  if (!found) return []
  const { record } = importables[found.module]
  const [owner] = record.events.assignees ?? []
  if (!owner) return []
  const rows = await ctx.all<{ user_id: string; n: number }>(sql`
    select t.${sql.ref(owner)} as user_id, count(*) as n
    from import_records r join ${sql.table(record.table)} t
      on t.organization_id = $organization and t.id = r.record_id
    where ${mine(ctx, 'r')} and r.import_id = ${id} and t.${sql.ref(owner)} is not null
      and (r.is_created or r.before ? ${owner})
    group by 1`)
  return rows.map(({ user_id, n }) => ({
    user_id,
    notification_type: 2,
    title: n === 1 ? `A ${record.word} is yours now` : `${n} ${found.module} are yours now`,
    notification_obj: { import_id: id },
  }))
}

/** Adds options that did not exist when the import was uploaded. */
function withDefaults(found: ImportRow): ImportRow {
  return { ...found, options: { ...usualOptions, ...found.options } }
}

/** What undo needs: of a record changed twice, the first values and the last version. */
async function storeRecords(
  ctx: Context,
  id: string,
  outcomes: Outcome[],
  createdLinks: CreatedLink[],
) {
  const rows = new Map<string, object>()
  const later: object[] = []
  for (const { id: record_id, version, module, line } of createdLinks) {
    rows.set(record_id, { record_id, line, is_created: true, version, module })
  }
  // rows that change nothing are kept too: no other row is about their record
  const taken = outcomes.flatMap(({ line, ...each }) =>
    each.is === 'skipped' && each.match && each.record_id
      ? [{ record_id: each.record_id, line, is_created: false, version: 0 }]
      : [],
  )
  for (const each of outcomes) {
    if (each.is !== 'created' && each.is !== 'updated') continue
    const { line, module } = each
    const row =
      each.is === 'created'
        ? {
            record_id: each.inserted.id,
            line,
            is_created: true,
            version: each.inserted.version,
            module,
          }
        : { record_id: each.changed.id, line, is_created: false, ...each.changed, module }
    if (rows.has(row.record_id)) later.push(row)
    else rows.set(row.record_id, row)
  }
  // one statement can change a row only once
  for (const some of [[...rows.values()], taken, ...later.map((each) => [each])]) {
    if (!some.length) continue
    await ctx.run(sql`insert into import_records as r
        (organization_id, import_id, record_id, line, is_created, version, before, module,
        creation_time)
      select ${ctx.organization.id}, ${id}, n.record_id, n.line, n.is_created, n.version, n.before,
        n.module, ${ctx.now().toISOString()}
      from json_to_recordset(${JSON.stringify(some)}::json)
        as n (record_id text, line integer, is_created boolean, version integer, before jsonb,
          module text)
      on conflict (organization_id, import_id, record_id) do update set version = excluded.version,
        before = case when r.is_created then null else excluded.before || r.before end
        where excluded.is_created or excluded.before is not null`)
  }
}
