import type { Context } from '../../kit/ground/context.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import type { AnyRecord, Field } from '../../kit/record/record.ts'
import { ownField } from '../../kit/record/record.ts'
import type { Written } from '../../kit/write/write.ts'
import type { SheetColumn } from '../../model/sheets/csv.ts'
import type { Headers } from '../../model/sheets/header.ts'

export type Body = { [key: string]: unknown }

/** The records that an import has taken for rows: those of earlier batches by its id, and those of this run. */
export type Taken = { import_id: string | null; taken: Set<string> }

/** A row as its cells say it, before it is the body of a record. */
export type RawRow = {
  raw: Body
  /** the records that it names, by field */
  links: { [field: string]: { key: string | null; text: string }[] }
  /** the existing record that it names by id */
  id: string | null
}

/** The particulars of a module whose records can be imported. */
export type Importable = {
  record: AnyRecord
  /** of a body with whatever fields */
  schema: JSONSchema
  /** targets besides the record's own fields */
  more: { [name: string]: Field }
  /** links that rows name in other ways than bodies */
  links?: { [name: string]: Field }
  /** links that are not required if another field of the row says the same by name */
  insteadOf?: { [link: string]: string }
  /** the record's own fields that rows do not set */
  without?: string[]
  /** other names that headers use, the best ones first */
  headers: Headers
  /** words before or behind a header that name the record, such as in `Deal - Title` */
  prefixes?: string[]
  /** whether records have several addresses and numbers, of which headers say which is meant: `Business City` */
  isPlaced?: boolean
  /**
   * fields for which several columns may be mapped: the `first` with a value is taken, all are `join`ed, or those
   * behind the first are kept as custom fields of this name with a number
   */
  several?: { [field: string]: 'first' | 'join' | (string & {}) }
  /** targets that are guessed only beside another one, which says the same better if it is alone */
  beside?: { [target: string]: string }
  /** whether a field may hold a column with these values, where the header alone does not say */
  fits?: { [target: string]: (values: string[]) => boolean }
  /** columns for which an invalid value makes the row fail: they identify records, or place them */
  keys: string[]
  /** converts a body to the record's own fields; throws the errors of a single create */
  prepare(body: Body): Body
  /** texts by which other rows may name the record of this row */
  names(body: Body): string[]
  /** the field that points to another record of the kind, never in a cycle */
  parent?: string
  /** columns that the export adds to the record's own, or replaces by name */
  columns?: ExportColumn[]
  /** the record as its export reads it, if that differs from other reads */
  exported?: AnyRecord
} & (Bulk | Single)

/** A column of an export, and the field from which it is read. */
export type ExportColumn = SheetColumn<Body> & { field: string }

/** Records that are written in bulk, in a fixed number of statements. */
type Bulk = {
  how: 'bulk'
  /** what a new record gets that its row does not say, such as a name */
  whenNew?(body: Body): Body
  /** the company that a row is about instead, which has no person */
  companyOf?(row: RawRow): Body | undefined
  /**
   * the records of rows that are known by something else than their key; each record is that of one row, and none that
   * the import has taken for an earlier one
   */
  alikeRows?(
    ctx: Context,
    rows: { body: Body; links: { [field: string]: string } }[],
    earlier: Taken,
  ): Promise<(Alike | undefined)[]>
  /** the fields that identify it: a record that was found by what was merged into it keeps its own */
  identifying: readonly string[]
  /** the unique key of a record; null if it has none */
  keyOf(body: Body): string | null
  /** a name by which a record without a key counts as the same as another, and its column */
  alike?: { column: string; of(body: Body): string | null }
  /** further columns that follow from the row before the change, if it existed, and after it */
  columnsAfter?(ctx: Context): Promise<(after: Body, before?: Body) => Body>
}

/** A record that a row may be about, and how a person knows it. */
export type Fitting = { id: string; text: string }

/** A record that a row is about, or may be about: then the row is a new one, and the preview shows both. */
export type Alike = Fitting & { isSure: boolean }

/** How an import writes: whether others hear of records that were finished before today. */
export type How = { tellsApps: boolean }

/** Records that are written by their own operations, one after the other. */
type Single = {
  how: 'single'
  /** the existing record of a row without an id */
  find?(ctx: Context, body: Body): Promise<string | undefined>
  /**
   * The same where records may be alike, such as two tasks with the same name: the records that each of the rows may
   * be about, in one query. `mapped` are the fields that the file has columns for.
   */
  fitting?(ctx: Context, bodies: Body[], mapped: Set<string>): Promise<Fitting[][]>
  /** the field that every row needs, if it is not the record's title */
  title?: string
  /** whether a row adds something to a record that exists, such as a day to a set of holidays */
  adds?(ctx: Context, id: string, body: Body): Promise<boolean>
  create(ctx: Context, body: Body, how: How): Promise<Written>
  update(ctx: Context, id: string, body: Body, how: How): Promise<Written>
  remove(ctx: Context, id: string): Promise<unknown>
  /**
   * Further effects of undoing a change, besides the ordinary event: a deal is in its former stage, a
   * task is open again. `before` is the record as the import left it.
   */
  afterUndo?(ctx: Context, written: Written, before: Body): Promise<void>
}

export type BulkImportable = Importable & Bulk
export type SingleImportable = Importable & Single

/** The field of a target by its name: one added by the module, a link as rows name it, or the record's own. */
export function fieldOf({ record, more, links, without }: Importable, name: string) {
  const added = ownField({ fields: more }, name)
  // what only rows have is not cleared by an empty cell
  if (added) return { ...added, nullable: false }
  const link = ownField({ fields: links ?? {} }, name)
  return link ?? (without?.includes(name) ? undefined : ownField(record, name))
}

/** Text trimmed and in lower case; null if empty. */
export function lowered(value: unknown): string | null {
  return (typeof value === 'string' && value.trim().toLowerCase()) || null
}
