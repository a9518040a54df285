import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Cell, Line } from '../../model/sheets/cell.ts'

type StoredRow = [line: number, cells: Cell[]]

/** The first rows of an import's file, as its upload stored them. */
export async function firstLines(ctx: Context, id: string): Promise<Line[]> {
  const found = await ctx.one<{ rows: StoredRow[] }>(sql`
    select first_rows as rows from imports t where ${mine(ctx)} and t.id = ${id}`)
  // uploads by earlier versions have none
  return found?.rows.length ? found.rows.map(fromStored) : ((await batchOf(ctx, id, 0)) ?? [])
}

/** A batch of an import's rows by its number, from 0; undefined after the last one. */
export async function batchOf(
  ctx: Context,
  id: string,
  number: number,
): Promise<Line[] | undefined> {
  const found = await ctx.one<{ rows: StoredRow[] }>(sql`
    select rows from import_batches t
    where ${mine(ctx)} and t.import_id = ${id} and t.number = ${number}`)
  return found?.rows.map(fromStored)
}

/** Rows as `firstLines` and `batchOf` read them, as JSON. */
export function storedRows(lines: Line[]): string {
  return JSON.stringify(lines.map(({ line, cells }): StoredRow => [line, cells]))
}

function fromStored([line, cells]: StoredRow): Line {
  return { line, cells }
}
