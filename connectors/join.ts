import type { CatalogueField, CatalogueRecord } from './catalogue.ts'
import { changes, records } from './catalogue.ts'
import { dropdowns } from './dropdowns.ts'
import type { Dropdown, Field, FieldType, Model, RecordModel, Trigger } from './model.ts'
import { triggers } from './triggers.ts'

const exampleId = '03h9vqz0k4m2x7c5t8b1n6r3d'

type Schema = {
  $ref?: string
  title?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  example?: unknown
  maxLength?: number
  required?: string[]
  properties?: { [name: string]: Schema }
  anyOf?: Schema[]
  allOf?: Schema[]
}
type Example = { data?: object }
type Media = { schema: Schema; example?: Example; examples?: { example: { $ref: string } } }
type Content = { 'application/json'?: Media }
type Operation = {
  operationId: string
  summary: string
  parameters?: { name: string }[]
  requestBody?: { content: Content }
  responses?: { [status: string]: { content?: Content } }
}
type Methods = { [method: string]: Operation }

/** The part of the API document that connectors read. */
export type ApiDocument = {
  paths: { [path: string]: Methods }
  webhooks: { [event: string]: { post: Operation } }
  components: {
    schemas: { [name: string]: Schema }
    examples?: { [name: string]: { value?: Example } }
  }
}

/** The operations in the catalogue, found in the document. */
type Found = { path: string; operation: Operation }

/**
 * Combines the catalogue with the API document. Throws an error that names every operation, field, option
 * list or event that one of the two has and the other lacks, and every field without label or help.
 */
export function modelOf(document: ApiDocument): Model {
  const faults: string[] = []
  const find = (name: string): Found => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const operation of Object.values(methods)) {
        if (operation.operationId === name) return { path, operation }
      }
    }
    faults.push(`operation ${name} is not in the API document`)
    return { path: '', operation: { operationId: name, summary: '' } }
  }
  const model: Model = {
    records: records.map((record) => recordOf(document, record, find, faults)),
    changes: { path: find(changes).path },
    dropdowns: Object.fromEntries(
      Object.entries(dropdowns).map(([key, { operation, query = {}, ...rest }]) => {
        const { path } = find(operation)
        const dropdown: Dropdown = { path, query, ...rest }
        return [key, dropdown]
      }),
    ),
    triggers: triggersOf(document, faults),
  }
  if (faults.length) throw new Error(`The catalogue of the connectors:\n  ${faults.join('\n  ')}`)
  return model
}

function recordOf(
  document: ApiDocument,
  { operations, readBy, query = {}, body = {}, ...record }: CatalogueRecord,
  find: (name: string) => Found,
  faults: string[],
): RecordModel {
  const [list, read] = [find(operations.list), find(operations.read)]
  const create = operations.create ? find(operations.create) : undefined
  const update = operations.update ? find(operations.update) : undefined
  const { word, label, plural, id, title, module, isUpsert = false, customFields } = record
  if (!document.components.schemas.ChangedModule?.enum?.includes(module)) {
    faults.push(`${word} is not among the changes as ${module}`)
  }
  const parameters = list.operation.parameters?.map(({ name }) => name) ?? []
  const byParameter = record.find.map(({ key }) => key)
  for (const { key, dropdown } of record.find) {
    if (dropdown && !dropdowns[dropdown]) {
      faults.push(`${word} by ${key}: there is no dropdown ${dropdown}`)
    }
  }
  for (const name of [...Object.keys(query), ...byParameter, ...(readBy ? [readBy] : [])]) {
    if (!parameters.includes(name)) faults.push(`${operations.list} has no parameter ${name}`)
  }
  const forms = {
    create: create ? bodyOf(document, create) : {},
    update: update ? bodyOf(document, update) : {},
  }
  const fields = Object.entries(record.fields).flatMap(([key, field]) => {
    const at = `${word}.${key}`
    if (!field.label || !field.help) faults.push(`${at} has no label or no help`)
    if (field.dropdown && !dropdowns[field.dropdown]) {
      faults.push(`${at}: there is no dropdown ${field.dropdown}`)
    }
    const made = fieldOf(document, key, field, forms, key === title)
    if (!made) faults.push(`${at} is in no body of ${list.path}`)
    return made ?? []
  })
  // the values of an enumeration are those of its field
  const finders = record.find.map((finder) => {
    const options = fields.find(({ key }) => key === finder.key)?.options
    return finder.dropdown || !options ? finder : { ...finder, options }
  })
  return {
    word,
    label,
    plural,
    id,
    title,
    module,
    list: { path: list.path, query },
    read: readBy
      ? { path: read.path, parameter: readBy }
      : { path: read.path.replace(/\{\w+\}/, '{id}') },
    ...(create && { create: { path: create.path, body, isUpsert } }),
    ...(update && { update: { path: update.path.replace(/\{\w+\}/, '{id}') } }),
    ...(create &&
      document.paths[`${create.path}/bulk`] && { bulk: { path: `${create.path}/bulk` } }),
    find: finders,
    sample: { ...sampleOf(document, record, create ?? read, create ? '201' : '200'), ...body },
    fields,
    ...(customFields && {
      customFields: {
        path: find(customFields.operation).path,
        query: customFields.query ?? {},
        at: customFields.at,
      },
    }),
  }
}

