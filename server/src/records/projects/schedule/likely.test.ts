import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { planStory } from '../../../../test/support/plan-story.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, sql, startService } from '../../../../test/support/service.ts'

describe('the forecast of a go-live', () => {
  let service: TestService
  let org: TestOrganization
  let story: ReturnType<typeof planStory>

  before(async () => {
    service = await startService()
  })

  const begin = async () => {
    org = await makeOrganization(service)
    story = planStory(service, org)
    return story
  }

  /** A project whose tasks were planned for March 4, 2030 and done so many days later. */
  async function finished(days: number[], more: object = {}) {
    const project_id = await story.make('/api/project/info/', { project_name: 'Finished' })
    for (const late of days) {
      const day = { start_date: '2030-03-04', due_date: '2030-03-04' }
      const id = await story.make('/api/tasks/', { title: 'Done', project_id, ...day, ...more })
      await story.ask('PUT', `/api/tasks/${id}/`, { is_completed: true })
      await service.runtime.database.transaction(org.id, (queries) =>
        queries.run(sql`update tasks set completed_at = ${`2030-03-${String(4 + late).padStart(2, '0')}T12:00:00Z`}
          where organization_id = ${org.id} and id = ${id}`),
      )
    }
  }

  /** Monday to Tuesday, and Wednesday after that. */
  async function open(more: object = {}) {
    const project_id = await story.make('/api/project/info/', { project_name: 'Open', ...more })
    const task = (title: string, start_date: string, due_date: string) =>
      story.make('/api/tasks/', { title, project_id, start_date, due_date })
    const first = await task('Export', '2031-03-03', '2031-03-04')
    const last = await task('Import', '2031-03-05', '2031-03-05')
    await story.ask('POST', `/api/tasks/${last}/dependencies/`, { predecessor_id: first })
    return { project_id, first, last }
  }

  const read = (ids: string, as?: string) =>
    story.ask('GET', `/api/projects/forecasts/?project_ids=${ids}`, undefined, as)

  test('needs twenty finished tasks, and then says by when half and 85 % get there', async () => {
    await begin()
    const { project_id, first, last } = await open()
    // 2 of 3 are in time, the others 2 working days late
    await finished(Array.from({ length: 19 }, (_, n) => (n % 3 ? 0 : 2)))
    const before = await read(project_id)
    assert.deepEqual(before, {
      rows: [{ project_id, p50: null, p85: null, driver: null }],
      finished_tasks: 19,
      least_tasks: 20,
    })
    await finished([0])
    const { rows, finished_tasks } = await read(project_id)
    assert.equal(finished_tasks, 20)
    const [{ p50, p85, driver }] = rows
    // both are late in 1 of 9 ways, one of them in 4: the median is 2 days later, and so is 85 %
    assert.deepEqual([p50, p85], ['2031-03-07', '2031-03-07'])
    assert.ok([first, last].includes(driver.id))
    assert.ok(driver.days > 0.5 && driver.days < 0.9, String(driver.days))
    assert.deepEqual((await read(project_id)).rows, rows)
    await story.ask('PUT', `/api/tasks/${first}/`, { is_completed: true })
    const [after] = (await read(project_id)).rows
    assert.deepEqual([after.p50, after.driver.id], ['2031-03-05', last])
  })

  test('takes the slips of the side that has a task', async () => {
    const { ask } = await begin()
    const { project_id, last } = await open()
    await finished(Array.from({ length: 20 }, () => 0))
    await finished(
      Array.from({ length: 20 }, () => 4),
      { owner: org.users.customer.user_id },
    )
    const ours = await read(project_id)
    assert.deepEqual([ours.rows[0].p85, ours.rows[0].driver], ['2031-03-05', null])
    await ask('PUT', `/api/tasks/${last}/`, { owner: org.users.customer.user_id })
    const [theirs] = (await read(project_id)).rows
    assert.deepEqual(
      [theirs.p50, theirs.driver],
      ['2031-03-11', { id: last, title: 'Import', days: 4 }],
    )
  })

  test('counts and names nothing that its reader may not read', async () => {
    const { ask, make } = await begin()
    const { project_id } = await open()
    await finished(Array.from({ length: 20 }, () => 0))
    await finished(
      Array.from({ length: 10 }, () => 9),
      { is_private: true },
    )
    const secret = {
      project_id,
      is_private: true,
      start_date: '2031-05-01',
      due_date: '2031-05-30',
    }
    await make('/api/tasks/', { title: 'Secret', ...secret })
    const { token } = org.users.member
    const member = await read(project_id, token)
    assert.deepEqual([member.finished_tasks, member.rows[0].p85], [20, '2031-03-05'])
    const admin = await read(project_id)
    assert.equal(admin.finished_tasks, 30)
    assert.ok(admin.rows[0].p50 >= '2031-05-30')
    const hidden = await make('/api/project/info/', { project_name: 'Hidden', is_private: true })
    assert.deepEqual((await read(`${hidden},none,${project_id}`, token)).rows.length, 1)
    const customer = org.users.customer.token
    const account_id = await make('/api/account/info/', { account_name: 'Clairval' })
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update users set account_id = ${account_id}
        where organization_id = ${org.id} and id = ${org.users.customer.user_id}`),
    )
    await ask('PUT', `/api/project/info/${project_id}/`, { account_id, is_shared: true })
    assert.deepEqual((await read(project_id, customer)).rows, [])
    await ask('PUT', `/api/project/info/${project_id}/`, { show_forecasted_date: true })
    const shared = await read(project_id, customer)
    assert.deepEqual(
      shared.rows.map((row: { p85: null }) => row.p85),
      [null],
    )
    const many = await story.call(
      'GET',
      `/api/projects/forecasts/?project_ids=${Array.from({ length: 201 }, (_, n) => n).join()}`,
    )
    assert.deepEqual([many.status, many.body.errors[0].field], [400, 'project_ids'])
  })
})
