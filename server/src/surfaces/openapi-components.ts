import type { JSONSchema } from '../kit/ground/json-schema.ts'

/** Returns a schema in which every titled schema is replaced by a reference to a component. */
export type Share = (schema: JSONSchema, prefix?: string) => JSONSchema

/**
 * Collects schemas that carry a title as the document's components. The same schema object is one
 * component wherever it is used; a different one with the same title gets the prefix before its name.
 */
export function sharing(): { schemas: { [name: string]: JSONSchema }; share: Share } {
  const schemas: { [name: string]: JSONSchema } = {}
  const texts = new Map<string, string>()
  const names = new Map<JSONSchema, string>()

  function walk(value: unknown, prefix: string): unknown {
    if (Array.isArray(value)) return value.map((each: unknown) => walk(each, prefix))
    if (typeof value !== 'object' || value === null) return value
    const schema = value as JSONSchema
    const inside = () => mapValues(schema, (each) => walk(each, prefix))
    // `title` may also be the name of a property
    const isTitled = typeof schema.title === 'string' && 'type' in schema
    if (!isTitled) return inside()
    // the description of one use of an enumeration stays with that use
    const { description, ...words } = schema
    if (!schema.enum || !description) return ref('schemas', nameOf(schema, inside, prefix))
    const name = nameOf(words, () => mapValues(words, (each) => walk(each, prefix)), prefix)
    return { ...ref('schemas', name), description }
  }

  function nameOf(schema: JSONSchema, inside: () => JSONSchema, prefix: string): string {
    const known = names.get(schema)
    if (known) return known
    const body = inside()
    const text = JSON.stringify(body)
    const title = schema.title as string
    const isFree = (name: string) => (texts.get(name) ?? text) === text
    let name = isFree(title) ? title : prefix + title
    for (let n = 2; !isFree(name); n++) name = `${prefix}${title}${n}`
    schemas[name] = body
    texts.set(name, text)
    names.set(schema, name)
    return name
  }

  return { schemas, share: (schema, prefix = '') => walk(schema, prefix) as JSONSchema }
}

/** A reference to a component. */
export function ref(kind: string, name: string): JSONSchema {
  return { $ref: `#/components/${kind}/${name}` }
}

function mapValues(schema: JSONSchema, change: (value: unknown) => unknown): JSONSchema {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, change(value)]))
}
