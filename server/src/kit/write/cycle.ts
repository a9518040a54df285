import type { Context, Query } from '../ground/context.ts'
import { badField } from '../ground/errors.ts'
import type { AnyRecord } from '../record/record.ts'
import { mine, sql } from '../ground/sql.ts'
import { lockName } from './lock-name.ts'

/**
 * Whether following a column that points to other rows of the table leads from `from` to one of `ids`.
 * `from` is an id, or SQL that yields one.
 */
export async function reaches(
  ctx: Context,
  { table, column }: { table: string; column: string },
  from: string | Query,
  ids: string[],
): Promise<boolean> {
  const at = sql.ref(`t.${column}`)
  const found = await ctx.one(sql`
    with recursive line (id, next) as (
      select t.id, ${at} from ${sql.table(table)} t where ${mine(ctx)} and t.id = ${from}
      union
      select t.id, ${at} from ${sql.table(table)} t join line on t.id = line.next where ${mine(ctx)}
    ) select 1 from line where id = any(${ids}) limit 1`)
  return found !== undefined
}

/**
 * After a write that set `field` of a record to another record of the same type: 400 if following the field leads
 * back to it. Such writes run one at a time, since each checks rows that others may change.
 */
export async function refuseCycle(ctx: Context, record: AnyRecord, field: string, id: string) {
  const { table } = record
  const column = record.fields[field]?.column ?? field
  await oneAtATime(ctx, table)
  const next = sql`(select ${sql.ref(`o.${column}`)} from ${sql.table(table)} o
    where ${mine(ctx, 'o')} and o.id = ${id})`
  if (await reaches(ctx, { table, column }, next, [id])) {
    throw badField(field, `would make a cycle: that ${record.word} leads back to this one`)
  }
}

/** Serializes, until commit, writes that point rows of a table to others of the same table. */
export async function oneAtATime(ctx: Context, table: string) {
  await lockName(ctx, lineLock(ctx, table))
}

/**
 * A shared lock until commit: writes that only add rows below others can run at the same time, but not together with
 * writes that point rows elsewhere.
 */
export async function whileNoneMoves(ctx: Context, table: string) {
  await lockName(ctx, lineLock(ctx, table), { isShared: true })
}

const lineLock = ({ organization }: Context, table: string) => `line ${organization.id} ${table}`
