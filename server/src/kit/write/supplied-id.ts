import type { Context } from '../ground/context.ts'
import { all, mine, sql } from '../ground/sql.ts'
import type { AnyRecord } from '../record/record.ts'
import { rights } from '../record/scope.ts'

/**
 * Frees an id that a caller supplies: a deleted record that has it is removed for good, if the caller
 * could restore it. Otherwise the record keeps its id, so that nobody can see its log by reusing the id.
 */
export async function freeId(ctx: Context, record: AnyRecord, id: string): Promise<void> {
  const deleted = sql`t.id = ${id} and t.deleted_at is not null`
  await ctx.run(sql`delete from ${sql.table(record.table)} t
    where ${all(mine(ctx), rights(ctx, record, 'delete'), deleted)}`)
}
