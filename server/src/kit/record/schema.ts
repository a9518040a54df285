import type { AnyRecord, Draft, Field, Patch, Reference, Row } from './record.ts'
import { additionsOf, isWritable, versionNameOf } from './record.ts'
import type { JSONSchema, Schema } from '../ground/json-schema.ts'
import { orNull, schema } from '../ground/json-schema.ts'

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

/** The schema of the record as a read gives it: open, every listed field present but internal ones. */
export function readSchema<R extends AnyRecord>(record: R): Schema<Row<R>> {
  const properties = {
    ...mapFields(record, () => true, readField),
    [versionNameOf(record)]: versionSchema,
    ...(additionsOf(record).includes('can') ? { can: rightsSchema } : {}),
  }
  // customers and partners get the record without its internal fields
  const required = Object.keys(properties).filter(
    (name) => name !== 'can' && record.fields[name]?.audience !== 'internal',
  )
  return schema<Row<R>>({ title: named(record), type: 'object', properties, required })
}

const versionSchema = {
  type: 'integer',
  description: 'rises with every change of the record; in quotes it is what If-Match takes',
}

const may = { type: 'boolean' }
const rightsSchema = {
  title: 'RecordRights',
  type: 'object',
  description: 'what the caller may do; in lists only where `fields` names it',
  properties: { update: may, delete: may, restore: may },
  required: ['update', 'delete', 'restore'],
}

/** The schema of a create body. Read-only fields are not in it, so that they are ignored. */
export function createSchema<R extends AnyRecord>(record: R): Schema<Draft<R>> {
  const fields = Object.entries(record.fields)
  const required = fields.filter(([, { access }]) => access === 'required').map(([name]) => name)
  const properties = mapFields(record, isWritable, writeField)
  const title = `${named(record)}Create`
  return schema<Draft<R>>({ title, type: 'object', properties, required })
}

/** The schema of an update body: every field may be left out. */
export function updateSchema<R extends AnyRecord>(record: R): Schema<Patch<R>> {
  const properties = mapFields(record, isWritable, writeField)
  return schema<Patch<R>>({ title: `${named(record)}Update`, type: 'object', properties })
}

/** The title of a record's schemas, by which the API document shares them: `Company`. */
function named({ word }: AnyRecord): string {
  return word.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function mapFields(
  record: AnyRecord,
  predicate: (field: Field) => boolean,
  schemaOf: (field: Field) => JSONSchema,
) {
  const entries = Object.entries(record.fields).filter(([, field]) => predicate(field))
  return Object.fromEntries(
    entries.map(([name, field]) => {
      const { description } = field
      return [name, description ? { ...schemaOf(field), description } : schemaOf(field)]
    }),
  )
}

function readField(field: Field): JSONSchema {
  if (field.reference?.shows) {
    const shown = Object.entries(field.reference.shows)
    const properties = Object.fromEntries(
      shown.map(([name, { kind, isNullable = true, schema = kindSchemas[kind] ?? {} }]) => [
        name,
        isNullable ? orNull(schema) : schema,
      ]),
    )
    const { title } = field.reference
    const required = Object.keys(properties)
    return orNull({ ...(title ? { title } : {}), type: 'object', properties, required })
  }
  const isWhole = field.kind === 'json' || field.kind === 'list'
  const shape = field.readSchema ?? (isWhole ? field.schema : readable(field))
  return field.nullable ? orNull(shape) : shape
}

/** Limits on what may be written do not belong in what is read: older rows may predate them. */
function readable(field: Field): JSONSchema {
  const { type, format, enum: words, maxLength, title, description } = field.schema
  const schema: JSONSchema = title ? { title, type } : { type }
  if (description) schema.description = description
  if (words) schema.enum = words
  if (format === 'date' || format === 'date-time') schema.format = format
  if (typeof maxLength === 'number' && maxLength <= 255) schema.maxLength = maxLength
  return schema
}

/** How a body names another record by one of its keys, such as `{email}`; whole objects are taken too. */
function byKeys({ by }: Reference): JSONSchema {
  const known = linkObjects.get(by)
  if (known) return known
  const properties = Object.fromEntries(Object.keys(by).map((key) => [key, orNull(anyText)]))
  const description = `identifies the record by one of ${Object.keys(by).join(', ') || 'its ids'}`
  const made = { type: 'object', description, properties, additionalProperties: true }
  linkObjects.set(by, made)
  linkSchemas.add(made)
  return made
}

const anyText = { type: 'string' }
const linkObjects = new WeakMap<Reference['by'], JSONSchema>()
const linkSchemas = new WeakSet<JSONSchema>()

/** Whether this is the schema of a link to another record that null clears. */
export function isOptionalLink({ anyOf }: JSONSchema): boolean {
  const parts = Array.isArray(anyOf) ? (anyOf as JSONSchema[]) : []
  return parts.some((part) => linkSchemas.has(part)) && parts.some(({ type }) => type === 'null')
}

function writeField(field: Field): JSONSchema {
  const { reference, schema, nullable } = field
  if (!reference) return nullable ? orNull(schema) : schema
  if (!nullable) return { anyOf: [schema, byKeys(reference)] }
  const { minLength: _, ...blankToo } = schema
  return orNull({ anyOf: [blankToo, byKeys(reference)] })
}
