import type { Definition } from '../../kit/record/field-types.ts'
import type { AnyRecord, Field } from '../../kit/record/record.ts'
import { isWritable } from '../../kit/record/record.ts'
import { fieldLabelOf, labelOf } from './labels.ts'

/** A record's built-in fields as definitions; an organization may change their labels, not their types. */
export function builtIns(record: AnyRecord): Definition[] {
  return Object.entries(record.fields)
    .filter(([name, field]) => isWritable(field) && name !== 'custom_fields')
    .map(([key, field], position) => ({
      key,
      label: fieldLabelOf(key, field, record),
      type: configTypeOf(key, field),
      required: field.access === 'required',
      unique: false,
      description: null,
      options: ((field.schema.enum as string[] | undefined) ?? []).map((value, at) => ({
        value,
        label: labelOf(value),
        color: null,
        icon: null,
        position: at,
        is_default: false,
      })),
      default: field.default ?? null,
      position,
      group: null,
      is_archived: false,
      is_shared: false,
      is_built_in: true,
    }))
}

/** The type by which a form edits a field: a `FieldType`, `list` or `reference`. */
export function fieldTypeOf(key: string, field: Field): string {
  const type = configTypeOf(key, field)
  if (field.reference?.table === 'statuses') return 'select'
  if (type !== 'user' && field.reference) return 'reference'
  return field.kind === 'list' ? 'list' : type
}

function configTypeOf(key: string, field: Field): string {
  if (field.optionSet || field.schema.enum) return 'select'
  if (field.reference?.table === 'people') return 'user'
  if (field.schema.format === 'email') return 'email'
  if (field.schema.format === 'web-address') return 'url'
  if (key === 'phone' || key === 'whatsapp_number') return 'phone'
  switch (field.kind) {
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'date':
      return 'date'
    case 'timestamp':
      return 'datetime'
    case 'json':
    case 'list':
      return 'json'
    default:
      return Number(field.schema.maxLength) > 1000 ? 'long_text' : 'text'
  }
}
