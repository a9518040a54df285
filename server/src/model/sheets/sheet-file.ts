import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { enumeration } from '../../kit/ground/json-schema.ts'
import { Stream } from '../../kit/ground/operation.ts'
import type { SheetColumn } from './csv.ts'
import { csvFile } from './csv.ts'
import { delimiters } from './delimiter.ts'
import { xlsxFile } from './xlsx-file.ts'

/** How an export is written, in its query. */
export const sheetQuery = {
  format: Type.Optional(
    enumeration(['csv', 'xlsx'], {
      title: 'ExportFormat',
      description:
        'CSV when absent; `xlsx` is a workbook for Excel, LibreOffice and Google, whose numbers and days are right ' +
        'in every language, and for which `bom`, `sep`, `decimal` and `dates` mean nothing',
    }),
  ),
  bom: Type.Optional(
    Type.Boolean({ description: 'begins with a byte-order mark, which Excel needs' }),
  ),
  sep: Type.Optional(
    enumeration([...Object.values(delimiters), ...Object.keys(delimiters)], {
      title: 'CsvDelimiter',
      description:
        'between cells: a comma when absent; Excel expects a semicolon where it writes 8,5',
    }),
  ),
  decimal: Type.Optional(
    enumeration(['point', 'comma'], {
      title: 'ExportDecimal',
      description: 'the sign in numbers: a point when absent',
    }),
  ),
  dates: Type.Optional(
    enumeration(['iso', 'local'], {
      title: 'ExportDates',
      description:
        'times as instants, `2026-12-31T13:30:00.000Z`, when absent; `local` is `2026-12-31 14:30:00` by the clock ' +
        'of the organization, which spreadsheets read as a time',
    }),
  ),
}

const query = Type.Object(sheetQuery)

/** The rows as a file of that kind, as fast as the caller reads it; `name` is what they are. */
export function sheetStream<Row>(
  ctx: Context,
  {
    columns,
    pages,
    name,
  }: { columns: SheetColumn<Row>[]; pages: AsyncIterable<Row[]>; name: string },
  {
    format = 'csv',
    bom = false,
    sep = ',',
    decimal = 'point',
    dates = 'iso',
  }: Static<typeof query>,
): Stream {
  const { timezone } = ctx.organization
  const file = `${name}-${ctx.now().toISOString().slice(0, 10)}.${format}`
  if (format === 'xlsx')
    return new Stream(workbook, () => xlsxFile(columns, pages, { name, timezone }), file)
  const byWord: { [word: string]: string | undefined } = delimiters
  const look = { bom, sep: byWord[sep] ?? sep, decimal, clock: dates === 'local' ? timezone : null }
  return new Stream('text/csv; charset=utf-8', () => csvFile(columns, pages, look), file)
}

const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
