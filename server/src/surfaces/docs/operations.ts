import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import type { OpenApi, OpenApiOperation } from '../openapi.ts'
import { codeBlock, escaped, inline, prose, slugOf, tableOf } from './html.ts'
import { tryingHtml } from './trying.ts'

/** An operation as the reference lists it. */
export type Listed = {
  id: string
  method: string
  path: string
  summary: string
  description: string
  described: OpenApiOperation
}

/** A page of the reference: the operations of a tag. */
export type ReferencePage = { name: string; title: string; group: string; operations: Listed[] }

/** The pages of the reference, one per tag, in the order of the document. */
export function referencePages(document: OpenApi): ReferencePage[] {
  const byTag = new Map<string, Listed[]>()
  const add = (path: string, method: string, described: OpenApiOperation) => {
    const [tag = 'other'] = (described.tags ?? []) as string[]
    const list = byTag.get(tag) ?? []
    byTag.set(tag, list)
    const { operationId, summary = '', description = '' } = described
    const id = String(operationId ?? slugOf(`${method} ${path}`))
    list.push({ id, method: method.toUpperCase(), path, summary, description, described })
  }
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, described] of Object.entries(methods)) add(path, method, described)
  }
  for (const [event, { post }] of Object.entries(document.webhooks)) {
    add(event, 'event', { ...(post as OpenApiOperation), operationId: event })
  }
  const groups = (document['x-tagGroups'] ?? []) as { name: string; tags: string[] }[]
  return groups.flatMap(({ name: group, tags }) =>
    tags.flatMap((tag) => {
      const operations = byTag.get(tag)
      const title = tag.replace(/^\w+: /, '')
      return operations ? [{ name: slugOf(tag), title, group, operations }] : []
    }),
  )
}

/** A page of the reference as HTML. */
export function referenceHtml(document: OpenApi, { operations }: ReferencePage): string {
  return operations.map((each) => operationHtml(document, each)).join('')
}

function operationHtml(
  document: OpenApi,
  { id, method, path, summary, description, described }: Listed,
): string {
  const body = contentOf(document, described.requestBody)
  const parameters = ((described.parameters ?? []) as JSONSchema[])
    .map((each) => resolved(document, each))
    .map((each) => ({
      name: String(each.name),
      place: String(each.in),
      schema: { ...(each.schema as JSONSchema), description: each.description },
      isRequired: each.required === true,
    }))
  const fields = body ? fieldsOf(document, body.schema) : []
  return [
    `<section><h2 id="${escaped(id)}"><a href="#${escaped(id)}">${escaped(summary || id)}</a></h2>`,
    `<p class="path"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escaped(path)}</code></p>`,
    description ? prose(description) : '',
    scopesOf(described),
    parameters.length
      ? `<h3>Parameters</h3>${fieldTable(
          document,
          parameters.map((each) => ({ ...each, name: each.name })),
          `parameters of ${id}`,
        )}`
      : '',
    fields.length ? `<h3>Body</h3>${fieldTable(document, fields, `body of ${id}`)}` : '',
    body?.example === undefined
      ? ''
      : `<details><summary>Example of the body</summary>${codeBlock(json(body.example), 'JSON')}</details>`,
    tryingHtml(document, { method, path, described, example: body?.example }),
    responsesHtml(document, described, id),
    '</section>',
  ].join('')
}

function scopesOf({ security = [] }: OpenApiOperation): string {
  const scopes = (security as { oauth2?: string[] }[]).flatMap(({ oauth2 = [] }) => oauth2)
  if (!scopes.length) return ''
  const list = [...new Set(scopes)].map((scope) => `<code>${escaped(scope)}</code>`)
  return `<p>Needs the scope ${list.join(' or ')}.</p>`
}

function responsesHtml(document: OpenApi, { responses = {} }: OpenApiOperation, id: string) {
  const statuses = Object.entries(responses as { [status: string]: JSONSchema })
  if (!statuses.length) return ''
  const parts = statuses
    .filter(([status]) => status.startsWith('2'))
    .map(([status, each]) => {
      const response = resolved(document, each)
      const content = contentOf(document, response)
      const fields = content ? fieldsOf(document, content.schema) : []
      const shown = [
        fields.length ? fieldTable(document, fields, `answer ${status} of ${id}`) : '',
        content?.example === undefined ? '' : codeBlock(json(content.example), 'JSON'),
      ].join('')
      const title = `${status} ${escaped(String(response.description ?? ''))}`
      return shown
        ? `<details><summary>Answer ${title}</summary>${shown}</details>`
        : `<p>Answer ${title}</p>`
    })
  const others = statuses.map(([status]) => status).filter((status) => !status.startsWith('2'))
  const refusals = others.length ? `<p class="quiet">Also ${others.join(', ')}.</p>` : ''
  return parts.join('') + refusals
}

