import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { planStory } from '../../../../test/support/plan-story.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'

type Story = ReturnType<typeof planStory>
type Row = { [field: string]: any }

/** A plan in which each task waits for the one before: 2, 5 and 3 days, then a week of training. */
const first = {
  stages: [
    {
      stage_id: 'data',
      name: 'Data',
      start_offset_days: 0,
      duration_days: 10,
      tasks: [
        { id: 'meet', title: 'Meet', duration_days: 2, assignee_role: 'project_owner' },
        {
          id: 'export',
          title: 'Export',
          start_offset_days: 2,
          duration_days: 5,
          depends_on: ['meet'],
        },
        {
          id: 'import',
          title: 'Import',
          start_offset_days: 7,
          duration_days: 3,
          depends_on: ['export'],
        },
        { id: 'letters', title: 'Letterheads', start_offset_days: 2 },
      ],
    },
    {
      stage_id: 'training',
      name: 'Training',
      start_offset_days: 10,
      duration_days: 5,
      tasks: [{ id: 'train', title: 'Train', duration_days: 5, depends_on: ['import'] }],
    },
  ],
}

/** The export takes 8 days, the letters are called otherwise, and there is help and a last milestone besides. */
const second = {
  stages: [
    {
      ...first.stages[0],
      duration_days: 13,
      tasks: [
        { id: 'meet', title: 'Meet in person', duration_days: 3, assignee_role: 'project_owner' },
        {
          id: 'export',
          title: 'Export',
          start_offset_days: 2,
          duration_days: 8,
          depends_on: ['meet'],
        },
        {
          id: 'help',
          title: 'Access for the help desk',
          start_offset_days: 2,
          duration_days: 2,
          depends_on: ['meet'],
          assignee_role: 'project_owner',
        },
        {
          id: 'import',
          title: 'Import',
          start_offset_days: 10,
          duration_days: 3,
          depends_on: ['export'],
        },
        {
          id: 'letters',
          title: 'Letterheads and logos',
          start_offset_days: 2,
          tags: ['brand'],
          priority: 'high',
          description: 'In colour',
        },
      ],
    },
    { ...first.stages[1], start_offset_days: 13 },
    {
      stage_id: 'live',
      name: 'Go-live',
      start_offset_days: 18,
      tasks: [{ id: 'live', title: 'Go live', depends_on: ['train'] }],
    },
  ],
}

