import type { LooseLink, StoredLink } from '../../kit/record/record.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { linkedTable } from '../../kit/record/record.ts'
import { records, serviceTables } from '../../model/all.ts'

/** A column that refers to a row of another table; its own rows are found by their `id`. */
export type Link = StoredLink &
  Pick<LooseLink, 'isJson' | 'lookUp' | 'isHistory' | 'onRemoval'> & {
    /** the record that has the column, and the field that shows it */
    record?: AnyRecord
    field?: string
    /** over `t`: which rows of the table belong to the record, if two records share it */
    only?: string
    /** which rows refer to this table: those with this module's number in that column */
    module?: { column: string; number: number }
    /** whether the referenced row may be removed anyway */
    isWeak?: boolean
  }

const tables = [...new Set(records.map(({ table }) => table))]

/**
 * All columns that refer to rows of a record's table, by that table, with or without a foreign key. A merge moves
 * these references and its undo restores them; a deleted row stays while it is referenced, or its dependents are
 * removed with it; erasure and hand-over use exactly these. `server/test/links.test.ts`
 * finds columns that are missing here.
 */
export const linksTo: { readonly [table: string]: readonly Link[] } = Object.fromEntries(
  tables.map((table) => [
    table,
    // the loose ones first: rows of the stored ones may be their index
    [...fieldsNaming(table), ...looseLinks(table), ...storedLinks(table), ...linksOfService(table)],
  ]),
)

/** The reference fields of all records whose target is in the table, each column once. */
function fieldsNaming(table: string): Link[] {
  return records.flatMap((record) =>
    Object.entries(record.fields)
      .filter(([, { reference, expression }]) => {
        return reference && linkedTable(reference) === table && !expression
      })
      .filter(([, { column }], at, all) => {
        const first = all.findIndex(([name, field]) => (field.column ?? name) === column)
        return column === undefined || first === at
      })
      .map(([name, { column = name, reference }]) => ({
        table: record.table,
        column,
        record,
        field: name,
        only: record.only,
        isWeak: [...record.life.weak, ...record.life.cleared].includes(name) || !reference?.to,
        ...(record.life.cleared.includes(name) ? { onRemoval: 'clear' } : {}),
      })),
  )
}

/** The other links; two records that share a table declare the same ones. */
function storedLinks(table: string): Link[] {
  const links = records.flatMap((record) => (record.table === table ? record.life.links : []))
  return [...new Map(links.map((link) => [`${link.table}.${link.column}`, link])).values()]
}

/** The columns of records that refer to rows of the table without being reference fields. */
function looseLinks(table: string): Link[] {
  return records.flatMap((record) =>
    [...record.life.loose, ...everyRecords(record)].flatMap((link) =>
      naming(table, link).map((one) => ({
        ...one,
        table: record.table,
        record,
        field: fieldOf(record, link.column),
        only: record.only,
        isWeak: true,
      })),
    ),
  )
}

/** The references that every record has: its creator, and people in custom fields. */
function everyRecords({ fields, open }: AnyRecord): LooseLink[] {
  const created = { column: 'created_by', to: ['users'] }
  const isCustom = open && 'custom_fields' in fields
  return [
    ...('created_by' in fields ? [] : [created]),
    ...(isCustom ? [{ column: 'custom_fields', to: ['users'], isJson: true }] : []),
  ]
}

/** A loose link as links to the table: one for each module number whose records are in it. */
function naming(table: string, { to, module, ...link }: LooseLink): Omit<Link, 'table'>[] {
  if (!module) return (to ?? tables).includes(table) ? [link] : []
  const numbers = records.flatMap((each) =>
    each.table === table && each.number !== null ? [each.number] : [],
  )
  return [...new Set(numbers)].map((number) => ({ ...link, module: { column: module, number } }))
}

/** The name of the field that shows a column. */
function fieldOf({ fields }: AnyRecord, column: string): string {
  const found = Object.entries(fields).find(([name, field]) => (field.column ?? name) === column)
  return found?.[0] ?? column
}

/** The columns of tables that are no records. */
function linksOfService(table: string): Link[] {
  return serviceTables.flatMap((from) =>
    from.links.flatMap((link) =>
      naming(table, link).map((one) => ({ ...one, table: from.table, isWeak: true })),
    ),
  )
}
