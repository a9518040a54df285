import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Context } from '../../kit/ground/context.ts'
import { badField, badRequest, forbidden } from '../../kit/ground/errors.ts'
import type { Upload } from '../../kit/ground/files.ts'
import { newId } from '../../kit/ground/ids.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { insert } from '../../kit/write/write.ts'
import type { Line } from './csv.ts'
import { readCsv } from './csv.ts'
import { Import, batchSize, usualOptions } from './import.ts'
import type { ImportModule, Options } from './import.ts'
import { importables } from './importable.ts'
import { tidy } from './memory.ts'
import type { Mapping } from './mapping.ts'
import { columnNames, guessMapping } from './mapping.ts'
import { optionsOf, previewOf, previewRows } from './plan.ts'
import { begin } from './start.ts'
import { readOne } from '../../kit/read/one.ts'

/** Bytes of a CSV file at most. */
export const csvLimit = 100 * 1024 * 1024
const mostColumns = 500
const longestName = 255
/** Characters in a batch, whatever its rows hold. */
const mostCharacters = 4 * 1024 * 1024

type ImportInput = Partial<Options> & {
  module: ImportModule
  csv?: string
  file_name?: string
  mapping?: Mapping
  options?: Partial<Options>
  start?: boolean
}

/** Stores a file with its columns mapped and its first rows previewed, and starts it on request. */
export async function upload(ctx: Context, body: ImportInput, file?: Upload): Promise<Answer> {
  const { module } = body
  checkMayCreate(ctx, module)
  const source = sourceOf(body.csv, file)
  const options = optionsOf(usualOptions, body)
  const id = newId()
  const file_name = body.file_name?.trim() || source.name || `${module}.csv`
  await insert(ctx, Import, { module, file_name }, { id })
  const { columns, first, total } = await storeRows(ctx, id, source.open(), options)
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
  await ctx.run(sql`update imports t set columns = ${JSON.stringify(columns)},
      mapping = ${JSON.stringify(mapping)}, options = ${JSON.stringify(options)},
      preview = ${JSON.stringify(preview)}, warnings = ${JSON.stringify(warnings)},
      total = ${total}, file_size = ${source.size}
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

/** The bytes of an upload: a form's file, or the text of a JSON body. */
function sourceOf(csv: string | undefined, file: Upload | undefined) {
  if (file) {
    return { name: file.name, size: file.size, open: () => createReadStream(file.path) }
  }
  if (csv === undefined) throw badField('csv', 'is required, or a file')
  const open = () => Readable.from([Buffer.from(csv)])
  return { name: undefined, size: Buffer.byteLength(csv), open }
}

/** Reads the file to its end and stores its rows in batches, as they will be imported. */
async function storeRows(ctx: Context, id: string, bytes: Readable, options: Options) {
  const { encoding } = options
  let columns: string[] | undefined
  const first: Line[] = []
  let batch: Line[] = []
  let size = 0
  let total = 0
  let number = 0
  const store = async () => {
    const rows = JSON.stringify(batch.map(({ line, cells }) => [line, cells]))
    await ctx.run(sql`insert into import_batches
        (organization_id, import_id, number, rows, creation_time)
      values (${ctx.organization.id}, ${id}, ${number++}, ${rows}, ${ctx.now().toISOString()})`)
    batch = []
    size = 0
    tidy()
  }
  for await (const row of readCsv(bytes, { encoding, delimiter: options.delimiter ?? undefined })) {
    if (!columns) {
      const { cells } = row
      if (cells.length > mostColumns) {
        throw badField('file', `has ${cells.length} columns; at most ${mostColumns} are taken`)
      }
      if (cells.some((cell) => cell.length > longestName)) {
        throw badField('file', `has a column whose name is longer than ${longestName} characters`)
      }
      columns = columnNames(cells)
      continue
    }
    if (row.cells.every((cell) => !cell.trim())) continue
    total++
    if (first.length < previewRows) first.push(row)
    batch.push(row)
    for (const cell of row.cells) size += cell.length
    if (batch.length === batchSize || size > mostCharacters) await store()
  }
  if (batch.length) await store()
  if (!columns) throw badRequest('file: is empty', [{ field: 'file', message: 'is empty' }])
  if (!total) throw badField('file', 'has no rows below its header')
  return { columns, first, total }
}
