import type { Context } from '../../kit/ground/context.ts'
import { Failure, badField } from '../../kit/ground/errors.ts'
import type { Change } from '../../kit/ground/event.ts'
import { newId } from '../../kit/ground/ids.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { claimUnique, releaseUnique } from '../../kit/write/unique.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { announce, projectOf } from '../../kit/write/announce.ts'
import { differences } from '../../kit/write/changes.ts'
import type { LockedRecord } from '../../kit/write/write.ts'
import { lock, write } from '../../kit/write/write.ts'
import { reaches } from '../../kit/write/cycle.ts'
import type { Changed, Stored, Strategy } from './fields.ts'
import { mergeFields } from './fields.ts'
import type { Moved } from './move.ts'
import { moveLinks } from './move.ts'
import type { KeyOf } from './stored.ts'
import { asColumns, customFieldsOf, linksToItself, storedRows } from './stored.ts'

export type MergeInput = {
  primary_id: string
  merge_ids: string[]
  strategy?: Strategy
  dry_run?: boolean
}

/**
 * Merges records into one, all or nothing: its fields by `strategy`, the references to the others, their
 * activity. The others are deleted and from then on redirect to it. Needs the right to update the one
 * and to delete the others. `dry_run` returns the same answer and changes nothing.
 */
export async function mergeRecords(
  ctx: Context,
  record: AnyRecord,
  keyOf: KeyOf,
  { primary_id, merge_ids, strategy = 'fill_empty', dry_run = false }: MergeInput,
  ifMatch?: number[],
): Promise<Answer> {
  if (merge_ids.includes(primary_id)) {
    throw badField('merge_ids', 'must not name the primary: nothing is merged into itself')
  }
  if (new Set(merge_ids).size < merge_ids.length) throw badField('merge_ids', 'names one twice')
  const merging = { primary_id, merged_ids: merge_ids, strategy, ifMatch }
  if (!dry_run) return answer(await merge(ctx, record, keyOf, merging))
  // the same writes, so that the answer is correct, but rolled back and without events
  await ctx.run(sql`savepoint dry_run`)
  const quiet = { ...ctx, emit: () => '' }
  const outcome = await merge(quiet, record, keyOf, merging)
  await ctx.run(sql`rollback to savepoint dry_run`)
  return answer({ ...outcome, merge_id: null, dry_run: true })
}

type Outcome = {
  record: { [field: string]: unknown }
  version: number
  merge_id: string | null
  merged_ids: string[]
  strategy: Strategy
  dry_run: boolean
  moved: Moved[]
  changes: Change[]
}

function answer({ record, version, ...outcome }: Outcome): Answer {
  return new Answer({ ...record, version, ...outcome }, { version })
}

type Merging = { primary_id: string; merged_ids: string[]; strategy: Strategy }

async function merge(
  ctx: Context,
  record: AnyRecord,
  keyOf: KeyOf,
  { primary_id, merged_ids, strategy, ifMatch }: Merging & { ifMatch?: number[] },
): Promise<Outcome> {
  const before = await lockAll(ctx, record, primary_id, merged_ids, ifMatch)
  const { primary, merged } = await storedRows(ctx, record, primary_id, merged_ids)
  const merge_id = newId()
  const changed = mergeFields(record, primary, merged, strategy, ctx.limits)
  const after = { ...primary, ...valuesOf(changed) }
  if (keyOf(primary) !== keyOf(after)) {
    changed.unique_key = { from: primary.unique_key, to: keyOf(after) }
  }
  await clearCycles(ctx, record, primary, merged_ids, changed)
  await storeMerge(ctx, record, { merge_id, primary_id, merged_ids, strategy, changed })
  await deleteMerged(ctx, record, primary_id, before.merged)
  const moved = await moveLinks(ctx, record, { merge_id, primary, merged })
  // sets `deleted_at` to its current value: without any column there would be nothing to write
  const columns = { ...asColumns(valuesOf(changed)), deleted_at: null }
  const { row, version, whole } = await write(ctx, record, primary_id, columns)
  await claimUnique(ctx, record, primary_id, customFieldsOf(row))
  const changes = differences(record, before.primary.whole.row, whole.row)
  await announce(ctx, record, 'merged', {
    id: primary_id,
    version,
    whole: async () => whole.json,
    changes: [...changes, { field: 'merged_ids', from: null, to: merged_ids }],
    name: row[record.title],
    more: { merge_id, merged_ids, strategy },
  })
  // what people may see can depend on accounts, which may have moved
  ctx.forget()
  // the event has every change, the answer those that its reader may read
  const shown = differences(record, before.primary.row, row)
  return {
    record: row,
    version,
    merge_id,
    merged_ids,
    strategy,
    dry_run: false,
    moved,
    changes: shown,
  }
}

