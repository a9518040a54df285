import { capitalized } from '../kit/record/record.ts'
import { readFileSync } from 'node:fs'
import type { Operation } from '../kit/ground/operation.ts'
import { errorSchema, staleSchema } from './errors.ts'
import type { Share } from './openapi-components.ts'
import { ref, sharing } from './openapi-components.ts'
import { errorResponses, headers, parameters, securitySchemes } from './openapi-parts.ts'
import { webhookEntries, webhookExamples } from './openapi-webhooks.ts'
import type { Route } from './route.ts'
import { allDescribed, withDescriptions, withExamples } from './openapi-words.ts'
import type { UploadLimit } from './upload.ts'
import type { Steps } from '../kit/ground/steps.ts'
import type { JSONSchema } from '../kit/ground/json-schema.ts'
import { requiredKeyword } from '../kit/ground/json-schema.ts'

/** The required credentials, by the names of the security schemes; one entry of a list is enough. */
export type Requirement = { [scheme: string]: string[] }

/** One surface: its routes, and the credentials of its callers. */
export type Surface = {
  /** a word for readers, such as `application` */
  name: string
  description: string
  routes: Route[]
  security(operation: Operation): Requirement[]
}

/** Paths without an operation, described by hand: the identity endpoints. */
export type Described = {
  name: string
  description: string
  paths: { [path: string]: { [method: string]: JSONSchema } }
}

export type OpenApi = {
  openapi: string
  info: { [key: string]: unknown }
  servers: { url: string; description?: string }[]
  tags: Tag[]
  paths: { [path: string]: { [method: string]: OpenApiOperation } }
  webhooks: { [event: string]: JSONSchema }
  components: { [kind: string]: { [name: string]: JSONSchema } }
  [extension: `x-${string}`]: unknown
}

/** An OpenAPI 3.1 operation in this document. */
export type OpenApiOperation = {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  security?: { [scheme: string]: string[] }[]
  parameters?: JSONSchema[]
  requestBody?: { required?: boolean; content: { [type: string]: { schema: JSONSchema } } }
  responses: JSONSchema
  [extension: `x-${string}`]: unknown
}

type Tag = { name: string; description?: string; 'x-displayName'?: string }

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string }

/**
 * The API as an OpenAPI 3.1 document, made from the route tables; the same for every installation, until
 * `reachedAt` says where. Schemas that carry a title are components, shared wherever they are used.
 * All steps together take a fifth of a second.
 */
export function* openApi(surfaces: Surface[], described: Described[] = []): Steps<OpenApi> {
  const tags = new Map<string, Tag>()
  const groups: { name: string; tags: string[] }[] = []
  const paths: OpenApi['paths'] = {}
  const { schemas, share } = sharing()
  const ids = new Map<string, string>()
  for (const surface of surfaces) {
    const group = new Set<string>()
    const shareHere: Share = (schema) => share(schema, capitalized(surface.name))
    for (const route of surface.routes) {
      const tag = tagOf(surface, route.operation)
      tags.set(tag.name, tag)
      group.add(tag.name)
      const operationId = uniqueId(ids, surface, route)
      const { operation } = route
      const item = (paths[route.path] ??= {})
      item[route.method.toLowerCase()] = {
        operationId,
        tags: [tag.name],
        summary: operation.summary,
        ...describe(surface, operation),
        security: securityOf(surface, operation),
        ...inputs(route, shareHere),
        responses: responses(route, shareHere),
      }
      yield
    }
    groups.push({ name: capitalized(surface.name), tags: [...group] })
  }
  for (const { name, description, paths: more } of described) {
    tags.set(name, { name, description })
    groups.push({ name: capitalized(name), tags: [name] })
    for (const [path, methods] of Object.entries(more)) {
      for (const [method, operation] of Object.entries(methods)) {
        const item = (paths[path] ??= {})
        item[method] = { tags: [name], ...(share(operation) as OpenApiOperation) }
      }
    }
  }
  tags.set('events', { name: 'events', description: 'Events that webhooks deliver' })
  groups.push({ name: 'Webhooks', tags: ['events'] })
  const webhooks = webhookEntries(share)
  const document: OpenApi = {
    openapi: '3.1.1',
    info: {
      title: 'Perennial',
      version,
      description: surfaces
        .map(({ name, description }) => `**${name}**: ${description}`)
        .join('\n\n'),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...tags.values()],
    paths,
    webhooks,
    components: {
      schemas: { Error: errorSchema, ...staleError(share), ...schemas },
      responses: errorResponses,
      parameters,
      headers,
      examples: webhookExamples(),
      securitySchemes: securitySchemes(''),
    },
    'x-tagGroups': groups,
  }
  return yield* withExamples(yield* allDescribed(document))
}

