import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import { idOf, makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'

test('an unknown key in a plan is refused with the nearest name, unless the stored plan has it', async () => {
  const service = await startService()
  const org = await makeOrganization(service)
  const { token } = org.users.admin
  const at = '/api/templates/template/'
  const create = (stage: object) => {
    const template_config = { stages: [{ name: 'First', ...stage }] }
    return service.call('POST', at, { token, body: { template_name: 'Plan', template_config } })
  }
  const path = 'template_config.stages.0'
  const misspelled = await create({ taks: [] })
  refusedField(misspelled, [`${path}.taks`])
  assert.match(misspelled.text, /did you mean tasks\?/)
  refusedField(await create({ tasks: [{ title: 'A', owner: 'me' }] }), [`${path}.tasks.0.owner`])
  const milestones = [{ name: 'M', days: 3, tasks: [{ title: 'A', tag: 'x' }] }]
  refusedField(await create({ milestones }), [
    `${path}.milestones.0.days`,
    `${path}.milestones.0.tasks.0.tag`,
  ])

  const id = idOf(await create({}))
  const old = { stages: [{ stage_id: '1', name: 'First', icon: 'flag' }] }
  await service.runtime.database.transaction(org.id, (queries) =>
    queries.run(
      sql`update templates set template_config = ${JSON.stringify(old)}::jsonb where id = ${id}`,
    ),
  )
  const again = await service.call('PUT', `${at}${id}/`, { token, body: { template_config: old } })
  assert.equal(again.status, 200, again.text)
  const [stored] = await rows(service, sql`select template_config from templates where id = ${id}`)
  assert.equal(stored.template_config.stages[0].icon, 'flag')
})
