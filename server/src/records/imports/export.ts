import { Type } from 'typebox'
import type { Context, Query } from '../../kit/ground/context.ts'
import { shownDefinitions, shownTo } from '../../kit/record/audience.ts'
import { badField } from '../../kit/ground/errors.ts'
import { pageQuery } from '../../kit/crud.ts'
import { extend, schema, without } from '../../kit/ground/json-schema.ts'
import { everyRow } from '../../kit/read/list.ts'
import { operation } from '../../kit/ground/operation.ts'
import type { AnyRecord, Shown } from '../../kit/record/record.ts'
import { isWritable } from '../../kit/record/record.ts'
import { choosable } from '../../kit/record/option-sets.ts'
import type { CellKind } from '../../model/sheets/csv.ts'
import { cellOf } from '../../model/sheets/csv.ts'
import { sheetQuery, sheetStream } from '../../model/sheets/sheet-file.ts'
import type { ImportModule } from '../../model/imports/import.ts'
import { permissionOf } from '../../model/imports/import.ts'
import type { ExportColumn as Column, Importable } from './importable.ts'
import { importables } from './importables.ts'
import { holidayLines } from './modules/holidays.ts'

type Row = { [field: string]: unknown }

/** The exports, by what they export. */
export const exports = Object.fromEntries(
  Object.keys(importables).map((module) => [module, exportOf(module as ImportModule)]),
) as { [module in ImportModule]: ReturnType<typeof exportOf> }

/**
 * All records of a list as CSV, as fast as the caller reads them and never more than a page of them
 * in memory. The oldest come first, so that records come before those that name them. An import can read the file
 * back: a link becomes columns with the keys of the other record, a custom field `custom_fields.<key>`, and those
 * without a definition together in `custom_fields` as JSON. `only` selects the rows that a surface opens to its callers.
 */
export function exportOf(
  module: ImportModule,
  only?: (ctx: Context) => Promise<Query | undefined> | Query | undefined,
) {
  const importable = importables[module]
  const { record: own, exported: whole = own } = importable
  const usual = extend(without(pageQuery(), 'page', 'offset', 'items_per_page', 'include_count'), {
    ...sheetQuery,
    labels: Type.Optional(
      Type.Boolean({
        description: 'a column with the labels beside each one of options: `lead_status.label`',
      }),
    ),
  })
  // milestones have no filters, as in their list
  const query: typeof usual =
    module === 'milestones' ? schema(without(usual, 'filter', 'filter_id')) : usual
  return operation({
    name: `export_${module}`,
    summary: `Export ${module} as CSV or .xlsx`,
    can: { module: permissionOf(module).module, action: 'read' },
    writes: false,
    lane: 'heavy',
    input: { query },
    output: null,
    gives: 'text/csv',
    async run(ctx, { query }) {
      const { labels = false, ...list } = query
      const record = shownTo(ctx, whole)
      const keys = list.fields
        ? await chosen(ctx, importable, record, list.fields)
        : (await columnsOf(ctx, importable, record)).filter((each) =>
            isUsual(importable, record, each),
          )
      const columns = labels ? await withLabels(ctx, record, keys) : keys
      const fields = [...new Set(columns.map(({ field }) => field))]
      const order = list.sort || list.filter_id ? {} : { sort: record.key }
      const found = await everyRow(
        ctx,
        record,
        { ...list, ...order, fields: fields.join() },
        await only?.(ctx),
      )
      const pages = module === 'holidays' ? linesOf(found) : found
      return sheetStream(ctx, { columns, pages, name: module }, query)
    },
  })
}

/** The days of holiday sets, one row each. */
async function* linesOf(pages: AsyncIterable<Row[]>) {
  for await (const rows of pages) yield rows.flatMap(holidayLines)
}

/** Exported where no fields are requested: what can be imported again, the id, and the times. */
function isUsual(importable: Importable, record: AnyRecord, { name, field: of }: Column): boolean {
  if (importable.columns?.some((each) => each.name === name)) return true
  if (of === record.key || ['creation_time', 'last_update_time', 'record_source'].includes(of)) {
    return true
  }
  if (importable.without?.includes(of)) return false
  const field = record.fields[of]
  return field !== undefined && isWritable(field) && !field.expression
}

