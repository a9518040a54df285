import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../../test/support/program.ts'
import { rows, sql, startService } from '../../test/support/service.ts'
import { readDemos, writeDemos } from './credentials.ts'
import { makeDemo } from './make.ts'

test('a demonstration has deals in several stages and the projects of those that were won', async () => {
  const service = await startService()
  // a folder that nobody has made yet
  const folder = join(freshFolder(), 'data')
  const made = await makeDemo(service.runtime, {
    keep: (demo) => writeDemos(folder, { url: null, demos: [demo] }),
  })
  assert.equal(readDemos(folder).demos[0]!.organization_id, made!.organization_id)
  const { organization_id } = made!
  assert.deepEqual([made!.made.deals, made!.made.projects], [6, 2])
  const stages = await rows<{ category: string }>(
    service,
    sql`select s.category from projects p
      join stages s on s.organization_id = p.organization_id and s.id = p.stage_id
      where p.organization_id = ${organization_id} and p.project_type = 'deal' order by 1`,
  )
  assert.deepEqual(
    stages.map(({ category }) => category),
    ['lost', 'open', 'open', 'open', 'won', 'won'],
  )
  const [plan] = await rows(
    service,
    sql`select count(*)::integer as tasks, count(distinct project_id)::integer as projects from tasks
      where organization_id = ${organization_id}`,
  )
  assert.equal(plan.projects, 2)
  assert.ok(plan.tasks > 10, `${plan.tasks} tasks`)

  // what surrounds them, told by people of different roles at their times
  const { surveys, meetings, documents } = made!.made
  assert.deepEqual([surveys, meetings, documents], [1, 4, 2])
  const [around] = await rows(
    service,
    sql`select response_count as answers,
        (select count(*)::integer from interactions i where i.organization_id = s.organization_id
          and i.creation_time < now() - interval '6 days' and not i.is_shared) as comments,
        (select count(*)::integer from documents d where d.organization_id = s.organization_id
          and d.account_id is not null and d.document_status = 'published') as plans
      from surveys s where organization_id = ${organization_id} and status = 'published'`,
  )
  assert.deepEqual(around, { answers: 10, comments: 6, plans: 2 })
})
