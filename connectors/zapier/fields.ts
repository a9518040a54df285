import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core'
import { addressOf } from './auth.ts'
import type { DescribedField } from './custom.ts'
import { customFields } from './custom.ts'
import type { Field, FieldType, RecordModel } from './model.ts'

type FormType = NonNullable<PlainInputField['type']>

/** Zapier has one type for both kinds of dates; for a day the time is cut off. */
const formTypes: { [type in FieldType]?: FormType } = {
  long_text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'datetime',
  datetime: 'datetime',
  json: 'text',
}

/** The parts of an address, which are separate fields here. */
const addressParts = {
  address: 'Street',
  city: 'City',
  state: 'State',
  zip_code: 'Zip Code',
  country: 'Country',
}

/** The form of a create or an update. */
export function formOf(record: RecordModel, kind: 'create' | 'update'): PlainInputField[] {
  return record.fields
    .filter(({ only }) => !only || only === kind)
    .flatMap((field) => (field.type === 'address' ? partsOf(field) : formField(field, kind)))
}

function formField(field: Field, kind: 'create' | 'update'): PlainInputField {
  const { key, label, type, help, options, dropdown } = field
  return {
    key,
    label,
    helpText: `${help}.`,
    type: formTypes[type] ?? 'string',
    required: kind === 'create' && field.isRequired === true,
    ...((type === 'list' || type === 'multi_select') && { list: true }),
    ...(options && {
      choices: Object.fromEntries(options.map((each) => [each.value, each.label])),
    }),
    ...(dropdown && { dynamic: `list_${dropdown}.id.label` }),
  }
}

function partsOf({ key, label }: Field): PlainInputField[] {
  return Object.entries(addressParts).map(([part, name]) => ({
    key: `${key}__${part}`,
    label: `${label}: ${name}`,
    type: 'string' as const,
    required: false,
  }))
}

/** The values of a form with the parts of an address combined. */
export function valuesOf(record: RecordModel, input: { [key: string]: unknown }) {
  const values = { ...input }
  for (const { key, type } of record.fields) {
    if (type !== 'address') continue
    const parts = Object.keys(addressParts)
      .map((part) => [part, values[`${key}__${part}`]] as const)
      .filter(([, value]) => value !== undefined && value !== '')
    if (parts.length) values[key] = Object.fromEntries(parts)
  }
  return values
}

/** The custom fields, from the installation's description. */
export async function customFieldsOf(
  record: RecordModel,
  z: ZObject,
  bundle: Bundle,
): Promise<Field[]> {
  if (!record.customFields) return []
  const { path, query, at } = record.customFields
  const response = await z.request({ url: addressOf(bundle) + path, params: query })
  return customFields((response.data as { [at: string]: DescribedField[] })[at] ?? [])
}

/** The same as a part of a form. */
export function customForm(record: RecordModel, kind: 'create' | 'update') {
  return async (z: ZObject, bundle: Bundle): Promise<PlainInputField[]> =>
    (await customFieldsOf(record, z, bundle)).map((field) => formField(field, kind))
}
