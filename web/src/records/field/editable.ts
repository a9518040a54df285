import type { Field } from '../../data/modules.ts'

/** Whether a field can be edited by its type. */
export function isEditable(field: Field): boolean {
  if (!field.is_writable) return false
  if (field.options.length) return true
  if (field.look === 'tags') return true
  return !['json', 'list', 'id'].includes(field.type)
}
