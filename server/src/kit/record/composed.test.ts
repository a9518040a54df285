import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { connectApp } from '../../../test/support/integration.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, password, startService } from '../../../test/support/service.ts'

const composed = 'Café Ångström'
const decomposed = composed.normalize('NFD')

describe('a text that Unicode writes in two ways', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp
  let token: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    app = await connectApp(service, org)
    token = org.users.admin.token
  })

  const create = (path: string, body: object) => service.call('POST', path, { token, body })

  test('is one name of a company, whichever surface writes it first', async () => {
    const first = await create('/api/company/', { company_name: decomposed })
    assert.equal(first.status, 200, first.text)
    const second = await app.call('POST', '/automation/company', {
      body: { company_name: composed },
    })
    assert.equal(second.status, 409, second.text)
    const { body } = await app.call('GET', `/automation/company`, {
      query: { company_id: second.body.data.company_id },
    })
    assert.equal(body.company_name, composed)
  })

  test('is found by its other form: by the search, a filter and a parameter', async () => {
    const found = async (query: { [name: string]: string }) => {
      const reply = await app.call('GET', '/automation/company', { query })
      assert.equal(reply.status, 200, reply.text)
      return reply.body.results.length as number
    }
    assert.equal(await found({ company_name: decomposed }), 1)
    const condition = { field: 'company_name', operator: 'eq', value: decomposed }
    const filter = JSON.stringify([condition])
    assert.equal(await found({ filter }), 1)
    // as clients write it that send ASCII alone
    const escaped = filter.replace(
      /[^\0-\x7f]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    assert.equal(await found({ filter: escaped }), 1)
    const q = encodeURIComponent(decomposed)
    const list = await service.call('GET', `/api/company/?page=1&items_per_page=5&q=${q}`, {
      token,
    })
    assert.equal(list.body.length, 1)
  })

  test('is one tag, of the organization and of a record', async () => {
    assert.equal((await create('/api/tags/info/', { tag_name: decomposed })).status, 201)
    assert.equal((await create('/api/tags/info/', { tag_name: composed })).status, 409)
    const tags = [composed, decomposed]
    const contact = await create('/api/contact/', { full_name: 'Ada', tags })
    assert.equal(contact.status, 200, contact.text)
    const { body } = await service.call('GET', contact.headers.get('location')!, { token })
    assert.deepEqual(body.tags, [composed])
  })

  test('stays as it was sent where it is no name', async () => {
    const created = await create('/api/company/', {
      company_name: 'Other',
      description: decomposed,
    })
    const path = created.headers.get('location')!
    const { body } = await service.call('GET', path, { token })
    assert.equal(body.description, decomposed)
  })

  test('is as many characters in a password as were typed', async () => {
    const { email } = org.users.member
    const login = (password: string) =>
      service.call('POST', '/api/login/', { body: { email, password } })
    const body = { current: password, new: decomposed }
    const changed = await service.call('POST', '/api/session/password/', {
      token: org.users.member.token,
      body,
    })
    assert.equal(changed.status, 204, changed.text)
    assert.equal((await login(decomposed)).status, 200)
    assert.equal((await login(composed)).status, 401)
  })

  test('is left as it is where too many marks follow a letter, which would take quadratic time to order', async () => {
    const company_name = `a${'\u0315\u0300\u05ae'.repeat(80_000)}`
    const started = performance.now()
    const body = { company_name }
    const refused = await service.call('POST', '/api/company/', { token, body })
    assert.equal(refused.status, 400, refused.text.slice(0, 200))
    assert.equal(refused.body.errors[0].field, 'company_name')
    // it took 40 s
    assert.ok(performance.now() - started < 5000)
  })
})

describe('an e-mail address at an international domain', () => {
  test('is stored in letters, and the same address in punycode is the same contact', async () => {
    const service = await startService()
    const org = await makeOrganization(service)
    const { token } = org.users.admin
    const create = (primary_email: string) =>
      service.call('POST', '/api/contact/', { token, body: { full_name: 'A', primary_email } })
    const first = await create('jürg@MÜLLER.example')
    assert.equal(first.status, 200, first.text)
    const { body } = await service.call('GET', first.headers.get('location')!, { token })
    assert.equal(body.primary_email, 'jürg@MÜLLER.example')
    assert.equal((await create('jürg@xn--mller-kva.example')).status, 409)
    assert.equal((await create('用户@例え.jp')).status, 200)
    for (const wrong of [
      'a@ｍ.example',
      'a@m\u00adü.example',
      'a b@ü.example',
      'a@ü',
      '"a"@ü.de',
    ]) {
      const refused = await create(wrong)
      assert.equal(refused.status, 400, wrong)
      assert.equal(refused.body.errors[0].field, 'primary_email')
    }
  })
})
