import type { Context, Query } from '../../kit/ground/context.ts'
import { Failure, conflict, moved } from '../../kit/ground/errors.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { mergedInto } from '../../kit/read/look-up.ts'
import { scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { capitalized } from '../../kit/record/record.ts'

/**
 * Wraps a read of one record so that it redirects from a merged record to the one that it became: 308, which a
 * surface turns into a `Location`. A caller who may not see the other record gets the 404.
 */
export function redirecting<O extends Operation>(record: AnyRecord, operation: O): O {
  return {
    ...operation,
    moved: `The ${record.word} was merged into another one`,
    async run(ctx: Context, input: Input) {
      try {
        return await operation.run(ctx, input)
      } catch (error) {
        const survivor = await survivorOf(ctx, record, paramsOf(input).id, error)
        if (survivor === undefined) throw error
        const what = capitalized(record.word)
        throw moved(what, survivor, { [record.key]: survivor })
      }
    },
  }
}

/** Wraps an operation on one record, redirecting or not, so that the id of a merged record means the one that it became. */
export function following<O extends Operation>(record: AnyRecord, operation: O): O {
  return {
    ...operation,
    moved: undefined,
    async run(ctx: Context, input: Input) {
      try {
        return await operation.run(ctx, input)
      } catch (error) {
        const id = await survivorOf(ctx, record, paramsOf(input).id, error)
        if (id === undefined) throw error
        return operation.run(ctx, { ...input, params: { ...paramsOf(input), id } })
      }
    },
  }
}

/** The path parameters of an operation on one record. */
function paramsOf({ params }: { params: unknown }): { id: string } {
  return params as { id: string }
}

/** 409 for restoring a merged record by itself: undoing the merge also restores its links. */
export async function refuseMerged(ctx: Context, record: AnyRecord, id: string) {
  const found = await ctx.one<{ primary_id: string; merge_id: string }>(sql`
    select m.primary_id, m.merge_id from merged_records m
    join ${sql.table(record.table)} t on t.id = m.id
    where ${scope(ctx, { ...record, life: { softDelete: false } }, 'delete')} and ${mine(ctx, 'm')}
      and m.id = ${id}`)
  if (!found) return
  const data = { [record.key]: found.primary_id, merge_id: found.merge_id }
  throw conflict(`This ${record.word} was merged: undo the merge instead`, 'merged', data)
}

/** A record's id and those of the records that were merged into it, as an array in SQL. */
export function withMerged(ctx: Context, id: string): Query {
  return sql`array(with recursive whole (id) as (
      select ${id}::varchar collate "C"
      union select m.id from merged_records m join whole on m.primary_id = whole.id
      where ${mine(ctx, 'm')}
    ) select id from whole)`
}

/** The record that a merged one finally became, after any number of merges, if the caller sees it. */
async function survivorOf(
  ctx: Context,
  record: AnyRecord,
  id: string,
  error: unknown,
): Promise<string | undefined> {
  if (!(error instanceof Failure)) return undefined
  if (error.status !== 404) return error.movedTo
  // a merged record may be removed for good, and where it went is known all the same
  const first = sql`select m.id, m.primary_id from merged_records m
    where ${mine(ctx, 'm')} and m.id = ${id} and m.module = ${record.module}`
  const found = await ctx.one<{ id: string }>(sql`with ${mergedInto(ctx, first)}
    select t.id from ${sql.table(record.table)} t join up on up.id = t.id
    where ${scope(ctx, record, 'read')} limit 1`)
  return found?.id
}
