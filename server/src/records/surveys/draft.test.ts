import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { postForm } from '../../../test/support/integration.ts'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'

describe('the draft of a survey', () => {
  let service: TestService
  let org: TestOrganization
  let now = Date.now()

  before(async () => {
    service = await startService({}, () => new Date(now))
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: unknown, headers = {}, token?: string) =>
    service.call(method, `/api/surveys/${path}`, {
      token: token ?? org.users.admin.token,
      body,
      headers,
    })
  const score = { id: 'score', type: 'nps', label: 'Would you recommend us?', required: true }
  const why = {
    id: 'why',
    type: 'long-text',
    label: 'Why?',
    show_if: [{ field_id: 'score', operator: 'lt', value: 7 }],
  }
  const pages = (...fields: object[]) => [{ id: 'p1', title: 'One', fields }]

  async function made(more: object = {}) {
    const body = { name: 'Pulse', form_structure: pages(score), status: 'published', ...more }
    const { body: survey, text } = await call('POST', '', body)
    assert.ok(survey.survey_id, text)
    return survey.survey_id as string
  }
  const page = (url: string) => service.call('GET', new URL(url).pathname)

  test('leaves what is published as it is, until it is published itself', async () => {
    const id = await made()
    const { body: first } = await call('GET', `${id}/draft/`)
    assert.equal(first.is_draft, false)
    const changed = { form_structure: pages(score, why), closing_text: 'Thanks!' }
    const { body: draft } = await call('PUT', `${id}/draft/`, changed)
    assert.equal(draft.is_draft, true)
    assert.equal(draft.form_structure.pages[0].fields.length, 2)
    const { body: before } = await call('GET', `${id}/`)
    assert.equal(before.form_structure.pages[0].fields.length, 1)
    assert.equal(before.closing_text, null)
    const { body: link } = await call('POST', `${id}/link/`, {})
    assert.doesNotMatch((await page(link.url)).text, /Why\?/)

    const { body: after, status } = await call('POST', `${id}/publish/`)
    assert.equal(status, 200)
    assert.equal(after.form_structure.version, 2)
    assert.equal(after.form_structure.pages[0].fields.length, 2)
    assert.equal(after.closing_text, 'Thanks!')
    assert.equal((await call('GET', `${id}/draft/`)).body.is_draft, false)
    assert.match((await page(link.url)).text, /Why\?/)
  })

  test('publishes a survey for the first time', async () => {
    const id = await made({ form_structure: [], status: 'draft' })
    refusedField(await call('POST', `${id}/publish/`), ['form_structure'])
    await call('PUT', `${id}/draft/`, { form_structure: pages(score) })
    const { body } = await call('POST', `${id}/publish/`)
    assert.deepEqual([body.status, body.field_count], ['published', 1])
  })

  test('may lack what only publishing needs', async () => {
    const id = await made()
    const open = { id: 'open', type: 'dropdown', label: '' }
    const { status, text } = await call('PUT', `${id}/draft/`, {
      form_structure: pages(why, score, open),
    })
    assert.equal(status, 200, text)
    refusedField(await call('POST', `${id}/publish/`), ['form_structure.0.fields.0.show_if'])
    await call('PUT', `${id}/draft/`, { form_structure: pages(score, why, open) })
    refusedField(await call('POST', `${id}/publish/`), ['form_structure.0.fields.2.label'])
    const wrong = { form_structure: pages({ ...open, type: 'dropdwon' }) }
    refusedField(await call('PUT', `${id}/draft/`, wrong), ['form_structure.0.fields.0.type'])
    refusedField(await call('PUT', `${id}/draft/`, { closing: 'x' }), ['closing'])
    const { body: read } = await call('GET', `${id}/draft/`)
    assert.equal((await call('PUT', `${id}/draft/`, read)).status, 200)
  })

  test('is stored only over the version that was read, and discarded', async () => {
    const id = await made()
    const { body: first } = await call('GET', `${id}/draft/`)
    const match = { 'if-match': `"${first.version}"` }
    const { body: one } = await call('PUT', `${id}/draft/`, { name: 'A' }, match)
    assert.ok(one.version > first.version)
    assert.equal((await call('PUT', `${id}/draft/`, { name: 'B' }, match)).status, 412)
    const { body: none } = await call('DELETE', `${id}/draft/`)
    assert.deepEqual([none.is_draft, none.name], [false, 'Pulse'])
  })

  test('of a template is taken, without publishing the template', async () => {
    const id = await made({ item_type: 'survey_template', status: 'draft' })
    await call('PUT', `${id}/draft/`, { name: 'Better' })
    const { body, text } = await call('POST', `${id}/publish/`)
    assert.deepEqual([body.name, body.status], ['Better', 'draft'], text)
    assert.equal((await call('POST', `${id}/publish/`)).status, 409)
  })

  test('is seen by who may change the survey alone', async () => {
    const id = await made()
    const other = await makeOrganization(service)
    for (const [method, path] of [
      ['GET', 'draft/'],
      ['PUT', 'draft/'],
      ['DELETE', 'draft/'],
      ['POST', 'preview/'],
    ] as const) {
      const reply = await call(method, `${id}/${path}`, {}, {}, other.users.admin.token)
      assert.equal(reply.status, 404, `${method} ${path}`)
    }
  })

  test('is previewed by the page’s own code, which stores nothing', async () => {
    const id = await made()
    const second = {
      id: 'p2',
      title: 'Two',
      fields: [{ id: 'mail', type: 'email', label: 'Mail' }],
    }
    await call('PUT', `${id}/draft/`, {
      form_structure: [...pages(score, why), second],
      closing_text: 'That was a preview',
    })
    const { body } = await call('POST', `${id}/preview/`, { language: 'fr' })
    const at = new URL(body.url).pathname
    const first = await service.call('GET', at)
    assert.match(first.text, /lang="fr"/)
    assert.match(first.text, /Why\?/)
    assert.match(String(first.headers.get('content-security-policy')), /frame-ancestors 'self'/)
    assert.equal(first.headers.get('x-frame-options'), 'SAMEORIGIN')
    const post = (form: { [name: string]: string }) => postForm(service, at, form)
    assert.equal((await post({ page: '0', go: 'next' })).status, 400)
    const next = await post({ page: '0', go: 'next', 'a.score': '9' })
    assert.match(next.text, /Mail/)
    const carried = '{"score":9}'
    assert.match(
      (await post({ page: '1', go: 'back', carried })).text,
      /value="9"\s+required\s+checked/,
    )
    const done = await post({ page: '1', go: 'next', carried, 'a.mail': 'sam@guest.example' })
    assert.match(done.text, /That was a preview/)
    const stored = await rows(service, sql`select id from survey_responses where survey_id = ${id}`)
    assert.deepEqual(stored, [])
    const { body: survey } = await call('GET', `${id}/`)
    assert.equal(survey.view_count, 0)
    const key = at.split('/').at(-1)
    assert.equal((await service.call('GET', `/s/${key}`)).status, 404)
    now += 11 * 60_000
    assert.equal((await service.call('GET', at)).status, 410)
    assert.equal((await service.call('GET', '/s/preview/none')).status, 404)
  })
})
