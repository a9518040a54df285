import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { planStory } from '../../../../test/support/plan-story.ts'
import type { TestService } from '../../../../test/support/service.ts'
import { makeOrganization, sql, startService } from '../../../../test/support/service.ts'
import { usualLimits } from '../../../kit/ground/limits.ts'

describe('rights on a plan that moves', () => {
  let service: TestService

  before(async () => {
    service = await startService()
  })

  /** A plan whose export is the member's, in an organization of its own. */
  async function begin() {
    const org = await makeOrganization(service)
    const story = planStory(service, org)
    const plan = await story.makePlan()
    const { user_id, token: member } = org.users.member
    await story.ask('PUT', `/api/tasks/${plan.first}/`, { owner: user_id })
    const ops = [{ op: 'set', id: plan.first, set: { due_date: '2030-11-15' } }]
    return { org, ...story, ...plan, member, ops }
  }

  const idsOf = (list: { id: string }[]) => list.map(({ id }) => id).toSorted()

  test('who may update more than they read moves what they read, and the rest stays', async () => {
    const { allow, ask, project, state, second, first, changes, member, ops } = await begin()
    await ask('PUT', `/api/tasks/${second}/`, { owner: null })
    await allow('member', { tasks: { read: 'own', update: 'all' } })
    const before = await state(project)
    const done = await ask('POST', changes, { ops }, member)
    assert.deepEqual([idsOf(done.moved), idsOf(done.rows), done.hidden], [[first], [first], 2])
    const after = await state(project)
    const moved = after.tasks.filter(
      (task: unknown[], at: number) => task[2] !== before.tasks[at][2],
    )
    assert.deepEqual(
      moved.map(([title]: string[]) => title),
      ['Export'],
    )
  })

  test('the end of a plan, and whether it passes the agreed day, is that of what the caller reads', async () => {
    const { allow, ask, make, project, changes, member, ops, org } = await begin()
    await allow('member', { tasks: { update: 'all' } })
    await make('/api/tasks/', {
      title: 'Surprise',
      project_id: project,
      start_date: '2031-01-08',
      due_date: '2031-01-10',
      is_private: true,
      owner: org.users.admin.user_id,
    })
    const { go_live } = await ask('GET', `/api/project/info/${project}/plan/`, undefined, member)
    const shown = await ask('POST', changes, { dry_run: true, ops }, member)
    assert.deepEqual([shown.go_live.from, shown.go_live.to], [go_live.planned, '2030-11-26'])
    const agreed = shown.conflicts.filter(({ kind }: { kind: string }) => kind === 'agreed')
    assert.deepEqual(
      agreed.map(({ days, text }: { days: number; text: string }) => [days, text]),
      [[2, 'The plan ends 2 working days after the due date 2030-11-22']],
    )
    const whole = await ask('POST', changes, { dry_run: true, ops })
    assert.deepEqual([whole.go_live.from, whole.go_live.to], ['2031-01-10', '2031-01-10'])
  })

  test('a plan says nothing of tasks that are in a hidden milestone but that they are in none', async () => {
    const { allow, ask, make, project, milestone_id, second, third, visit, changes, member, ops } =
      await begin()
    await allow('member', { tasks: { update: 'all' } })
    const milestones = `/api/project/info/${project}/milestones/`
    await ask('PUT', `${milestones}${milestone_id}/`, { is_private: true })
    const seen = async () => {
      const { tasks } = await ask('GET', `/api/project/info/${project}/plan/`, undefined, member)
      const moved = await ask('POST', changes, { dry_run: true, ops }, member)
      const computed = tasks.map(
        ({ item_id, number, slack, forecast, is_critical }: { [field: string]: unknown }) => {
          return [item_id, number, slack, forecast, is_critical]
        },
      )
      return [
        computed.toSorted(),
        moved.moved.map((row: { [field: string]: unknown }) => row.number),
      ]
    }
    const before = await seen()
    const other = await make(milestones, { name: 'Hidden', is_private: true })
    for (const [id, milestone] of [
      [second, other],
      [third, other],
      [visit, milestone_id],
    ])
      await ask('PUT', `/api/tasks/${id}/`, { milestone_id: milestone })
    assert.deepEqual(await seen(), before)
    await ask('PUT', `/api/tasks/${second}/`, { milestone_id: null })
    assert.deepEqual(await seen(), before)
  })

  test('the start of a project is for those who may change the project, in a dry run too', async () => {
    const { allow, call, changes, member } = await begin()
    await allow('member', { tasks: { update: 'all' }, projects: { update: 'own' } })
    for (const dry_run of [true, false]) {
      const ops = [{ op: 'move_project', start_date: '2030-11-06' }]
      const refused = await call('POST', changes, { dry_run, ops }, member)
      assert.equal(refused.status, 403, refused.text)
    }
  })

  test('an undo changes nothing that its caller may no longer change, and names nothing that they may not read', async () => {
    const { allow, ask, call, first, second, third, visit, changes, member, project, state, org } =
      await begin()
    await allow('member', { tasks: { update: 'all' }, projects: { update: 'all' } })
    const ops = [
      { op: 'unlink', id: third, predecessor_id: second },
      { op: 'link', id: visit, predecessor_id: second, type: 'SS', lag_days: 0 },
      { op: 'set', id: first, set: { start_date: '2030-11-05' } },
      { op: 'set', id: second, set: { start_date: '2030-11-13' } },
    ]
    const done = await ask('POST', changes, { ops, follow: 'none' }, member)
    // the import is hidden by now, and the check and the visit are not theirs
    await ask('PUT', `/api/tasks/${second}/`, {
      owner: org.users.admin.user_id,
      is_private: true,
      due_date: '2030-12-20',
    })
    await allow('member', { tasks: { update: 'own' } })
    const was = await state(project)
    const undone = await ask('POST', `/api/bulk/${done.bulk_id}/undo/`, undefined, member)
    assert.deepEqual([undone.updated, undone.kept], [2, []], 'the export and its milestone')
    const failed = undone.failed as { id: string; error: string }[]
    const errors = new Map(failed.map(({ id, error }) => [id, error]))
    assert.equal(errors.get(second), 'Task not found')
    assert.equal(errors.get(third), 'Your role may not update this task')
    assert.equal(errors.get(visit), 'Your role may not update this task')
    const after = await state(project)
    assert.deepEqual(after.dependencies, was.dependencies)
    const again = await call('POST', `/api/bulk/${done.bulk_id}/undo/`, undefined, member)
    assert.equal(again.status, 409)
  })

  test('a dependency on a task that is hidden by now does not come back', async () => {
    const { allow, ask, second, third, changes, member, project, state, org } = await begin()
    await allow('member', { tasks: { update: 'all' } })
    const ops = [{ op: 'unlink', id: third, predecessor_id: second }]
    const done = await ask('POST', changes, { ops }, member)
    await ask('PUT', `/api/tasks/${second}/`, {
      owner: org.users.admin.user_id,
      is_private: true,
    })
    const was = await state(project)
    const undone = await ask('POST', `/api/bulk/${done.bulk_id}/undo/`, undefined, member)
    assert.deepEqual(
      [undone.updated, undone.failed, undone.kept],
      [0, [], [{ id: third, field: 'dependencies', by: null }]],
    )
    assert.deepEqual(await state(project), was)
  })

  test('a project that refuses its start leaves the rest of an undo alone', async () => {
    const { allow, ask, first, changes, member, project } = await begin()
    await allow('member', { tasks: { update: 'all' }, projects: { update: 'all' } })
    const ops = [{ op: 'move_project', start_date: '2030-11-06' }]
    const done = await ask('POST', changes, { ops }, member)
    await allow('member', { projects: { update: 'own' } })
    const undone = await ask('POST', `/api/bulk/${done.bulk_id}/undo/`, undefined, member)
    const failed = undone.failed as { id: string; error: string }[]
    assert.ok(
      failed.some(
        ({ id, error }) => id === project && error === 'Your role may not update this project',
      ),
    )
    assert.equal((await ask('GET', `/api/project/info/${project}/`)).start_date, '2030-11-06')
    assert.equal((await ask('GET', `/api/tasks/${first}/`)).start_date, '2030-11-04')
  })

  test('who may only complete tasks by now undoes no move', async () => {
    const { ask, allow, call, first, changes, member, ops, org } = await begin()
    await allow('member', { tasks: { update: 'all' } })
    const done = await ask('POST', changes, { ops, follow: 'none' }, member)
    const { user_id } = org.users.member
    await allow('observer', { tasks: { read: 'all', update: 'all' } })
    await ask('PUT', `/api/users/profile/${user_id}/`, { role_id: org.roles.observer })
    const refused = await call('POST', `/api/bulk/${done.bulk_id}/undo/`, undefined, member)
    assert.equal(refused.status, 403, refused.text)
    assert.equal((await ask('GET', `/api/tasks/${first}/`)).due_date, '2030-11-15')
  })

  test('what an undo keeps is named with who changed it, for those who see the log', async () => {
    const { allow, ask, first, second, visit, milestone_id, changes, member, project, org } =
      await begin()
    await allow('member', { tasks: { update: 'all' }, projects: { update: 'all' } })
    const manager = org.users.manager.token
    for (const seesLog of [true, false]) {
      await allow('member', { activity: { read: seesLog ? 'all' : 'none' } })
      const done = await ask(
        'POST',
        changes,
        {
          ops: [
            { op: 'set', id: first, set: { due_date: seesLog ? '2030-11-15' : '2030-11-18' } },
            { op: 'link', id: visit, predecessor_id: first, lag_days: seesLog ? 1 : 3 },
          ],
        },
        member,
      )
      const late = seesLog ? '2030-12-20' : '2030-12-23'
      await ask('PUT', `/api/tasks/${second}/`, { due_date: late }, manager)
      // a later change of another field is nobody's who changed the date
      await ask('PUT', `/api/tasks/${second}/`, { title: 'Import of all' })
      await ask(
        'POST',
        `/api/tasks/${visit}/dependencies/`,
        { predecessor_id: first, lag_days: seesLog ? 2 : 4 },
        manager,
      )
      await ask(
        'PUT',
        `/api/project/info/${project}/milestones/${milestone_id}/`,
        { due_date: late },
        manager,
      )
      const { kept } = await ask('POST', `/api/bulk/${done.bulk_id}/undo/`, undefined, member)
      const by = seesLog ? `manager of ${org.name}` : null
      const shown = kept.map((each: { id: string; field: string; by: string }) => [
        each.id,
        each.field,
        each.by,
      ])
      assert.deepEqual(
        shown.toSorted(),
        [
          [second, 'due_date', by],
          [visit, 'dependencies', by],
          [milestone_id, 'due_date', by],
        ].toSorted(),
      )
    }
  })

  test('an undo leaves no due date before its start: the date that would be wrong stays', async () => {
    const { ask, third, changes, project, org } = await begin()
    const move = (set: object) =>
      ask('POST', changes, { ops: [{ op: 'set', id: third, set }], follow: 'none' })
    const undo = async ({ bulk_id }: { bulk_id: string }) => {
      const { kept } = await ask('POST', `/api/bulk/${bulk_id}/undo/`)
      const { start_date, due_date } = await ask('GET', `/api/tasks/${third}/`)
      return { kept, dates: [start_date, due_date] }
    }
    const later = await move({ start_date: '2030-11-27', due_date: '2030-11-28' })
    await ask('PUT', `/api/tasks/${third}/`, { start_date: '2030-11-25' }, org.users.manager.token)
    const by = `manager of ${org.name}`
    assert.deepEqual(await undo(later), {
      kept: [
        { id: third, field: 'start_date', by },
        { id: third, field: 'due_date', by },
      ],
      dates: ['2030-11-25', '2030-11-28'],
    })
    const sooner = await ask('POST', changes, {
      ops: [{ op: 'move_project', start_date: '2030-10-28' }],
    })
    await ask('PUT', `/api/project/info/${project}/`, { due_date: '2030-11-01' })
    const undone = await ask('POST', `/api/bulk/${sooner.bulk_id}/undo/`)
    assert.ok(
      undone.kept.some(
        ({ id, field }: { id: string; field: string }) => id === project && field === 'start_date',
      ),
    )
  })

  test('a move without new dependencies does not wait for others who add some', async () => {
    const { ask, call, changes, ops, third, visit, org } = await begin()
    await service.runtime.database.transaction(org.id, async (queries) => {
      const name = `dependencies ${org.id}`
      await queries.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
      const done = await ask('POST', changes, { ops })
      await ask('POST', `/api/bulk/${done.bulk_id}/undo/`)
      const unlink = { op: 'unlink', id: visit, predecessor_id: third }
      assert.equal((await call('POST', changes, { ops: [unlink] })).status, 200)
    })
  })

  test('a change whose undo is more than a request may store is refused, and nothing is written', async () => {
    const small = await startService({ limits: { ...usualLimits, bulkBytes: 300 } })
    const org = await makeOrganization(small)
    const { call, makePlan, state } = planStory(small, org)
    const { project, first, changes } = await makePlan()
    const was = await state(project)
    const ops = [{ op: 'set', id: first, set: { due_date: '2030-11-15' } }]
    const refused = await call('POST', changes, { ops })
    assert.equal(refused.status, 400, refused.text)
    assert.equal(refused.body.errors[0].field, 'ops')
    assert.deepEqual(await state(project), was)
    const one = [{ op: 'set', id: first, set: { is_pinned: true } }]
    assert.equal((await call('POST', changes, { ops: one })).status, 200)
  })
})
