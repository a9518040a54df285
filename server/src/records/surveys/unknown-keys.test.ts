import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'

describe('unknown keys', () => {
  let service: TestService
  let org: TestOrganization
  let survey: string

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { token: org.users.admin.token, body })
  const field = { id: 'q', type: 'ratings', label: 'Q', required: true, maxRating: 5 }
  const page = { id: 'p', title: 'P', fields: [field] }

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    const made = await call('POST', '/api/surveys/', { name: 'S', form_structure: [page] })
    survey = made.body.survey_id
  })

  test('of a survey’s structure are refused with the nearest name', async () => {
    const choice = { id: 'c', type: 'dropdown', label: 'C', options: [{ value: 'a', label: 'A' }] }
    for (const [form_structure, at, near] of [
      [[{ ...page, titel: 'x' }], 'form_structure.0.titel', 'title'],
      [
        [{ ...page, fields: [{ ...field, requierd: true }] }],
        'form_structure.0.fields.0.requierd',
        'required',
      ],
      [
        [{ ...page, fields: [{ ...field, max_rating: 9 }] }],
        'form_structure.0.fields.0.max_rating',
        'maxRating',
      ],
      [
        [{ ...page, fields: [{ ...choice, options: [{ value: 'a', lable: 'A' }] }] }],
        'form_structure.0.fields.0.options.0.lable',
        'label',
      ],
      [{ page: [page] }, 'form_structure.page', 'pages'],
    ] as const) {
      const reply = await call('POST', '/api/surveys/', { name: 'S', form_structure })
      refusedField(reply, [at])
      assert.ok(reply.body.message.includes(`did you mean ${near}?`), reply.body.message)
    }
    const { body } = await call('GET', `/api/surveys/${survey}/`)
    const same = await call('PUT', `/api/surveys/${survey}/`, body)
    assert.equal(same.status, 200, same.text)
  })

  test('that a structure had before stay', async () => {
    const old = [{ ...page, fields: [{ ...field, icon: 'star' }] }]
    await service.runtime.database.transaction(org.id, ({ run }) =>
      run(sql`update surveys set form_structure = ${JSON.stringify({ pages: old, version: 1 })}::jsonb
        where id = ${survey}`),
    )
    const form_structure = [{ ...old[0], title: 'Other' }]
    const saved = await call('PUT', `/api/surveys/${survey}/`, { form_structure })
    assert.equal(saved.status, 200, saved.text)
    assert.equal(saved.body.form_structure.pages[0].fields[0].icon, 'star')
  })

  test('of an automation are refused, and what a read gave passes', async () => {
    const path = `/api/surveys/${survey}/automations_save/`
    const actions = [{ type: 'add_tag', config: { tag: 'Happy' } }]
    const good = { name: 'A', trigger: { type: 'response_submitted' }, actions }
    for (const [body, at] of [
      [{ ...good, action: [] }, 'action'],
      [{ ...good, trigger: { type: 'score_above', vaule: 3 } }, 'trigger.vaule'],
      [{ ...good, actions: [{ ...actions[0], conf: {} }] }, 'actions.0.conf'],
      [
        { ...good, actions: [{ type: 'add_tag', config: { tag: 'x', tags: [] } }] },
        'actions.0.config.tags',
      ],
      [{ automations: [{ ...good, is_activ: false }] }, 'automations.0.is_activ'],
    ] as const) {
      refusedField(await call('POST', path, body), [at])
    }
    const { body: made } = await call('POST', path, good)
    const { body: whole } = await call('GET', `/api/surveys/${survey}/`)
    const shaped = await call('POST', path, { ...whole, ...made })
    assert.equal(shaped.status, 200, shaped.text)
    const one = `/api/surveys/automations/${made.automation_id}/`
    assert.equal((await call('PUT', one, made)).status, 200)
    refusedField(await call('PUT', one, { nmae: 'B' }), ['nmae'])
    const stored = await rows(
      service,
      sql`select id from survey_automations where survey_id = ${survey}`,
    )
    assert.equal(stored.length, 1)
  })
})
