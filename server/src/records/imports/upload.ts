import type { Context } from '../../kit/ground/context.ts'
import { forbidden } from '../../kit/ground/errors.ts'
import type { Upload } from '../../kit/ground/files.ts'
import { storeUpload } from '../../kit/ground/files.ts'
import { newId } from '../../kit/ground/ids.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { insert } from '../../kit/write/write.ts'
import { Import, usualOptions } from './import.ts'
import type { ImportModule, Options } from './import.ts'
import { importables } from './importable.ts'
import type { Mapping } from './mapping.ts'
import { guessMapping } from './mapping.ts'
import { optionsOf, previewOf } from './plan.ts'
import type { Outline } from './source.ts'
import { outlineOf } from './source.ts'
import { begin } from './start.ts'
import { readOne } from '../../kit/read/one.ts'

/** Bytes of a CSV file at most. */
export const csvLimit = 100 * 1024 * 1024

type ImportInput = Partial<Options> & {
  module: ImportModule
  csv?: string
  file_name?: string
  mapping?: Mapping
  options?: Partial<Options>
  start?: boolean
}

/** What was read of the file of a body, ahead of the transaction that stores the import. */
const outlines = new WeakMap<ImportInput, Outline>()

/** Reads the file, and puts it where the job finds it. */
export async function readUpload(ctx: Context, body: ImportInput, file?: Upload): Promise<void> {
  checkMayCreate(ctx, body.module)
  const { csv } = body
  outlines.set(body, await outlineOf(ctx, { csv, file }, optionsOf(usualOptions, body)))
  if (file) await storeUpload(ctx, file, 'imports', 'text/csv')
}

/** Stores an import with its columns mapped and its first rows previewed, and starts it on request. */
export async function upload(ctx: Context, body: ImportInput, file?: Upload): Promise<Answer> {
  const { module } = body
  checkMayCreate(ctx, module)
  const outline = outlines.get(body)
  if (!outline) throw new Error('the file of an import is read ahead of its transaction')
  const { columns, first, total, size } = outline
  const options = optionsOf(usualOptions, body)
  const id = newId()
  const file_name = body.file_name?.trim() || file?.name || `${module}.csv`
  await insert(ctx, Import, { module, file_name }, { id })
  const importable = importables[module]
  const { mapping, warnings } = body.mapping
    ? { mapping: body.mapping, warnings: [] }
    : await guessMapping(ctx, importable, columns)
  const plan = { columns, mapping, options }
  const isUnknown = !body.mapping && Object.values(mapping).every((target) => target === null)
  // what cannot be started can be mapped still, unless it was to start
  const isMapped = !isUnknown || body.start
  const preview = isMapped ? await previewOf(ctx, importable, plan, first) : []
  if (isUnknown) warnings.unshift('No column is known: map them to fields to start')
  const rows = first.map(({ line, cells }) => [line, cells])
  await ctx.run(sql`update imports t set columns = ${JSON.stringify(columns)},
      mapping = ${JSON.stringify(mapping)}, options = ${JSON.stringify(options)},
      preview = ${JSON.stringify(preview)}, warnings = ${JSON.stringify(warnings)},
      total = ${total}, file_size = ${size}, first_rows = ${JSON.stringify(rows)},
      storage_key = ${file?.storedKey ?? null}, csv = ${file ? null : (body.csv ?? null)}
    where ${mine(ctx)} and t.id = ${id}`)
  if (body.start) await begin(ctx, id, {})
  const { body: created, meta } = await readOne(ctx, Import, id)
  return new Answer(created, { ...meta, created: true })
}

/** 403 unless the caller may create such records. */
export function checkMayCreate(ctx: Context, module: ImportModule) {
  if (levelOf(ctx.actor, module, 'create') === 'none') {
    throw forbidden(`Your role may not create ${module}`)
  }
}
