import type { Context } from '../../kit/ground/context.ts'
import { conflict, forbidden, notFound } from '../../kit/ground/errors.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { claimUnique } from '../../kit/write/unique.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { rights } from '../../kit/record/scope.ts'
import { announce } from '../../kit/write/announce.ts'
import { differences } from '../../kit/write/changes.ts'
import { reaches } from '../../kit/write/cycle.ts'
import { lock, write } from '../../kit/write/write.ts'
import type { Changed, Stored, Strategy } from './fields.ts'
import { unmergeFields } from './fields.ts'
import { moveBack } from './move.ts'
import type { KeyOf } from './stored.ts'
import { asColumns, customFieldsOf, linksToItself, storedRows } from './stored.ts'

export const undoDays = 30

type Merge = {
  id: string
  primary_id: string
  merged_ids: string[]
  strategy: Strategy
  changed: Changed
  undone_at: string | null
}

/**
 * Undoes a merge: restores the merged records with their own fields and links, the primary's fields and
 * the references to the others. What was changed since stays as it is and is named in `kept`.
 * 404 after 30 days; 409 if it was already undone, if the primary was deleted, or if a unique key of a merged
 * record belongs to another one now.
 */
export async function undoMerge(
  ctx: Context,
  record: AnyRecord,
  keyOf: KeyOf,
  id: string,
  ifMatch?: number[],
): Promise<Answer> {
  const merge = await findMerge(ctx, record, id)
  const { primary_id, merged_ids } = merge
  const before = await lock(ctx, record, primary_id, 'update', ifMatch)
  await mayRestore(ctx, record, merged_ids)
  const { primary, merged } = await storedRows(ctx, record, primary_id, merged_ids)
  const { back, kept } = unmergeFields(primary, merge.changed)
  const after = { ...primary, ...back }
  if (!('unique_key' in back) && keyOf(after) !== keyOf(primary)) back.unique_key = keyOf(after)
  await checkFree(ctx, record, [{ ...after, ...back }, ...merged], [primary_id, ...merged_ids])

  await ctx.run(sql`delete from merged_records m where ${mine(ctx, 'm')} and m.merge_id = ${id}`)
  const written = await write(ctx, record, primary_id, { ...asColumns(back), deleted_at: null })
  await claimUnique(ctx, record, primary_id, customFieldsOf(written.row))
  for (const each of merged_ids) await restoreMerged(ctx, record, each, primary_id)
  const moved = await moveBack(ctx, record, { merge_id: id, primary, merged })
  await refuseCycles(ctx, record, [primary_id, ...merged_ids])
  await ctx.run(sql`update merges t set undone_at = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = ${id}`)
  const changes = differences(record, before.whole.row, written.whole.row)
  await announce(ctx, record, 'unmerged', {
    id: primary_id,
    version: written.version,
    whole: async () => written.whole.json,
    changes: [...changes, { field: 'merged_ids', from: merged_ids, to: null }],
    name: written.row[record.title],
    more: { merge_id: id, merged_ids },
  })
  ctx.forget()
  const { version } = written
  const body = { ...written.row, version, merge_id: id, restored_ids: merged_ids, moved, kept }
  return new Answer(body, { version })
}

/** The merge, locked; 404 if it is unknown or too old, or the caller cannot see its primary. */
async function findMerge(ctx: Context, record: AnyRecord, id: string): Promise<Merge> {
  const since = new Date(+ctx.now() - undoDays * 86_400_000).toISOString()
  const merge = await ctx.one<Merge>(sql`
    select t.id, primary_id, merged_ids, strategy, changed, undone_at from merges t
    where ${mine(ctx)} and t.id = ${id} and module = ${record.module} and creation_time > ${since}
    for update`)
  const primary =
    merge &&
    (await ctx.one<{ is_gone: boolean }>(sql`
      select t.deleted_at is not null as is_gone from ${sql.table(record.table)} t
      where ${all(mine(ctx), rights(ctx, record, 'read'))} and t.id = ${merge.primary_id}`))
  if (!merge || !primary) throw notFound('Merge')
  if (merge.undone_at) throw conflict('This merge was already undone', 'already_undone')
  if (primary.is_gone) {
    const message = `The ${record.word} that the others became part of was deleted or merged since`
    throw conflict(message, 'primary_gone', { [record.key]: merge.primary_id })
  }
  return merge
}

async function mayRestore(ctx: Context, record: AnyRecord, ids: string[]) {
  const allowed = rights(ctx, record, 'delete') ?? sql`true`
  const found = await ctx.all<{ allowed: boolean }>(sql`select ${allowed} as allowed
    from ${sql.table(record.table)} t
    where ${mine(ctx)} and t.id = any(${ids}) and t.deleted_at is not null for update`)
  if (found.length < ids.length) {
    throw conflict('The merged records no longer exist and cannot be restored', 'merged_gone')
  }
  if (found.some((each) => !each.allowed)) {
    throw forbidden(`Your role may not restore these ${record.module}`)
  }
}

/** 409 with the record that now has the unique key of one that would be restored. */
async function checkFree(ctx: Context, record: AnyRecord, rows: Stored[], group: string[]) {
  const keys = rows.map(({ unique_key }) => unique_key).filter((key) => typeof key === 'string')
  const taken = await ctx.one<{ id: string }>(sql`select t.id from ${sql.table(record.table)} t
    where ${mine(ctx)} and t.unique_key = any(${keys}) and t.deleted_at is null
      and t.id <> all(${group}) limit 1`)
  const isDouble = new Set(keys).size < keys.length
  if (!taken && !isDouble) return
  const message = `Another ${record.word} has the same ${'domain' in record.fields ? 'domain or name' : 'e-mail'} now`
  throw conflict(message, 'duplicate', { [record.key]: taken?.id ?? group[0] })
}

/** Restores one merged record. */
async function restoreMerged(ctx: Context, record: AnyRecord, id: string, primary_id: string) {
  const after = await write(ctx, record, id, { deleted_at: null })
  await claimUnique(ctx, record, id, customFieldsOf(after.row))
  await announce(ctx, record, 'restored', {
    id,
    version: after.version,
    whole: async () => after.whole.json,
    changes: [{ field: 'merged_into', from: primary_id, to: null }],
    name: after.row[record.title],
  })
}

/** 409 if restored links and links created since the merge would form a cycle. */
async function refuseCycles(ctx: Context, record: AnyRecord, ids: string[]) {
  for (const link of linksToItself(record)) {
    for (const id of ids) {
      const next = sql`(select ${sql.ref(`o.${link.column}`)} from ${sql.table(record.table)} o
        where ${mine(ctx, 'o')} and o.id = ${id})`
      if (await reaches(ctx, link, next, [id])) {
        throw conflict(`${link.column} was changed since, and would make a cycle`, 'circle')
      }
    }
  }
}