/** The same document for callers who reach the service at this address. */
export function reachedAt(document: OpenApi, url: string): OpenApi {
  const schemes = withDescriptions(securitySchemes(url))
  const components = { ...document.components, securitySchemes: schemes }
  return { ...document, servers: [{ url }], components }
}

/** The body of a 412, with the schemas that it shares. */
function staleError(share: Share): { [name: string]: JSONSchema } {
  const { title, ...schema } = staleSchema
  return { [title]: share(schema) }
}

/** The schema of a success's body, sent always or on request (`Prefer`); null if there is none. */
export function answerSchema({ operation, envelope, status }: Route): JSONSchema | null {
  if (status === 204 || !operation.output) return null
  if (!envelope) return operation.output
  const properties = { [envelope]: operation.output }
  return { type: 'object', properties, required: [envelope] }
}

function tagOf({ name }: Surface, { can, topic }: Operation): Tag {
  const module = topic ?? (typeof can === 'string' ? 'access' : can.module)
  const description = `${capitalized(module)} on the ${name} surface`
  // both surfaces share one list of tags, so those of the second have its name
  if (name === 'application') return { name: module, description }
  return { name: `${name}: ${module}`, description, 'x-displayName': module }
}

/** The operation's name; if it has several routes, with the surface or method added. */
function uniqueId(taken: Map<string, string>, surface: Surface, route: Route): string {
  const { name } = route.operation
  const own = (taken.get(name) ?? surface.name) === surface.name ? name : `${surface.name}_${name}`
  // the same operation by PUT and by PATCH
  const id = taken.has(own) ? otherId(own, route) : own
  if (taken.has(id)) throw new Error(`${name} has two ${route.method} routes`)
  taken.set(id, surface.name)
  return id
}

function otherId(id: string, { method }: Route): string {
  return method === 'PATCH' ? id.replace('update_', 'patch_') : `${id}_${method.toLowerCase()}`
}

function describe(surface: Surface, operation: Operation): { description?: string } {
  const { description, can, needsSession } = operation
  const right = typeof can === 'object' && `Needs the right to ${can.action} ${can.module}.`
  const isFree = surface.security(operation).some(({ oauth2 }) => oauth2?.length === 0)
  const scope = isFree && 'Any valid access token is accepted, whatever its scopes.'
  const session = needsSession && 'Personal access tokens are refused.'
  const text = [description, right, scope, session].filter(Boolean).join('\n\n')
  return text ? { description: text } : {}
}

/** If anyone may call, credentials are optional. */
function securityOf(surface: Surface, operation: Operation): Requirement[] {
  const needed = surface.security(operation)
  return operation.can === 'anyone' ? [{}, ...needed] : needed
}

function inputs({ path, method, operation, upload, empty }: Route, share: Share): JSONSchema {
  const { input, aliases } = operation
  const list: unknown[] = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const { description, ...schema } = property(input.params, name!) ?? { type: 'string' }
    return { name, in: 'path', required: true, ...words(description), schema }
  })
  for (const [name, declared] of Object.entries((input.query?.properties ?? {}) as Properties)) {
    const { description, ...schema } = declared
    const required = isRequired(input.query!, name)
    list.push({
      name,
      in: 'query',
      ...(required && { required }),
      ...words(description),
      schema: share(schema),
    })
  }
  const isOwn = path.startsWith('/api/') && operation.can !== 'anyone' && !operation.isSecret
  if (method === 'GET' && isOwn) list.push(ref('parameters', 'ViewAs'))
  if (method !== 'GET' && operation.can !== 'anyone') list.push(ref('parameters', 'IdempotencyKey'))
  if (operation.isVersioned) list.push(ref('parameters', 'IfMatch'))
  if (empty && operation.output) list.push(ref('parameters', 'Prefer'))
  const parts: JSONSchema = list.length ? { parameters: list } : {}
  if (input.body) {
    const schema = share(aliases ? withAliases(input.body, aliases) : input.body)
    const names = [input.body.required ?? [], input.body[requiredKeyword] ?? []].flat()
    const required = names.length > 0
    const content: JSONSchema = { 'application/json': { schema } }
    if (upload)
      content['multipart/form-data'] = { schema: withFile(share(asForm(input.body)), upload) }
    parts.requestBody = { required, content }
  }
  return parts
}

/** The body of a form only requires its file. */
function asForm({ [requiredKeyword]: names, title, ...body }: JSONSchema): JSONSchema {
  if (!names) return { ...(title ? { title } : {}), ...body }
  return { title: String(title).replace(/Create$/, 'Input'), ...body }
}

