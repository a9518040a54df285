import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Context } from '../../kit/ground/context.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { Failure, badField, badRequest, forbidden } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { insert, readOne } from '../../kit/write/write.ts'
import { errorsOf, readRow } from './cells.ts'
import type { Line } from './csv.ts'
import { delimiters, encodings, readCsv } from './csv.ts'
import { Import, batchSize, importModules, usualOptions } from './import.ts'
import type { ImportModule, ImportRow, Options } from './import.ts'
import type { Importable } from './importable.ts'
import { importables } from './importable.ts'
import { tidy } from './memory.ts'
import type { Mapping } from './mapping.ts'
import { columnNames, guessMapping, targetsOf } from './mapping.ts'
import { begin } from './start.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

/** Bytes of a CSV file at most. */
export const csvLimit = 100 * 1024 * 1024
const previewRows = 10
const mostColumns = 500
const longestName = 255
/** Characters in a batch, whatever its rows hold. */
const mostHeld = 4 * 1024 * 1024

const optionSchemas = {
  delimiter: {
    type: ['string', 'null'],
    enum: [...Object.values(delimiters), ...Object.keys(delimiters), null],
    description: 'between cells; guessed when absent',
  },
  encoding: { type: 'string', enum: [...encodings], description: 'utf-8 when absent' },
  on_duplicate: {
    type: 'string',
    enum: ['skip', 'update', 'create'],
    description: 'what happens to a row whose record exists: skip when absent',
  },
  empty_cells: {
    type: 'string',
    enum: ['keep', 'clear'],
    description: 'what an empty cell does to the record that it updates: keep when absent',
  },
  all_or_nothing: { type: 'boolean', description: 'one row that fails leaves nothing of all' },
  dry_run: { type: 'boolean', description: 'tries everything and writes nothing' },
}

/** How an import may be read anew when it is started. */
export const planSchema = {
  mapping: {
    type: 'object',
    additionalProperties: { type: ['string', 'null'], maxLength: 200 },
    description:
      'column → field, `field.key` for another record, `custom_fields.key`; null leaves it out',
  },
  options: { type: 'object', properties: optionSchemas },
  ...optionSchemas,
} satisfies JSONSchema

export const createImport: Operation = {
  name: 'create_import',
  summary: 'Upload a CSV file of companies or contacts',
  description:
    'As a form with the file in `file`, or as JSON with the text in `csv`. Nothing is written before ' +
    'the import is started: the answer shows how the columns are understood and the first rows.',
  can: { module: 'contacts', action: 'create', or: 'companies' },
  topic: 'imports',
  writes: true,
  input: {
    body: {
      title: 'ImportCreate',
      type: 'object',
      properties: {
        module: { type: 'string', enum: [...importModules] },
        csv: { type: 'string', description: 'the text, where no file is sent' },
        file_name: { type: 'string', maxLength: 255 },
        ...planSchema,
        start: { type: 'boolean', description: 'starts it at once' },
      },
      required: ['module'],
    },
  },
  output: readSchema(Import),
  async run(ctx: Context, { body, file }: Input) {
    const module = body.module as ImportModule
    checkMay(ctx, module)
    if (!file && typeof body.csv !== 'string') throw badField('csv', 'is required, or a file')
    const options = optionsOf(usualOptions, body)
    const id = newId()
    const file_name = body.file_name?.trim() || file?.name || `${module}.csv`
    await insert(ctx, Import, { module, file_name }, { id })
    const bytes = file ? createReadStream(file.path) : Readable.from([Buffer.from(body.csv)])
    const { columns, first, total } = await keepRows(ctx, id, bytes, options)
    const importable = importables[module]
    const { mapping, warnings } = body.mapping
      ? { mapping: body.mapping as Mapping, warnings: [] }
      : await guessMapping(ctx, importable, columns)
    const plan = { columns, mapping, options }
    const isUnknown = !body.mapping && Object.values(mapping).every((target) => target === null)
    // what cannot be started can be mapped still, unless it was to start
    const isMapped = !isUnknown || body.start
    const preview = isMapped ? await previewOf(ctx, importable, plan, first) : []
    if (isUnknown) warnings.unshift('No column is known: map them to fields to start')
    const size = file?.size ?? Buffer.byteLength(body.csv)
    await ctx.run(sql`update imports t set columns = ${JSON.stringify(columns)},
        mapping = ${JSON.stringify(mapping)}, options = ${JSON.stringify(options)},
        preview = ${JSON.stringify(preview)}, warnings = ${JSON.stringify(warnings)},
        total = ${total}, file_size = ${size}
      where ${mine(ctx)} and t.id = ${id}`)
    if (body.start) await begin(ctx, id, {})
    const { body: given, meta } = await readOne(ctx, Import, id)
    return new Answer(given, { ...meta, created: true })
  },
}

/** 403 unless the caller may make such records. */
export function checkMay(ctx: Context, module: ImportModule) {
  if (levelOf(ctx.actor, module, 'create') === 'none') {
    throw forbidden(`Your role may not create ${module}`)
  }
}

/** The options with those that a body gives, together or one by one. */
export function optionsOf(usual: Options, body: { [name: string]: unknown }): Options {
  const options = { ...usual }
  for (const given of [body.options as typeof body | undefined, body]) {
    for (const name of Object.keys(usualOptions)) {
      if (given?.[name] !== undefined) Object.assign(options, { [name]: given[name] })
    }
  }
  const word = options.delimiter as keyof typeof delimiters
  return { ...options, delimiter: delimiters[word] ?? options.delimiter }
}

/** The first rows as they would be brought in, with what is wrong with each. */
export async function previewOf(
  ctx: Context,
  importable: Importable,
  { columns, mapping, options }: Pick<ImportRow, 'columns' | 'mapping' | 'options'>,
  lines: Line[],
) {
  const targets = await targetsOf(ctx, importable, columns, mapping)
  return lines.slice(0, previewRows).map((line) => {
    let values: { [name: string]: unknown } = {}
    let errors: FieldError[] = []
    try {
      const { body, links, id } = readRow(importable, targets, options, line, columns.length)
      const named = Object.entries(links).map(([name, [first]]) => [name, first!.text])
      values = { ...(id && { [importable.record.key]: id }), ...body, ...Object.fromEntries(named) }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      errors = errorsOf(error)
    }
    return { line: line.line, values, errors }
  })
}

/** Reads the file to its end and keeps its rows by batches, as they will be worked on. */
async function keepRows(ctx: Context, id: string, bytes: Readable, options: Options) {
  const { encoding } = options
  let columns: string[] | undefined
  const first: Line[] = []
  let batch: Line[] = []
  let held = 0
  let total = 0
  let number = 0
  const keep = async () => {
    const rows = JSON.stringify(batch.map(({ line, cells }) => [line, cells]))
    await ctx.run(sql`insert into import_batches
        (organization_id, import_id, number, rows, creation_time)
      values (${ctx.organization.id}, ${id}, ${number++}, ${rows}, ${ctx.now().toISOString()})`)
    batch = []
    held = 0
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
    for (const cell of row.cells) held += cell.length
    if (batch.length === batchSize || held > mostHeld) await keep()
  }
  if (batch.length) await keep()
  if (!columns) throw badRequest('file: is empty', [{ field: 'file', message: 'is empty' }])
  if (!total) throw badField('file', 'has no rows below its header')
  return { columns, first, total }
}
