import type { components } from '../api/schema.d.ts'
import { t } from '../locales/text.ts'

export type FieldDefinition = components['schemas']['FieldDefinition']
export type FieldType = components['schemas']['FieldType']

/** The types of fields with labels, in the order for a new field. */
export const fieldTypes: { value: FieldType; label: string }[] = [
  { value: 'text', label: t('Text') },
  { value: 'long_text', label: t('Long text') },
  { value: 'number', label: t('Number') },
  { value: 'currency', label: t('Currency') },
  { value: 'percent', label: t('Percent') },
  { value: 'boolean', label: t('Yes or no') },
  { value: 'date', label: t('Date') },
  { value: 'datetime', label: t('Date and time') },
  { value: 'select', label: t('Single select') },
  { value: 'multi_select', label: t('Multi-select') },
  { value: 'email', label: t('E-mail') },
  { value: 'phone', label: t('Phone') },
  { value: 'url', label: 'URL' },
  { value: 'user', label: t('Person') },
  { value: 'rating', label: t('Rating') },
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