/** The same body as a form, with the file beside it. */
function withFile(schema: JSONSchema, { limit }: UploadLimit): JSONSchema {
  const description = `at most ${limit / 1024 / 1024} MiB`
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description }
  return { allOf: [schema, { type: 'object', properties: { file }, required: ['file'] }] }
}

type Properties = { [name: string]: JSONSchema }

function property(schema: JSONSchema | undefined, name: string): JSONSchema | undefined {
  return ((schema?.properties ?? {}) as Properties)[name]
}

function isRequired(schema: JSONSchema, name: string): boolean {
  return ((schema.required ?? []) as string[]).includes(name)
}

function words(description: unknown) {
  return description ? { description } : {}
}

/** A body whose properties may have other names; required ones are listed by the main name. */
function withAliases(body: JSONSchema, aliases: { [name: string]: string }): JSONSchema {
  const known = withAliases.known.get(body)
  if (known) return known
  const properties: Properties = { ...(body.properties as Properties) }
  const required = (body.required ?? []) as string[]
  for (const [alias, name] of Object.entries(aliases)) {
    if (!properties[name]) continue
    const instead = required.includes(name) ? ', and may be sent in its place' : ''
    const { example: _, ...same } = properties[name]
    properties[alias] = { ...same, description: `the same as ${name}${instead}` }
  }
  const schema: JSONSchema = { ...body, properties }
  withAliases.known.set(body, schema)
  return schema
}
// the same body must stay the same object, so that it is one component
withAliases.known = new WeakMap<JSONSchema, JSONSchema>()

function responses(route: Route, share: Share): JSONSchema {
  const { status, operation } = route
  const all: { [status: string]: unknown } = {}
  const schema = answerSchema(route)
  const content = operation.gives
    ? { content: { [operation.gives]: {} } }
    : schema && { content: { 'application/json': { schema: share(schema) } } }
  all[status] = { description: meaning(route), headers: successHeaders(route), ...content }
  const updates =
    property(operation.input.query, 'on_duplicate') && 'An existing record was updated instead'
  const description = operation.existing ?? updates
  if (status === 201 && description) {
    all[200] = { description, headers: successHeaders(route), ...content }
  }
  if (operation.gives === '*/*') {
    all[206] = {
      description: 'The requested range',
      headers: successHeaders(route),
      ...content,
    }
  }
  if (operation.gives === '*/*' || operation.isRevalidated) {
    all[304] = {
      description: 'The caller already has this version',
      headers: successHeaders(route),
    }
  }
  for (const refusal of refusals(route)) all[refusal] = ref('responses', String(refusal))
  return all
}

function meaning({ method, status, operation: { can } }: Route): string {
  if (status === 201 || (method === 'POST' && typeof can === 'object' && can.action === 'create'))
    return 'Created'
  return method === 'DELETE' ? 'Deleted' : 'Done'
}

function successHeaders({ method, path, location, operation, empty }: Route): JSONSchema {
  const { can, input, output } = operation
  const names = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit']
  const isCreate = typeof can === 'object' && can.action === 'create'
  if (empty && output) names.push('Preference-Applied')
  if (method === 'POST' && isCreate && location) names.push('Location', 'X-Record-Id')
  if (method === 'POST' && can !== 'anyone') names.push('Idempotency-Replayed')
  const isOne = typeof can === 'object' && output && (path.includes('{') || isCreate)
  if (isOne || operation.isRevalidated) names.push('ETag')
  if (property(input.query, 'page') && output?.type === 'array') {
    names.push('Link', 'X-Page', 'X-Items-Per-Page', 'X-Total-Count')
  }
  if (property(input.query, 'hand_over_to')) names.push('X-Links', 'X-Hand-Over-Id')
  return Object.fromEntries(names.map((name) => [name, ref('headers', name)]))
}

/** The statuses with which a route can refuse. */
function refusals(route: Route): number[] {
  const { method, path, operation } = route
  const { can, input, writes } = operation
  const list = [...(operation.moved ? [308] : []), 400, 401, 403]
  const names = Object.keys({
    ...(input.query?.properties as object),
    ...(input.body?.properties as object),
  })
  if (path.includes('{') || names.some((name) => /(ids?|^key)$/i.test(name))) list.push(404)
  // an Idempotency-Key is in flight, too
  if (writes || (method !== 'GET' && can !== 'anyone')) list.push(409)
  if (operation.isVersioned) list.push(412)
  if (method !== 'GET') list.push(408, 413, 415)
  if (path.includes('{')) list.push(414)
  if (operation.gives === '*/*') list.push(416)
  return [...list, 429, 503]
}