/** The document's example of a create's or read's answer, or else only its id and name. */
function sampleOf(
  document: ApiDocument,
  { word, id, title }: Pick<CatalogueRecord, 'word' | 'id' | 'title'>,
  { operation }: Found,
  status: '200' | '201',
): RecordModel['sample'] {
  const example = exampleIn(document, operation.responses?.[status]?.content)
  const data = status === '200' ? example : example?.data
  if (!data) return { id: exampleId, [id]: exampleId, [title]: `An example ${word}` }
  // `can` is only for users
  const { can: _, ...sample } = data as RecordModel['sample']
  return { id: sample[id], ...sample }
}

/** The example of a body, which may be among the components. */
function exampleIn({ components }: ApiDocument, content?: Content): Example | undefined {
  const { example, examples } = content?.['application/json'] ?? {}
  const name = examples?.example.$ref.split('/').at(-1)
  return name ? components.examples?.[name]?.value : example
}

type Forms = { create: Schema; update: Schema }

function fieldOf(
  document: ApiDocument,
  key: string,
  { label, help, type, dropdown }: CatalogueField,
  forms: Forms,
  isTitle: boolean,
): Field | undefined {
  const [inCreate, inUpdate] = [forms.create.properties?.[key], forms.update.properties?.[key]]
  const schema = inCreate ?? inUpdate
  if (!schema) return undefined
  const field: Field = { key, label, type: type ?? typeOf(document, schema), help }
  const values = valuesOf(document, schema)
  if (dropdown) Object.assign(field, { type: 'select', dropdown })
  else if (values) {
    field.type = 'select'
    field.options = values.map((value) => ({ value, label: titled(value) }))
  }
  if (isTitle || forms.create.required?.includes(key)) field.isRequired = true
  if (!inCreate || !inUpdate) field.only = inCreate ? 'create' : 'update'
  return field
}

function typeOf(document: ApiDocument, schema: Schema): FieldType {
  const { type, format, maxLength = 0, title, anyOf } = resolved(document, schema)
  if (title === 'Address') return 'address'
  const kinds = [type ?? []].flat()
  if (!kinds.length && anyOf) {
    const inner = anyOf.map((each) => typeOf(document, each))
    return inner.find((each) => each !== 'json') ?? 'json'
  }
  if (kinds.includes('boolean')) return 'boolean'
  if (kinds.includes('number') || kinds.includes('integer')) return 'number'
  if (kinds.includes('array')) return 'list'
  if (!kinds.includes('string')) return 'json'
  const byFormat: { [format: string]: FieldType } = {
    date: 'date',
    'date-time': 'datetime',
    email: 'email',
    'web-address': 'url',
    uri: 'url',
  }
  return byFormat[format ?? ''] ?? (maxLength >= 10_000 ? 'long_text' : 'text')
}

/** The values of an enumeration. */
function valuesOf(document: ApiDocument, schema: Schema): string[] | undefined {
  const whole = resolved(document, schema)
  const parts = [whole, ...(whole.anyOf ?? []).map((each) => resolved(document, each))]
  const values = parts.flatMap((each) => each.enum ?? [])
  return values.length ? values.filter((each) => typeof each === 'string') : undefined
}

function bodyOf(document: ApiDocument, { operation }: Found): Schema {
  const schema = operation.requestBody?.content['application/json']?.schema
  return schema ? resolved(document, schema) : {}
}

function resolved(document: ApiDocument, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return (name && document.components.schemas[name]) || schema
}

function triggersOf(document: ApiDocument, faults: string[]): Trigger[] {
  for (const event of Object.keys(triggers)) {
    if (!document.webhooks[event]) faults.push(`event ${event} is not in the API document`)
  }
  return Object.entries(document.webhooks).map(([event, { post }]) => {
    const label = triggers[event] ?? ''
    if (!label) faults.push(`event ${event} has no label`)
    const example = exampleIn(document, post.requestBody?.content)
    if (!example?.data) faults.push(`event ${event} has no example`)
    return { event, label, help: post.summary, example: { ...example } as Trigger['example'] }
  })
}

function titled(value: string): string {
  const words = value.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
