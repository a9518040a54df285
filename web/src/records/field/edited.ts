import type { Field } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { withValue, withValues } from '../../data/record.ts'
import type { Edited } from './edit.tsx'

/** The record from which a form's editors are rendered after a change; text fields keep their text themselves. */
export function afterEdit(record: AnyRecord, field: Field, { value, shown }: Edited): AnyRecord {
  if (shown) return withValues(record, shown)
  const isTyped = field.type === 'text' || field.type === 'long_text'
  return isTyped ? record : withValue(record, field.name, value)
}