type Locked = LockedRecord<AnyRecord>
type LockedMerge = { primary: Locked; merged: (Locked & { id: string })[] }

/** Locks all in a fixed order, so that two merges cannot deadlock; 400 for ids that do not exist. */
async function lockAll(
  ctx: Context,
  record: AnyRecord,
  primary_id: string,
  merged_ids: string[],
  ifMatch: number[] | undefined,
): Promise<LockedMerge> {
  const locked = new Map<string, Locked>()
  for (const id of [primary_id, ...merged_ids].toSorted()) {
    const isPrimary = id === primary_id
    try {
      const action = isPrimary ? 'update' : 'delete'
      locked.set(id, await lock(ctx, record, id, action, isPrimary ? ifMatch : undefined))
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 404) throw error
      const field = isPrimary ? 'primary_id' : 'merge_ids'
      throw badField(field, isPrimary ? 'no such record' : `no such record as ${id}`)
    }
  }
  const lockedOf = (id: string) => {
    const found = locked.get(id)
    if (!found) throw new Error(`${record.word} ${id} of a merge is not locked`)
    return found
  }
  const merged = merged_ids.map((id) => ({ ...lockedOf(id), id }))
  return { primary: lockedOf(primary_id), merged }
}

type StoredMerge = Merging & { merge_id: string; changed: Changed }

/** Stores what an undo needs, and the redirects of the merged records. */
async function storeMerge(ctx: Context, { module }: AnyRecord, merge: StoredMerge) {
  const { merge_id, primary_id, merged_ids, strategy, changed } = merge
  const now = ctx.now().toISOString()
  await ctx.run(sql`
    insert into merges (organization_id, id, module, primary_id, merged_ids, strategy, changed,
      created_by, creation_time)
    values (${ctx.organization.id}, ${merge_id}, ${module}, ${primary_id}, ${JSON.stringify(merged_ids)},
      ${strategy}, ${JSON.stringify(changed)}, ${ctx.actor.user_id}, ${now})`)
  await ctx.run(sql`
    insert into merged_records (organization_id, id, module, primary_id, merge_id, creation_time)
    select o.organization_id, m.id, ${module}, ${primary_id}, ${merge_id}, ${now}
    from organizations o, unnest(${merged_ids}::text[]) as m (id) where ${mine(ctx, 'o')}`)
}

/** Deletes the merged records, which keep their own fields and links for an undo. */
async function deleteMerged(
  ctx: Context,
  record: AnyRecord,
  primary_id: string,
  merged: LockedMerge['merged'],
) {
  const ids = merged.map(({ id }) => id)
  const now = ctx.now().toISOString()
  await ctx.run(sql`update ${sql.table(record.table)} t
    set deleted_at = ${now}, last_update_time = ${now}, version = version + 1
    where ${mine(ctx)} and t.id = any(${ids})`)
  await releaseUnique(ctx, record, ids)
  for (const { id, whole, row, version } of merged) {
    await announce(ctx, record, 'deleted', {
      id,
      version: version + 1,
      whole: async () => whole.json,
      project_id: projectOf(record, id, whole.row),
      changes: [{ field: 'merged_into', from: null, to: primary_id }],
      name: row[record.title],
      more: { merged_into: primary_id },
    })
  }
}

/** Clears a link of the primary to its own kind that would now lead back to it. */
async function clearCycles(
  ctx: Context,
  record: AnyRecord,
  primary: Stored,
  merged_ids: string[],
  changed: Changed,
) {
  for (const link of linksToItself(record)) {
    const from = primary[link.column]
    const change = changed[link.column]
    const to = change ? change.to : from
    if (typeof to !== 'string') continue
    // links to a merged record become links to the primary
    if (await reaches(ctx, link, to, [String(primary.id), ...merged_ids])) {
      changed[link.column] = { from, to: null }
    }
  }
}

function valuesOf(changed: Changed): Stored {
  return Object.fromEntries(Object.entries(changed).map(([column, { to }]) => [column, to]))
}
