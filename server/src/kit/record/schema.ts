import type { AnyRecord, Field } from './record.ts'
import { isWritable } from './record.ts'
import type { JSONSchema } from '../ground/json-schema.ts'

const kindSchemas: { [kind: string]: JSONSchema } = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  timestamp: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  json: {},
  list: { type: 'array' },
}

/** The schema of the record as a read gives it: open, every listed field present. */
export function readSchema(record: AnyRecord): JSONSchema {
  const properties = mapFields(record, () => true, readField)
  return { title: named(record), type: 'object', properties, required: Object.keys(properties) }
}

/** The schema of a create body. Read-only fields are not in it, so that they are ignored. */
export function createSchema(record: AnyRecord): JSONSchema {
  const required = Object.keys(record.fields).filter(
    (name) => record.fields[name]!.access === 'required',
  )
  const properties = mapFields(record, isWritable, writeField)
  return { title: `${named(record)}Create`, type: 'object', properties, required }
}

/** The schema of an update body: every field may be left out. */
export function updateSchema(record: AnyRecord): JSONSchema {
  const properties = mapFields(record, isWritable, writeField)
  return { title: `${named(record)}Update`, type: 'object', properties }
}

/** The same schema that null satisfies too. */
export function orNull(schema: JSONSchema): JSONSchema {
  if (Array.isArray(schema.enum)) return { ...nullType(schema), enum: [...schema.enum, null] }
  return nullType(schema)
}

/** An array of the schema. */
export function arrayOf(items: JSONSchema): JSONSchema {
  return { type: 'array', items }
}

/** The title of a record's schemas, by which the API document shares them: `Company`. */
function named({ word }: AnyRecord): string {
  return word.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function nullType(schema: JSONSchema): JSONSchema {
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] }
  return schema.anyOf ? { ...schema, anyOf: [...(schema.anyOf as []), { type: 'null' }] } : schema
}

function mapFields(
  record: AnyRecord,
  wanted: (field: Field) => boolean,
  schemaOf: (field: Field) => JSONSchema,
) {
  const entries = Object.entries(record.fields).filter(([, field]) => wanted(field))
  return Object.fromEntries(entries.map(([name, field]) => [name, schemaOf(field)]))
}

function readField(field: Field): JSONSchema {
  if (field.reference?.shows) {
    const shown = Object.entries(field.reference.shows)
    const properties = Object.fromEntries(
      shown.map(([name, { kind }]) => [name, orNull(kindSchemas[kind]!)]),
    )
    return { type: ['object', 'null'], properties }
  }
  const schema = field.kind === 'json' || field.kind === 'list' ? field.schema : readable(field)
  return field.nullable ? orNull(schema) : schema
}

/** Limits on what may be written do not belong in what is read: older rows may predate them. */
function readable(field: Field): JSONSchema {
  const { type, format, enum: words, maxLength } = field.schema
  const schema: JSONSchema = { type }
  if (words) schema.enum = words
  if (format === 'date' || format === 'date-time') schema.format = format
  if (typeof maxLength === 'number' && maxLength <= 255) schema.maxLength = maxLength
  return schema
}

const byItsIds: JSONSchema = { type: 'object', description: 'names the record by one of its ids' }

/** Whether this is the schema of a link to another record that null clears. */
export function isOptionalLink({ anyOf }: JSONSchema): boolean {
  const parts = Array.isArray(anyOf) ? (anyOf as JSONSchema[]) : []
  return parts.includes(byItsIds) && parts.some(({ type }) => type === 'null')
}

function writeField(field: Field): JSONSchema {
  if (field.reference) {
    const { minLength: _, ...blankToo } = field.schema
    return field.nullable
      ? orNull({ anyOf: [blankToo, byItsIds] })
      : { anyOf: [field.schema, byItsIds] }
  }
  return field.nullable ? orNull(field.schema) : field.schema
}
