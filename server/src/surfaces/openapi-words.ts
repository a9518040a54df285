import { exampleOf } from '../model/words/example.ts'
import { descriptionOf } from '../model/words/words.ts'
import type { JSONSchema } from '../kit/ground/json-schema.ts'
import { requiredKeyword } from '../kit/ground/json-schema.ts'
import { type Steps, eachValue } from '../kit/ground/steps.ts'

// Descriptions of members of schemas, and examples of bodies, added to a finished document.

type Schemas = { [name: string]: JSONSchema }
type Media = JSONSchema & { schema?: JSONSchema }
type Described = {
  paths: { [path: string]: { [method: string]: JSONSchema } }
  webhooks: { [event: string]: JSONSchema }
  components: { [kind: string]: Schemas }
}

/** The document with a description of every member and parameter. */
export function* allDescribed<D extends Described>(document: D): Steps<D> {
  const { schemas = {}, ...others } = document.components
  const rest = withDescriptions({ ...document, paths: {}, components: others })
  const paths = yield* eachValue(document.paths, (item) => withDescriptions(item))
  // a component's name is its title, or a longer name
  const components = yield* eachValue(schemas, (schema, name) => withDescriptions(schema, name))
  return { ...rest, paths, components: { schemas: components, ...rest.components } }
}

/** A copy of a part of the document with descriptions on all members and parameters. */
export function withDescriptions<T>(part: T, title = ''): T {
  if (Array.isArray(part)) return part.map((each: unknown) => withDescriptions(each, title)) as T
  if (typeof part !== 'object' || part === null) return part
  const schema = part as JSONSchema
  const own = typeof schema.title === 'string' ? schema.title : title
  const copy = Object.fromEntries(
    Object.entries(plainly(schema)).map(([name, value]) => {
      if (name === 'example' || name === 'examples' || name === 'default') return [name, value]
      if (name === 'properties' && isPlain(value) && isSchema(schema)) {
        return [name, mapValues(value as Schemas, (each, key) => described(each, key, own))]
      }
      return [name, withDescriptions(value, own)]
    }),
  )
  if (isParameter(copy) && !copy.description) {
    const description = descriptionOf(copy.name)
    if (description) copy.description = description
  }
  return copy as T
}

/**
 * The same in keywords that client generators support: `patternProperties` over every name are
 * `additionalProperties`, and a schema that depends on whether there is an array is one of two.
 */
function plainly(schema: JSONSchema): JSONSchema {
  const { [requiredKeyword]: names, ...known } = schema
  if (Array.isArray(names)) {
    const required = [...((known.required as string[] | undefined) ?? []), ...(names as string[])]
    return plainly({ ...known, required })
  }
  const { patternProperties, if: condition, then, else: otherwise, ...rest } = schema
  if (isPlain(condition) && (condition as JSONSchema).type === 'array') {
    return { ...rest, oneOf: [then, otherwise] }
  }
  const [inner, ...more] = isPlain(patternProperties)
    ? Object.values(patternProperties as Schemas)
    : []
  if (!inner || more.length) return schema
  const isAny = Object.keys(inner).length === 0
  return { ...rest, additionalProperties: isAny ? true : inner }
}

function described(schema: JSONSchema, name: string, title: string): JSONSchema {
  const inner = withDescriptions(schema, title)
  if (inner.description) return inner
  const description = descriptionOf(name, title)
  return description ? { ...inner, description } : inner
}

/** `properties` and `name` may be the names of members, too. */
function isSchema(part: JSONSchema): boolean {
  return Boolean(part.type ?? part.required ?? part.allOf ?? part.anyOf) || 'title' in part
}

function isParameter(part: JSONSchema): part is JSONSchema & { name: string } {
  return typeof part.name === 'string' && typeof part.in === 'string'
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The document with an example of each request and success, made of what is known of their members.
 * Examples of components are among the components, once for all operations.
 */
export function* withExamples<D extends Described>(document: D): Steps<D> {
  const schemas = document.components.schemas ?? {}
  const examples: Schemas = { ...document.components.examples }
  const made = (media: Media, isRequest: boolean): Media => {
    const { schema } = media
    if (!schema || media.example !== undefined || media.examples) return media
    const value = exampleOf(schema, { schemas, isRequest })
    const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
    if (!name) return { ...media, example: value }
    examples[name] = { value }
    return { ...media, examples: { example: { $ref: `#/components/examples/${name}` } } }
  }
  const inContent = (holder: JSONSchema, isRequest: boolean): JSONSchema => {
    const content = holder.content as { [type: string]: Media } | undefined
    if (!content) return holder
    const isJson = (type: string) => /json|urlencoded/.test(type)
    return {
      ...holder,
      content: mapValues(content, (media, type) => (isJson(type) ? made(media, isRequest) : media)),
    }
  }
  const paths = yield* eachValue(document.paths, (item) =>
    mapValues(item, (operation) => {
      const responses = operation.responses as Schemas
      const parameters = operation.parameters as JSONSchema[] | undefined
      return {
        ...operation,
        ...(parameters ? { parameters: parameters.map((each) => withExample(each, schemas)) } : {}),
        ...(operation.requestBody
          ? { requestBody: inContent(operation.requestBody as JSONSchema, true) }
          : {}),
        responses: mapValues(responses, (response, status) =>
          status < '300' ? inContent(response, false) : response,
        ),
      }
    }),
  )
  return { ...document, paths, components: { ...document.components, examples } }
}

/** A required parameter with a value that it could have. */
function withExample(parameter: JSONSchema, schemas: Schemas): JSONSchema {
  if (!isParameter(parameter) || !parameter.required || parameter.example !== undefined)
    return parameter
  const schema = (parameter.schema ?? {}) as JSONSchema
  const example = exampleOf(schema, { schemas, isRequest: true }, parameter.name)
  return { ...parameter, example }
}

function mapValues<V, W>(
  of: { [key: string]: V },
  change: (value: V, key: string) => W,
): { [key: string]: W } {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value, key)]))
}
