import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { badFields } from '../../kit/ground/errors.ts'
import { enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import { choosable } from '../../kit/record/option-sets.ts'
import type { Place } from './cells.ts'
import { formatsSchema, usualOptions } from '../../model/imports/import.ts'
import type { ColumnReport, ImportRow, Options } from '../../model/imports/import.ts'
import {
  answersSchema,
  currencyChoicesSchema,
  newOptionsSchema,
  valueChoicesSchema,
} from '../../model/imports/shown.ts'
import { organizationCurrency } from '../projects/priced.ts'
import { isMoney } from './currencies.ts'
import { importables } from './importables.ts'
import type { Plan } from './outcome.ts'
import { currencyOf, decimalOf, emptyProfile, orderBeside } from '../../model/sheets/column.ts'
import { dateOrders } from '../../model/sheets/dates.ts'
import { currencyNamed } from '../../model/sheets/numbers.ts'
import { delimiters } from '../../model/sheets/delimiter.ts'
import { encodings } from '../../model/sheets/encoding.ts'
import { decimalSigns } from '../../model/sheets/numbers.ts'
import type { Formats } from './values.ts'
import type { ValueColumn } from './value-columns.ts'
import { decidedBy, rememberedValues, usersOf, valueColumn } from './value-columns.ts'
import { rankOf } from './guess.ts'
import type { Importable } from './importable.ts'
import type { Mapping, Target } from './mapping.ts'
import { mayRepeat, nameOf, targetsOf } from './mapping.ts'

/** The number of rows that a preview checks, and the number that it shows. */
export const previewRows = 1000
export const shownRows = 10

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
    enumeration(encodings, {
      title: 'CsvEncoding',
      description: 'found from the bytes of a file when absent',
    }),
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
  dry_run: Type.Optional(
    Type.Boolean({ description: 'dry run: validates every row and writes nothing' }),
  ),
  formats: Type.Optional(formatsSchema),
  unknown_links: Type.Optional(
    enumeration(['report', 'create'], {
      title: 'UnknownLinks',
      description:
        'what happens to a company or account that does not exist: created once (default), or reported and left empty',
    }),
  ),
  sheet: Type.Optional(
    orNull(
      Type.String({
        maxLength: 255,
        description:
          'the name of a sheet of a workbook; the first visible one with data when absent',
      }),
    ),
  ),
  values: Type.Optional(valueChoicesSchema),
  new_options: Type.Optional(newOptionsSchema),
  currencies: Type.Optional(currencyChoicesSchema),
  answers: Type.Optional(answersSchema),
  tell_apps: Type.Optional(
    Type.Boolean({
      description:
        'whether webhooks, automations and notifications hear of records that arrive finished before today: ' +
        'no when absent',
    }),
  ),
}

/** How the rows of an import are read: set at the upload, and changed at the start. */
export const planSchema = {
  mapping: Type.Optional(
    schema<Mapping>({
      type: 'object',
      additionalProperties: { type: ['string', 'null'], maxLength: 200 },
      description:
        'column → field, `field.key` for another record, `custom_fields.key`; null leaves it out',
    }),
  ),
  options: Type.Optional(Type.Object(optionSchemas, { additionalProperties: false })),
  ...optionSchemas,
}

const optionNames = Object.keys(usualOptions) as (keyof Options)[]

/** The options merged with those of a body, where they are in one object or separate. */
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

/** Everything that is needed to read an import's rows; 400 names errors in the mapping or the formats. */
export async function planOf(
  ctx: Context,
  { module, columns, mapping, options, profiles }: Planned,
  import_id: string | null,
): Promise<Plan> {
  const importable = importables[module]
  const targets = await targetsOf(ctx, importable, columns, mapping)
  const places = new Map<number, Place>()
  const currency = await organizationCurrency(ctx)
  const errors: FieldError[] = []
  for (const column of Object.keys(options.formats)) {
    if (columns.includes(column)) continue
    errors.push({ field: `formats.${column}`, message: 'is not a column of the file' })
  }
  for (const [currency, { as, rate }] of Object.entries(options.currencies)) {
    if (as === 'convert' && !rate) {
      errors.push({ field: `currencies.${currency}.rate`, message: 'is required to convert' })
    }
  }
  if (errors.length) throw badFields(errors)
  const valuesAt = await valuesOf(ctx, { module, importable, targets, columns, options })
  const saysCurrency = [...targets.values()].some(
    (target) => target.kind === 'field' && target.name === 'currency_unit',
  )
  for (const [at, target] of inOrder(importable, columns, targets)) {
    const column = columns[at] ?? ''
    const profile = profiles[at] ?? emptyProfile()
    const chosen = options.formats[column]
    const field = target.kind === 'field' ? importable.record.fields[target.name] : undefined
    const formats: Formats = {
      decimal: decimalSigns.find((each) => each === chosen) ?? decimalOf(profile),
      order: dateOrders.find((each) => each === chosen) ?? orderBeside(profile, profiles),
      // of amounts each may be in its own currency
      currency: isMoney(importable, target) ? undefined : currencyOf(profile),
      options: field ? await choosable(ctx, field) : [],
    }
    // where rows say their currency, no other is odd
    const usual = saysCurrency ? undefined : currencyNamed(currencyOf(profile), currency)
    places.set(at, { target, column, formats, usual, values: valuesAt.get(at) })
  }
  const { timezone } = ctx.organization
  return {
    importable,
    currency,
    places,
    columns,
    options,
    timezone,
    import_id,
    createdLinks: [],
    taken: new Set(),
  }
}

