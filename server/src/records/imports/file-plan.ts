import type { Context } from '../../kit/ground/context.ts'
import type { ImportModule, ImportRow, Options, Reports } from '../../model/imports/import.ts'
import { storedRows } from './batches.ts'
import type { Choices } from './choices.ts'
import { storedChoices } from './choices.ts'
import { guessMapping } from './guess.ts'
import { importables } from './importables.ts'
import type { Mapping } from './mapping.ts'
import { targetsOf } from './mapping.ts'
import { noReports, previewOf } from './preview.ts'
import type { Outline } from './source.ts'

type Body = { module: ImportModule; mapping?: Mapping }
type Planned = Pick<ImportRow, 'module' | 'columns' | 'mapping' | 'options' | 'profiles'>

/**
 * How a file that was read, or another sheet of one, will be imported: `set` has the columns of its import. If no column is
 * known there are no reports, so that its mapping can still be corrected; 400 if it is to start at once.
 */
export async function planOfFile(
  ctx: Context,
  body: Body,
  outline: Outline,
  usual: Options,
  starts = false,
): Promise<{ planned: Planned; reports: Reports; set: { [column: string]: unknown } }> {
  const { columns, profiles, reading, first, total } = outline
  const { mapping, formats, warnings, isRemembered } = await choicesFor(ctx, body, outline, usual)
  const options = { ...usual, formats }
  const planned = { module: body.module, columns, mapping, options, profiles }
  const isUnknown = !body.mapping && Object.values(mapping).every((target) => target === null)
  const reports = isUnknown && !starts ? noReports : await previewOf(ctx, planned, first)
  const unknown = isUnknown ? ['No column is known: map them to fields to start'] : []
  const all = [...outline.warnings, ...unknown, ...warnings]
  return {
    planned,
    reports,
    set: {
      ...storedParts({ columns, profiles, reading, warnings: all, mapping, options, ...reports }),
      total,
      first_rows: storedRows(first),
      is_remembered: isRemembered,
    },
  }
}

/** Parts of an import as its columns store them. */
export function storedParts(parts: { [column: string]: object | null }): {
  [column: string]: string | null
} {
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, part && JSON.stringify(part)]),
  )
}

/** The mapping and formats: of the body, else of the last file with this header, else guessed. */
async function choicesFor(
  ctx: Context,
  body: Body,
  { columns, profiles }: Pick<Outline, 'columns' | 'profiles'>,
  { formats }: Options,
): Promise<Choices & { warnings: string[]; isRemembered: boolean }> {
  const importable = importables[body.module]
  const last = await storedChoices(ctx, body.module, columns)
  const isStill =
    last && (await isPossible(() => targetsOf(ctx, importable, columns, last.mapping)))
  const remembered = isStill ? last : undefined
  const { mapping, warnings } = body.mapping
    ? { mapping: body.mapping, warnings: [] }
    : remembered
      ? { mapping: remembered.mapping, warnings: [] }
      : await guessMapping(ctx, importable, columns, profiles)
  const isRemembered = Boolean(remembered && (!body.mapping || !Object.keys(formats).length))
  const known = Object.entries(remembered?.formats ?? {}).filter(([name]) => columns.includes(name))
  return { mapping, warnings, isRemembered, formats: { ...Object.fromEntries(known), ...formats } }
}

/** Whether a mapping can still be used: a field may have been removed since. */
async function isPossible(check: () => Promise<unknown>): Promise<boolean> {
  try {
    await check()
    return true
  } catch {
    return false
  }
}