async function chosen(
  ctx: Context,
  importable: Importable,
  record: AnyRecord,
  fields: string,
): Promise<Column[]> {
  const known = await columnsOf(ctx, importable, record)
  return fields
    .split(',')
    .map((each) => each.trim())
    .flatMap((name) => {
      const exact = known.filter((column) => column.name === name)
      const its =
        exact.length && name !== 'custom_fields'
          ? exact
          : known.filter(({ field, name: its }) => field === name || its.split('.')[0] === name)
      if (its.length) return its
      const all = [...new Set(known.map((column) => column.name))].join(', ')
      throw badField('fields', `${name} is not a column; columns are ${all}`)
    })
}

async function columnsOf(
  ctx: Context,
  { columns: more = [] }: Importable,
  record: AnyRecord,
): Promise<Column[]> {
  const columns: Column[] = []
  const isReplaced = (name: string) => more.some((each) => each.name === name)
  for (const [name, field] of Object.entries(record.fields)) {
    if (isReplaced(name)) continue
    if (name === 'custom_fields') columns.push(...(await customColumns(ctx, record)))
    else if (field.reference?.shows) columns.push(...linkColumns(name, field.reference.shows))
    else
      columns.push({
        name,
        field: name,
        kind: kindOf(field.kind),
        text: (row) => cellOf(row[name]),
      })
  }
  // no column for a field that the caller does not see
  return [...columns, ...more.filter(({ field }) => Object.hasOwn(record.fields, field))]
}

/** One column for each key of the other record; pictures are not keys. */
function linkColumns(name: string, shows: Shown): Column[] {
  return Object.keys(shows)
    .filter((part) => !/logo|image|role|is_active/.test(part))
    .map((part) => ({
      name: `${name}.${part}`,
      field: name,
      text: (row: Row) => cellOf((row[name] as Row | null)?.[part]),
    }))
}

async function customColumns(ctx: Context, record: AnyRecord): Promise<Column[]> {
  const known = [...(await shownDefinitions(ctx, record.module)).values()].filter(
    ({ is_built_in }) => !is_built_in,
  )
  const field = 'custom_fields'
  const of = (row: Row) => (row[field] ?? {}) as Row
  const keys = new Set(known.map(({ key }) => key))
  const defined = known.map(({ key, type }) => ({
    name: `${field}.${key}`,
    field,
    kind: kindOf(type),
    text: (row: Row) => cellOf(Object.hasOwn(of(row), key) ? of(row)[key] : null),
  }))
  const others = (row: Row) => {
    const rest = Object.entries(of(row)).filter(([key]) => !keys.has(key))
    return rest.length ? JSON.stringify(Object.fromEntries(rest)) : null
  }
  return [...defined, { name: field, field, text: others }]
}

/** What a workbook stores the values of a field as; text for others. */
function kindOf(word: string): CellKind | undefined {
  if (/^(number|integer|currency|percent|rating)$/.test(word)) return 'number'
  if (word === 'date') return 'date'
  return word === 'timestamp' || word === 'datetime' ? 'timestamp' : undefined
}

/** The columns, and beside those of options one with their labels. */
async function withLabels(ctx: Context, record: AnyRecord, columns: Column[]): Promise<Column[]> {
  const known = await shownDefinitions(ctx, record.module)
  const all = columns.map(async (column): Promise<Column[]> => {
    const own = record.fields[column.name]
    const key = column.name.replace(/^custom_fields\./, '')
    const options = own ? await choosable(ctx, own) : (known.get(key)?.options ?? [])
    if (!options.length) return [column]
    const labels = new Map(options.map(({ value, label }) => [value, label]))
    const label = (value: unknown) => labels.get(String(value)) ?? value
    const valueOf = (row: Row) =>
      own ? row[column.name] : (row.custom_fields as Row | undefined)?.[key]
    const text = (row: Row) => {
      const value = valueOf(row)
      return cellOf(Array.isArray(value) ? value.map(label) : value && label(value))
    }
    return [column, { name: `${column.name}.label`, field: column.field, text }]
  })
  return (await Promise.all(all)).flat()
}
