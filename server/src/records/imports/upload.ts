import { rm } from 'node:fs/promises'
import type { Context } from '../../kit/ground/context.ts'
import { conflict, forbidden } from '../../kit/ground/errors.ts'
import type { Upload } from '../../kit/ground/files.ts'
import { storeUpload } from '../../kit/ground/stored-files.ts'
import { newId } from '../../kit/ground/ids.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { insert } from '../../kit/write/write.ts'
import { storedRows } from './batches.ts'
import type { Choices } from './choices.ts'
import { storeChoices, storedChoices } from './choices.ts'
import { Import, permissionOf, usualOptions } from '../../model/imports/import.ts'
import type { ImportModule, Options } from '../../model/imports/import.ts'
import { importables } from './importables.ts'
import type { Mapping } from './mapping.ts'
import { guessMapping, headerCounter } from './guess.ts'
import { targetsOf } from './mapping.ts'
import { addOptions } from './new-options.ts'
import { checkChosen, optionsOf } from './plan.ts'
import { noReports, previewOf } from './preview.ts'
import type { Outline } from './source.ts'
import { outlineOf } from './source.ts'
import { begin } from './start.ts'
import { readOne } from '../../kit/read/one.ts'

/** The maximum number of bytes of a file. */
export const fileLimit = 100 * 1024 * 1024

type ImportInput = Partial<Options> & {
  module: ImportModule
  csv?: string
  file_name?: string
  mapping?: Mapping
  options?: Partial<Options>
  start?: boolean
}

/** What was read from the uploaded file, before the transaction that stores the import. */
const outlines = new WeakMap<ImportInput, Outline>()

/** Reads the file, and stores it for the job. */
export async function readUpload(ctx: Context, body: ImportInput, file?: Upload): Promise<void> {
  checkMayCreate(ctx, body.module)
  const { csv, options = {} } = body
  const { delimiter, sheet } = optionsOf(usualOptions, body)
  const encoding = body.encoding ?? options.encoding
  const received = file?.path
  try {
    const knows = await headerCounter(ctx, importables[body.module])
    const hints = { delimiter, sheet, encoding }
    const source = { module: body.module, csv, file }
    outlines.set(body, await outlineOf(ctx, source, hints, knows))
    if (file) await storeUpload(ctx, file, 'imports', 'text/csv')
  } finally {
    // the rows of a workbook instead of the workbook itself
    if (file && file.path !== received) await rm(file.path, { force: true })
  }
}

/** Stores an import with its columns mapped and its first rows checked, and starts it on request. */
export async function upload(ctx: Context, body: ImportInput, file?: Upload): Promise<Answer> {
  const { module } = body
  checkMayCreate(ctx, module)
  if (file) await checkWaiting(ctx)
  const outline = outlines.get(body)
  if (!outline) throw new Error('the file of an import is read ahead of its transaction')
  const { columns, first, total, size, reading, profiles } = outline
  const encoding = reading.encoding ?? usualOptions.encoding
  const usual = { ...optionsOf(usualOptions, body), encoding }
  const chosen = await choicesFor(ctx, body, outline, usual)
  const { mapping, warnings, isRemembered } = chosen
  const options = { ...usual, formats: chosen.formats }
  const id = newId()
  const file_name = body.file_name?.trim() || file?.name || `${module}.csv`
  await insert(ctx, Import, { module, file_name }, { id })
  const isUnknown = !body.mapping && Object.values(mapping).every((target) => target === null)
  // if it cannot be started yet, its mapping can still be corrected, unless the body requested the start
  const isMapped = !isUnknown || body.start
  const planned = { module, columns, mapping, options, profiles }
  const reports = isMapped ? await previewOf(ctx, planned, first) : noReports
  if (body.start) checkChosen(reports.column_report)
  if (isUnknown) warnings.unshift('No column is known: map them to fields to start')
  warnings.unshift(...outline.warnings)
  const parts = { columns, mapping, options, warnings, reading, profiles, ...reports }
  const set = Object.entries(parts).map(
    ([name, part]) => sql`${sql.ref(name)} = ${part && JSON.stringify(part)}`,
  )
  await ctx.run(sql`update imports t set ${sql.join(set)}, total = ${total}, file_size = ${size},
      first_rows = ${storedRows(first)}, is_remembered = ${isRemembered},
      storage_key = ${file?.storedKey ?? null}, csv = ${file ? null : (outline.csv ?? body.csv ?? null)}
    where ${mine(ctx)} and t.id = ${id}`)
  if (body.start) {
    await addOptions(ctx, planned)
    await storeChoices(ctx, module, columns, { mapping, formats: options.formats }, options.values)
    await begin(ctx, id, {})
  }
  const { body: created, meta } = await readOne(ctx, Import, id)
  return new Answer(created, { ...meta, created: true })
}

/** The maximum number of an organization's files, of up to 200 MiB each, that wait to be imported; they do not count towards the quota. */
const mostWaiting = 100

/** 409 if too many files are already waiting. */
async function checkWaiting(ctx: Context) {
  const waiting = await ctx.one<{ n: number }>(sql`select count(*)::int as n from imports t
    where ${mine(ctx)} and t.storage_key is not null and t.status in ('uploaded', 'running')`)
  if ((waiting?.n ?? 0) < mostWaiting) return
  const message = `${mostWaiting} files wait to be imported: start or cancel some of these imports`
  throw conflict(message, 'too_many_waiting')
}

/** The mapping and formats: of the body, else of the last file with this header, else guessed. */
export async function choicesFor(
  ctx: Context,
  body: Pick<ImportInput, 'module' | 'mapping'>,
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

/** 403 unless the caller may create such records. */
export function checkMayCreate(ctx: Context, module: ImportModule) {
  const { module: permission, action } = permissionOf(module)
  if (levelOf(ctx.actor, permission, action) === 'none') {
    throw forbidden(`Your role may not create ${module}`)
  }
}
