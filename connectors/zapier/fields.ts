import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core'
import { addressOf } from './auth.ts'
import type { Field, FieldType, RecordModel } from './model.ts'
import { customPrefix } from './model.ts'

type FormType = NonNullable<PlainInputField['type']>

/** A field of the organization's own, as the installation describes it. */
type CustomField = {
  key: string
  label: string
  type: string
  required?: boolean
  is_built_in?: boolean
  is_archived?: boolean
  options?: { value: string; label: string }[]
}

/** Zapier has one type for both kinds of dates; a day is cut from it. */
const formTypes: { [type in FieldType]?: FormType } = {
  long_text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'datetime',
  datetime: 'datetime',
  json: 'text',
}

const customTypes: { [type: string]: FieldType } = {
  number: 'number',
  currency: 'number',
  percent: 'number',
  rating: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  long_text: 'long_text',
  select: 'select',
  multi_select: 'multi_select',
  json: 'json',
}

/** The parts of an address, each a field of its own here. */
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

/** The values of a form with the parts of an address put together. */
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

/** The organization's own fields, as the installation describes them. */
export async function customFieldsOf(
  { customFields }: RecordModel,
  z: ZObject,
  bundle: Bundle,
): Promise<Field[]> {
  if (!customFields) return []
  const url = addressOf(bundle) + customFields.path
  const response = await z.request({ url, params: customFields.query })
  const described = (response.data as { [at: string]: CustomField[] })[customFields.at] ?? []
  return described
    .filter((field) => !field.is_built_in && !field.is_archived)
    .map(({ key, label, type, required, options }) => ({
      key: `${customPrefix}${key}`,
      label,
      help: 'A field of your organization',
      type: customTypes[type] ?? 'text',
      isRequired: required === true,
      ...(options?.length && { options }),
    }))
}

/** The same as a part of a form. */
export function customForm(record: RecordModel, kind: 'create' | 'update') {
  return async (z: ZObject, bundle: Bundle): Promise<PlainInputField[]> =>
    (await customFieldsOf(record, z, bundle)).map((field) => formField(field, kind))
}
