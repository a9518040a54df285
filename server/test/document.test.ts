import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { JSONSchema } from '../src/kit/ground/json-schema.ts'
import type { OpenApi } from '../src/surfaces/openapi.ts'
import { schemaCheck } from './support/answers.ts'
import type { TestService } from './support/service.ts'
import { startService } from './support/service.ts'

// What the API document must contain so that generators make good clients from it.

type Found = { at: string; schema: any }

describe('the API document', () => {
  let service: TestService
  let document: OpenApi
  let schemas: Found[]
  let operations: (Found & { method: string; path: string })[]

  before(async () => {
    service = await startService()
    document = service.document()
    schemas = [...schemasIn(document.components, '/components'), ...schemasIn(document.paths, '')]
    operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, schema]) => {
        const at = `${method.toUpperCase()} ${path}`
        return { at, schema, method: method.toUpperCase(), path }
      }),
    )
  })

  test('describes the contents of every object and every array', () => {
    const free = schemas.filter(({ schema }) => {
      const isObject = typesOf(schema).includes('object')
      const parts = ['properties', 'additionalProperties', 'allOf', 'anyOf', 'oneOf']
      return isObject && !parts.some((part) => part in schema)
    })
    assert.deepEqual(pathsOf(free), [])
    const bare = schemas.filter(
      ({ schema }) => typesOf(schema).includes('array') && !('items' in schema),
    )
    assert.deepEqual(pathsOf(bare), [])
    const dark = schemas.filter(({ schema }) => 'patternProperties' in schema || 'if' in schema)
    assert.deepEqual(pathsOf(dark), [])
  })

  test('says what every member and every parameter means', () => {
    const silent = schemas.flatMap(({ at, schema }) =>
      Object.entries(schema.properties ?? {}).flatMap(([name, inner]: [string, any]) =>
        inner.description ? [] : [`${at}/${name}`],
      ),
    )
    assert.deepEqual(silent, [])
    const parameters = operations.flatMap(({ at, schema }) =>
      (schema.parameters ?? []).flatMap((each: any) =>
        each.$ref || each.description ? [] : [`${at} ${each.name}`],
      ),
    )
    assert.deepEqual(parameters, [])
  })

  test('names what a create must have', () => {
    const optional = operations.filter(({ schema: { requestBody, responses }, method }) => {
      const media = requestBody?.content['application/json']
      if (method !== 'POST' || !responses[201] || !media) return false
      return !resolved(media.schema).required?.length || !requestBody.required
    })
    assert.deepEqual(pathsOf(optional), withoutRequired)
  })

  test('shows each request and each success by an example that its schema takes', () => {
    const check = schemaCheck(document)
    const missing: string[] = []
    const wrong: string[] = []
    for (const { at, schema, path, method } of operations) {
      const own = `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`
      const bodies: [string, any][] = []
      if (schema.requestBody) bodies.push([`${own}/requestBody`, schema.requestBody])
      for (const [status, response] of Object.entries(schema.responses)) {
        if (status < '300') bodies.push([`${own}/responses/${status}`, response])
      }
      for (const [pointer, { content = {} }] of bodies) {
        for (const [type, media] of Object.entries<any>(content)) {
          if (!/json|urlencoded/.test(type)) continue
          const known = media.examples?.example
          const value = known
            ? document.components.examples![known.$ref.split('/').at(-1)]?.value
            : media.example
          if (value === undefined) missing.push(`${at} ${pointer}`)
          const problem = check(`${pointer}/content/${type.replaceAll('/', '~1')}/schema`, value)
          if (problem) wrong.push(`${at}: ${problem} in ${JSON.stringify(value).slice(0, 200)}`)
        }
      }
    }
    assert.deepEqual(missing, [])
    assert.deepEqual(wrong, [])
  })

  test('shows each event by a delivery that its schema takes', () => {
    const check = schemaCheck(document)
    for (const [event, { post }] of Object.entries<any>(document.webhooks)) {
      const { examples } = post.requestBody.content['application/json']
      const { value } = document.components.examples![
        examples.example.$ref.split('/').at(-1)
      ] as any
      const pointer = `/webhooks/${event}/post/requestBody/content/application~1json/schema`
      assert.equal(check(pointer, value), undefined, event)
      assert.equal(value.type, event)
      assert.ok(Object.keys(value.data).length > 8, event)
    }
    const sample = operations.find(({ path }) => path === '/webhook/sample')!.schema
    const { schema } = sample.responses[200].content['application/json']
    assert.equal(schema.$ref, '#/components/schemas/Delivery')
  })

  test('says of each integration operation which scope it needs, or that it needs none', () => {
    const unsaid = operations.filter(({ path, schema }) => {
      if (!/^\/(automation|webhook)\//.test(path)) return false
      const scopes = schema.security.flatMap(({ oauth2 }: any) => oauth2 ?? [])
      return !scopes.length && !/whatever its scopes/.test(schema.description)
    })
    assert.deepEqual(pathsOf(unsaid), [])
  })

  test('names If-Match where it is evaluated, and nowhere else', () => {
    const operationByRoute = new Map(
      service.routes.map(({ method, path, operation }) => [`${method} ${path}`, operation]),
    )
    for (const { at, schema } of operations) {
      const isNamed = (schema.parameters ?? []).some(({ $ref }: any) =>
        String($ref).endsWith('IfMatch'),
      )
      assert.equal(isNamed, Boolean(operationByRoute.get(at)?.isVersioned), at)
      assert.equal(412 in schema.responses, isNamed, at)
    }
    // what an operation does with it is what it says
    for (const { operation } of service.routes) {
      const { run, isVersioned, name } = operation
      const text = String(run)
      if (text.includes('ifMatch')) assert.ok(isVersioned, name)
    }
  })

  test('calls each operation by a verb', () => {
    const made = operations.filter(({ schema: { operationId }, method, path }) => {
      const word = method.toLowerCase()
      const words = path.replaceAll(/[^a-z]+/gi, '_').replaceAll(/^_|_$/g, '')
      return operationId.endsWith(`_${word}`) || operationId === `${word}_${words}`
    })
    assert.deepEqual(pathsOf(made), [])
  })

  test('names every closed set of words', () => {
    const nameless = schemas.filter(({ at, schema }) => {
      const isWords = Array.isArray(schema.enum) && schema.enum.length > 1 && !schema.title
      return isWords && schema.enum.every((word: unknown) => typeof word === 'string') && at
    })
    assert.deepEqual(pathsOf(nameless), [])
  })

  function resolved(schema: any): any {
    return schema.$ref ? document.components.schemas![schema.$ref.split('/').at(-1)] : schema
  }
})

