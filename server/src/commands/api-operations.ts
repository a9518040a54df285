import type { Config } from '../config.ts'
import { nearest } from '../kit/ground/nearest.ts'
import type { JSONSchema } from '../kit/ground/json-schema.ts'
import { atOnce } from '../kit/ground/steps.ts'
import type { OpenApi, OpenApiOperation } from '../surfaces/openapi.ts'
import { UsageError, table } from './command.ts'

/** One field of an operation, as an option of the command line. */
export type Field = {
  name: string
  in: 'path' | 'query' | 'body'
  /** its types, by JSON Schema; empty for any */
  types: string[]
  /** the types of the entries of a list */
  itemTypes: string[]
  choices: string[]
  isRequired: boolean
  description: string
}

/** An operation of the integration surface, from the API document. */
export type DescribedOperation = {
  id: string
  method: string
  path: string
  summary: string
  description: string
  fields: Field[]
  hasBody: boolean
}

/**
 * The API document: that of the server, or if none answers that of this installation, which takes longer
 * to build.
 */
export async function documentOf(url: string, config: Config): Promise<OpenApi> {
  try {
    const signal = AbortSignal.timeout(10_000)
    const response = await fetch(`${url}/openapi.json`, { signal })
    if (response.ok) return (await response.json()) as OpenApi
  } catch {
    // it may be only for help; a call itself reports that nobody answers
  }
  const { surfacesOf } = await import('../service/surfaces.ts')
  const { openApi } = await import('../surfaces/openapi.ts')
  const { application, integration } = surfacesOf(config)
  return atOnce(openApi([application, integration]))
}

/** The operations of the integration surface, in the order of the API document. */
export function operationsOf(document: OpenApi): DescribedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security = [] }]) => security.some(isSigned))
      .map(([method, described]) => operationOf(document, method.toUpperCase(), path, described)),
  )
}

/** Whether it is a set of credentials that requests of the integration surface have. */
function isSigned(credentials: object): boolean {
  return 'functionsKey' in credentials
}

function operationOf(
  document: OpenApi,
  method: string,
  path: string,
  described: OpenApiOperation,
): DescribedOperation {
  const { operationId: id, summary, description = '', parameters = [], requestBody } = described
  const body = requestBody?.content['application/json']?.schema
  return {
    id,
    method,
    path,
    summary,
    description,
    fields: [
      ...parameters.flatMap((each) => parameterOf(document, each)),
      ...(body ? bodyFields(document, body) : []),
    ],
    hasBody: body !== undefined,
  }
}

/** The operation with this id, with or without `integration_` before it; UsageError if there is none. */
export function operationNamed(operations: DescribedOperation[], name: string): DescribedOperation {
  const wanted = name.replaceAll('-', '_')
  const found = operations.find(({ id }) => id === wanted || id === `integration_${wanted}`)
  if (found) return found
  const near = nearest(
    wanted,
    operations.map(({ id }) => id),
  )
  const hint = near ? `did you mean ${near}?` : 'perennial api lists them'
  throw new UsageError(`There is no operation "${name}": ${hint}`)
}

/** The help of one operation. */
export function usageOf({ id, method, path, summary, description, fields }: DescribedOperation) {
  const rows = fields.map((field) => [
    `--${field.name} ${field.types.filter((type) => type !== 'null').join('|') || 'any'}`,
    [
      field.isRequired ? 'required' : '',
      field.description,
      field.choices.length ? `one of ${field.choices.join(', ')}` : '',
    ]
      .filter(Boolean)
      .join('; '),
  ])
  const parts = [
    `perennial api ${id}: ${summary}`,
    `${method} ${path}`,
    description,
    `Usage:\n  perennial api ${id}${fields.length ? ' [--field VALUE …]' : ''}`,
    fields.length ? `Fields:\n${table(rows).replace(/ +$/gm, '')}` : '',
  ]
  return parts.filter(Boolean).join('\n\n')
}

function parameterOf(document: OpenApi, parameter: JSONSchema): Field[] {
  const { name, in: place, required, description, schema } = parameter
  // the command sets headers itself, except a key that a retry would need
  if (place !== 'path' && place !== 'query') return []
  const own = (schema ?? {}) as JSONSchema
  return [
    fieldOf(
      document,
      String(name),
      place,
      { ...own, description: description ?? own.description },
      required === true,
    ),
  ]
}

function bodyFields(document: OpenApi, body: JSONSchema): Field[] {
  const schema = resolved(document, body)
  const required = (schema.required ?? []) as string[]
  return Object.entries((schema.properties ?? {}) as { [name: string]: JSONSchema })
    .filter(([, { readOnly }]) => readOnly !== true)
    .map(([name, each]) => fieldOf(document, name, 'body', each, required.includes(name)))
}

function fieldOf(
  document: OpenApi,
  name: string,
  place: Field['in'],
  declared: JSONSchema,
  isRequired: boolean,
): Field {
  const schema = resolved(document, declared)
  const description = declared.description ?? schema.description ?? ''
  const items = schema.items ? resolved(document, schema.items as JSONSchema) : {}
  const choices = choicesOf(document, schema)
  return {
    name,
    in: place,
    types: typesOf(document, schema),
    itemTypes: typesOf(document, items),
    choices,
    isRequired,
    description: String(description),
  }
}

function choicesOf(document: OpenApi, schema: JSONSchema): string[] {
  const own = (schema.enum ?? []) as unknown[]
  const more = alternatives(document, schema).flatMap((each) => (each.enum ?? []) as unknown[])
  return [...own, ...more].filter((each) => each !== null).map(String)
}

function typesOf(document: OpenApi, schema: JSONSchema): string[] {
  const own = [schema.type ?? []].flat() as string[]
  const more = alternatives(document, schema).flatMap((each) => typesOf(document, each))
  return [...new Set([...own, ...more])]
}

function alternatives(document: OpenApi, { anyOf, oneOf }: JSONSchema): JSONSchema[] {
  const list = (anyOf ?? oneOf ?? []) as JSONSchema[]
  return list.map((each) => resolved(document, each))
}

/** A schema, or the component that it refers to. */
function resolved(document: OpenApi, schema: JSONSchema): JSONSchema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
  if (name === undefined) return schema
  return resolved(document, document.components.schemas?.[name] ?? {})
}
