import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../test/support/integration.ts'
import { connectApp } from '../../test/support/integration.ts'
import type { Reply, TestOrganization, TestService } from '../../test/support/service.ts'
import { makeOrganization, startService } from '../../test/support/service.ts'

describe('query parameters', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp
  let token: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    app = await connectApp(service, org)
    token = org.users.admin.token
    for (const [company_name, domain] of [
      ['Acme', 'acme.test'],
      ['Globex', 'globex.test'],
    ]) {
      const body = { company_name, domain }
      const company = await app.call('POST', '/automation/company', { body })
      const { company_id } = company.body.data
      const contact = { full_name: `Ada of ${company_name}`, primary_email: `ada@${domain}` }
      await app.call('POST', '/automation/contact', { body: { ...contact, company_id } })
    }
  })

  function assertUnknown(reply: Reply, name: string, hint: RegExp) {
    assert.equal(reply.status, 400, reply.text)
    assert.equal(reply.body.code, 'unknown_parameter')
    assert.equal(reply.body.errors[0].field, name)
    assert.match(reply.body.errors[0].message, hint)
  }

  test('that an operation does not have are refused with the nearest known name', async () => {
    const list = (query: string) =>
      service.call('GET', `/api/contact/?page=1&items_per_page=9&${query}`, { token })
    assertUnknown(await list('item_per_pag=2'), 'item_per_pag', /did you mean items_per_page\?/)
    assertUnknown(await list('Sort=full_name'), 'Sort', /did you mean sort\?/)
    assertUnknown(await list('whatever=1'), 'whatever', /known are page, /)
    const { text } = await list('')
    const [{ id }] = JSON.parse(text)
    const one = await service.call('GET', `/api/contact/${id}/?page=1`, { token })
    assertUnknown(one, 'page', /there are none here/)
    const created = await service.call('POST', '/api/contact/?on_duplicat=update', {
      token,
      body: { full_name: 'Ada', primary_email: 'ada@acme.test' },
    })
    assertUnknown(created, 'on_duplicat', /did you mean on_duplicate\?/)
  })

  test('that are whole numbers have digits alone', async () => {
    for (const value of ['1e2', '0x10', ' 5', '+5', '5.0', '٥', '']) {
      for (const name of ['limit', 'page']) {
        const reply = await app.call('GET', '/automation/company', { query: { [name]: value } })
        assert.equal(reply.status, 400, `${name}=${value}`)
        const errors = [{ field: name, message: 'must be a whole number' }]
        assert.deepEqual(reply.body.errors, errors)
      }
    }
    const reply = await app.call('GET', '/automation/company', { query: { limit: '05' } })
    assert.equal(reply.status, 200)
  })

  test('that a list takes without a use for them have to fit all the same', async () => {
    const cases = [
      ['/automation/company', 'due_filter', 'nonsense'],
      ['/automation/contact', 'due_filter', 'nonsense'],
      ['/automation/users', 'due_filter', ''],
      ['/automation/deal/options', 'items_per_page', '501'],
      ['/automation/deal/options', 'page', '0'],
    ] as const
    for (const [path, name, value] of cases) {
      const reply = await app.call('GET', path, { query: { [name]: value } })
      assert.equal(reply.status, 400, `${path} ${name}=${value} ${reply.text}`)
      assert.equal(reply.body.errors[0].field, name)
    }
    const list = '/api/templates/template/default/'
    const refused = await service.call('GET', `${list}?reverse=perhaps`, { token })
    assert.equal(refused.body.errors[0].field, 'reverse')
    assert.equal((await service.call('GET', `${list}?reverse=true&page=2`, { token })).status, 200)
  })

  test('without a value are none where they are texts, and 400 where they name or count something', async () => {
    const { body: document } = await service.call('GET', '/openapi.json')
    const resolved = (part: any): any =>
      part?.$ref
        ? (part.$ref as string)
            .split('/')
            .slice(1)
            .reduce((at, name) => at[name], document)
        : part
    // modes, which say whether there is one record or a list; and what a caller may leave empty in an open set
    const modes = new Set(['company_id', 'contact_id', 'options', 'field_config', 'code'])
    let checked = 0
    const wrong: string[] = []
    for (const [path, { get, parameters = [] }] of Object.entries<any>(document.paths)) {
      if (!get || !/^\/(api|automation)\//.test(path) || path.includes('{')) continue
      if (!JSON.stringify(get.responses['200'] ?? {}).includes('application/json')) continue
      const own = [...parameters, ...(get.parameters ?? [])].map(resolved)
      const query = own.filter((each) => each.in === 'query')
      const always = query.some(({ name, required }) => required && name === 'page')
        ? 'page=1&items_per_page=2&'
        : ''
      const call = (sent: string) =>
        path.startsWith('/api/')
          ? service.call('GET', `${path}?${always}${sent}`, { token })
          : app.call('GET', `${path}?${sent}`)
      if ((await call('')).status !== 200) continue
      for (const { name, schema } of query.filter((each) => !each.required)) {
        const { type, enum: words, format, pattern, minLength } = resolved(schema)
        const isText = type === 'string' && !words && !format && !pattern && !minLength
        if (modes.has(name)) continue
        const { status, text, body } = await call(`${name}=`)
        const isRight = isText ? status === 200 : status === 400 && body.errors[0].field === name
        if (!isRight) wrong.push(`${path} ${name}= ${text}`)
        checked++
      }
    }
    assert.deepEqual(wrong, [])
    assert.ok(checked > 300, `only ${checked}`)
  })

  test('that caches and campaigns append are passed over', async () => {
    const path = '/api/contact/?page=1&items_per_page=9&_=1700000000&utm_source=mail&utm_campaign=x'
    assert.equal((await service.call('GET', path, { token })).status, 200)
  })

  test('on the integration surface are refused alike, but for the common ones', async () => {
    const refused = await app.call('GET', '/automation/contact', { query: { emial: 'x' } })
    assertUnknown(refused, 'emial', /did you mean email\?/)
    const query = { due_filter: 'show_all', page: 1, items_per_page: 5 }
    assert.equal((await app.call('GET', '/automation/contact', { query })).status, 200)
    const posted = await app.call('POST', '/automation/company?limit=1', {
      body: { company_name: 'X' },
    })
    assertUnknown(posted, 'limit', /./)
    const keyed = await app.call('GET', '/automation/test', { query: { code: app.function_key } })
    assert.equal(keyed.status, 200)
  })

  test('find a record by e-mail, name or domain, beside a filter', async () => {
    const found = async (module: string, query: { [name: string]: string }) => {
      const reply = await app.call('GET', `/automation/${module}`, { query })
      assert.equal(reply.status, 200, reply.text)
      const named = reply.body.results as { full_name?: string; company_name?: string }[]
      return named.map((each) => each.full_name ?? each.company_name)
    }
    assert.deepEqual(await found('contact', { email: ' ADA@acme.test ' }), ['Ada of Acme'])
    assert.deepEqual(await found('contact', { full_name: 'ada of globex' }), ['Ada of Globex'])
    assert.deepEqual(await found('contact', { company_name: 'Globex' }), ['Ada of Globex'])
    assert.deepEqual(await found('contact', { domain: 'acme.test' }), ['Ada of Acme'])
    assert.deepEqual(await found('contact', { email: 'ada@acme.tes' }), [])
    assert.equal((await found('contact', { email: '' })).length, 2)
    assert.deepEqual(await found('company', { domain: 'globex.test' }), ['Globex'])
    assert.deepEqual(await found('company', { company_name: 'acme' }), ['Acme'])
    const filter = JSON.stringify([{ field: 'domain', operator: 'eq', value: 'acme.test' }])
    assert.deepEqual(await found('company', { company_name: 'Globex', filter }), [])
    const wrong = await app.call('GET', '/automation/company', {
      query: { company_name: 'Globex', filter: 'not JSON' },
    })
    assert.equal(wrong.status, 400, wrong.text)
    assert.equal(wrong.body.errors[0].field, 'filter')
  })

  test('of a page by cursor bind the cursor', async () => {
    const first = await app.call('GET', '/automation/contact', { query: { limit: 1 } })
    const next_cursor = first.body.next_cursor as string
    assert.ok(next_cursor)
    const other = await app.call('GET', '/automation/contact', {
      query: { limit: 1, next_cursor, full_name: 'Ada of Acme' },
    })
    assert.equal(other.status, 400)
    assert.equal(other.body.errors[0].field, 'next_cursor')
  })
})
