import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core'
import { withAddressParts } from './address.ts'
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

/** The form of a create or an update. */
export function formOf(record: RecordModel, kind: 'create' | 'update'): PlainInputField[] {
  const fields = record.fields.filter(({ only }) => !only || only === kind)
  return withAddressParts(fields).map((field) => formField(field, kind))
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