/** The schema of the JSON of a body or an answer, with its example. */
function contentOf(document: OpenApi, of: JSONSchema | undefined) {
  const content = (of && resolved(document, of).content) as
    | { [type: string]: JSONSchema }
    | undefined
  const json = content?.['application/json']
  if (!json) return undefined
  const examples = Object.values((json.examples ?? {}) as { [name: string]: JSONSchema })
  return {
    schema: (json.schema ?? {}) as JSONSchema,
    example: json.example ?? examples[0]?.value,
  }
}

type FieldRow = { name: string; schema: JSONSchema; isRequired: boolean; place?: string }

/** The fields of a schema; those of an object within it by their dotted names. */
function fieldsOf(document: OpenApi, of: JSONSchema, prefix = '', depth = 0): FieldRow[] {
  const schema = resolved(document, of)
  const parts = [schema.allOf, schema.oneOf, schema.anyOf].flatMap(
    (list) => (list ?? []) as JSONSchema[],
  )
  if (schema.type === 'array') {
    return fieldsOf(document, (schema.items ?? {}) as JSONSchema, `${prefix}[].`, depth)
  }
  const required = (schema.required ?? []) as string[]
  const own = Object.entries((schema.properties ?? {}) as { [name: string]: JSONSchema })
  const rows = own.flatMap(([name, each]): FieldRow[] => {
    const inner = depth < 1 ? fieldsOf(document, each, `${prefix}${name}.`, depth + 1) : []
    return [
      { name: prefix + name, schema: each, isRequired: required.includes(name) },
      ...inner.slice(0, 20),
    ]
  })
  const more = parts.flatMap((part) => fieldsOf(document, part, prefix, depth))
  const known = new Set(rows.map(({ name }) => name))
  for (const row of more) {
    if (known.has(row.name)) continue
    known.add(row.name)
    rows.push(row)
  }
  return rows
}

function fieldTable(document: OpenApi, rows: FieldRow[], label: string): string {
  const cells = rows.map(({ name, schema, isRequired, place }) => {
    const whole = resolved(document, schema)
    const description = String(schema.description ?? whole.description ?? '')
    const choices = ((whole.enum ?? []) as unknown[]).filter((each) => each !== null).map(String)
    const listed = choices.length > 20 ? [...choices.slice(0, 20), '…'] : choices
    const about = [
      isRequired ? '<strong>required</strong>' : '',
      place && place !== 'query' ? `in the ${place}` : '',
      description ? inline(description) : '',
      listed.length ? `one of ${escaped(listed.join(', '))}` : '',
    ]
    return `<tr><td><code>${escaped(name)}</code></td><td>${escaped(typeOf(document, schema))}</td><td>${about.filter(Boolean).join('; ')}</td></tr>`
  })
  return tableOf('<tr><th>name</th><th>type</th><th>about</th></tr>', cells, label, 'wide fields')
}

function typeOf(document: OpenApi, of: JSONSchema): string {
  const schema = resolved(document, of)
  const kinds = [schema.type ?? []].flat() as string[]
  const list = (schema.anyOf ?? schema.oneOf ?? []) as JSONSchema[]
  const more = list.map((each) => typeOf(document, each))
  const format = schema.format ? ` (${String(schema.format)})` : ''
  const words = [...new Set([...kinds, ...more])].join(' or ') || 'any'
  if (kinds.includes('array') && schema.items) {
    return `${words} of ${typeOf(document, schema.items as JSONSchema)}`
  }
  return words + format
}

/** A schema, parameter or response, or the component that it refers to. */
function resolved(document: OpenApi, of: JSONSchema): JSONSchema {
  if (typeof of.$ref !== 'string') return of
  const [kind = '', name = ''] = of.$ref.split('/').slice(-2)
  const found = document.components[kind]?.[name]
  return found ? resolved(document, found) : {}
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
