import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import { launchBrowser, noBrowser, problemsOf, sizes } from '../support/browser.ts'
import { atEnd } from '../support/finally.ts'
import { postForm } from '../support/integration.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'

describe('the feedback form', () => {
  let service: TestService
  let org: TestOrganization
  let key: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    const { token } = org.users.admin
    key = (await service.call('GET', '/api/widget-config', { token })).body.key
  })

  const stored = () =>
    rows(
      service,
      sql`select answers from widget_responses where organization_id = ${org.id}
      order by id`,
    )

  test('is read and sent to with its public key alone; what does not fit is named', async () => {
    const config = await service.call('GET', `/api/widget-config?key=${key}`)
    assert.deepEqual(
      config.body.form.fields.map(({ name }: any) => name),
      ['rating', 'message', 'email'],
    )
    const path = `/api/widget-submit?key=${key}`
    for (const body of [{ rating: 9 }, {}, { message: ' ' }, { answers: {} }]) {
      const wrong = await service.call('POST', path, { body })
      assert.equal(wrong.status, 400)
      assert.deepEqual(
        wrong.body.errors.map(({ field }: any) => field),
        ['rating'],
        JSON.stringify(body),
      )
    }
    const flood = { message: 'Much', unasked: 'x'.repeat(200_000) }
    assert.equal((await service.call('POST', path, { body: flood })).status, 400)
    const sent = await service.call('POST', path, { body: { message: 'By call', rating: 4 } })
    assert.deepEqual([sent.status, sent.text], [200, ''])
    assert.equal((await service.call('GET', '/api/widget-config?key=nobodys')).status, 404)
    const nested = { answers: { rating: 5 }, comment: 'Fine' }
    assert.equal((await service.call('POST', path, { body: nested })).status, 200)
    assert.deepEqual(await stored(), [
      { answers: { message: 'By call', rating: 4 } },
      { answers: { rating: 5, comment: 'Fine' } },
    ])
    const list = (role: 'manager' | 'customer', query = '') =>
      service.call('GET', `/api/widget-responses/${query}`, { token: org.users[role].token })
    const { body } = await list('manager', '?items_per_page=1')
    assert.deepEqual(body, [
      {
        response_id: body[0].response_id,
        answers: { rating: 5, comment: 'Fine' },
        email: null,
        page_url: null,
        user_id: null,
        creation_time: body[0].creation_time,
      },
    ])
    assert.deepEqual((await list('manager', '?email=nobody@x.test')).body, [])
    assert.deepEqual((await list('customer')).body, [])
  })

  test('of nobody is shown as it is usually, and takes nothing', async () => {
    const config = await service.call('GET', '/api/widget-config')
    assert.equal(config.status, 200, config.text)
    assert.deepEqual([config.body.key, config.body.is_active], [null, false])
    assert.ok(config.body.theme && config.body.form)
    const sent = await service.call('POST', '/api/widget-submit', { body: { message: 'x' } })
    assert.deepEqual([sent.status, sent.body.errors[0].field], [400, 'key'])
  })

  test('takes a bearer token or none, and not one that is no good', async () => {
    for (const token of ['nonsense', `${org.users.admin.token}x`]) {
      const body = { message: 'x' }
      const sent = await service.call('POST', '/api/widget-submit', { token, body })
      assert.deepEqual([sent.status, typeof sent.body.error], [401, 'string'], sent.text)
      assert.equal((await service.call('GET', '/api/widget-config', { token })).status, 401)
    }
  })

  test('its page may be framed by any site, and says what does not fit', async () => {
    const page = await service.call('GET', `/widget/${key}`)
    assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors \*/)
    assert.equal(page.headers.get('x-frame-options'), null)
    const reply = await postForm(service, `/widget/${key}`, { message: '' })
    assert.equal(reply.status, 400)
    assert.match(reply.text, /This or another answer is required\./)
    assert.equal((await service.call('GET', '/widget/nobodys')).status, 404)
  })

  test('has the look of the organization and the language of the visitor', async () => {
    const home = await makeOrganization(service)
    const { token } = home.users.admin
    const change = (path: string, body: object) => service.call('PUT', path, { token, body })
    assert.equal(
      (await change('/api/organization/settings/', { primary_color: '#8a1c5b' })).status,
      200,
    )
    const fields = [{ name: 'plan', label: 'Plan', type: 'email', required: true }]
    const { body } = await change('/api/widget-config', { form: { title: 'Hallo', fields } })
    const headers = { 'accept-language': 'de' }
    const page = await service.call('GET', `/widget/${body.key}`, { headers })
    assert.match(page.text, /<html lang="de">/)
    assert.ok(page.text.includes(home.name), 'it names the organization')
    assert.match(page.text, /--action: #8a1c5b/i)
    assert.match(page.text, /\(Pflichtfeld\)/)
    const form = { plan: 'x' }
    const wrong = await postForm(service, `/widget/${body.key}`, form, headers)
    assert.equal(wrong.status, 400)
    assert.doesNotMatch(wrong.text, /This |must be/)
  })

  test('can be changed by whoever may change all surveys, and shows the change at once', async () => {
    const home = await makeOrganization(service)
    const change = (body: object, role: 'admin' | 'member' | 'customer' | 'observer' = 'admin') =>
      service.call('PUT', '/api/widget-config', { token: home.users[role].token, body })
    const read = () => service.call('GET', '/api/widget-config', { token: home.users.member.token })
    const first = (await read()).body
    const fields = [
      { name: 'plan', label: 'Your plan', type: 'text', required: true },
      { name: 'why', label: 'Why <b>?', type: 'long-text' },
    ]
    const changed = await change({
      theme: { primary_color: '#FFD700' },
      form: { title: 'Leaving?', fields },
    })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(changed.body, {
      ...first,
      theme: { ...first.theme, primary_color: '#FFD700' },
      form: {
        ...first.form,
        title: 'Leaving?',
        fields: [fields[0], { ...fields[1], required: false }],
      },
    })
    assert.deepEqual((await read()).body, changed.body)
    const page = await service.call('GET', `/widget/${first.key}`)
    assert.match(page.text, /<h1>Leaving\?<\/h1>[^]*Why &lt;b&gt;\?/)
    assert.match(page.text, /--action: #ffd700;[^}]*--on-action: #000000/i)
    const sent = (body: object, key = first.key) =>
      service.call('POST', `/api/widget-submit?key=${key}`, { body })
    assert.equal((await sent({ why: 'Price' })).body.errors[0].field, 'plan')
    assert.equal((await sent({ plan: 'Basic' })).status, 200)
    const { body: log } = await service.call('GET', '/api/activity/log/', {
      token: home.users.admin.token,
    })
    const entry = log.find(({ title }: any) => title === 'Feedback form changed')
    assert.match(JSON.stringify(entry), /"field":"theme"[^]*"field":"form"/)

    const { key } = (await change({ new_key: true, is_active: false })).body
    assert.notEqual(key, first.key)
    assert.deepEqual(
      [(await sent({ plan: 'x' })).status, (await sent({ plan: 'x' }, key)).status],
      [404, 403],
    )

    for (const role of ['member', 'customer', 'observer'] as const) {
      assert.equal((await change({ is_active: true }, role)).status, 403, role)
    }
    const wrong: [object, string][] = [
      [{ theme: { primary_color: 'red' } }, 'theme.primary_color'],
      [{ theme: { accent: '#000000' } }, 'theme.accent'],
      [{ form: { fields: [] } }, 'form.fields'],
      [{ form: { fields: [fields[0], fields[0]] } }, 'form.fields.1.name'],
      [{ form: { fields: [{ ...fields[0], name: 'answers' }] } }, 'form.fields.0.name'],
      [{ form: { fields: [{ ...fields[0], type: 'file' }] } }, 'form.fields.0.type'],
      [{ form: { title: ' ' } }, 'form.title'],
    ]
    for (const [body, field] of wrong) {
      const refused = await change(body)
      assert.deepEqual([refused.status, refused.body.errors[0].field], [400, field])
    }
  })

  describe('in a real browser', { skip: noBrowser() }, () => {
    for (const [size, viewport] of Object.entries(sizes)) {
      test(`is embedded in another site’s page: ${size}`, async () => {
        const site = createServer((_request, response) =>
          response.writeHead(200, { 'content-type': 'text/html' }).end(
            `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1></main>
              <script src="${service.url}/widget.js" data-key="${key}" async></script></html>`,
          ),
        )
        site.listen(0, '127.0.0.1')
        await once(site, 'listening')
        atEnd(() => new Promise<void>((resolve) => site.close(() => resolve())))
        const browser = await launchBrowser()
        const context = await browser.newContext({ viewport })
        atEnd(() => context.close())
        const page = await context.newPage()
        // another origin than the service's
        await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
        await page.getByRole('button', { name: 'Feedback' }).click()
        const frame = page.frameLocator('iframe')
        await frame.getByLabel('Your feedback').fill(`From ${size}`)
        await frame.getByRole('radio', { name: '4' }).check()
        await frame.getByRole('button', { name: 'Send' }).click()
        await frame.getByRole('heading', { name: 'Thank you!' }).waitFor()
        await page.keyboard.press('Escape')
        const last = (await stored()).at(-1)
        assert.deepEqual(last.answers, { rating: '4', message: `From ${size}`, email: '' })
        await page.goto(`${service.url}/widget/${key}`)
        assert.deepEqual(await problemsOf(page), [])
      })
    }
  })
})
