import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { callTool, clientWith, connectMcp } from '../../../test/support/mcp.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { tools } from './routes.ts'
import { toolsOf } from './tool.ts'

// What model APIs and clients accept as the arguments of a tool. Some refuse a whole request, with all its tools,
// for one schema that they do not understand.

const types = ['string', 'number', 'integer', 'boolean', 'array', 'object']
const keywords = [
  'type',
  'description',
  'enum',
  'format',
  'minimum',
  'maximum',
  'items',
  'properties',
  'required',
  'additionalProperties',
]

/** A schema and all inside it, with their places. */
function parts(schema: JSONSchema, at: string): [string, JSONSchema][] {
  const inner = Object.entries((schema.properties ?? {}) as { [name: string]: JSONSchema })
  return [
    [at, schema],
    ...inner.flatMap(([name, part]) => parts(part, `${at}.${name}`)),
    ...(schema.items ? parts(schema.items as JSONSchema, `${at}[]`) : []),
  ]
}

for (const named of tools) {
  const { listed } = named
  const { inputSchema, outputSchema } = listed
  const writes = toolsOf(named).some(({ operation }) => operation.writes)
  test(`the arguments of ${listed.name} are understood by all clients`, () => {
    assert.match(listed.name, /^[a-z_]{1,64}$/)
    assert.ok(listed.description.length <= 1024)
    assert.equal(inputSchema.type, 'object')
    assert.equal(inputSchema.additionalProperties, false)
    const properties = inputSchema.properties as { [name: string]: JSONSchema }
    for (const name of (inputSchema.required ?? []) as string[]) assert.ok(name in properties, name)
    for (const name of Object.keys(properties)) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
    assert.equal(
      'clear' in properties,
      writes && 'other_fields' in properties && listed.annotations.idempotentHint,
    )
    for (const [at, schema] of [
      ...parts(inputSchema, ''),
      ...parts(outputSchema ?? { type: 'object' }, 'out'),
    ]) {
      assert.ok(types.includes(String(schema.type)) && typeof schema.type === 'string', at)
      const unknown = Object.keys(schema).filter((word) => !keywords.includes(word))
      assert.deepEqual(unknown, [], at)
      assert.ok(!JSON.stringify(schema).includes('null'), at)
      if (schema.enum) {
        assert.equal(schema.type, 'string', at)
        for (const word of schema.enum as unknown[]) assert.ok(typeof word === 'string' && word, at)
      }
      if (schema.format) assert.equal(schema.format, 'date-time', at)
      if (schema.type === 'array') assert.ok(schema.items, at)
    }
  })
}

describe('a record through its tools', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = (await connectMcp(service, org)).access_token
  })

  test('takes fields that are not described in other_fields, and names the wrong ones', async () => {
    const made = await callTool(service, token, 'create_company', {
      company_name: 'Far and Wide',
      domain: 'wide.test',
      other_fields: { linkedin_url: 'https://linkedin.test/wide', hq_location: 'Lyon' },
    })
    assert.equal(made.value?.hq_location, 'Lyon', made.text)
    const call = (args: object) =>
      callTool(service, token, 'update_company', { company_id: made.value.company_id, ...args })
    for (const [args, said] of [
      [{ other_fields: { hq_locaton: 'Paris' } }, /hq_locaton.*hq_location/],
      [{ domain: 'a.test', other_fields: { domain: 'b.test' } }, /domain.*twice/],
      [{ other_fields: ['x'] }, /other_fields.*object/],
      [{ domain: 'a.test', clear: ['domain'] }, /domain.*twice/],
      [{ clear: 'domain' }, /clear.*list/],
      [{ clear: ['nonsense'] }, /nonsense/],
      [{ clear: ['company_name'] }, /company_name/],
    ] as const) {
      const refused = await call(args)
      assert.ok(refused.isError, JSON.stringify(args))
      assert.match(refused.text, said)
    }
    const both = await call({ clear: ['domain', 'linkedin_url'] })
    assert.deepEqual(
      [both.value?.domain, both.value?.linkedin_url],
      [undefined, undefined],
      both.text,
    )
    assert.equal(both.value.hq_location, 'Lyon')
    const create = await callTool(service, token, 'create_company', {
      company_name: 'C',
      clear: ['domain'],
    })
    assert.ok(create.isError)
  })

  test('is reached by a personal access token, within its scopes', async () => {
    const { token: session, user_id } = org.users.admin
    const tokenOf = async (...scopes: string[]) => {
      const body = { name: 'Assistant', scopes }
      const made = await service.call('POST', '/api/access-tokens/', { token: session, body })
      assert.equal(made.status, 201, made.text)
      return made.body as { token: string; access_token_id: string }
    }
    const namesFor = async (pat: string) => {
      const client = await clientWith(service, pat)
      const { tools: listed } = await client.listTools()
      await client.close()
      return listed.map(({ name }) => name)
    }
    const all = await tokenOf('all.write')
    assert.deepEqual(
      await namesFor(all.token),
      tools.map(({ name }) => name),
    )
    const reading = await tokenOf('all.read')
    const readers = tools
      .filter((each) => toolsOf(each).every(({ operation }) => !operation.writes))
      .map(({ name }) => name)
    assert.deepEqual(await namesFor(reading.token), readers)
    const some = await tokenOf('companies.write', 'tasks.read')
    assert.deepEqual(await namesFor(some.token), [
      'find_records',
      'get_record',
      'count_records',
      'create_company',
      'update_company',
      'list_due_tasks',
      'get_fields',
    ])
    const made = await callTool(service, some.token, 'create_company', {
      company_name: 'By a token',
    })
    assert.equal(made.isError, false, made.text)
    const { body } = await service.call('GET', `/api/company/${made.value.company_id}/`, {
      token: session,
    })
    assert.equal(body.created_by?.user_id ?? user_id, user_id)
    const [project] = [await callTool(service, all.token, 'create_project', { project_name: 'P' })]
    const { project_id } = project.value
    const task = await callTool(service, all.token, 'create_task', { project_id, title: 'T' })
    assert.equal(task.isError, false, task.text)
    for (const [name, args] of [
      ['find_records', { module: 'contacts' }],
      ['get_record', { module: 'deals', id: 'x' }],
      ['count_records', { module: 'meetings' }],
      ['create_contact', { full_name: 'No' }],
      ['search', { q: 'x' }],
      ['create_task', { project_id, title: 'No' }],
      ['log_note', { module: 'companies', record_id: made.value.company_id, content: 'No' }],
    ] as const) {
      const refused = await callTool(service, some.token, name, args)
      assert.ok(refused.isError, name)
      assert.match(refused.text, /needs the scope/, name)
    }
    const written = await callTool(service, reading.token, 'create_company', { company_name: 'No' })
    assert.match(written.text, /needs the scope companies\.write/)
    const path = `/api/access-tokens/${some.access_token_id}/`
    assert.equal((await service.call('DELETE', path, { token: session })).status, 204)
    for (const wrong of [some.token, `${all.token}x`, 'pat_x']) {
      const reply = await service.call('POST', '/mcp', { token: wrong, body: {} })
      assert.equal(reply.status, 401, reply.text)
    }
  })
})
