import type { Context } from '../../kit/ground/context.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import type { AnyRecord, Field } from '../../kit/record/record.ts'
import type { Written } from '../../kit/write/write.ts'
import type { CsvColumn } from './csv.ts'
import type { Headers } from './sheets/header.ts'

export type Body = { [key: string]: unknown }

/** What is particular to a module when its records come from rows. */
export type Importable = {
  record: AnyRecord
  /** of a body with whatever fields */
  schema: JSONSchema
  /** targets beside the record's own fields */
  more: { [name: string]: Field }
  /** links that rows name in other ways than bodies do */
  links?: { [name: string]: Field }
  /** links that are not missed where this other field of the row says the same by name */
  insteadOf?: { [link: string]: string }
  /** the record's own fields that rows do not set */
  without?: string[]
  /** other words that headers use */
  headers: Headers
  /** columns whose bad value loses the row: they keep records apart, or place them */
  keys: string[]
  /** a body in the record's own terms; throws what a single create would */
  prepare(body: Body): Body
  /** texts by which other rows may name the record that this row makes */
  names(body: Body): string[]
  /** the field that points to another record of the kind, never in a cycle */
  parent?: string
  /** what the export adds to the record's own columns, or puts in their place by name */
  columns?: ExportColumn[]
  /** the record as its export reads it, where that is not as others do */
  exported?: AnyRecord
} & (Bulk | Single)

/** A column of an export, and the field that it is read from. */
export type ExportColumn = CsvColumn<Body> & { field: string }

/** Records that are written many at a time, in a fixed number of statements. */
type Bulk = {
  how: 'bulk'
  /** what keeps two records apart; null when nothing does */
  keyOf(body: Body): string | null
  /** a name by which one without a key of its own is the same as another, and its column */
  alike?: { column: string; of(body: Body): string | null }
  /** further columns that follow from a row as it is stored before, if it is, and after */
  columnsAfter?(ctx: Context): Promise<(after: Body, before?: Body) => Body>
}

/** Records that are written by their own operations, one after the other. */
type Single = {
  how: 'single'
  /** the record that a row without an id is the same as */
  find(ctx: Context, body: Body): Promise<string | undefined>
  /** records may be alike, such as two tasks of one name: rows of one file are all of them new */
  isRepeatable: boolean
  /** the field without which a row is none, where that is not the record's title */
  title?: string
  /** whether a row adds something to a record that exists, such as a day to a set of holidays */
  adds?(ctx: Context, id: string, body: Body): Promise<boolean>
  create(ctx: Context, body: Body): Promise<Written>
  update(ctx: Context, id: string, body: Body): Promise<Written>
  remove(ctx: Context, id: string): Promise<unknown>
  /**
   * What follows from taking a change back, beside the ordinary event: a deal is in its former stage, a
   * task is open again. `before` is the record as the import left it.
   */
  takenBack?(ctx: Context, written: Written, before: Body): Promise<void>
}

export type BulkImportable = Importable & Bulk
export type SingleImportable = Importable & Single

/** The field of a target by its name: one that the module adds, a link as rows name it, or the record's own. */
export function fieldOf({ record, more, links, without }: Importable, name: string) {
  for (const fields of [more, links ?? {}]) if (Object.hasOwn(fields, name)) return fields[name]
  if (without?.includes(name) || !Object.hasOwn(record.fields, name)) return undefined
  return record.fields[name]
}

/** Text without blanks around it and case; null where there is none. */
export function foldedText(value: unknown): string | null {
  return (typeof value === 'string' && value.trim().toLowerCase()) || null
}
