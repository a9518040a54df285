import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { addMember } from '../../../test/support/world.ts'
import { newId } from '../../kit/ground/ids.ts'

test('entries about automations and meeting insights are for those who see them', async () => {
  const service = await startService()
  const org = await makeOrganization(service)
  const own = { create: 'all', read: 'own', update: 'own', delete: 'own' }
  const permission = { surveys: own, calendar: own, activity: { ...own, read: 'all' } }
  const [maker, other] = [
    await addMember(service, org, permission),
    await addMember(service, org, permission),
  ]
  const post = async (path: string, body: unknown) => {
    const reply = await service.call('POST', path, { token: maker.token, body })
    assert.ok(reply.status < 300, reply.text)
    return reply
  }
  const fields = [{ id: 'q1', type: 'short-text', label: 'How was it?' }]
  const form_structure = [{ id: 'p1', title: 'One', fields }]
  const survey = await post('/api/surveys/', { name: 'Feedback', form_structure })
  const automation = await post(
    `/api/surveys/${survey.headers.get('x-record-id')}/automations_save/`,
    {
      name: 'Call back',
      trigger: { type: 'response_submitted' },
      actions: [{ type: 'create_task', config: { title: 'Call back' } }],
    },
  )
  const calendar_id = newId()
  const meeting_insight_id = newId()
  const times = { start: '2026-01-05T10:00:00Z', end: '2026-01-05T11:00:00Z' }
  await post('/api/calendar/info/', { calendar_id, title: 'Kick-off', ...times })
  await post('/api/calendar/insight/', { meeting_insight_id, calendar_id })
  const shown = async (token: string) => {
    const reply = await service.call('GET', '/api/activity/log/?items_per_page=100', { token })
    assert.equal(reply.status, 200, reply.text)
    const ids: string[] = reply.body.map((entry: any) => entry.reference_id)
    return [automation.body.automation_id, meeting_insight_id].filter((id) => ids.includes(id))
  }
  assert.equal((await shown(maker.token)).length, 2)
  assert.deepEqual(await shown(other.token), [])
})
