import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, sql, startService } from '../../../test/support/service.ts'

describe('what comes twice in a survey', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { token: org.users.admin.token, body })
  const pages = (options: unknown[]) => [
    { title: 'Page', fields: [{ id: 'q', type: 'dropdown', label: 'Which', options }] },
  ]
  const make = (options: unknown[]) =>
    call('POST', '/api/surveys/', { name: 'Survey', form_structure: pages(options) })
  const at = 'form_structure.0.fields.0.options'

  test('a choice is 400: answers could not distinguish them', async () => {
    refusedField(await make(['a', 'b', 'a']), [`${at}.2.value`])
    const labelled = [
      { value: 'a', label: 'First' },
      { value: 'a', label: 'Second' },
    ]
    refusedField(await make(labelled), [`${at}.1.value`])
  })

  test('a choice that a survey of before has may be sent back', async () => {
    const made = await make(['a', 'b'])
    const { survey_id, form_structure } = made.body
    const [option] = form_structure.pages[0].fields[0].options
    form_structure.pages[0].fields[0].options = [option, option]
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update surveys t set form_structure = ${JSON.stringify(form_structure)}::jsonb
        where t.organization_id = ${org.id} and t.id = ${survey_id}`),
    )
    const { body: read } = await call('GET', `/api/surveys/${survey_id}/`)
    const sent = { name: 'Renamed', form_structure: read.form_structure }
    assert.equal((await call('PUT', `/api/surveys/${survey_id}/`, sent)).status, 200)
  })

  test('a choice with a longer name than is stored is 400 and not cut off', async () => {
    refusedField(await make(['a', 'b'.repeat(1001)]), [`${at}.1.value`, `${at}.1.label`])
  })

  test('an answer is 400', async () => {
    const { survey_id } = (await make(['a', 'b'])).body
    await call('POST', `/api/surveys/${survey_id}/publish/`)
    const answers = [
      { field_id: 'q', value: 'a' },
      { field_id: 'q', value: 'b' },
    ]
    refusedField(await call('POST', `/api/surveys/${survey_id}/fill/`, { answers }), ['answers.1'])
  })
})
