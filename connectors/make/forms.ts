import type { Dropdown, Field, FieldType, Model, RecordModel } from '../model.ts'

/** A parameter of Make's forms and interfaces. */
export type Parameter = { name: string; type: string; label: string; [more: string]: unknown }

/** A parameter, or the address of an RPC that returns some. */
export type Spec = (Parameter | string)[]

const types: { [type in FieldType]: object } = {
  text: { type: 'text' },
  long_text: { type: 'text', multiline: true },
  email: { type: 'email' },
  phone: { type: 'text' },
  url: { type: 'url' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'date', time: false },
  datetime: { type: 'date' },
  select: { type: 'select' },
  multi_select: { type: 'select', multiple: true },
  list: { type: 'array', spec: { type: 'text', name: 'value', label: 'Value' } },
  address: {
    type: 'collection',
    spec: [
      { name: 'address', type: 'text', label: 'Street' },
      { name: 'city', type: 'text', label: 'City' },
      { name: 'state', type: 'text', label: 'State' },
      { name: 'zip_code', type: 'text', label: 'Zip Code' },
      { name: 'country', type: 'text', label: 'Country' },
    ],
  },
  json: { type: 'any' },
}

/** The installation's names for the types of custom fields, for an expression. */
const customTypes: { [type: string]: string } = {
  number: 'number',
  currency: 'number',
  percent: 'number',
  rating: 'number',
  boolean: 'boolean',
  datetime: 'date',
  select: 'select',
  multi_select: 'select',
  user: 'select',
  email: 'email',
  url: 'url',
  json: 'any',
}

/** The form of a create or an update; a dropdown that depends on another field is nested in that one. */
export function formOf(model: Model, record: RecordModel, kind: 'create' | 'update'): Spec {
  const fields = record.fields.filter(({ only }) => !only || only === kind)
  const afterOf = ({ dropdown }: Field) => (dropdown ? model.dropdowns[dropdown]?.after : undefined)
  const parameters = fields
    .filter((field) => !afterOf(field))
    .map((field) => {
      const nested = fields
        .filter((each) => afterOf(each) === field.key)
        .map((each) => parameterOf(each, kind))
      return parameterOf(field, kind, nested)
    })
  return record.customFields
    ? [
        ...parameters,
        {
          name: 'custom_fields',
          type: 'collection',
          label: 'Custom Fields',
          spec: [`rpc://${record.word}_custom_fields`],
        },
      ]
    : parameters
}

function parameterOf(field: Field, kind: 'create' | 'update', nested: Parameter[] = []): Parameter {
  const { key, label, type, help, options, dropdown } = field
  const store = dropdown ? `rpc://list_${dropdown}` : options
  return {
    name: key,
    label,
    help,
    type: 'text',
    ...types[type],
    ...(kind === 'create' && field.isRequired && { required: true }),
    ...(store && { options: { store, ...(nested.length && { nested }) } }),
  }
}

/** The output of a module: the fields of the record, and those of every record. */
export function interfaceOf(record: RecordModel): Parameter[] {
  return [
    { name: record.id, type: 'text', label: `${record.label} ID` },
    ...record.fields.map((field) => {
      const { type, ...more } = types[field.type] as { type: string }
      // a choice is returned as an object, whose members Make learns from a run
      const isChosen = field.dropdown || type === 'select'
      return {
        name: field.key,
        label: field.label,
        type: isChosen ? 'any' : type,
        ...(!isChosen && more),
      }
    }),
    { name: 'custom_fields', type: 'any', label: 'Custom Fields' },
    { name: 'creation_time', type: 'date', label: 'Created' },
    { name: 'last_update_time', type: 'date', label: 'Changed' },
  ]
}

/**
 * The body of a create or an update. Make omits what is not filled in, and sends null for what is
 * erased; only days are converted, because its dates have a time.
 */
export function bodyOf(record: RecordModel, kind: 'create' | 'update', extra: object = {}) {
  const days = record.fields.filter(({ type, only }) => type === 'date' && (!only || only === kind))
  const apart = ['record_id', 'on_duplicate', ...days.map(({ key }) => key)]
  return {
    '{{...}}': `{{omit(parameters, ${apart.map((key) => `'${key}'`).join(', ')})}}`,
    ...Object.fromEntries(
      days.map(({ key }) => [
        key,
        `{{if(parameters.${key}, formatDate(parameters.${key}, 'YYYY-MM-DD'), parameters.${key})}}`,
      ]),
    ),
    ...extra,
  }
}

/** The RPC behind a dropdown. */
export function dropdownRpc({ path, query, at, value, label, after, restricts }: Dropdown) {
  const container = `{{body.${at}}}`
  const condition = `{{if(parameters.${after}, item.${after} = parameters.${after}, true)}}`
  return {
    url: path.replace(/\{\w+\}/, `{{encodeURL(parameters.${after})}}`),
    qs: query,
    response: {
      iterate: restricts ? { container, condition } : container,
      output: { label: `{{item.${label}}}`, value: `{{item.${value}}}` },
    },
  }
}

/** The RPC that returns the custom fields of a record as a form. */
export function customFieldsRpc({ path, query, at }: NonNullable<RecordModel['customFields']>) {
  const cases = Object.entries(customTypes).map(([from, to]) => `'${from}', '${to}'`)
  return {
    url: path,
    qs: query,
    response: {
      iterate: {
        container: `{{body.${at}}}`,
        condition: '{{!item.is_built_in && !item.is_archived}}',
      },
      output: {
        name: '{{item.key}}',
        label: '{{item.label}}',
        type: `{{switch(item.type, ${cases.join(', ')}, 'text')}}`,
        multiple: "{{item.type = 'multi_select'}}",
        options:
          "{{switch(item.type, 'select', item.options, 'multi_select', item.options, 'user', 'rpc://list_user', undefined)}}",
      },
    },
  }
}