type Chosen = {
  module: string
  importable: Importable
  targets: Map<number, Target>
  columns: string[]
  options: Options
}

/** The columns with several values, and what their texts become; 400 for a choice that is none. */
async function valuesOf(
  ctx: Context,
  { module, importable, targets, columns, options }: Chosen,
): Promise<Map<number, Place['values']>> {
  const found = new Map<
    number,
    { target: Target; values: ValueColumn; said: Options['values'][string] }
  >()
  for (const [at, target] of targets) {
    const values = await valueColumn(ctx, importable, target)
    const column = columns[at] ?? ''
    const said = options.values[column] ?? {}
    if (!values) continue
    checkChoices(column, values, said)
    found.set(at, { target, values, said })
  }
  const names = [...found.values()].map(({ target }) => nameOf(importable, target))
  const remembered = await rememberedValues(ctx, module, names)
  const memoryOf = (target: Target) =>
    remembered.get(nameOf(importable, target)) ?? new Map<string, string | null>()
  const links = [...found.values()].flatMap(({ target }) => (target.kind === 'link' ? target : []))
  const [link] = links
  const ids = links.flatMap((target) => [...memoryOf(target).values()]).filter((id) => id !== null)
  // whichever link it is, a user has one id
  const users = link ? await usersOf(ctx, link, ids) : new Map<string, string>()
  return new Map(
    [...found].map(([at, { target, values, said }]) => [
      at,
      { ...values, decided: decidedBy(values, said, memoryOf(target), users) },
    ]),
  )
}

/** 400 for a choice that the field does not have. */
function checkChoices(
  column: string,
  { choices, isPerson, isOpen }: ValueColumn,
  chosen: { [value: string]: string | null },
) {
  if (isPerson || isOpen) return
  const known = new Set(choices.map(({ value }) => value))
  const errors = Object.entries(chosen)
    .filter(([, becomes]) => becomes !== null && !known.has(becomes))
    .map(([value, becomes]) => ({
      field: `values.${column}.${value}`,
      message: `cannot become ${becomes}; choices are ${[...known].slice(0, 50).join(', ')}`,
    }))
  if (errors.length) throw badFields(errors)
}

/** The columns with their targets: of those that share one the best first. */
function inOrder(importable: Importable, columns: string[], targets: Map<number, Target>) {
  const rankOfColumn = ([at, target]: [number, Target]) =>
    mayRepeat(importable, target)
      ? rankOf(importable, nameOf(importable, target), columns[at] ?? '')
      : 0
  const ranked = [...targets].map((each) => ({ each, rank: rankOfColumn(each) }))
  return ranked.sort((a, b) => a.rank - b.rank || a.each[0] - b.each[0]).map(({ each }) => each)
}

type Planned = Pick<ImportRow, 'module' | 'columns' | 'mapping' | 'options' | 'profiles'>

/** 400 naming each column with an ambiguous format of numbers or dates for which none was chosen. */
export function checkChosen(report: ColumnReport[]) {
  const open = report.filter(({ needs_choice }) => needs_choice)
  if (!open.length) return
  const errors = open.map(({ column, choices }) => {
    const ways = choices.map(
      ({ format, example, becomes }) => `${format} makes ${example} ${becomes}`,
    )
    return { field: `formats.${column}`, message: `must be chosen: ${ways.join(', ')}` }
  })
  throw badFields(errors, 'format_needed')
}
