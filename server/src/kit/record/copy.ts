import type { AnyRecord, Draft, Row } from './record.ts'
import { isWritable } from './record.ts'

/** A row as a read gives it, or with the values that are stored. */
type Source<R> = { readonly [field in keyof Row<R>]?: unknown }

/**
 * The body that creates a copy of a record: every field that a body may set, but for those marked
 * `notCopied`; links by their ids. Custom fields are copied as they are.
 */
export function copyOf<R extends AnyRecord>(record: R, row: Source<R>): Draft<R> {
  const body: { [field: string]: unknown } = {}
  for (const [name, field] of Object.entries(record.fields)) {
    if (!isWritable(field) || field.expression || field.isNotCopied) continue
    const value = (row as { [field: string]: unknown })[name]
    if (value === undefined || value === null) continue
    body[name] = field.reference ? idOf(value) : value
  }
  return body as Draft<R>
}

/** The id of a link as a read shows it: itself, or first in the object. */
function idOf(shown: unknown): unknown {
  return typeof shown === 'object' && shown !== null ? Object.values(shown)[0] : shown
}
