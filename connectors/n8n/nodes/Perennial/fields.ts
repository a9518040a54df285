import type {
  FieldType as FormType,
  ILoadOptionsFunctions,
  INodePropertyOptions,
  ResourceMapperField,
  ResourceMapperFields,
} from 'n8n-workflow'
import { withAddressParts } from '../address.ts'
import { catalogue } from '../catalogue.ts'
import type { DescribedField } from '../custom.ts'
import { customFields } from '../custom.ts'
import type { Field, FieldType, RecordModel } from '../model.ts'
import { requestUnless } from '../transport.ts'
import { recordOf } from './operations.ts'

type Item = { [name: string]: unknown }
type Answer = { [name: string]: Item[] | undefined }

const formTypes: { [type in FieldType]: FormType } = {
  text: 'string',
  long_text: 'string',
  email: 'string',
  phone: 'string',
  url: 'string',
  number: 'number',
  boolean: 'boolean',
  date: 'dateTime',
  datetime: 'dateTime',
  select: 'string',
  // lists are typed with commas, and expressions may return arrays
  multi_select: 'string',
  list: 'string',
  address: 'object',
  json: 'object',
}

/** The form of the chosen resource: its fields with their lists of values, and the custom ones. */
export async function formOf(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  const record = recordOf(this.getNodeParameter('resource') as string)
  const isNew = this.getNodeParameter('operation') !== 'update'
  const answers = new Map<string, Promise<Answer | undefined>>()
  /** Each list is read once; if the app may not read it, the field is a text field. */
  const read = (path: string, query: { [name: string]: string }) => {
    const address = `${path}?${new URLSearchParams(query)}`
    const answer = answers.get(address) ?? requestUnless<Answer>(403, this, 'GET', path, { query })
    answers.set(address, answer)
    return answer
  }
  const built = record.fields.filter(({ only }) => !only || (only === 'create') === isNew)
  const fields = [...withAddressParts(built), ...(await customFieldsOf(record, read))]
  return {
    fields: await Promise.all(
      fields.map(async (field) => formField(field, isNew, await optionsOf(field, read))),
    ),
  }
}

type Read = (path: string, query: { [name: string]: string }) => Promise<Answer | undefined>

async function optionsOf(field: Field, read: Read): Promise<INodePropertyOptions[] | undefined> {
  // a form of n8n can only offer one value of a list, so several are typed
  if (field.type === 'multi_select') return undefined
  if (field.options) return field.options.map(({ value, label }) => ({ name: label, value }))
  const dropdown = field.dropdown && catalogue.dropdowns[field.dropdown]
  // a list within another record needs that record's id, which may be an expression
  if (!dropdown || dropdown.path.includes('{')) return undefined
  const answer = await read(dropdown.path, dropdown.query)
  return answer?.[dropdown.at]?.map((item) => ({
    name: String(item[dropdown.label]),
    value: String(item[dropdown.value]),
  }))
}

function formField(
  field: Field,
  isNew: boolean,
  options?: INodePropertyOptions[],
): ResourceMapperField {
  return {
    id: field.key,
    displayName: field.label,
    type: options ? 'options' : formTypes[field.type],
    required: isNew && field.isRequired === true,
    display: true,
    defaultMatch: false,
    canBeUsedToMatch: false,
    ...(options && { options }),
  }
}

async function customFieldsOf({ customFields: where }: RecordModel, read: Read): Promise<Field[]> {
  if (!where) return []
  const answer = await read(where.path, where.query)
  return customFields((answer?.[where.at] ?? []) as DescribedField[])
}
