import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchLoop } from '../../../test/support/loop.ts'
import { makeOrganization, sql, startService } from '../../../test/support/service.ts'
import { slowness } from '../../../test/support/speed.ts'

test('a plan of decades is laid out around the holidays of thousands of sets at once', async () => {
  const service = await startService()
  const org = await makeOrganization(service)
  const { token } = org.users.admin
  const holidays = JSON.stringify([{ name: 'Day', date: '2026-01-01', is_repeat_annually: true }])
  await service.runtime.database.transaction(org.id, (queries) =>
    queries.run(sql`insert into holiday_sets (organization_id, id, country, holidays)
      select ${org.id}, 'set' || n, 'x', ${holidays}::jsonb from generate_series(1, 5000) n`),
  )
  const days = { start_offset_days: 3660, duration_days: 3660 }
  const stages = [{ name: 'Decades', ...days, tasks: [{ title: 'Long', ...days }] }]
  const loop = watchLoop()
  const reply = await service.call('POST', '/api/project/info/', {
    token,
    body: {
      project: { project_name: 'Long', start_date: '2026-01-01' },
      project_template: { template_config: { stages } },
    },
  })
  assert.equal(reply.status, 201, reply.text)
  assert.ok(loop.longest().ms < 300 * slowness(), `${loop.longest().ms}`)
  loop.stop()
})