/** Creates whose body may be empty, or names its record in one of several ways. */
const withoutRequired = [
  'POST /api/organization/personal-data/export/',
  'POST /api/project/info/{id}/duplicate/',
  'POST /api/project/info/{id}/convert/',
  'POST /api/templates/template/{id}/duplicate/',
  'POST /api/holidays/holinfo/',
  'POST /api/documents/{id}/reusable/',
  'POST /api/documents/{id}/use/',
  'POST /api/documents/{id}/images/',
  'POST /api/surveys/{id}/share-results/',
  'POST /api/surveys/{id}/automations_save/',
  'POST /api/surveys/{id}/duplicate/',
  'POST /api/surveys/{id}/save-as-template/',
  'POST /api/activity/log/track/',
]

function* schemasIn(value: any, at: string): Generator<Found> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [i, each] of value.entries()) yield* schemasIn(each, `${at}/${i}`)
    return
  }
  const isSchema = 'type' in value || 'anyOf' in value || 'allOf' in value || 'oneOf' in value
  if (isSchema && !('in' in value)) yield { at, schema: value }
  for (const [key, inner] of Object.entries(value)) {
    if (['example', 'examples', 'securitySchemes', 'default'].includes(key)) continue
    if (key === 'properties' && isSchema) {
      for (const [name, each] of Object.entries(inner as object))
        yield* schemasIn(each, `${at}/${name}`)
    } else yield* schemasIn(inner, `${at}/${key}`)
  }
}

function typesOf({ type }: JSONSchema): string[] {
  return [type ?? []].flat() as string[]
}

function pathsOf(found: Found[]): string[] {
  return found.map(({ at }) => at)
}
