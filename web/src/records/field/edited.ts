import type { Field } from '../../data/modules.ts'
import type { Record } from '../../data/record.ts'
import { withValue, withValues } from '../../data/record.ts'
import type { Edited } from './edit.tsx'

/** The record that a form's editor is drawn from after a change; a text field keeps what is typed itself. */
export function afterEdit(record: Record, field: Field, { value, shown }: Edited): Record {
  if (shown) return withValues(record, shown)
  const isTyped = field.type === 'text' || field.type === 'long_text'
  return isTyped ? record : withValue(record, field.name, value)
}
