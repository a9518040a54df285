import { rm } from 'node:fs/promises'
import type { Context } from '../../kit/ground/context.ts'
import { conflict, forbidden } from '../../kit/ground/errors.ts'
import type { Upload } from '../../kit/ground/files.ts'
import { storeUpload } from '../../kit/ground/stored-files.ts'
import { newId } from '../../kit/ground/ids.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { insert, lock } from '../../kit/write/write.ts'
import { storeChoices } from './choices.ts'
import { Import, permissionOf, usualOptions } from '../../model/imports/import.ts'
import type { ImportModule, Options } from '../../model/imports/import.ts'
import { importables } from './importables.ts'
import type { Mapping } from './mapping.ts'
import { planOfFile } from './file-plan.ts'
import { headerCounter } from './guess.ts'
import { addOptions } from './new-options.ts'
import { checkChosen, optionsOf } from './plan.ts'
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
  const encoding = outline.reading.encoding ?? usualOptions.encoding
  const usual = { ...optionsOf(usualOptions, body), encoding }
  const id = newId()
  const file_name = body.file_name?.trim() || file?.name || `${module}.csv`
  await insert(ctx, Import, { module, file_name }, { id })
  const { planned, reports, set } = await planOfFile(ctx, body, outline, usual, body.start)
  if (body.start) checkChosen(reports.column_report)
  const source = {
    file_size: outline.size,
    storage_key: file?.storedKey ?? null,
    csv: file ? null : (outline.csv ?? body.csv ?? null),
  }
  const columns = Object.entries({ ...set, ...source }).map(
    ([name, value]) => sql`${sql.ref(name)} = ${value}`,
  )
  await ctx.run(sql`update imports t set ${sql.join(columns)} where ${mine(ctx)} and t.id = ${id}`)
  if (body.start) {
    const { mapping, options } = planned
    const { formats, values } = options
    await addOptions(ctx, planned)
    await storeChoices(ctx, module, planned.columns, { mapping, formats }, values)
    await begin(ctx, await lock(ctx, Import, id, 'update'), {})
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

/** 403 unless the caller may create such records. */
export function checkMayCreate(ctx: Context, module: ImportModule) {
  const { module: permission, action } = permissionOf(module)
  if (levelOf(ctx.actor, permission, action) === 'none') {
    throw forbidden(`Your role may not create ${module}`)
  }
}
