import type { Actor, Context, Query, Cells } from '../ground/context.ts'
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
import { all, compile, knownQuery, mine, sql } from '../ground/sql.ts'
import { scope } from '../record/scope.ts'
import { notFound } from '../ground/errors.ts'
import type { Shape } from './json.ts'
import { capitalized } from '../record/record.ts'

/** One record as a read gives it; 404 when missing, foreign, deleted or out of the caller's scope. */
export async function readOne(ctx: Context, record: AnyRecord, id: string): Promise<Answer> {
  const plain = shapeFor(ctx, record)
  const shape = ctx.source === 'application' ? withRights(plain) : plain
  const [cells] = await ctx.cells(selectOne(ctx, shape, record, id))
  if (!cells) throw notFound(capitalized(record.word))
  const [text = ''] = await writeReads(ctx, shape, [cells])
  return new Answer(new Json(text), { id, version: Number(cells[1]) })
}

/** The answer to a write: the record as a read of it gives it, read only where it is shown. */
export function readAfter(
  ctx: Context,
  record: AnyRecord,
  { id, version }: { id: string; version: number },
): Answer {
  return new Answer(async () => (await readOne(ctx, record, id)).body, { id, version })
}

/** The texts of reads of one record by the caller, who is cached until anything of their rights changes. */
const texts = new WeakMap<Actor, WeakMap<Shape, string | null>>()

/**
 * The read of one record. Its text is compiled once for a caller, where the rights put no value of
 * their own into it: then nothing of it can differ from one request to the next.
 */
function selectOne(ctx: Context, shape: Shape, record: AnyRecord, id: string): Query {
  let known = texts.get(ctx.actor)
  if (!known) texts.set(ctx.actor, (known = new WeakMap()))
  const organization = ctx.organization.id
  const found = known.get(shape)
  // the service itself works for every organization, and is one actor for all
  if (found) return knownQuery(found, [id, organization])
  const query = select(ctx, shape, record, all(scope(ctx, record, 'read'), sql`t.id = ${id}`))
  if (found === undefined) {
    const { text, values } = compile(query, organization)
    const isPlain = values.length === 2 && values[0] === id && values[1] === organization
    known.set(shape, isPlain ? text : null)
  }
  return query
}

/** 404 unless the caller may read the record, whose computed fields are not read. */
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
