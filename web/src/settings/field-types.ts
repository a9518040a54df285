import type { components } from '../api/schema.d.ts'

export type FieldDefinition = components['schemas']['FieldDefinition']
export type FieldType = components['schemas']['FieldType']

/** The types of fields with labels, in the order for a new field. */
export const fieldTypes: { value: FieldType; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'long_text', label: 'Long text' },
  { value: 'number', label: 'Number' },
  { value: 'currency', label: 'Currency' },
  { value: 'percent', label: 'Percent' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'date', label: 'Date' },
  { value: 'datetime', label: 'Date and time' },
  { value: 'select', label: 'Single select' },
  { value: 'multi_select', label: 'Multi-select' },
  { value: 'email', label: 'E-mail' },
  { value: 'phone', label: 'Phone' },
  { value: 'url', label: 'URL' },
  { value: 'user', label: 'Person' },
  { value: 'rating', label: 'Rating' },
  { value: 'json', label: 'JSON' },
]

/** The label of a type. */
export function typeName(type: FieldType): string {
  return fieldTypes.find(({ value }) => value === type)?.label ?? type
}

/** Whether a field has options. */
export function hasOptions(type: FieldType): boolean {
  return type === 'select' || type === 'multi_select'
}

/** The key of a new field from its label, different from existing ones: "Renewal date" is `renewal_date`. */
export function keyOf(label: string, taken: readonly string[]): string {
  const plain = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '')
    .slice(0, 60)
  const base = plain || 'field'
  for (let i = 1; ; i++) {
    const key = i === 1 ? base : `${base}_${i}`
    if (!taken.includes(key)) return key
  }
}
