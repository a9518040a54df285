import type { Field } from '../../kit/record/record.ts'
import { isWritable } from '../../kit/record/record.ts'
import { Document } from './document.ts'

/** The columns that a copy of a document takes over as they are: those that a body may set, and those of its file. */
export const copiedColumns = [
  ...Object.entries<Field>(Document.fields)
    .filter(([, field]) => isWritable(field) && !field.isNotCopied)
    .map(([name, field]) => field.column ?? name),
  'storage_key',
  'file_hash',
  'file_time',
]
