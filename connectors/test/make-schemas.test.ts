import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'

/**
 * The vendor's schemas are no part of this repository: MAKE_SCHEMAS names the folder `syntaxes` of a
 * checkout of integromat/vscode-apps-sdk.
 */
const folder = process.env.MAKE_SCHEMAS
const skip = !folder && 'MAKE_SCHEMAS names no checkout of the schemas'
const app = fileURLToPath(new URL('../make/app/', import.meta.url))

/** Which schema is that of a file, by how its name ends. */
const schemas: [ending: string, schema: string][] = [
  ['.oauth-communication.iml.json', 'api-oauth.json'],
  ['.communication.iml.json', 'api.json'],
  ['.attach.iml.json', 'api.json'],
  ['.epoch.iml.json', 'epoch.json'],
  ['.detach.iml.json', 'api.json'],
  ['params.iml.json', 'parameters.json'],
  ['.interface.iml.json', 'parameters.json'],
  ['.samples.iml.json', 'samples.json'],
  ['.scope-list.iml.json', 'scopes.json'],
  ['scope.iml.json', 'scope.json'],
  ['base.iml.json', 'base.json'],
  ['common.json', 'common.json'],
  ['groups.json', 'groups.json'],
  ['makecomapp.json', 'makecomapp.schema.json'],
]

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>

describe('the Make app by the schemas of its vendor', { skip }, () => {
  // their patterns are no valid ones with the flag u, and parts of them have ids that repeat
  const ajv = new Ajv({
    strict: false,
    unicodeRegExp: false,
    allErrors: true,
    validateSchema: false,
    logger: false,
  })
  for (const path of globSync('{imljson,local-development}/schemas/*.json', {
    cwd: folder ?? app,
  })) {
    const schema = withoutIds(read(join(folder ?? '', path))) as object
    ajv.addSchema(schema, path.split('/').at(-1))
  }

  const faultsOf = (schema: string, value: unknown) => {
    const validate = ajv.getSchema(schema)
    assert.ok(validate, schema)
    return validate(value) ? [] : (validate.errors ?? [])
  }

  test('every file is valid', () => {
    const counts: { [schema: string]: number } = {}
    for (const path of globSync('**/*.json', { cwd: app })) {
      const [, schema] = schemas.find(([ending]) => path.endsWith(ending)) ?? []
      assert.ok(schema, `${path} has no schema`)
      counts[schema] = (counts[schema] ?? 0) + 1
      assert.deepEqual(faultsOf(schema, read(join(app, path))), [], path)
    }
    assert.ok(Object.values(counts).reduce((sum, each) => sum + each, 0) > 300)
  })

  test('invalid files are not', () => {
    const wrong: [schema: string, value: unknown][] = [
      ['api.json', { url: '/x', method: 'POST' }],
      ['api.json', { url: '/x', unknown: true }],
      ['parameters.json', [{ name: 'x', type: 'nothing' }]],
      ['base.json', { headers: { authorization: {} } }],
      ['api-oauth.json', { login: {} }],
      ['makecomapp.schema.json', { fileVersion: 1 }],
    ]
    for (const [schema, value] of wrong) assert.ok(faultsOf(schema, value).length, schema)
  })
})

/** Ids such as `#url` inside the schemas would be taken for anchors; references go by pointers alone. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => !(key === '$id' && typeof each === 'string'))
      .map(([key, each]) => [key, withoutIds(each)]),
  )
}
