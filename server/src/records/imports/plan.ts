import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { Failure } from '../../kit/ground/errors.ts'
import { enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import { errorsOf, readRow } from './cells.ts'
import type { Line } from './csv.ts'
import { delimiters, encodings } from './csv.ts'
import { usualOptions } from './import.ts'
import type { ImportRow, Options } from './import.ts'
import type { Importable } from './importable.ts'
import type { Mapping } from './mapping.ts'
import { targetsOf } from './mapping.ts'

/** Rows of a preview. */
export const previewRows = 10

const optionSchemas = {
  delimiter: Type.Optional(
    orNull(
      enumeration([...Object.values(delimiters), ...Object.keys(delimiters)], {
        title: 'CsvDelimiter',
        description: 'between cells; guessed when absent',
      }),
    ),
  ),
  encoding: Type.Optional(
    enumeration(encodings, { title: 'CsvEncoding', description: 'utf-8 when absent' }),
  ),
  on_duplicate: Type.Optional(
    enumeration(['skip', 'update', 'create'], {
      title: 'ImportPolicy',
      description: 'what happens to a row whose record exists: skip when absent',
    }),
  ),
  empty_cells: Type.Optional(
    enumeration(['keep', 'clear'], {
      title: 'EmptyCells',
      description: 'what an empty cell does to the record that it updates: keep when absent',
    }),
  ),
  all_or_nothing: Type.Optional(
    Type.Boolean({ description: 'if one row fails, nothing is imported' }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'validates every row and writes nothing' })),
}

/** How the rows of an import are read: set at the upload, and again at the start. */
export const planSchema = {
  mapping: Type.Optional(
    schema<Mapping>({
      type: 'object',
      additionalProperties: { type: ['string', 'null'], maxLength: 200 },
      description:
        'column → field, `field.key` for another record, `custom_fields.key`; null leaves it out',
    }),
  ),
  options: Type.Optional(Type.Object(optionSchemas)),
  ...optionSchemas,
}

const optionNames = Object.keys(usualOptions) as (keyof Options)[]

/** The options with those of a body, which holds them together or one by one. */
export function optionsOf(
  usual: Options,
  body: Partial<Options> & { options?: Partial<Options> },
): Options {
  const options = { ...usual }
  for (const input of [body.options ?? {}, body]) {
    for (const name of optionNames) {
      if (input[name] !== undefined) Object.assign(options, { [name]: input[name] })
    }
  }
  const byWord: { [word: string]: string | undefined } = delimiters
  return { ...options, delimiter: byWord[options.delimiter ?? ''] ?? options.delimiter }
}

/** The first rows as they would be imported, with what is wrong with each. */
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
      const named = Object.entries(links).map(([name, [first]]) => [name, first?.text])
      values = { ...(id && { [importable.record.key]: id }), ...body, ...Object.fromEntries(named) }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      errors = errorsOf(error)
    }
    return { line: line.line, values, errors }
  })
}