describe('the update of running projects', () => {
  let service: TestService
  let org: TestOrganization
  let story: Story

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    story = planStory(service, org)
  })

  /** A template, and projects of its first version that begin on Monday, March 4, 2030. */
  async function made(names: string[], config: object = first) {
    const template = await story.make('/api/templates/template/', {
      template_name: `Clinic onboarding ${names.join()}`,
      template_config: config,
    })
    const at = `/api/templates/template/${template}`
    const ids: string[] = []
    for (const project_name of names) {
      const body = { project_name, start_date: '2030-03-04' }
      ids.push((await story.ask('POST', `${at}/use/`, body)).project_id)
    }
    const publish = async (template_config: object) => {
      await story.ask('PUT', `${at}/draft/`, { template_config })
      await story.ask('POST', `${at}/publish/`, { note: 'More' })
    }
    return { template, at: `${at}/update-projects/`, ids, publish }
  }

  const planOf = (id: string) => story.ask('GET', `/api/project/info/${id}/plan/`)
  /** The tasks of each milestone in turn. */
  const shown = ({ milestones, tasks }: Row) =>
    milestones
      .flatMap(({ milestone_id }: Row) =>
        tasks.filter((task: Row) => task.milestone_id === milestone_id),
      )
      .map(({ title, start_date, due_date }: Row) =>
        [title, start_date?.slice(5), due_date?.slice(5)].join(' '),
      )
  /** The plan without what each write changes. */
  const state = async (id: string) => {
    const { tasks, milestones, dependencies } = await planOf(id)
    const without = (row: Row) => {
      const changes = new Set(['version', 'last_update_time', 'etag'])
      return Object.fromEntries(Object.entries(row).filter(([name]) => !changes.has(name)))
    }
    return { tasks: tasks.map(without), milestones: milestones.map(without), dependencies }
  }
  const taskOf = async (id: string, title: string) => {
    const { tasks } = await planOf(id)
    return tasks.find((task: Row) => task.title === title)
  }

  test('adds, changes and moves; what is done or changed by hand stays; one undo for all', async () => {
    const { at, ids, publish } = await made(['Alpha', 'Beta', 'Gamma'])
    const [alpha, beta, gamma] = ids as [string, string, string]
    const meet = await taskOf(beta, 'Meet')
    await story.ask('PUT', `/api/tasks/${meet.item_id}/`, { is_completed: true })
    const letters = await taskOf(beta, 'Letterheads')
    await story.ask('PUT', `/api/tasks/${letters.item_id}/`, { title: 'Letters of Beta' })
    const held = await taskOf(gamma, 'Export')
    await story.ask('PUT', `/api/tasks/${held.item_id}/`, { due_date: '2030-03-13' })
    const before = await Promise.all(ids.map(state))
    await publish(second)

    const preview = await story.ask('POST', at, { dry_run: true })
    assert.deepEqual(
      [preview.projects.map(({ project_name }: Row) => project_name), preview.hidden, preview.more],
      [['Alpha', 'Beta', 'Gamma'], 0, 0],
    )
    assert.deepEqual(await Promise.all(ids.map(state)), before)
    const done = await story.ask('POST', at, { project_ids: ids })
    assert.deepEqual({ ...done, bulk_id: null }, preview)

    // Monday, March 4: meet 4 to 6, export 7 to 18, import 19 to 21, training 22 to 28, live on 29
    assert.deepEqual(shown(await planOf(alpha)), [
      'Meet in person 03-04 03-06',
      'Export 03-07 03-18',
      'Access for the help desk 03-07 03-08',
      'Import 03-19 03-21',
      'Letterheads and logos 03-06 03-06',
      'Train 03-22 03-28',
      'Go live 03-29 03-29',
    ])
    const after = await planOf(alpha)
    assert.deepEqual(
      after.milestones.map(({ name, start_date, due_date }: Row) => [name, start_date, due_date]),
      [
        ['Data', '2030-03-04', '2030-03-21'],
        ['Training', '2030-03-22', '2030-03-28'],
        ['Go-live', '2030-03-29', '2030-03-29'],
      ],
    )
    const logos = after.tasks.find(({ title }: Row) => title === 'Letterheads and logos')
    assert.deepEqual(
      [logos.priority.value, logos.description ?? null],
      ['high', logos.description ?? null],
    )
    const whole = await story.ask('GET', `/api/tasks/${logos.item_id}/`)
    assert.deepEqual([whole.description, whole.tags], ['In colour', ['brand']])
    const help = after.tasks.find(({ title }: Row) => title === 'Access for the help desk')
    assert.equal(help.owner.user_id, org.users.admin.user_id)

    const [, ofBeta, ofGamma] = done.projects
    assert.deepEqual(ofBeta.kept, [
      { title: 'Meet in person', reason: 'done' },
      { title: 'Letterheads and logos', reason: 'changed' },
    ])
    assert.ok(shown(await planOf(beta)).includes('Letters of Beta 03-06 03-06'))
    assert.ok(shown(await planOf(beta)).includes('Meet 03-04 03-05'))
    assert.ok(
      ofGamma.kept.some(({ title, reason }: Row) => title === 'Export' && reason === 'changed'),
    )
    assert.equal((await taskOf(gamma, 'Export')).due_date, '2030-03-13')
    for (const id of ids) {
      const { template_version } = await story.ask('GET', `/api/project/info/${id}/`)
      assert.equal(template_version, 2)
    }
    assert.deepEqual((await story.ask('POST', at, { dry_run: true })).projects, [])

    const undone = await story.ask('POST', `/api/bulk/${done.bulk_id}/undo/`)
    assert.deepEqual([undone.failed, undone.kept], [[], []])
    assert.deepEqual(await Promise.all(ids.map(state)), before)
    assert.equal((await story.ask('POST', at, { dry_run: true })).projects.length, 3)
  })

  test('takes the ones that are ticked, and follows a plan that was moved', async () => {
    const { at, ids, publish } = await made(['One', 'Two'])
    const [one, two] = ids as [string, string]
    await story.ask('POST', `/api/project/info/${one}/plan/changes/`, {
      ops: [{ op: 'move_project', start_date: '2030-03-11' }],
    })
    // what waits for a late one has been pushed, and nobody has changed it
    const late = await taskOf(one, 'Export')
    await story.ask('POST', `/api/project/info/${one}/plan/changes/`, {
      ops: [{ op: 'set', id: late.item_id, set: { due_date: '2030-03-22' } }],
    })
    const before = await state(two)
    await publish(second)
    const done = await story.ask('POST', at, { project_ids: [one] })
    assert.deepEqual(
      done.projects.map(({ project_id }: Row) => project_id),
      [one],
    )
    assert.deepEqual(await state(two), before)
    const plan = shown(await planOf(one))
    // the export was made longer by hand; the import follows it, and moves with the version
    assert.ok(plan.includes('Meet in person 03-11 03-13'), plan.join())
    assert.ok(
      plan.some((each: string) => each === 'Export 03-13 03-22'),
      plan.join(),
    )
    assert.ok(
      done.projects[0].kept.every(({ title }: Row) => title === 'Export'),
      JSON.stringify(done.projects[0].kept),
    )
  })

  test('does not bring back what was taken out, and keeps what the version lacks', async () => {
    const { at, ids, publish } = await made(['Lean'])
    const [id] = ids as [string]
    const gone = await taskOf(id, 'Letterheads')
    await story.ask('DELETE', `/api/tasks/${gone.item_id}/`)
    await publish({
      stages: [
        {
          ...second.stages[0],
          tasks: second.stages[0]?.tasks?.filter((task) => task.id !== 'help'),
        },
        { ...second.stages[1], tasks: [{ id: 'exam', title: 'Exam' }] },
      ],
    })
    const { projects } = await story.ask('POST', at, { project_ids: [id] })
    assert.deepEqual(projects[0].kept, [{ title: 'Letterheads and logos', reason: 'deleted' }])
    const titles = (await planOf(id)).tasks.map(({ title }: Row) => title)
    assert.ok(titles.includes('Train') && titles.includes('Exam'))
    assert.ok(!titles.some((title: string) => title.startsWith('Letterheads')))
  })

  test('leaves behind the undo what others worked on', async () => {
    const { at, ids, publish } = await made(['Shared'])
    const [id] = ids as [string]
    await publish(second)
    const { bulk_id } = await story.ask('POST', at, { project_ids: [id] })
    const help = await taskOf(id, 'Access for the help desk')
    const other = org.users.manager.token
    await story.ask('PUT', `/api/tasks/${help.item_id}/`, { title: 'Help' }, other)
    const undone = await story.ask('POST', `/api/bulk/${bulk_id}/undo/`)
    assert.deepEqual(undone.failed, [{ id: help.item_id, error: 'Somebody worked on it since' }])
    const titles = (await planOf(id)).tasks.map(({ title }: Row) => title)
    assert.ok(titles.includes('Help') && titles.includes('Meet') && !titles.includes('Go live'))
  })

  test('leaves behind the undo a line whose document others worked on', async () => {
    const { at, ids, publish } = await made(['With a document'])
    const [id] = ids as [string]
    const document_id = await story.make('/api/documents/', { document_name: 'Agreement' })
    const tasks = [
      { id: 'sign', title: 'Sign', document_id },
      { id: 'read', title: 'Read', document_id },
    ]
    await publish({ stages: [...first.stages, { name: 'Contract', tasks }] })
    const { bulk_id } = await story.ask('POST', at, { project_ids: [id] })
    const task = await taskOf(id, 'Sign')
    const copies = async () => {
      const list = await story.ask('GET', '/api/documents/?page=1&items_per_page=99')
      return list.filter((each: Row) => each.project_id === id)
    }
    const copy = (await copies()).find((each: Row) => each.reference_id === task.item_id)
    const body = { description: 'Read' }
    await story.ask('PUT', `/api/documents/${copy.attach_id}/`, body, org.users.manager.token)
    const undone = await story.ask('POST', `/api/bulk/${bulk_id}/undo/`)
    const left = undone.failed.map((each: Row) => each.id)
    assert.ok(left.includes(task.item_id), JSON.stringify(undone.failed))
    assert.deepEqual(
      (await copies()).map((each: Row) => each.attach_id),
      [copy.attach_id],
    )
  })

  test('gives open tasks the estimates, forms and documents of the version, and takes them back', async () => {
    const form = (name: string) =>
      story.make('/api/surveys/', {
        name,
        item_type: 'form',
        form_structure: [
          { id: 'p', title: name, fields: [{ id: 'q', type: 'short-text', label: 'Why?' }] },
        ],
      })
    const [old, form_id] = [await form('Old questions'), await form('Questions')]
    const document_id = await story.make('/api/documents/', { document_name: 'Agreement' })
    const secret = await story.make('/api/documents/', { document_name: 'Pay', is_private: true })
    const config = (more: object, ask: object) => ({
      stages: [
        {
          name: 'Data',
          tasks: [
            { id: 'meet', title: 'Meet', ...more },
            { id: 'ask', title: 'Ask', form_id: old, ...ask },
            { id: 'pay', title: 'Pay' },
          ],
        },
      ],
    })
    const { at, ids, publish } = await made(['Plain', 'Estimated'], config({}, {}))
    const [plain, estimated] = ids as [string, string]
    const own = await taskOf(estimated, 'Meet')
    await story.ask('PUT', `/api/tasks/${own.item_id}/`, { estimate_minutes: 30 })
    const answered = await taskOf(estimated, 'Ask')
    await story.ask('PUT', `/api/tasks/${answered.item_id}/`, { form_responses: { q: 'Yes' } })
    const details = async (project: string) => {
      const { tasks } = await planOf(project)
      const list = await story.ask('GET', '/api/documents/?page=1&items_per_page=99')
      return Promise.all(
        tasks.map(async ({ item_id }: Row) => {
          const task = await story.ask('GET', `/api/tasks/${item_id}/`)
          const documents = list.filter((each: Row) => each.reference_id === item_id)
          const { title, estimate_minutes, item_type, form_structure } = task
          const page = JSON.stringify(form_structure ?? null).match(/title":"([^"]*)/)?.[1] ?? null
          const names = documents.map((each: Row) => each.document_name)
          return [title, estimate_minutes, item_type, page, ...names]
        }),
      )
    }
    const before = await Promise.all(ids.map(details))
    const next = config({ title: 'Meet them', estimate_minutes: 90, document_id }, { form_id })
    next.stages[0]?.tasks.splice(2, 1, { id: 'pay', title: 'Pay', document_id: secret } as never)
    await publish(next)
    const preview = await story.ask('POST', at, { dry_run: true })
    const of = (name: string, { projects }: Row) =>
      projects.find((each: Row) => each.project_name === name)
    const fieldsOf = (each: Row) =>
      each.changed.map(({ title, fields }: Row) => [title, fields.toSorted().join()])
    assert.deepEqual(fieldsOf(of('Plain', preview)), [
      ['Meet', 'document_id,estimate_minutes,title'],
      ['Ask', 'form_id'],
      ['Pay', 'document_id'],
    ])
    // an estimate of its own stays, and so does a form with answers
    assert.deepEqual(fieldsOf(of('Estimated', preview)), [
      ['Meet', 'document_id,title'],
      ['Pay', 'document_id'],
    ])
    assert.deepEqual(of('Estimated', preview).kept, [
      { title: 'Meet them', reason: 'changed' },
      { title: 'Ask', reason: 'changed' },
    ])
    assert.deepEqual(await Promise.all(ids.map(details)), before)
    // of a document that one may not read nobody gets a copy
    await story.allow('manager', { roles: { update: 'none' } })
    const theirs = await story.ask('POST', at, { dry_run: true }, org.users.manager.token)
    assert.ok(!fieldsOf(of('Plain', theirs)).some(([title]: string[]) => title === 'Pay'))
    const done = await story.ask('POST', at, { project_ids: [estimated, plain] })
    assert.deepEqual({ ...done, bulk_id: null }, preview)
    assert.deepEqual(await details(plain), [
      ['Meet them', 90, 1, null, 'Agreement'],
      ['Ask', null, 3, 'Questions'],
      ['Pay', null, 1, null, 'Pay'],
    ])
    assert.deepEqual(await details(estimated), [
      ['Meet them', 30, 1, null, 'Agreement'],
      ['Ask', null, 3, 'Old questions'],
      ['Pay', null, 1, null, 'Pay'],
    ])
    // a copy that somebody else has changed stays
    const list = await story.ask('GET', '/api/documents/?page=1&items_per_page=99')
    const copy = list.find(
      (each: Row) => each.document_name === 'Agreement' && each.project_id === plain,
    )
    const body = { description: 'Read' }
    await story.ask('PUT', `/api/documents/${copy.attach_id}/`, body, org.users.manager.token)
    const undone = await story.ask('POST', `/api/bulk/${done.bulk_id}/undo/`)
    assert.deepEqual(undone.failed, [{ id: copy.attach_id, error: 'Somebody worked on it since' }])
    assert.deepEqual(undone.kept, [])
    const [first, second] = await Promise.all(ids.map(details))
    assert.deepEqual(first, [['Meet', null, 1, null, 'Agreement'], ...before[0]!.slice(1)])
    assert.deepEqual(second, before[1])
  })

  test('reaches the projects that the caller may change, and counts the others', async () => {
    const { at, ids, publish } = await made(['Of others', 'Own'])
    const [, own] = ids as [string, string]
    const { member } = org.users
    await story.ask('PUT', `/api/project/info/${own}/`, { project_owner: member.user_id })
    await publish(second)
    await story.allow('member', {
      templates: { read: 'all' },
      projects: { read: 'all', update: 'own' },
      tasks: { read: 'all', create: 'all', update: 'all' },
    })
    const preview = await story.ask('POST', at, { dry_run: true }, member.token)
    assert.deepEqual(
      [preview.projects.map(({ project_id }: Row) => project_id), preview.hidden],
      [[own], 1],
    )
    assert.ok(!JSON.stringify(preview).includes('Of others'))
    const refused = await story.call('POST', at, { project_ids: ids }, member.token)
    assert.deepEqual([refused.status, refused.body.errors[0].field], [400, 'project_ids.0'])
    await story.allow('member', { tasks: { read: 'all', create: 'none', update: 'all' } })
    const body = { project_ids: [own] }
    assert.equal((await story.call('POST', at, body, member.token)).status, 403)
    await story.allow('member', { templates: { read: 'none' } })
    assert.equal((await story.call('POST', at, { dry_run: true }, member.token)).status, 404)
    const missing = await story.call('POST', at, {})
    assert.deepEqual([missing.status, missing.body.errors[0].field], [400, 'project_ids'])
  })
})
