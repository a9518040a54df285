import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { isUpToDate } from '../scripts/openapi.ts'
import { eventNames } from '../src/webhooks/catalogue.ts'
import { schemaCheck } from './support/answers.ts'
import { connectApp } from './support/integration.ts'
import type { TestService } from './support/service.ts'
import { makeOrganization, startService } from './support/service.ts'

describe('the API document', () => {
  let service: TestService

  before(async () => {
    service = await startService({ publicUrl: 'https://perennial.example' })
  })

  test('is served with the address that callers use', async () => {
    for (const path of ['/openapi.json', '/openapi.json/']) {
      const reply = await service.call('GET', path)
      assert.equal(reply.status, 200)
      assert.equal(reply.body.openapi, '3.1.1')
      assert.deepEqual(reply.body.servers, [{ url: 'https://perennial.example' }])
      assert.deepEqual(Object.keys(reply.body.paths), Object.keys(service.document().paths))
    }
  })

  test('is sent once to who has it, and compressed', async () => {
    const get = (headers: { [name: string]: string } = {}) =>
      service.app.inject({ method: 'GET', url: '/openapi.json', headers })
    const first = await get({ 'accept-encoding': 'gzip' })
    assert.equal(first.headers['content-encoding'], 'gzip')
    assert.ok(first.rawPayload.length < 500_000, String(first.rawPayload.length))
    const tag = String(first.headers.etag)
    const again = await get({ 'if-none-match': `"other", ${tag}` })
    assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', tag])
    assert.equal((await get({ 'if-none-match': '"other"' })).statusCode, 200)
  })

  test('and its page can only be read', async () => {
    for (const url of ['/openapi.json', '/docs']) {
      for (const method of ['POST', 'DELETE', 'TRACE'] as const) {
        const reply = await service.app.inject({ method: method as 'POST', url })
        assert.equal(reply.statusCode, 405, `${method} ${url}`)
        assert.equal(reply.headers.allow, 'GET, HEAD, OPTIONS')
      }
    }
  })

  test('is committed as the routes say it', async () => {
    assert.ok(await isUpToDate(), 'run `npm run openapi` and commit docs/api/openapi.json')
  })

  test('passes the linter', async () => {
    const args = [
      'node_modules/@redocly/cli/bin/cli.js',
      'lint',
      '--format=stylish',
      '--max-problems=20',
    ]
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const cwd = new URL('../../', import.meta.url)
    await promisify(execFile)(process.execPath, args, { env, cwd }).catch((failed) => {
      assert.fail(`${failed.stdout}${failed.stderr}`)
    })
  })

  test('describes the webhooks as they are sent', async () => {
    const org = await makeOrganization(service)
    const app = await connectApp(service, org)
    const { token } = org.users.admin
    await service.call('POST', '/api/company/', { token, body: { company_name: 'Acme' } })
    const check = schemaCheck(service.document())
    const events = Object.keys(service.document().webhooks)
    assert.deepEqual(events, eventNames)
    for (const event of events) {
      const sample = await app.call('GET', '/webhook/sample', { query: { event } })
      assert.equal(sample.status, 200, sample.text)
      const at = `/webhooks/${event}/post/requestBody/content/application~1json/schema`
      assert.equal(check(at, sample.body), undefined, sample.text)
      assert.ok(check(at, { ...sample.body, type: 'nope' }), 'anything would do')
    }
  })

  test('names every operation once and describes every route', () => {
    const { paths, webhooks } = service.document()
    const ids = [paths, webhooks].flatMap((entries) =>
      Object.values(entries).flatMap((item) =>
        Object.values(item).map(({ operationId }: any) => operationId),
      ),
    )
    assert.equal(new Set(ids).size, ids.length)
    for (const { method, path } of service.routes) {
      assert.ok(service.document().paths[path]?.[method.toLowerCase()], `${method} ${path}`)
    }
  })
})
