import { createHash } from 'node:crypto'
import type { Context } from '../../kit/ground/context.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { ImportModule, Options } from '../../model/imports/import.ts'
import { importables } from './importables.ts'
import type { Mapping } from './mapping.ts'
import { targetsOf } from './mapping.ts'
import { rememberValues } from './value-columns.ts'
import { folded } from '../../model/sheets/header.ts'

/** What an organization last chose for a header. */
export type Choices = { mapping: Mapping; formats: Options['formats'] }

/**
 * The mapping and formats with which a file with the same header was imported last, whatever the order of
 * its columns; undefined if there was none.
 */
export async function storedChoices(
  ctx: Context,
  module: ImportModule,
  columns: string[],
): Promise<Choices | undefined> {
  return ctx.one<Choices>(sql`select t.mapping, t.formats from import_choices t
    where ${mine(ctx)} and t.module = ${module} and t.header_hash = ${hashOf(columns)}`)
}

/** Stores them for the next file of the same header, and what was chosen for values, for any file. */
export async function storeChoices(
  ctx: Context,
  module: ImportModule,
  columns: string[],
  { mapping, formats }: Choices,
  values: Options['values'],
) {
  const importable = importables[module]
  const targets = [...(await targetsOf(ctx, importable, columns, mapping))]
  const named = targets.map(([at, target]) => ({ target, column: columns[at] ?? '' }))
  await rememberValues(ctx, module, importable, named, values)
  const now = ctx.now().toISOString()
  await ctx.run(sql`insert into import_choices as t
      (organization_id, id, module, header_hash, mapping, formats, creation_time, last_update_time)
    values (${ctx.organization.id}, ${newId()}, ${module}, ${hashOf(columns)},
      ${JSON.stringify(mapping)}, ${JSON.stringify(formats)}, ${now}, ${now})
    on conflict (organization_id, module, header_hash) do update
      set mapping = excluded.mapping, formats = excluded.formats, last_update_time = ${now}`)
}

function hashOf(columns: string[]): string {
  const names = columns.map((name) => folded(name) || name).sort()
  return createHash('sha256').update(JSON.stringify(names)).digest('hex')
}
