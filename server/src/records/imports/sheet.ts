import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { NoSuchFile } from '../../kit/ground/files.ts'
import { sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import type { ImportModule, Options } from '../../model/imports/import.ts'
import { Import } from '../../model/imports/import.ts'
import type { Reading } from '../../model/sheets/rows.ts'
import { NoSuchSheet } from '../../model/sheets/rows.ts'
import { importables } from './importables.ts'
import { headerCounter } from './guess.ts'
import type { Outline } from './source.ts'
import { outlineOfSheet } from './source.ts'

type Body = { sheet?: string | null; options?: { sheet?: string | null } }

/** What was read from the sheet that a body chooses, before the transaction that stores it. */
const outlines = new WeakMap<object, Outline>()

/** Reads another sheet of an import's workbook, if the body names one; 400 if there is no such sheet. */
export async function readSheet(ctx: Context, id: string, body: Body): Promise<void> {
  const wanted = body.sheet ?? body.options?.sheet
  if (typeof wanted !== 'string') return
  const found = await ctx.one<Stored>(sql`
    select t.module, t.reading, t.storage_key as key, t.file_size as size from imports t
    where ${scope(ctx, Import, 'update')} and t.id = ${id} and t.status = 'uploaded'`)
  const { reading } = found ?? {}
  const folded = wanted.trim().toLowerCase()
  if (!found || !reading || reading.sheet?.trim().toLowerCase() === folded) return
  const sheet = reading.sheets?.find((name) => name.trim().toLowerCase() === folded)
  if (sheet === undefined) {
    const names = reading.sheets?.slice(0, 50).join(', ')
    throw badField(
      'sheet',
      names ? `does not exist; sheets are ${names}` : 'can only be chosen for a workbook',
    )
  }
  if (!found.key) throw badField('sheet', upload)
  try {
    const knows = await headerCounter(ctx, importables[found.module])
    const source = { key: found.key, size: found.size, reading: { ...reading, sheet } }
    outlines.set(body, await outlineOfSheet(ctx, source, knows))
  } catch (error) {
    if (error instanceof NoSuchFile || error instanceof NoSuchSheet) throw badField('sheet', upload)
    throw error
  }
}

const upload = 'can no longer be changed: upload the file again with it'

type Stored = { module: ImportModule; reading: Reading; key: string | null; size: number }

/** The sheet that was read for a body; undefined if it chooses none. */
export function chosenSheet(body: object): Outline | undefined {
  return outlines.get(body)
}

/** Options that speak of the columns and lines of another sheet. */
export const ofOtherSheet = {
  formats: {},
  values: {},
  new_options: {},
  currencies: {},
  answers: {},
} satisfies Partial<Options>
