import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { planStory } from '../../../../test/support/plan-story.ts'
import type { TestOrganization } from '../../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'

type Story = ReturnType<typeof planStory>
type Move = { id: string; to: object; because: { id: string } | null }

describe('changes of a plan', () => {
  let org: TestOrganization
  let call: Story['call']
  let ask: Story['ask']
  let make: Story['make']
  let makePlan: Story['makePlan']
  let state: Story['state']

  before(async () => {
    const service = await startService()
    org = await makeOrganization(service)
    ;({ call, ask, make, makePlan, state } = planStory(service, org))
  })

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
      /^Visit is fixed on 2030-11-15, 1 working day too early for Export$/,
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
      ['off_day', 'One: 2030-12-07 is not a working day'],
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
    assert.deepEqual([refused.status, refused.body.code], [409, 'circle'])
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
      [
        { ops: [{ op: 'set', id: first, set: { due_date: '2030-11-01' } }] },
        400,
        /"ops\/0\/set\/due_date","message":"must not be before start_date 2030-11-04"/,
      ],
      [
        { ops: [{ op: 'move_project', start_date: '2030-11-25' }], dry_run: true },
        400,
        /"ops\/0\/start_date","message":"must not be after due_date 2030-11-22"/,
      ],
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
    assert.equal(customer.status, 403, customer.text)
    const observer = await call('POST', changes, { ops }, org.users.observer.token)
    assert.equal(observer.status, 403, observer.text)
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

  test('operations are applied in their order', async () => {
    const { project, first, second, third, visit, changes } = await makePlan()
    const pair = { id: visit, predecessor_id: third }
    const linked = async (...ops: object[]) => {
      const done = await ask('POST', changes, { ops })
      const { dependencies } = await state(project)
      if (done.bulk_id) await ask('POST', `/api/bulk/${done.bulk_id}/undo/`)
      return dependencies
        .filter(({ task_id }: { task_id: string }) => task_id === pair.id)
        .map((each: { [field: string]: unknown }) => [
          each.predecessor_id,
          each.type,
          each.lag_days,
        ])
    }
    const stored = [first, 'FS', 0]
    assert.deepEqual(await linked({ op: 'link', ...pair }, { op: 'unlink', ...pair }), [stored])
    const twice = await linked(
      { op: 'link', ...pair, type: 'FS', lag_days: 9 },
      { op: 'link', ...pair, type: 'SF', lag_days: 1 },
    )
    assert.deepEqual(twice.toSorted(), [stored, [third, 'SF', 1]].toSorted())
    const again = { id: visit, predecessor_id: first }
    assert.deepEqual(await linked({ op: 'unlink', ...again }, { op: 'link', ...again }), [stored])
    const { moved } = await ask('POST', changes, {
      dry_run: true,
      ops: [
        { op: 'set', id: third, set: { start_date: '2030-12-02', due_date: '2030-12-03' } },
        { op: 'set', id: second, set: { is_pinned: true } },
        { op: 'move_project', start_date: '2030-11-06' },
        { op: 'move_project', start_date: '2030-11-07' },
      ],
    })
    const to = new Map(moved.map((each: Move) => [each.id, each.to]))
    assert.deepEqual(to.get(third), { start: '2030-12-05', due: '2030-12-06' })
    assert.deepEqual(to.get(first), { start: '2030-11-07', due: '2030-11-13' })
    assert.equal(to.get(second), undefined)
  })

  test('links that close a cycle are refused as a single one is, whatever the dates, and others are not', async () => {
    const { project, first, second, visit, changes } = await makePlan()
    const other = await makePlan()
    const [undated, without] = await Promise.all(
      ['Undated', 'Without'].map((title) => make('/api/tasks/', { title, project_id: project })),
    )
    const link = (id = '', predecessor_id = '') => ({ op: 'link', id, predecessor_id })
    const attempt = async (...ops: object[]) => {
      const replies = [
        await call('POST', changes, { ops, dry_run: true }),
        await call('POST', changes, { ops }),
      ]
      return replies.map(({ status, body }) => [status, body.code, body.data?.path])
    }
    // without dates
    await ask('POST', changes, { ops: [link(undated, without)] })
    const path = [undated, without, undated]
    const refused = [409, 'circle', path]
    assert.deepEqual(await attempt(link(without, undated)), [refused, refused])
    const single = await call('POST', `/api/tasks/${without}/dependencies/`, {
      predecessor_id: undated,
    })
    assert.deepEqual([single.status, single.body.code, single.body.data.path], refused)
    assert.equal(single.body.message, 'This would be a cycle: Undated → Without → Undated')
    // two of one change, and one that is taken away by the same
    assert.deepEqual(
      (await attempt(link(first, undated), link(without, first))).map(([status]) => status),
      [409, 409],
    )
    const turned = [{ ...link(undated, without), op: 'unlink' }, link(without, undated)]
    const reply = await ask('POST', changes, { ops: turned })
    await ask('POST', `/api/bulk/${reply.bulk_id}/undo/`)
    // through another project
    await ask('POST', `/api/tasks/${other.first}/dependencies/`, { predecessor_id: visit })
    await ask('POST', `/api/tasks/${second}/dependencies/`, { predecessor_id: other.first })
    const through = [409, 'circle', [second, other.first, visit, second]]
    assert.deepEqual(await attempt(link(visit, second)), [through, through])
    // what was there is only written again
    assert.deepEqual(
      (await attempt(link(second, first))).map(([status]) => status),
      [200, 200],
    )
  })

  test('a cycle that stands in a plan refuses no link that is not part of it', async () => {
    const { project, first, second, third, changes } = await makePlan()
    const [phase, after] = await Promise.all(
      ['Phase', 'After'].map((title) =>
        make('/api/tasks/', { title, project_id: project, due_date: '2030-11-29' }),
      ),
    )
    const part = await make('/api/tasks/', {
      title: 'Part',
      parent_id: phase,
      due_date: '2030-11-28',
    })
    const link = (id = '', predecessor_id = '') => ({ op: 'link', id, predecessor_id })
    await ask('POST', changes, { ops: [link(after, phase)] })
    const closing = await call('POST', changes, { ops: [link(part, after)] })
    assert.deepEqual([closing.status, closing.body.code], [409, 'circle'], closing.text)
    await ask('POST', `/api/tasks/${part}/dependencies/`, { predecessor_id: after })
    const done = await ask('POST', changes, { ops: [link(third, first)] })
    assert.ok(done.bulk_id)
    assert.ok(done.conflicts.some(({ kind }: { kind: string }) => kind === 'cycle'))
    const own = await call('POST', changes, { ops: [link(first, second)] })
    assert.deepEqual([own.status, own.body.code], [409, 'circle'])
  })

  test('a cycle is looked for among the tasks above, however many paths lead through them', async () => {
    const { project, first, changes } = await makePlan()
    const layers: string[][] = []
    for (let layer = 0; layer < 16; layer++) {
      const titles = ['a', 'b', 'c'].map((letter) => `${letter}${layer}`)
      layers.push(
        await Promise.all(
          titles.map((title) => make('/api/tasks/', { title, project_id: project })),
        ),
      )
    }
    const link = (id = '', predecessor_id = '') => ({ op: 'link', id, predecessor_id })
    const ops = layers.flatMap((layer, at) =>
      layer.flatMap((id) => (layers[at - 1] ?? []).map((above) => link(id, above))),
    )
    assert.equal((await ask('POST', changes, { ops })).rows.length, 45)
    // 3 to the power of 15 paths
    const [[top = ''] = [], [last = ''] = []] = [layers[0], layers.at(-1)]
    assert.equal((await ask('POST', changes, { ops: [link(first, last)] })).rows.length, 1)
    await ask('POST', `/api/tasks/${first}/dependencies/`, { predecessor_id: last, lag_days: 1 })
    const closing = await call('POST', changes, { ops: [link(top, first)] })
    assert.deepEqual([closing.status, closing.body.data.path.length], [409, 18])
  })

  test('what a milestone takes along is never due before it starts', async () => {
    const { milestone_id, changes } = await makePlan()
    const weekend = { start_date: '2030-11-09', due_date: '2030-11-09' }
    const id = await make('/api/tasks/', { title: 'Weekend', milestone_id, ...weekend })
    const { moved } = await ask('POST', changes, {
      dry_run: true,
      ops: [{ op: 'set', id: milestone_id, set: { start_date: '2030-11-05' } }],
    })
    const { to } = moved.find((each: Move) => each.id === id)
    assert.deepEqual(to, { start: '2030-11-12', due: '2030-11-12' })
  })

  test('a new agreed day is a part of the move that passes it, and of its undo', async () => {
    const { project, first, changes } = await makePlan()
    const ops = [
      { op: 'set', id: first, set: { due_date: '2030-11-15' } },
      { op: 'agree', due_date: '2030-11-26' },
    ]
    const shown = await ask('POST', changes, { dry_run: true, ops })
    assert.equal(shown.go_live.agreed, '2030-11-26')
    assert.deepEqual(shown.project.to.due, '2030-11-26')
    assert.ok(!shown.conflicts.some(({ kind }: { kind: string }) => kind === 'agreed'))
    const due = async () => (await ask('GET', `/api/project/info/${project}/`)).due_date
    assert.equal(await due(), '2030-11-22')
    const { bulk_id } = await ask('POST', changes, { ops })
    assert.equal(await due(), '2030-11-26')
    await ask('POST', `/api/bulk/${bulk_id}/undo/`)
    assert.equal(await due(), '2030-11-22')
    for (const wrong of [{ op: 'agree' }, { op: 'agree', due_date: '2030-11-01' }]) {
      const refused = await call('POST', changes, { ops: [wrong] })
      assert.equal(refused.status, 400, refused.text)
      assert.match(refused.text, /due_date/)
    }
  })

  test('tasks without dates are scheduled from the start, by estimates and dependencies; those with dates stay', async () => {
    const { project, third, changes } = await makePlan()
    const undated = (title: string, more: object = {}) =>
      make('/api/tasks/', { title, project_id: project, ...more })
    const one = await undated('Two days', { estimate_minutes: 700 })
    const two = await undated('After it')
    const last = await undated('After the check')
    const parent = await undated('Whole')
    const part = await undated('Part', { parent_id: parent })
    for (const [task, predecessor_id] of [
      [two, one],
      [last, third],
      [last, two],
    ] as const) {
      await ask('POST', `/api/tasks/${task}/dependencies/`, { predecessor_id })
    }
    const moved = async (op: object) => {
      const body = await ask('POST', changes, { dry_run: true, ops: [op] })
      return new Map(body.moved.map((each: Move) => [each.id, each.to]))
    }
    assert.deepEqual(
      await moved({ op: 'schedule' }),
      new Map([
        [one, { start: '2030-11-04', due: '2030-11-05' }],
        [two, { start: '2030-11-06', due: '2030-11-06' }],
        [last, { start: '2030-11-22', due: '2030-11-22' }],
        // what it is a part of has no dates of its own
        [part, { start: '2030-11-04', due: '2030-11-04' }],
      ]),
    )
    assert.deepEqual(
      await moved({ op: 'schedule', id: last }),
      new Map([[last, { start: '2030-11-22', due: '2030-11-22' }]]),
    )
  })

  test('a project moves by working days as it does to a day', async () => {
    const { changes } = await makePlan()
    const moved = async (op: object) => {
      const body = await ask('POST', changes, {
        dry_run: true,
        ops: [{ op: 'move_project', ...op }],
      })
      return [body.project.to.start, body.moved.map((each: Move) => [each.id, each.to])]
    }
    const [start, rows] = await moved({ days: 3 })
    assert.equal(start, '2030-11-07')
    assert.ok(rows.length >= 3)
    assert.deepEqual(await moved({ start_date: '2030-11-07' }), [start, rows])
    const [earlier] = await moved({ days: -1 })
    assert.equal(earlier, '2030-11-01')
    for (const [op, field] of [
      [{ days: 1, start_date: '2030-11-07' }, 'ops/0/days'],
      [{ days: 100 }, 'ops/0/days'],
      [{}, 'ops/0/start_date'],
    ] as const) {
      const ops = [{ op: 'move_project', ...op }]
      const refused = await call('POST', changes, { dry_run: true, ops })
      assert.equal(refused.status, 400, refused.text)
      assert.ok(refused.text.includes(field), refused.text)
    }
  })
})
