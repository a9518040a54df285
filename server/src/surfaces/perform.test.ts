import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { Type } from 'typebox'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { makeOrganization, startService } from '../../test/support/service.ts'
import { Failure, badField, stale } from '../kit/ground/errors.ts'
import { operation } from '../kit/ground/operation.ts'
import { Company } from '../model/companies/company.ts'
import { loadActor } from '../records/users/actor.ts'
import type { Caller } from '../runtime.ts'
import { anonymousCaller, publicContext } from '../runtime.ts'
import { perform } from './perform.ts'

const fields = { name: Type.Optional(Type.String()), company_name: Type.Optional(Type.String()) }

describe('an operation, whatever surface it is called by', () => {
  let service: TestService
  let org: TestOrganization
  let company_id: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    const made = await service.call('POST', '/api/company/', {
      token: org.users.admin.token,
      body: { company_name: 'Acme' },
    })
    assert.equal(made.status, 200, made.text)
    company_id = made.headers.get('x-record-id')!
  })

  async function caller(source: Caller['source']): Promise<Caller> {
    const { lookup } = publicContext(service.runtime, anonymousCaller('x'))
    const user = await loadActor(lookup, org.id, org.users.admin.user_id)
    return { ...user!, source, request_id: 'a request' }
  }

  /** The refusal of an operation that is called with a body. */
  async function refusal(source: Caller['source'], refuse: () => never, before?: () => never) {
    const refused = operation({
      name: 'refused',
      summary: 'Refuse',
      can: { module: 'companies', action: 'update' },
      writes: true,
      aliases: { name: 'company_name' },
      input: { body: Type.Object(fields) },
      output: null,
      ...(before ? { before: async () => before() } : {}),
      run: async () => refuse(),
    })
    const sent = {
      ip: '127.0.0.1',
      raw: { socket: {} },
      url: '',
      params: {},
      query: {},
      headers: {},
      upload: undefined,
      body: { name: 'Acme' },
    }
    const who = await caller(source)
    return perform(
      service.runtime,
      { caller: who, operation: refused, sent: { ...sent, caller: who } as never },
      { answer: async (result) => result },
    ).then(
      () => assert.fail('not refused'),
      (error: unknown) => {
        assert.ok(error instanceof Failure)
        return error
      },
    )
  }

  for (const source of ['application', 'integration', 'mcp'] as const) {
    test(`is refused by the names that were sent (${source})`, async () => {
      const taken = () => {
        throw badField('company_name', 'is taken')
      }
      const named = [{ field: 'name', message: 'is taken' }]
      assert.deepEqual((await refusal(source, taken)).errors, named)
      const never = () => assert.fail('it ran after its refusal')
      assert.deepEqual((await refusal(source, never, taken)).errors, named)
    })

    test(`shows the record as it is where another version was expected (${source})`, async () => {
      const failure = await refusal(source, () => {
        throw stale({ record: Company, id: company_id, versions: [7], current: 1 })
      })
      assert.equal(failure.status, 412, failure.message)
      const shown = failure.data as { company_name: string } | undefined
      // the answers of the specification's integration surface have no more than its words
      assert.equal(shown?.company_name, source === 'integration' ? undefined : 'Acme')
    })
  }

  test('is run by one function: surfaces only run operations within another', () => {
    const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter(
      (file) => !file.endsWith('.test.ts'),
    )
    const runners = files.filter((file) => {
      const text = readFileSync(new URL(file, import.meta.url), 'utf8')
      return /inputOf\(|operation\.before/.test(text)
    })
    assert.deepEqual(runners.toSorted(), ['input.ts', 'perform.ts'])
  })
})
