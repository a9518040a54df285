// printed from connectors/custom.ts
import type { Field, FieldType } from './model.ts'
import { customPrefix } from './model.ts'

/** A field in the installation's description. */
export type DescribedField = {
  key: string
  label: string
  type: string
  required?: boolean
  is_built_in?: boolean
  is_archived?: boolean
  options?: { value: string; label: string }[]
}

/** The types of custom fields that forms support; any other is shown as text. */
const types: { [type: string]: FieldType } = {
  number: 'number',
  currency: 'number',
  percent: 'number',
  rating: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  long_text: 'long_text',
  email: 'email',
  phone: 'phone',
  url: 'url',
  select: 'select',
  multi_select: 'multi_select',
  user: 'select',
  json: 'json',
}

/** The custom fields among those described, as fields of a form. */
export function customFields(described: DescribedField[]): Field[] {
  return described
    .filter((field) => !field.is_built_in && !field.is_archived)
    .map(({ key, label, type, required, options }) => ({
      key: `${customPrefix}${key}`,
      label,
      help: 'A field of your organization',
      type: types[type] ?? 'text',
      isRequired: required === true,
      ...(options?.length && { options }),
      ...(type === 'user' && { dropdown: 'user' }),
    }))
}

/** Whether a body contains one of them. */
export function hasCustom(values: { [key: string]: unknown }): boolean {
  return Object.keys(values).some((key) => key.startsWith(customPrefix) && values[key] !== '')
}
