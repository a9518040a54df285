import type { Context } from '../../kit/ground/context.ts'
import { conflict, forbidden, notFound } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { may } from '../../kit/record/scope.ts'
import { lock } from '../../kit/write/write.ts'
import type { BulkAction, Done, Outcome } from './change.ts'
import { storedWrite } from './change.ts'
import { each } from './each.ts'
import type { BulkList, Verb } from './list.ts'
import { perform } from './list.ts'

/** How long a bulk write can be undone. */
export const undoDays = 30

const back: { [action in BulkAction]: Verb } = {
  update: 'update',
  add_tags: 'update',
  remove_tags: 'update',
  delete: 'restore',
  restore: 'remove',
}

/** What an undo came to; `kept` are fields that others changed since, where it goes field by field. */
export type UndoOutcome = Omit<Outcome, 'bulk_id'> & {
  kept?: { id: string; field: string; by: string | null }[]
}

/** Undoes writes that are of no single list, by the name under which they are stored. */
export type OtherUndos = {
  [list: string]: (ctx: Context, write: { records: Done[] }) => Promise<UndoOutcome>
}

/**
 * Undoes a bulk write, once and only by its author: records that were changed since stay as they
 * are and are listed. 404 for others, 409 if it has been undone already.
 */
export async function undoMany(
  ctx: Context,
  lists: BulkList[],
  others: OtherUndos,
  bulk_id: string,
): Promise<UndoOutcome & { bulk_id: string }> {
  const write = await storedWrite(ctx, bulk_id)
  const kind = lists.find(({ list }) => list === write?.list)
  const undo = kind ? undoList.bind(undefined, kind) : others[write?.list ?? '']
  if (!write || !undo || write.created_by !== ctx.actor.user_id) throw notFound('Bulk write')
  if (write.undone_at) throw conflict('This bulk write was already undone', 'already_undone')
  const outcome = await undo(ctx, write)
  await ctx.run(sql`update bulk_writes t set undone_at = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = ${bulk_id}`)
  return { ...outcome, bulk_id }
}

type StoredWrite = NonNullable<Awaited<ReturnType<typeof storedWrite>>>

async function undoList(kind: BulkList, ctx: Context, write: StoredWrite): Promise<UndoOutcome> {
  const verb = back[write.action]
  const { can = 'signed_in' } = kind.operations[verb] ?? {}
  if (!may(ctx.actor, can)) throw forbidden(`Your role may not ${verb} these records`)
  const stored = new Map(write.records.map((each) => [each.record_id, each]))
  const action = verb === 'remove' ? 'delete' : 'update'
  return each(ctx, [...stored.keys()], async (id) => {
    const { version, before } = stored.get(id)!
    const isAsLeft =
      verb === 'restore'
        ? await isDeletedAt(ctx, kind.record, id, write.creation_time)
        : version === null || (await lock(ctx, kind.record, id, action)).version === version
    if (!isAsLeft) throw conflict(`The ${kind.record.word} was changed since`)
    await perform(ctx, kind, verb, { at: await pathOf(ctx, kind, id), id, body: before })
  })
}

/** Whether the record was deleted by this bulk write, which deletes all its records at the same time. */
async function isDeletedAt(ctx: Context, { table }: AnyRecord, id: string, time: string) {
  const found = await ctx.one(sql`select t.id from ${sql.table(table)} t
    where ${mine(ctx)} and t.id = ${id} and t.deleted_at = ${time}`)
  return found !== undefined
}

/** The path parameters of a list inside another record's path: of milestones, their project. */
export async function pathOf(ctx: Context, { record, operations }: BulkList, id: string) {
  if (!operations.list.input.params) return {}
  const found = await ctx.one<{ id: string }>(sql`
    select t.project_id as id from ${sql.table(record.table)} t where ${mine(ctx)} and t.id = ${id}`)
  return found ?? {}
}
