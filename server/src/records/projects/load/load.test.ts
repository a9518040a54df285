import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { planStory } from '../../../../test/support/plan-story.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'

type Week = { [name: string]: any }

describe('the load of people', () => {
  let service: TestService
  let org: TestOrganization
  let story: ReturnType<typeof planStory>
  let member: string

  before(async () => {
    service = await startService()
  })
  beforeEach(async () => {
    org = await makeOrganization(service)
    story = planStory(service, org)
    member = org.users.member.user_id
  })

  /** The weeks of the member in which something is planned. */
  async function weeks(query = '', as?: string): Promise<Week[]> {
    const path = `/api/load/?from=2030-11-04&to=2030-11-25${query}`
    const { people } = await story.ask('GET', path, undefined, as)
    const found = people.find(({ user }: { user: { user_id: string } }) => user.user_id === member)
    return found?.weeks ?? []
  }

  const task = (title: string, start_date: string, due_date: string, more: object = {}) =>
    story.make('/api/tasks/', { title, start_date, due_date, owner: member, ...more })

  const people = async (query: string, as?: string): Promise<string[]> => {
    const { people: found } = await story.ask(
      'GET',
      `/api/load/?from=2030-11-04${query}`,
      undefined,
      as,
    )
    return found.map(({ user }: { user: { user_id: string } }) => user.user_id)
  }

  test('is what their open tasks take in each week, by project, against their hours', async () => {
    const project = await story.make('/api/project/info/', { project_name: 'Clairval' })
    // Wednesday to the Tuesday after: three days and two
    const first = await task('Import', '2030-11-06', '2030-11-12', {
      project_id: project,
      estimate_minutes: 1000,
    })
    await task('Unknown', '2030-11-14', '2030-11-15')
    await task('Alone', '2030-11-13', '2030-11-13', { estimate_minutes: 90 })
    const parent = await task('Whole', '2030-11-18', '2030-11-22', { estimate_minutes: 9000 })
    await task('Part', '2030-11-18', '2030-11-19', { parent_id: parent, estimate_minutes: 120 })
    const done = await task('Done', '2030-11-18', '2030-11-19', { estimate_minutes: 480 })
    await story.ask('PUT', `/api/tasks/${done}/`, { is_completed: true })
    await story.ask(
      'PUT',
      `/api/users/profile/${member}/`,
      {
        weekly_hours: 38,
        absences: [{ start_date: '2030-11-25', end_date: '2030-11-26' }],
      },
      org.users.member.token,
    )
    const found = await weeks()
    assert.deepEqual(
      found.map(({ week, capacity, planned, tasks, without_estimate, off_days }) => [
        week,
        capacity,
        planned,
        tasks,
        without_estimate,
        off_days,
      ]),
      [
        ['2030-11-04', 2280, 600, 1, 0, 0],
        ['2030-11-11', 2280, 490, 3, 1, 0],
        ['2030-11-18', 2280, 120, 1, 0, 0],
        ['2030-11-25', 1368, 0, 0, 0, 2],
      ],
    )
    assert.deepEqual(found[1]!.parts, [
      { project, minutes: 400 },
      { project: null, minutes: 90 },
    ])
    const { tasks } = await story.ask(
      'GET',
      `/api/load/tasks/?user=${member}&week=2030-11-13`,
      undefined,
      org.users.admin.token,
    )
    assert.deepEqual(
      tasks.map(({ title, minutes, project_name }: Week) => [title, minutes, project_name]),
      [
        ['Import', 400, 'Clairval'],
        ['Alone', 90, null],
        ['Unknown', null, null],
      ],
    )
    assert.equal(tasks[0].item_id, first)
    assert.equal(tasks[0].may_update, true)
  })

  test('what should be done already is done today', async () => {
    await task('Late', '2020-01-06', '2020-01-10', { estimate_minutes: 300 })
    const { people: now, today, calendar } = await story.ask('GET', '/api/load/')
    assert.deepEqual(calendar, { working_days: [1, 2, 3, 4, 5], holidays: [] })
    const mine = now.find(({ user }: { user: { user_id: string } }) => user.user_id === member)
    assert.equal(mine.weeks.length, 10)
    assert.deepEqual([mine.weeks[0].planned, mine.weeks[0].week <= today], [300, true])
    const { people: then } = await story.ask('GET', '/api/load/?from=2020-01-06&to=2020-01-06')
    assert.equal(
      then.find(({ user }: { user: { user_id: string } }) => user.user_id === member).weeks[0]
        .tasks,
      0,
    )
  })

  test('counts only what the reader may read, in figures, parts and tasks', async () => {
    await story.allow('manager', { roles: { update: 'none' } })
    const manager = org.users.manager.token
    const project = await story.make('/api/project/info/', { project_name: 'Secret' })
    await task('Shown', '2030-11-04', '2030-11-04', { estimate_minutes: 60 })
    const before = await weeks('', manager)
    await task('Private', '2030-11-04', '2030-11-04', { estimate_minutes: 600, is_private: true })
    await task('Hidden', '2030-11-04', '2030-11-04', { estimate_minutes: 600, project_id: project })
    await story.ask('PUT', `/api/project/info/${project}/`, { is_private: true })
    assert.equal((await weeks())[0]!.planned, 1260)
    assert.deepEqual(await weeks('', manager), before)
    const { tasks } = await story.ask(
      'GET',
      `/api/load/tasks/?user=${member}&week=2030-11-04`,
      undefined,
      manager,
    )
    assert.deepEqual(
      tasks.map(({ title }: Week) => title),
      ['Shown'],
    )
    assert.deepEqual(await people(`&project=${project}`, manager), [])
  })

  test('is of the people of a team, with a job title, or with work in projects that match', async () => {
    const { manager, admin } = org.users
    await story.ask('PUT', `/api/users/profile/${member}/`, {
      reports_to: manager.user_id,
      designation: 'Trainer',
    })
    assert.deepEqual(
      (await people(`&team=${manager.user_id}`)).toSorted(),
      [member, manager.user_id].toSorted(),
    )
    assert.deepEqual(await people('&designation=trainer'), [member])
    const project = await story.make('/api/project/info/', { project_name: 'Olmeda' })
    await task('Export', '2030-11-04', '2030-11-05', { project_id: project })
    assert.deepEqual(await people(`&project=${project}`), [member])
    assert.deepEqual(await people(`&project=nope,${project}`), [member])
    assert.deepEqual(await people('&project=nope'), [])
    const all = await people('')
    assert.ok(all.includes(admin.user_id) && !all.includes(org.users.customer.user_id))
  })

  test('is nothing for customers, and hours and days away are one’s own or an administrator’s to set', async () => {
    const refused = await story.call('GET', '/api/load/', undefined, org.users.customer.token)
    assert.equal(refused.status, 403, refused.text)
    const path = `/api/users/profile/${member}/`
    const set = (body: object, as: string) => story.call('PUT', path, body, as)
    assert.equal((await set({ weekly_hours: 20 }, org.users.member.token)).status, 200)
    assert.equal((await set({ weekly_hours: 30 }, org.users.admin.token)).status, 200)
    await story.allow('manager', { users: { update: 'none' } })
    assert.equal((await set({ weekly_hours: 10 }, org.users.manager.token)).status, 403)
    for (const [body, field] of [
      [{ weekly_hours: 169 }, 'weekly_hours'],
      [{ weekly_hours: -1 }, 'weekly_hours'],
      [{ absences: [{ start_date: '2030-01-02', end_date: '2030-01-01' }] }, 'absences.0.end_date'],
      [{ absences: [{ start_date: '2030-01-02' }] }, 'absences.0.end_date'],
    ] as const) {
      const reply = await set(body, org.users.admin.token)
      assert.equal(reply.status, 400, reply.text)
      assert.ok(reply.text.includes(field), reply.text)
    }
    const { body } = await story.call('GET', path, undefined, org.users.admin.token)
    assert.deepEqual([body.weekly_hours, body.absences], [30, []])
  })

  test('names the day that is wrong', async () => {
    for (const [query, field] of [
      ['from=2030-11-04&to=2030-10-01', 'to'],
      ['from=2030-11-04&to=2031-11-04', 'to'],
      ['from=x', 'from'],
      ['from=9999-12-31', 'to'],
    ] as const) {
      const reply = await story.call('GET', `/api/load/?${query}`)
      assert.equal(reply.status, 400, query)
      assert.ok(reply.text.includes(`"${field}"`), reply.text)
    }
  })
})
