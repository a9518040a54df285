import { Type } from 'typebox'
import type { Static, TObject, TProperties, TSchema, TUnsafe } from 'typebox'

/**
 * A JSON Schema (2020-12) object; OpenAPI 3.1 uses it unchanged. Keywords begin with a letter or `$`;
 * TypeBox's own properties, such as `~optional`, do not count.
 */
export type JSONSchema = { [keyword in `${Letter | Uppercase<Letter> | '$'}${string}`]: unknown }

type Letter =
  | ('a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm')
  | ('n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z')

/** A JSON Schema whose values TypeScript knows as `T`. */
export type Schema<T> = JSONSchema & TUnsafe<T>

/** A JSON Schema together with the TypeScript type of its values, for shapes that TypeBox cannot infer. */
export function schema<T>(json: JSONSchema): Schema<T> {
  return json as Schema<T>
}

/** An object whose members are not known. */
export const openObject = schema<{ [key: string]: unknown }>({
  type: 'object',
  additionalProperties: true,
})

/** The same schema, or null. A named enumeration stays one component of the document. */
export function orNull<S extends TSchema>(of: S): Schema<Static<S> | null> {
  return nullable(of as unknown as JSONSchema) as Schema<Static<S> | null>
}

/** Text that is one of these words; with a title it is a named component of the API document. */
export function enumeration<const W extends string>(
  words: readonly W[],
  keywords: { title?: string; description?: string } = {},
): Schema<W> {
  const { title, ...others } = keywords
  return schema<W>({ ...(title ? { title } : {}), type: 'string', enum: words, ...others })
}

/** An array of the schema. */
export function arrayOf<S extends TSchema>(items: S): Schema<Static<S>[]> {
  return schema<Static<S>[]>({ type: 'array', items })
}

/** The schema of an object with more properties; one of the same name takes the other's place. */
export function extend<S extends TSchema, P extends TProperties>(
  of: S,
  properties: P,
): Schema<Omit<Static<S>, keyof P> & Static<TObject<P>>> {
  const base = of as unknown as JSONSchema
  const added = Type.Object(properties) as unknown as unknown as JSONSchema
  const required = [
    ...((base.required as string[] | undefined) ?? []).filter((name) => !(name in properties)),
    ...((added.required as string[] | undefined) ?? []),
  ]
  return schema({
    ...base,
    properties: { ...(base.properties as object), ...properties },
    ...(required.length || base.required ? { required } : {}),
  })
}

/** The schema of an object without some of its properties. */
export function without<S extends TSchema, N extends string>(
  of: S,
  ...names: N[]
): Schema<Omit<Static<S>, N>> {
  const { properties, required, ...rest } = of as unknown as JSONSchema
  const isLeft = (name: string) => !(names as string[]).includes(name)
  const left = Object.entries(properties as object).filter(([name]) => isLeft(name))
  return schema({
    ...rest,
    properties: Object.fromEntries(left),
    ...(required ? { required: (required as string[]).filter(isLeft) } : {}),
  })
}

/**
 * The same schema, with these members required in the document. The operation checks that itself,
 * because it accepts them in other forms, too.
 */
export function requiring<S extends JSONSchema | TSchema>(of: S, ...names: string[]): S {
  return { ...of, [requiredKeyword]: names }
}

/** The keyword of `requiring`, which validation ignores. */
export const requiredKeyword = 'x-required'

function nullable(schema: JSONSchema): JSONSchema {
  // a component of its own stays as it is: null stands beside it
  if (schema.title && (schema.enum || schema.type === 'object')) {
    return { anyOf: [schema, { type: 'null' }] }
  }
  const words = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}
  if (Array.isArray(schema.type)) return { ...schema, type: [...new Set([...schema.type, 'null'])] }
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'], ...words }
  return schema.anyOf
    ? { ...schema, anyOf: [...(schema.anyOf as []), { type: 'null' }] }
    : { ...schema, ...words }
}
