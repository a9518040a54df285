import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'

type Move = { id: string; to: object; because: { id: string } | null }

describe('changes of a plan', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
  })

  const call = (method: string, path: string, body?: unknown, as = token) =>
    service.call(method, path, { token: as, body })

  async function ask(method: string, path: string, body?: unknown, as = token) {
    const reply = await call(method, path, body, as)
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply.body
  }

  async function make(path: string, body: object): Promise<string> {
    const reply = await call('POST', path, body)
    assert.equal(reply.status, 201, reply.text)
    return String(reply.headers.get('x-record-id'))
  }

  const link = (id: string, predecessor_id: string) =>
    ask('POST', `/api/tasks/${id}/dependencies/`, { predecessor_id })

  /** Export, import after it, check after that with a week to spare, and a pinned visit after the import. */
  async function makePlan() {
    const project = await make('/api/project/info/', {
      project_name: 'Clairval',
      start_date: '2030-11-04',
      due_date: '2030-11-22',
    })
    const milestone_id = await make(`/api/project/info/${project}/milestones/`, {
      name: 'Data',
      start_date: '2030-11-04',
      due_date: '2030-11-15',
    })
    const task = (title: string, start_date: string, due_date: string, more: object = {}) =>
      make('/api/tasks/', { title, milestone_id, start_date, due_date, ...more })
    const owner = org.users.member.user_id
    const first = await task('Export', '2030-11-04', '2030-11-08')
    const second = await task('Import', '2030-11-11', '2030-11-15', { owner })
    const third = await make('/api/tasks/', {
      title: 'Check',
      project_id: project,
      start_date: '2030-11-20',
      due_date: '2030-11-21',
    })
    const visit = await task('Visit', '2030-11-15', '2030-11-15', { is_pinned: true })
    await link(second, first)
    await link(third, second)
    await link(visit, first)
    const changes = `/api/project/info/${project}/plan/changes/`
    return { project, milestone_id, first, second, third, visit, changes }
  }

  const state = async (project: string) => {
    const { tasks, milestones, dependencies } = await ask(
      'GET',
      `/api/project/info/${project}/plan/`,
    )
    const shown = (row: { [name: string]: unknown }) => [
      row.title ?? row.name,
      row.start_date,
      row.due_date,
      row.is_pinned,
    ]
    return { tasks: tasks.map(shown), milestones: milestones.map(shown), dependencies }
  }

  test('a dry run shows what moves, whose it is, why, and what is in the way, and writes nothing', async () => {
    const { project, milestone_id, first, second, third, visit, changes } = await makePlan()
    const was = await state(project)
    const ops = [{ op: 'set', id: first, set: { due_date: '2030-11-15' } }]
    const body = await ask('POST', changes, { dry_run: true, ops })
    assert.equal(body.bulk_id, null)
    const shown = new Map<string, unknown>(
      body.moved.map((each: Move) => [each.id, [each.to, each.because?.id]]),
    )
    assert.deepEqual(
      shown,
      new Map<string, unknown>([
        [third, [{ start: '2030-11-25', due: '2030-11-26' }, second]],
        [first, [{ start: '2030-11-04', due: '2030-11-15' }, undefined]],
        [second, [{ start: '2030-11-18', due: '2030-11-22' }, first]],
        [milestone_id, [{ start: '2030-11-04', due: '2030-11-22' }, undefined]],
      ]),
    )
    assert.deepEqual(await state(project), was)
    assert.deepEqual(body.go_live, {
      ...body.go_live,
      agreed: '2030-11-22',
      from: '2030-11-21',
      to: '2030-11-26',
    })
    assert.deepEqual(
      body.conflicts.map(({ kind, id, days }: { kind: string; id: string; days: number }) => [
        kind,
        id,
        days,
      ]),
      [
        ['agreed', null, 2],
        ['pinned', visit, 1],
      ],
    )
    assert.match(
      body.conflicts[1].text,
      /^Visit is fixed on 2030-11-15: 1 working day too few after Export$/,
    )
    assert.deepEqual(body.people, [
      {
        user: { user_id: org.users.member.user_id, full_name: body.people[0].user.full_name },
        tasks: 1,
      },
    ])
  })

  test('the same as one write, with events and log entries, and one undo', async () => {
    const { project, first, second, changes } = await makePlan()
    const was = await state(project)
    const ops = [{ op: 'set', id: first, set: { due_date: '2030-11-15' } }]
    const shown = await ask('POST', changes, { dry_run: true, ops })
    const done = await ask('POST', changes, { ops, plan_version: shown.plan_version })
    assert.deepEqual(done.moved, shown.moved)
    assert.equal(done.rows.length, done.moved.length)
    const after = await state(project)
    assert.ok(
      after.tasks.some(([title, start]: string[]) => title === 'Import' && start === '2030-11-18'),
    )
    const log = await ask('GET', `/api/activity/log/tasks/${second}/`)
    assert.equal(log[0].type, 'task_updated')
    const undone = await ask('POST', `/api/bulk/${done.bulk_id}/undo/`)
    assert.deepEqual([undone.updated, undone.failed, undone.kept], [done.rows.length, [], []])
    assert.deepEqual(await state(project), was)
    assert.equal((await call('POST', `/api/bulk/${done.bulk_id}/undo/`)).status, 409)
  })

  test('an undo keeps the fields that others changed since, and names them', async () => {
    const { project, first, second, changes } = await makePlan()
    const done = await ask('POST', changes, {
      ops: [{ op: 'set', id: first, set: { due_date: '2030-11-15' } }],
    })
    await ask('PUT', `/api/tasks/${second}/`, { due_date: '2030-11-29' })
    await ask('PUT', `/api/tasks/${first}/`, { title: 'Export of appointments' })
    const undone = await ask('POST', `/api/bulk/${done.bulk_id}/undo/`)
    assert.deepEqual(
      undone.kept.map(({ id, field }: { id: string; field: string }) => [id, field]),
      [[second, 'due_date']],
    )
    assert.ok(undone.kept[0].by)
    const { tasks } = await state(project)
    const imported = tasks.find(([title]: string[]) => title === 'Import')
    assert.deepEqual(imported.slice(1, 3), ['2030-11-11', '2030-11-29'])
  })

  test('gaps are used up, or kept, or nothing follows', async () => {
    const { first, second, third, changes } = await makePlan()
    const moved = async (follow: string | undefined, due_date: string) => {
      const ops = [{ op: 'set', id: first, set: { due_date } }]
      const body = await ask('POST', changes, { dry_run: true, ops, follow })
      return body.moved.flatMap(({ id, kind }: { id: string; kind: string }) =>
        kind === 'task' ? id : [],
      )
    }
    assert.deepEqual((await moved(undefined, '2030-11-12')).toSorted(), [first, second].toSorted())
    assert.deepEqual(
      (await moved('keep_gaps', '2030-11-12')).toSorted(),
      [first, second, third].toSorted(),
    )
    assert.deepEqual(await moved('none', '2030-11-12'), [first])
  })

  test('a start alone keeps the working days, days move the end, and holidays are skipped', async () => {
    const holidays_id = await make('/api/holidays/holinfo/', {
      country: 'FR',
      holidays: [{ name: 'Feast', date: '2030-12-11', is_repeat_annually: true }],
    })
    const project = await make('/api/project/info/', { project_name: 'Holidays', holidays_id })
    const id = await make('/api/tasks/', {
      title: 'One',
      project_id: project,
      start_date: '2030-12-04',
      due_date: '2030-12-05',
    })
    const changes = `/api/project/info/${project}/plan/changes/`
    const to = async (set: object) =>
      (await ask('POST', changes, { dry_run: true, ops: [{ op: 'set', id, set }] })).moved[0]?.to
    assert.deepEqual(await to({ start_date: '2030-12-10' }), {
      start: '2030-12-10',
      due: '2030-12-12',
    })
    assert.deepEqual(await to({ duration_days: 6 }), { start: '2030-12-04', due: '2030-12-12' })
    const { conflicts } = await ask('POST', changes, {
      dry_run: true,
      ops: [{ op: 'set', id, set: { due_date: '2030-12-07' } }],
    })
    assert.deepEqual(
      [conflicts[0].kind, conflicts[0].text],
      ['off_day', '2030-12-07 is not a working day'],
    )
  })

  test('the start of a project takes along all that has not begun, with one undo', async () => {
    const { project, first, changes } = await makePlan()
    await ask('PUT', `/api/tasks/${first}/`, { status: 'in_progress' })
    const was = await state(project)
    const done = await ask('POST', changes, {
      ops: [{ op: 'move_project', start_date: '2030-11-06' }],
    })
    assert.deepEqual(done.project.to.start, '2030-11-06')
    const after = await state(project)
    assert.deepEqual(after.tasks.map(([title, start]: string[]) => [title, start]).toSorted(), [
      ['Check', '2030-11-22'],
      ['Export', '2030-11-04'],
      ['Import', '2030-11-13'],
      ['Visit', '2030-11-15'],
    ])
    assert.equal((await ask('GET', `/api/project/info/${project}/`)).start_date, '2030-11-06')
    await ask('POST', `/api/bulk/${done.bulk_id}/undo/`)
    assert.deepEqual(await state(project), was)
    assert.equal((await ask('GET', `/api/project/info/${project}/`)).start_date, '2030-11-04')
  })

  test('dependencies and pins are written and undone with the dates; a cycle is refused by its names', async () => {
    const { project, first, second, third, visit, changes } = await makePlan()
    const was = await state(project)
    const refused = await call('POST', changes, {
      dry_run: true,
      ops: [{ op: 'link', id: first, predecessor_id: third }],
    })
    assert.deepEqual([refused.status, refused.body.code], [409, 'cycle'])
    assert.match(refused.text, /Export → |→ Export/)
    assert.equal(refused.body.data.path[0], refused.body.data.path.at(-1))
    const done = await ask('POST', changes, {
      ops: [
        { op: 'unlink', id: third, predecessor_id: second },
        { op: 'link', id: third, predecessor_id: visit, type: 'FS', lag_days: 5 },
        { op: 'set', id: second, set: { is_pinned: true } },
      ],
    })
    const after = await state(project)
    assert.ok(
      after.tasks.some(([title, start]: string[]) => title === 'Check' && start === '2030-11-25'),
    )
    assert.ok(after.tasks.some(([title, , , pinned]: unknown[]) => title === 'Import' && pinned))
    await ask('POST', `/api/bulk/${done.bulk_id}/undo/`)
    assert.deepEqual(await state(project), was)
  })

  test('what is wrong is named, and nothing is written', async () => {
    const { project, first, changes } = await makePlan()
    const was = await state(project)
    const wrong: [body: object, status: number, text: RegExp][] = [
      [{ ops: [] }, 400, /ops/],
      [{ ops: [{ op: 'set', id: first }] }, 400, /ops\/0\/set/],
      [{ ops: [{ op: 'set', id: 'nothing', set: { due_date: null } }] }, 400, /ops\/0\/id/],
      [{ ops: [{ op: 'set', id: first, set: { due_date: '2030-11-01' } }] }, 400, /due date/],
      [{ ops: [{ op: 'link', id: first, predecessor_id: first }] }, 400, /predecessor_id/],
      [{ ops: [{ op: 'set', id: first, version: 99, set: { due_date: null } }] }, 409, /changed/],
      [{ ops: [{ op: 'close_gaps' }], plan_version: 'old' }, 409, /plan_changed/],
      [{ ops: [{ op: 'set', id: first, set: { start_date: '9999-12-30' } }] }, 400, /calendar/],
    ]
    for (const [body, status, text] of wrong) {
      const reply = await call('POST', changes, body)
      assert.deepEqual([reply.status, text.test(reply.text)], [status, true], reply.text)
    }
    assert.deepEqual(await state(project), was)
  })

  test('what a caller may not change stays, and what they may not read is only counted', async () => {
    const { project, first, second, changes } = await makePlan()
    await ask('PUT', `/api/tasks/${second}/`, { is_private: true, owner: org.users.admin.user_id })
    await ask('PUT', `/api/tasks/${first}/`, { owner: org.users.member.user_id })
    const was = await state(project)
    const ops = [{ op: 'set', id: first, set: { due_date: '2030-11-15' } }]
    const as = org.users.member.token
    const body = await ask('POST', changes, { dry_run: true, ops }, as)
    assert.ok(!JSON.stringify(body).includes(second))
    assert.equal(body.hidden, 1)
    const customer = await call('POST', changes, { dry_run: true, ops }, org.users.customer.token)
    assert.ok(customer.status === 403 || customer.status === 404, customer.text)
    const observer = await call(
      'POST',
      changes,
      { ops },
      org.users.observer?.token ?? org.users.customer.token,
    )
    assert.ok(observer.status >= 403, observer.text)
    assert.deepEqual(await state(project), was)
  })

  test('a plan says what is expected of it', async () => {
    const { project, first, second, third, visit } = await makePlan()
    const plan = await ask('GET', `/api/project/info/${project}/plan/`)
    const shown = new Map(
      plan.tasks.map((task: { [field: string]: unknown }) => [
        task.item_id,
        [task.number, task.duration_days, task.is_critical, task.slack],
      ]),
    )
    assert.deepEqual(shown.get(first), ['1.1', 5, false, { milestone: 0, go_live: 2 }])
    assert.deepEqual(shown.get(second), ['1.2', 5, false, { milestone: 0, go_live: 2 }])
    assert.deepEqual(shown.get(third), ['0.1', 2, true, { milestone: 0, go_live: 0 }])
    assert.equal(
      plan.tasks.find((task: { item_id: string }) => task.item_id === visit).number,
      '1.3',
    )
    assert.deepEqual(plan.calendar.working_days, [1, 2, 3, 4, 5])
    assert.deepEqual(plan.go_live, {
      agreed: '2030-11-22',
      planned: '2030-11-21',
      forecast: '2030-11-21',
    })
    assert.ok(plan.plan_version)
  })

  test('gaps are closed on demand', async () => {
    const { project, changes } = await makePlan()
    await ask('POST', changes, { ops: [{ op: 'close_gaps' }] })
    const { tasks } = await state(project)
    assert.ok(tasks.some(([title, start]: string[]) => title === 'Check' && start === '2030-11-18'))
  })
})
