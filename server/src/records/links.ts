import type { AnyRecord, StoredLink } from '../kit/record/record.ts'
import { records } from './all.ts'

/** A column in which rows, found by their `id`, name a row of another table. */
export type Link = StoredLink & {
  /** the record whose field the column is, and the field */
  record?: AnyRecord
  field?: string
  /** over `t`: which rows of the table are the record's, where two records share it */
  only?: string
  /** whether the named row may be removed all the same */
  isWeak?: boolean
}

/**
 * Everything that names a row of a record's table, by that table: a merge moves it, an undo brings
 * it back, and a deleted row stays while it is named. `server/test/schema.test.ts` compares it with
 * the foreign keys.
 */
export const linksTo: { readonly [table: string]: readonly Link[] } = Object.fromEntries(
  [...new Set(records.map(({ table }) => table))].map((table) => [
    table,
    [...fieldsNaming(table), ...storedLinks(table)],
  ]),
)

/** The reference fields of all records whose target lives in the table. */
function fieldsNaming(table: string): Link[] {
  return records.flatMap((record) =>
    Object.entries(record.fields)
      .filter(([, { reference }]) => reference?.to && reference.table === table)
      .map(([name, { column = name }]) => ({
        table: record.table,
        column,
        record,
        field: name,
        only: record.only,
        isWeak: record.weak.includes(name),
      })),
  )
}

/** The others; two records that share the table declare the same ones. */
function storedLinks(table: string): Link[] {
  const links = records.flatMap((record) => (record.table === table ? record.links : []))
  return [...new Map(links.map((link) => [`${link.table}.${link.column}`, link])).values()]
}
