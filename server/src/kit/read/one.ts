import type { Context, Query, Cells } from '../ground/context.ts'
import type { AnyRecord } from '../record/record.ts'
import { Answer, Json } from '../ground/operation.ts'
import {
  columnsWithRights,
  joinsFor,
  shapeFor,
  shapeOf,
  wholeColumns,
  wholeJoins,
  withRights,
  writeReads,
  writeRows,
} from './json.ts'
import { all, sql, mine } from '../ground/sql.ts'
import { scope } from '../record/scope.ts'
import { notFound } from '../ground/errors.ts'
import type { Shape } from './json.ts'
import { capitalized } from '../record/record.ts'

/** One record as a read gives it; 404 when missing, foreign, deleted or out of the caller's scope. */
export async function readOne(ctx: Context, record: AnyRecord, id: string): Promise<Answer> {
  const plain = shapeFor(ctx, record)
  const shape = ctx.source === 'application' ? withRights(plain) : plain
  const [cells] = await ctx.cells(
    select(ctx, shape, record, all(scope(ctx, record, 'read'), sql`t.id = ${id}`)),
  )
  if (!cells) throw notFound(capitalized(record.word))
  const [text = ''] = await writeReads(ctx, shape, [cells])
  return new Answer(new Json(text), { id, version: Number(cells[1]) })
}

/** Passes where the caller may read the record, without reading what is computed for it; else 404. */
export async function checkReadable(ctx: Context, record: AnyRecord, id: string): Promise<void> {
  const [found] = await ctx.cells(sql`select t.id from ${sql.table(record.table)} t
    where ${all(scope(ctx, record, 'read'), sql`t.id = ${id}`)}`)
  if (!found) throw notFound(capitalized(record.word))
}

/** The select of a shape under a condition. */
function select(ctx: Context, shape: Shape, record: AnyRecord, condition: Query): Query {
  return sql`select ${columnsWithRights(ctx, shape, record)} from ${sql.table(record.table)} t
    ${joinsFor(ctx, shape)} where ${condition}`
}

/** The JSON text of a row that this transaction holds. */
export async function rowText(
  ctx: Context,
  shape: Shape,
  cells: Cells | undefined,
): Promise<string> {
  const [text] = cells ? await writeRows(ctx, shape, [cells]) : []
  if (text === undefined) throw new Error('a row of this transaction is gone')
  return text
}

/** A record of this transaction, or some of its fields, as it is: for its event and its changes. */
export async function readWhole(ctx: Context, record: AnyRecord, id: string, only?: string[]) {
  const shape = shapeOf(record, only)
  const [cells] = await ctx.cells(sql`select ${wholeColumns(shape)}
    from ${sql.table(record.table)} t ${wholeJoins(shape)} where ${mine(ctx)} and t.id = ${id}`)
  return rowText(ctx, shape, cells)
}

/** A record of this transaction, or some of its fields, as a read gives it. */
export async function readText(ctx: Context, record: AnyRecord, id: string, only?: string[]) {
  const shape = shapeFor(ctx, record, only)
  const [cells] = await ctx.cells(select(ctx, shape, record, all(mine(ctx), sql`t.id = ${id}`)))
  return rowText(ctx, shape, cells)
}
