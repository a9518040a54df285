import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, startService } from '../../../test/support/service.ts'
import type { Failure } from '../../kit/ground/errors.ts'
import { sql } from '../../kit/ground/sql.ts'
import { companies } from '../companies/operations.ts'
import { tags } from '../../model/tags/tag.ts'
import type { AppRequest } from './app.ts'
import { issueApp, rotateApp, wrongRedirect } from './app.ts'
import { allScopes, inPlainWords, scopeOf } from './scopes.ts'
import { allOrganizations } from '../../kit/ground/context.ts'

describe('apps', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const issue = (request: AppRequest, organization = org.id) =>
    service.runtime.database.transaction(allOrganizations, (queries) =>
      issueApp(queries, service.runtime.secrets, organization, request),
    )

  const stored = async (id: string) =>
    (await rows(service, sql`select * from apps where id = ${id}`))[0]

  test('secrets that are left out are made, shown once and stored unreadable', async () => {
    const app = await issue({ name: 'One', scopes: ['deal.read'] })
    assert.ok(app.is_new)
    for (const secret of [app.client_id, app.client_secret!, app.function_key!]) {
      assert.match(secret, /^[\w-]{20,}$/)
    }
    const row = await stored(app.id)
    const { secrets } = service.runtime
    assert.equal(secrets.decrypt(row.client_secret), app.client_secret)
    assert.ok(row.function_key_hash.equals(secrets.hash(app.function_key!)))
    const text = JSON.stringify(row)
    assert.ok(!text.includes(app.client_secret!) && !text.includes(app.function_key!))
    const again = await issue({ name: 'One', scopes: ['deal.read'] })
    assert.deepEqual(
      { id: again.id, is_new: again.is_new, client_secret: again.client_secret },
      { id: app.id, is_new: false, client_secret: null },
    )
  })

  test('issuing is idempotent by client id: nothing is written again, changes are brought up to date', async () => {
    const request = {
      name: 'Two',
      client_id: 'two',
      client_secret: 's2',
      function_key: 'f2',
      redirect_uris: ['https://a.test/cb'],
      scopes: ['company.read'],
      endpoints: ['GET /automation/company'],
    }
    const first = await issue(request)
    const before = await stored(first.id)
    const second = await issue(request)
    assert.equal(second.id, first.id)
    assert.equal(second.is_new, false)
    assert.deepEqual(await stored(first.id), before)
    const changed = {
      ...request,
      name: 'Two and a half',
      client_secret: 's3',
      scopes: ['company.write'],
    }
    await issue({ ...changed, require_client_auth_on_refresh: true })
    const after = await stored(first.id)
    assert.equal(after.name, 'Two and a half')
    assert.deepEqual(after.scopes, ['company.write'])
    assert.equal(after.require_client_auth_on_refresh, true)
    assert.equal(service.runtime.secrets.decrypt(after.client_secret), 's3')
    assert.ok(after.function_key_hash.equals(before.function_key_hash))
    await issue({ name: 'Two', client_id: 'two' })
    assert.equal(service.runtime.secrets.decrypt((await stored(first.id)).client_secret), 's3')
  })

  test('a client id belongs to one organization, also when two ask at once', async () => {
    await issue({ name: 'Three', client_id: 'three' })
    const other = await makeOrganization(service)
    const taken = (error: Failure) => error.status === 409
    await assert.rejects(issue({ name: 'Three', client_id: 'three' }, other.id), taken)
    const both = await Promise.allSettled([
      issue({ name: 'Four', client_id: 'four' }),
      issue({ name: 'Four', client_id: 'four' }, other.id),
    ])
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    await assert.rejects(
      service.runtime.database.transaction(org.id, (queries) =>
        issueApp(queries, service.runtime.secrets, org.id, { name: 'x' }),
      ),
      /service itself/,
    )
  })

  test('what is wrong is refused by the field’s name', async () => {
    const cases: [Partial<AppRequest>, string][] = [
      [{ name: ' ' }, 'name'],
      [{ name: 'x'.repeat(256) }, 'name'],
      [{ description: 5 as never }, 'description'],
      [{ client_id: 'a:b' }, 'client_id'],
      [{ client_id: 'a b' }, 'client_id'],
      [{ client_secret: '' }, 'client_secret'],
      [{ function_key: 'ü' }, 'function_key'],
      [{ scopes: ['company.delete'] }, 'scopes'],
      [{ scopes: 'company.read' as never }, 'scopes'],
      [{ redirect_uris: ['/callback'] }, 'redirect_uris'],
      [{ endpoints: [1 as never] }, 'endpoints'],
    ]
    for (const [request, field] of cases) {
      await assert.rejects(issue({ name: 'Bad', ...request }), (error: Failure) => {
        assert.equal(error.status, 400)
        assert.equal(error.errors?.[0]?.field, field)
        return true
      })
    }
    await assert.rejects(issue({ name: 'Bad', client_secret: 'a secret' }), (error: Error) => {
      assert.ok(!error.message.includes('a secret'))
      return true
    })
  })

  test('redirect addresses: https, http on loopback, or an app’s own scheme, without a fragment', () => {
    for (const uri of [
      'https://a.test/cb',
      'https://a.test/cb?x=y',
      'http://localhost:3000/cb',
      'http://app.localhost/cb',
      'http://127.0.0.1/cb',
      'http://[::1]:8080/cb',
      'com.example.app:/oauth',
      'myapp://cb',
      'cursor://anysphere.cursor-retrieval/oauth/callback',
    ]) {
      assert.equal(wrongRedirect(uri), undefined, uri)
    }
    for (const uri of [
      '',
      'cb',
      '/cb',
      '//a.test/cb',
      'http://a.test/cb',
      'http://localhost.a.test/cb',
      'https://a.test/cb#',
      'https://a.test/cb#x',
      'https://user@a.test/cb',
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'mailto:ann@a.test',
      'tel:+4912345',
      'sms:12345',
      'intent://a.test/#Intent;scheme=https;end',
      'intent://a.test/',
      'market://details?id=a',
      'ms-excel:ofe|u|https://a.test/x.xls',
      'myapp:cb',
      'https://a.test/c b',
      'https://a.test/cb\r\nx: y',
      'https://ü.test/cb',
      `https://a.test/${'x'.repeat(2000)}`,
    ]) {
      assert.ok(wrongRedirect(uri), uri)
    }
  })

  test('rotating replaces the requested secrets and leaves the rest', async () => {
    const { id, client_id, client_secret } = await issue({ name: 'Five', client_id: 'five' })
    const rotate = (what: Parameters<typeof rotateApp>[3], client = client_id) =>
      service.runtime.database.transaction(allOrganizations, (queries) =>
        rotateApp(queries, service.runtime.secrets, client, what),
      )
    const before = await stored(id)
    const key = await rotate({ function_key: true })
    assert.equal(key.client_secret, null)
    const between = await stored(id)
    const { secrets } = service.runtime
    assert.ok(between.function_key_hash.equals(secrets.hash(key.function_key!)))
    assert.ok(between.client_secret.equals(before.client_secret))
    const secret = await rotate({ client_secret: true })
    const after = await stored(id)
    assert.equal(secrets.decrypt(after.client_secret), secret.client_secret)
    assert.notEqual(secret.client_secret, client_secret)
    assert.ok(after.function_key_hash.equals(between.function_key_hash))
    await assert.rejects(rotate({}, 'nobody'), (error: Failure) => error.status === 404)
  })

  test('scopes follow from the permission, and one that cannot follow stops the start', () => {
    assert.equal(scopeOf(companies.list), 'company.read')
    for (const operation of [companies.create, companies.update, companies.remove]) {
      assert.equal(scopeOf(operation), 'company.write')
    }
    assert.equal(scopeOf({ ...tags.list, scope: 'project.read' }), 'project.read')
    assert.equal(scopeOf({ ...tags.list, scope: null }), null)
    assert.equal(scopeOf({ ...tags.list, can: 'signed_in' }), null)
    assert.throws(() => scopeOf(tags.list), /list_tags needs a scope/)
    assert.equal(allScopes.length, 18)
    assert.deepEqual(inPlainWords(['contact.write', 'deal.read', 'deal.write', 'meeting.read']), [
      'Add and change contacts',
      'See, add and change deals',
      'See meetings',
    ])
  })
})
