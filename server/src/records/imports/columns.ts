import { cellOf } from '../../model/sheets/csv.ts'
import type { ExportColumn } from './importable.ts'

type Parts = { [part: string]: unknown } | null | undefined

/** A column with a part of what a read shows as an object, such as the name of a status. */
export function partColumn(name: string, field: string, part: string): ExportColumn {
  return { name, field, text: (row) => cellOf((row[field] as Parts)?.[part]) }
}

/** A column with another field, under the name that an import uses for it. */
export function namedColumn(name: string, field: string): ExportColumn {
  return { name, field, text: (row) => cellOf(row[field]) }
}
