import type { LooseLink, StoredLink } from '../kit/record/record.ts'
import type { AnyRecord } from '../kit/record/record.ts'
import { linkedTable } from '../kit/record/record.ts'
import { records } from './all.ts'
import { serviceLinks } from './service-links.ts'

/** A column in which rows, found by their `id`, name a row of another table. */
export type Link = StoredLink &
  Pick<LooseLink, 'isJson' | 'lookUp' | 'isHistory' | 'onRemoval'> & {
    /** the record whose column it is, and the field that shows it */
    record?: AnyRecord
    field?: string
    /** over `t`: which rows of the table are the record's, where two records share it */
    only?: string
    /** which rows name this table: those with this number of a module in the column */
    module?: { column: string; number: number }
    /** whether the named row may be removed all the same */
    isWeak?: boolean
  }

const tables = [...new Set(records.map(({ table }) => table))]

/**
 * Everything that names a row of a record's table, by that table, foreign key or not. A merge moves
 * it and an undo brings it back, a deleted row stays while it is named or takes what hangs on it
 * along, and erasing or handing over a record means these and no others. `server/test/links.test.ts`
 * looks for columns that are missing here.
 */
export const linksTo: { readonly [table: string]: readonly Link[] } = Object.fromEntries(
  tables.map((table) => [
    table,
    // the loose ones before the stored ones, whose rows may be their index
    [...fieldsNaming(table), ...looseLinks(table), ...storedLinks(table), ...linksOfService(table)],
  ]),
)

/** The reference fields of all records whose target lives in the table; a column once. */
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
        isWeak: [...record.weak, ...record.cleared].includes(name) || !reference?.to,
        ...(record.cleared.includes(name) ? { onRemoval: 'clear' } : {}),
      })),
  )
}

/** The others; two records that share the table declare the same ones. */
function storedLinks(table: string): Link[] {
  const links = records.flatMap((record) => (record.table === table ? record.links : []))
  return [...new Map(links.map((link) => [`${link.table}.${link.column}`, link])).values()]
}

/** The columns of records that name rows of the table without being reference fields. */
function looseLinks(table: string): Link[] {
  return records.flatMap((record) =>
    [...record.loose, ...everyRecords(record)].flatMap((link) =>
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

/** What every record names: who created it, and people in custom fields. */
function everyRecords({ fields, open }: AnyRecord): LooseLink[] {
  const created = { column: 'created_by', to: ['users'] }
  const isCustom = open && 'custom_fields' in fields
  return [
    ...('created_by' in fields ? [] : [created]),
    ...(isCustom ? [{ column: 'custom_fields', to: ['users'], isJson: true }] : []),
  ]
}

/** A loose link as one to the table; one for each module's number whose records live in it. */
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
  return Object.entries(serviceLinks).flatMap(([from, links]) =>
    links.flatMap((link) =>
      naming(table, link).map((one) => ({ ...one, table: from, isWeak: true })),
    ),
  )
}
