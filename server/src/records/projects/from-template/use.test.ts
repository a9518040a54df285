import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { asService } from '../../../../test/support/contexts.ts'
import { planStory } from '../../../../test/support/plan-story.ts'
import type { TestOrganization } from '../../../../test/support/service.ts'
import { makeOrganization, sql, startService } from '../../../../test/support/service.ts'
import { sign } from '../../documents/signing/sign.ts'

type Story = ReturnType<typeof planStory>
type Row = { [field: string]: any }

const template_config = {
  stages: [
    {
      name: 'Kick-off',
      start_offset_days: 0,
      duration_days: 2,
      assignee_role: 'project_manager',
      tasks: [
        { title: 'Meet', assignee_role: 'project_owner' },
        { id: 'data', title: 'Ask for the data', duration_days: 2, assignee_role: 'Data' },
      ],
    },
    {
      name: 'Build',
      start_offset_days: 2,
      duration_days: 3,
      tasks: [
        { id: 'build', title: 'Build', duration_days: 3, assignee_role: 'project_manager' },
        {
          title: 'Import',
          start_offset_days: 1,
          parent: 'build',
          assignee_role: 'Data',
          depends_on: [{ id: 'data', type: 'SS', lag_days: 2 }],
        },
        { title: 'Read', depends_on: ['Meet'] },
      ],
    },
  ],
}

describe('the use of a template', () => {
  let service: Awaited<ReturnType<typeof startService>>
  let org: TestOrganization
  let call: Story['call']
  let ask: Story['ask']
  let make: Story['make']
  let allow: Story['allow']
  let template: string
  let path: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    ;({ call, ask, make, allow } = planStory(service, org))
    template = await make('/api/templates/template/', {
      template_name: 'Clinic onboarding',
      template_config,
    })
    path = `/api/templates/template/${template}/use/`
    await make('/api/holidays/holinfo/', {
      country: 'FR',
      holidays: [{ name: 'Armistice', date: '2030-11-11' }],
    })
  })

  const stored = async (project: string) => {
    const plan = await ask('GET', `/api/project/info/${project}/plan/`)
    const dates = ({ start_date, due_date }: Row) => [start_date, due_date]
    return {
      plan,
      milestones: plan.milestones.map((row: Row) => [row.name, ...dates(row)]),
      tasks: plan.tasks.map((row: Row) => [row.title, ...dates(row), row.owner?.user_id ?? null]),
    }
  }
  const shown = ({ milestones }: Row) =>
    milestones.map(({ name, start_date, due_date }: Row) => [name, start_date, due_date])
  const undo = (bulk_id: string, as?: string) =>
    call('POST', `/api/bulk/${bulk_id}/undo/`, undefined, as)
  const counts = async () => {
    const [projects, tasks] = await Promise.all(
      ['/api/project/info/', '/api/tasks/'].map((list) =>
        call('GET', `${list}?page=1&items_per_page=1&include_count=true`),
      ),
    )
    return [projects, tasks].map((reply) => reply?.headers.get('x-total-count'))
  }

  test('previews what it writes, from the start or back from the go-live, around holidays', async () => {
    const was = await counts()
    const forward = await ask('POST', path, { dry_run: true, start_date: '2030-11-07' })
    assert.deepEqual(shown(forward), [
      ['Kick-off', '2030-11-07', '2030-11-08'],
      ['Build', '2030-11-12', '2030-11-14'],
    ])
    const { start_date, go_live_date, working_days, tasks, project_id, bulk_id } = forward
    assert.deepEqual(
      [start_date, go_live_date, working_days, tasks, project_id, bulk_id],
      ['2030-11-07', '2030-11-14', 5, 5, null, null],
    )
    assert.deepEqual(
      forward.conflicts.map(({ kind, text }: Row) => [kind, text]),
      [
        ['nobody', '2 tasks without an owner'],
        ['holidays', '2030-11-11 is a holiday: nothing is planned then'],
      ],
    )
    // a Saturday: the Friday before
    const back = await ask('POST', path, { dry_run: true, go_live_date: '2030-11-16' })
    assert.deepEqual([back.start_date, back.go_live_date], ['2030-11-08', '2030-11-15'])
    assert.deepEqual(back.conflicts[0], {
      kind: 'off_day',
      text: '2030-11-16 is not a working day: the plan ends on 2030-11-15',
    })
    assert.deepEqual(await counts(), was)
    const made = await ask('POST', path, { go_live_date: '2030-11-16', project_name: 'Clairval' })
    assert.deepEqual(
      { ...made, project_id: null, bulk_id: null },
      { ...back, project_name: 'Clairval' },
    )
    const after = await stored(made.project_id)
    assert.deepEqual(after.milestones, shown(back))
    const project = await ask('GET', `/api/project/info/${made.project_id}/`)
    assert.deepEqual([project.start_date, project.due_date], [back.start_date, back.go_live_date])
    assert.deepEqual(
      after.plan.dependencies.map(({ type, lag_days }: Row) => [type, lag_days]).toSorted(),
      [
        ['FS', 0],
        ['SS', 2],
      ],
    )
    const titles = new Map(after.plan.tasks.map((row: Row) => [row.title, row]))
    const sub = titles.get('Import') as Row
    assert.equal(sub.parent_id, (titles.get('Build') as Row).item_id)
    assert.equal(sub.item_type, 2)
  })

  test('gives roles to people, who join the team, and as the preview said', async () => {
    const { member, manager, admin } = org.users
    const body = {
      start_date: '2030-12-02',
      roles: { project_owner: manager.user_id, data: member.user_id },
    }
    const preview = await ask('POST', path, { ...body, dry_run: true })
    const people = preview.roles.map(({ role, tasks, user }: Row) => [role, tasks, user.user_id])
    assert.deepEqual(people, [
      ['project_manager', 1, manager.user_id],
      ['project_owner', 1, manager.user_id],
      ['Data', 2, member.user_id],
    ])
    const { project_id } = await ask('POST', path, body)
    const { tasks } = await stored(project_id)
    assert.deepEqual(tasks.map(([title, , , owner]: string[]) => [title, owner]).toSorted(), [
      ['Ask for the data', member.user_id],
      ['Build', manager.user_id],
      ['Import', member.user_id],
      ['Meet', manager.user_id],
      ['Read', null],
    ])
    const project = await ask('GET', `/api/project/info/${project_id}/`)
    assert.equal(project.project_owner.user_id, manager.user_id)
    assert.deepEqual(
      project.project_team.map(({ user_id, role }: Row) => [user_id, role]),
      [[member.user_id, 'Data']],
    )
    assert.notEqual(project.project_owner.user_id, admin.user_id)
  })

  test('leaves free what would go to somebody who has left, and names them', async () => {
    const gone = await makeOrganization(service)
    const story = planStory(service, gone)
    const id = await story.make('/api/templates/template/', {
      template_name: 'Any',
      template_config,
    })
    const { user_id } = gone.users.member
    await story.ask('PUT', `/api/users/profile/${user_id}/`, { is_active: false })
    const to = `/api/templates/template/${id}/use/`
    const body = { start_date: '2030-12-02', roles: { data: user_id } }
    const made = await story.ask('POST', to, body)
    const role = made.roles.find((each: Row) => each.role === 'Data')
    assert.equal(role.user, null)
    assert.deepEqual(
      made.conflicts.map(({ kind }: Row) => kind),
      ['left'],
    )
    const { tasks } = await story.ask('GET', `/api/project/info/${made.project_id}/plan/`)
    assert.equal(tasks.find(({ title }: Row) => title === 'Import').owner, null)
  })

  test('says how full the weeks of its people would be, who has too much to do, and who is away', async () => {
    const { member, manager } = org.users
    await allow('manager', { roles: { update: 'none' } })
    const trained = await make('/api/templates/template/', {
      template_name: 'Training',
      template_config: {
        stages: [
          {
            name: 'Training',
            duration_days: 8,
            tasks: [
              {
                title: 'Front desks',
                duration_days: 5,
                assignee_role: 'Trainer',
                estimate_minutes: 2400,
              },
              { title: 'Repeat', start_offset_days: 5, duration_days: 2, assignee_role: 'Trainer' },
              {
                id: 'whole',
                title: 'Data',
                duration_days: 8,
                assignee_role: 'Data',
                estimate_minutes: 9000,
              },
              { title: 'Export', parent: 'whole', assignee_role: 'Data', estimate_minutes: 60 },
            ],
          },
        ],
      },
    })
    await make('/api/tasks/', {
      title: 'Elsewhere',
      owner: member.user_id,
      start_date: '2031-02-03',
      due_date: '2031-02-03',
      estimate_minutes: 360,
      is_private: true,
    })
    const profile = (who: { user_id: string }, body: object) =>
      ask('PUT', `/api/users/profile/${who.user_id}/`, body)
    const absences = [{ start_date: '2031-02-11', end_date: '2031-02-13' }]
    await profile(member, { weekly_hours: 38, absences })
    await profile(manager, { weekly_hours: 40 })
    const body = {
      start_date: '2031-02-03',
      roles: { Trainer: member.user_id, Data: manager.user_id },
      dry_run: true,
    }
    const use = `/api/templates/template/${trained}/use/`
    const found = await ask('POST', use, body)
    assert.equal(found.estimate_minutes, 2460)
    assert.equal(found.told_at, null)
    assert.deepEqual(
      found.roles.map(({ role, load }: Row) => [role, load]),
      [
        ['Trainer', { week: '2031-02-03', planned: 2760, capacity: 2280, percent: 121 }],
        ['Data', { week: '2031-02-03', planned: 60, capacity: 2400, percent: 3 }],
      ],
    )
    const { full_name } = await ask('GET', `/api/users/profile/${member.user_id}/`)
    assert.deepEqual(
      found.conflicts.map(({ kind, text }: Row) => [kind, text]),
      [
        ['load', `${full_name} has 46 h of 38 h in the week of 2031-02-03`],
        ['away', `${full_name} is away 2031-02-11 to 2031-02-13: 1 task falls into it`],
      ],
    )
    // of what the caller may not read nothing is counted
    const seen = await ask('POST', use, body, manager.token)
    assert.equal(seen.roles[0].load.planned, 2400)
    const made = await ask('POST', use, { ...body, dry_run: false })
    const { tasks } = await ask('GET', `/api/project/info/${made.project_id}/plan/`)
    assert.deepEqual(
      tasks.map((row: Row) => [row.title, row.estimate_minutes]),
      [
        ['Front desks', 2400],
        ['Repeat', null],
        ['Data', 9000],
        ['Export', 60],
      ],
    )
    await profile(member, { weekly_hours: null, absences: [] })
    await undo(made.bulk_id)
  })

  test('invites who has no account by mail, and takes that back with the rest before it is sent', async () => {
    const account_id = await make('/api/account/info/', { account_name: 'Clairval' })
    const own = await make('/api/templates/template/', {
      template_name: 'With a customer',
      template_config,
      roles: [
        { key: 'Data', name: 'Data', side: 'customer' },
        { key: 'project_manager', name: 'Manager', side: 'ours' },
      ],
    })
    const use = `/api/templates/template/${own}/use/`
    const email = `Ivy.${own}@example.com`
    const roles = { Data: { email, full_name: 'Ivy Roux' }, project_manager: { email: 'no' } }
    const refused = async (body: object, as?: string) => {
      const { status, body: answer } = await call('POST', use, body, as)
      return [status, answer.errors?.at(-1)?.field]
    }
    assert.deepEqual(await refused({ roles }), [400, 'roles.project_manager.email'])
    const body = { account_id, roles: { Data: roles.Data }, start_date: '2030-11-07' }
    assert.deepEqual(await refused({ roles: body.roles }), [400, 'roles.Data'])
    await allow('member', { projects: { create: 'all' }, users: { create: 'none' } })
    for (const dry_run of [true, false]) {
      const tried = { roles: { project_manager: { email } }, dry_run }
      assert.deepEqual(await refused(tried, org.users.member.token), [403, undefined])
    }
    const invited = async () => {
      const found = await ask('GET', `/api/users/profile/?page=1&items_per_page=9&q=${email}`)
      return found.map((user: Row) => [user.full_name, user.is_invited, user.account_id])
    }
    const preview = await ask('POST', use, { ...body, dry_run: true })
    const ofData = ({ roles }: Row) => roles.find(({ role }: Row) => role === 'Data').user
    assert.deepEqual(ofData(preview), { user_id: null, full_name: 'Ivy Roux' })
    assert.deepEqual(await invited(), [])
    assert.ok(!preview.conflicts.some(({ kind }: Row) => kind === 'nobody'))

    const before = Date.now()
    const made = await ask('POST', use, body)
    const wait = Date.parse(made.told_at) - before
    assert.ok(wait > 590_000 && wait < 630_000, `${wait} ms`)
    assert.deepEqual(await invited(), [['Ivy Roux', true, account_id]])
    const { user_id } = ofData(made)
    const { tasks } = await stored(made.project_id)
    assert.deepEqual(
      tasks
        .filter(([, , , owner]: string[]) => owner === user_id)
        .map(([title]: string[]) => title),
      ['Ask for the data', 'Import'],
    )
    // whoever is there already is not invited again
    const again = await ask('POST', use, { ...body, dry_run: true })
    assert.equal(ofData(again).user_id, user_id)
    assert.equal((await undo(made.bulk_id)).status, 200)
    assert.deepEqual(await invited(), [])

    const later = await ask('POST', use, body)
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update users set creation_time = creation_time - interval '11 minutes'
        where organization_id = ${org.id} and id = ${ofData(later).user_id}`),
    )
    assert.equal((await undo(later.bulk_id)).status, 200)
    assert.deepEqual(await invited(), [['Ivy Roux', true, account_id]])
  })

  test('gives each project a copy of its documents, as far as one may read them, which the undo takes back', async () => {
    await allow('manager', { roles: { update: 'none' } })
    const open = await make('/api/documents/', { document_name: 'Data agreement' })
    const secret = await make('/api/documents/', { document_name: 'Salaries', is_private: true })
    const config = (document_id: string) => ({
      stages: [
        {
          name: 'Contract',
          tasks: [
            { title: 'Sign', document_id },
            { title: 'Read', document_id: secret },
          ],
        },
      ],
    })
    const template_name = 'With documents'
    const body = { template_name, template_config: config(open) }
    const own = await make('/api/templates/template/', body)
    const attached = async (project: string) => {
      const { plan } = await stored(project)
      const lists = plan.tasks.map(({ item_id }: Row) =>
        ask('GET', `/api/tasks/attachments/?page=1&items_per_page=9&item_id=${item_id}`),
      )
      return (await Promise.all(lists)).map((list: Row[]) =>
        list.map((each) => [each.document_name, each.project_id === project, each.document_status]),
      )
    }
    const use = `/api/templates/template/${own}/use/`
    const { project_id, bulk_id } = await ask('POST', use, {})
    assert.deepEqual(await attached(project_id), [
      [['Data agreement', true, 'draft']],
      [['Salaries', true, 'draft']],
    ])
    const theirs = await ask('POST', use, {}, org.users.manager.token)
    assert.deepEqual(await attached(theirs.project_id), [[['Data agreement', true, 'draft']], []])
    const names = async () => {
      const list = await ask('GET', '/api/documents/?page=1&items_per_page=99')
      return list.map((each: Row) => each.document_name).toSorted()
    }
    const before = await names()
    assert.equal((await undo(bulk_id)).status, 200)
    assert.deepEqual(
      await names(),
      before.filter((_: string, at: number) => at !== 0 && at !== before.length - 1),
    )
    const refused = await call('PUT', `/api/templates/template/${own}/`, {
      template_config: config('none'),
    })
    assert.equal(refused.status, 400)
    assert.match(refused.body.errors[0].field, /tasks\.0\.document_id/)
    // nor may anybody name what they may not read, for others to copy it; what is there may stay
    const path = `/api/templates/template/${own}/`
    const again = (id: string) =>
      call('PUT', path, { template_config: config(id) }, org.users.manager.token)
    assert.equal((await again(open)).status, 200)
    const hidden = await make('/api/documents/', { document_name: 'Other', is_private: true })
    assert.equal((await again(hidden)).status, 400)
  })

  test('is not undone once somebody else has changed or signed one of its documents', async () => {
    const document_id = await make('/api/documents/', { document_name: 'Agreement' })
    const own = await make('/api/templates/template/', {
      template_name: 'With an agreement',
      template_config: { stages: [{ name: 'Contract', tasks: [{ title: 'Sign', document_id }] }] },
    })
    const works: [string, (copy: string) => Promise<void>][] = [
      [
        'a change',
        async (copy) => {
          const body = { description: 'Read' }
          await ask('PUT', `/api/documents/${copy}/`, body, org.users.manager.token)
        },
      ],
      [
        'a signature',
        async (copy) => {
          const recipients = [{ email: 'ada@clairval.test' }]
          const path = `/api/documents/${copy}/signature/request/`
          const { signature_recipients } = await ask('POST', path, { recipients })
          const client = { address: '127.0.0.1', user_agent: 'test' }
          await asService(service, org, (ctx) =>
            sign(ctx, signature_recipients[0].id, { name: 'Ada' }, client),
          )
        },
      ],
    ]
    for (const [what, work] of works) {
      const running = await make('/api/project/info/', { project_name: 'Running' })
      const use = `/api/templates/template/${own}/use/`
      const { bulk_id } = await ask('POST', use, { project_id: running })
      const list = await ask('GET', '/api/documents/?page=1&items_per_page=99')
      await work(list.find((each: Row) => each.project_id === running).attach_id)
      const reply = await undo(bulk_id)
      assert.deepEqual([reply.status, reply.body.code], [409, 'worked_on'], what)
    }
  })

  test('is undone as one act, once', async () => {
    const was = await counts()
    const { bulk_id, project_id } = await ask('POST', path, { start_date: '2030-12-02' })
    // what its author adds goes with it
    await make('/api/tasks/', { title: 'Mine', project_id })
    const reply = await undo(bulk_id)
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(await counts(), was)
    assert.equal((await call('GET', `/api/project/info/${project_id}/`)).status, 404)
    assert.equal((await undo(bulk_id)).status, 409)
  })

  test('is not undone once somebody else has worked in it, and says who and where', async () => {
    const works: [
      string,
      (of: { project_id: string; task: string }, as: string) => Promise<Row>,
    ][] = [
      ['a change', ({ task }, as) => call('PUT', `/api/tasks/${task}/`, { title: 'Changed' }, as)],
      [
        'a task',
        ({ project_id }, as) => call('POST', '/api/tasks/', { title: 'New', project_id }, as),
      ],
      [
        'a comment',
        ({ task }, as) =>
          call(
            'POST',
            '/api/interactions/info/',
            { module_name: 'tasks', reference_id: task, content: 'Why?' },
            as,
          ),
      ],
    ]
    for (const [what, work] of works) {
      const { bulk_id, project_id } = await ask('POST', path, { start_date: '2030-12-02' })
      const { plan } = await stored(project_id)
      const done = await work({ project_id, task: plan.tasks[0].item_id }, org.users.manager.token)
      assert.ok(done.status < 300, `${what}: ${done.text}`)
      const reply = await undo(bulk_id)
      assert.equal(reply.status, 409, what)
      assert.equal(reply.body.code, 'worked_on', what)
      assert.ok(reply.body.data.records.length >= 1, what)
      assert.equal((await stored(project_id)).plan.milestones.length, 2, what)
    }
  })

  test('turns a won deal into its project, once, and can again after the undo', async () => {
    const deal = await make('/api/project/info/', {
      project_type: 'deal',
      project_name: 'Two imaging centres',
      project_owner: org.users.manager.user_id,
    })
    const body = { deal_id: deal, go_live_date: '2030-12-20' }
    assert.equal((await call('POST', path, { ...body, dry_run: true })).status, 409)
    const { pipeline_stages } = await ask('GET', `/api/project/info/${deal}/`)
    const won = pipeline_stages.find(({ category }: Row) => category === 'won')
    await ask('PUT', `/api/project/info/${deal}/`, { stage_id: won.stage_id })
    const preview = await ask('POST', path, { ...body, dry_run: true })
    assert.equal(preview.project_name, 'Two imaging centres')
    const made = await ask('POST', path, body)
    assert.deepEqual(shown(made), shown(preview))
    assert.deepEqual((await stored(made.project_id)).milestones, shown(preview))
    const project = await ask('GET', `/api/project/info/${made.project_id}/`)
    assert.equal(project.project_owner.user_id, org.users.manager.user_id)
    assert.equal(project.template_id, template)
    const again = await call('POST', path, { ...body, dry_run: true })
    assert.deepEqual([again.status, again.body.data], [409, { project_id: made.project_id }])
    assert.equal((await undo(made.bulk_id)).status, 200)
    assert.equal((await call('POST', path, { ...body, dry_run: true })).status, 200)
  })

  test('makes the account of a won deal, as a dry run knows, and takes it back where nothing else uses it', async () => {
    const own = await make('/api/templates/template/', {
      template_name: 'For a customer',
      template_config,
      roles: [{ key: 'Data', name: 'Data', side: 'customer' }],
    })
    const use = `/api/templates/template/${own}/use/`
    const deal = await make('/api/project/info/', { project_type: 'deal', project_name: 'Late' })
    const { pipeline_stages } = await ask('GET', `/api/project/info/${deal}/`)
    const won = pipeline_stages.find(({ category }: Row) => category === 'won')
    await ask('PUT', `/api/project/info/${deal}/`, { stage_id: won.stage_id })
    const roles = { Data: { email: `ida.${own}@example.com`, full_name: 'Ida Roux' } }
    const body = { deal_id: deal, start_date: '2030-11-07', roles }
    const accountOf = async (id: string) =>
      (await ask('GET', `/api/project/info/${id}/`)).account_id as string | null
    for (const dry_run of [true, false]) {
      const refused = await call('POST', use, { ...body, dry_run })
      assert.deepEqual([refused.status, refused.body.errors[0].field], [400, 'roles.Data'])
    }
    // a company that comes later brings no account before the conversion
    const company = await call('POST', '/api/company/', { company_name: 'Late imaging' })
    const company_id = company.headers.get('x-record-id')
    await ask('PUT', `/api/project/info/${deal}/`, { company_id })
    assert.equal(await accountOf(deal), null)
    const preview = await ask('POST', use, { ...body, dry_run: true })
    assert.equal(await accountOf(deal), null)
    const made = await ask('POST', use, body)
    assert.deepEqual(shown(made), shown(preview))
    const account = await accountOf(made.project_id)
    assert.ok(account)
    assert.equal(await accountOf(deal), account)
    assert.equal((await undo(made.bulk_id)).status, 200)
    assert.equal((await call('GET', `/api/account/info/${account}/`)).status, 404)
    assert.equal(await accountOf(deal), null)
    const again = await ask('POST', use, body)
    const other = await accountOf(again.project_id)
    await make('/api/tasks/', { title: 'Welcome them', account_id: other })
    assert.equal((await undo(again.bulk_id)).status, 200)
    assert.equal((await call('GET', `/api/account/info/${other}/`)).status, 200)
    assert.equal(await accountOf(deal), other)
  })

  test('adds chosen milestones to a running project behind its own, and takes back those alone', async () => {
    const project_id = await make('/api/project/info/', {
      project_name: 'Running',
      due_date: '2030-12-03',
    })
    await make(`/api/project/info/${project_id}/milestones/`, { name: 'First' })
    await make('/api/tasks/', { title: 'build', project_id })
    const body = { project_id, start_date: '2030-12-02', milestones: [1] }
    const preview = await ask('POST', path, { ...body, dry_run: true })
    assert.deepEqual(shown(preview), [['Build', '2030-12-02', '2030-12-04']])
    assert.deepEqual(
      preview.conflicts.map(({ kind }: Row) => kind),
      ['nobody', 'agreed', 'duplicate'],
    )
    const { bulk_id } = await ask('POST', path, body)
    const after = await stored(project_id)
    assert.deepEqual(after.milestones, [['First', null, null], ...shown(preview)])
    const reply = await undo(bulk_id)
    assert.equal(reply.status, 200, reply.text)
    const back = await stored(project_id)
    assert.deepEqual([back.milestones.length, back.tasks.length], [1, 1])
  })

  test('goes behind a chosen milestone, or first, and without the tasks that are left out', async () => {
    const project_id = await make('/api/project/info/', { project_name: 'Placed' })
    const first = await make(`/api/project/info/${project_id}/milestones/`, { name: 'First' })
    await make(`/api/project/info/${project_id}/milestones/`, { name: 'Second' })
    const body = { project_id, start_date: '2030-12-02' }
    const preview = await ask('POST', path, {
      ...body,
      dry_run: true,
      after: first,
      without: ['build', 'Meet'],
    })
    assert.equal(preview.tasks, 3)
    await ask('POST', path, { ...body, after: first, without: ['build', 'Meet'] })
    const names = async () =>
      (await stored(project_id)).milestones.map(([name]: [string]) => name).join()
    assert.equal(await names(), 'First,Kick-off,Build,Second')
    const { plan } = await stored(project_id)
    const { bulk_id } = await ask('POST', path, { ...body, after: null, milestones: [1] })
    assert.equal(await names(), 'Build,First,Kick-off,Build,Second')
    assert.equal((await undo(bulk_id)).status, 200)
    await ask('POST', path, { ...body, milestones: [0] })
    assert.equal(await names(), 'First,Kick-off,Build,Second,Kick-off')
    const titles = plan.tasks.map(({ title }: Row) => title).toSorted()
    assert.deepEqual(titles, ['Ask for the data', 'Import', 'Read'])
    // what its parent was is not there
    assert.equal(plan.tasks.find(({ title }: Row) => title === 'Import').parent_id, null)
  })

  test('refuses what names nothing, and two targets at once, by the field', async () => {
    const project_id = await make('/api/project/info/', { project_name: 'Any' })
    for (const [body, field] of [
      [{ start_date: '2030-12-02', go_live_date: '2030-12-20' }, 'go_live_date'],
      [{ project_id, deal_id: project_id }, 'project_id'],
      [{ project_id, project_name: 'Other' }, 'project_name'],
      [{ account_id: 'nothing' }, 'account_id'],
      [{ roles: { data: 'nobody' } }, 'roles.data'],
      [{ milestones: [7] }, 'milestones.0'],
      [{ without: ['Nothing'] }, 'without.0'],
      [{ after: null }, 'after'],
      [{ project_id, after: 'nothing' }, 'after'],
      [{ start_date: '9999-12-31' }, 'start_date'],
    ] as const) {
      const reply = await call('POST', path, { ...body, dry_run: true })
      assert.equal(reply.status, 400, reply.text)
      assert.equal(reply.body.errors[0].field, field)
    }
    const missing = await call('POST', '/api/templates/template/nothing/use/', { dry_run: true })
    assert.equal(missing.status, 404)
  })

  test('asks for the rights of what it writes, in a dry run, too', async () => {
    const { member } = org.users
    const other = await make('/api/project/info/', { project_name: 'Of others' })
    await allow('member', {
      templates: { read: 'all' },
      projects: { read: 'all', create: 'none', update: 'own', delete: 'own' },
    })
    for (const dry_run of [true, false]) {
      assert.equal((await call('POST', path, { dry_run }, member.token)).status, 403)
      const added = await call('POST', path, { dry_run, project_id: other }, member.token)
      assert.equal(added.status, 403)
    }
    await allow('member', { templates: { read: 'none' } })
    const unseen = { dry_run: true, project_id: other }
    assert.equal((await call('POST', path, unseen, member.token)).status, 404)
    // without the right to delete there is no undo
    await allow('member', {
      templates: { read: 'all' },
      projects: { read: 'all', create: 'all', update: 'all', delete: 'none' },
    })
    const made = await ask('POST', path, {}, member.token)
    assert.equal(made.bulk_id, null)
  })

  test('keeps templates whose subtasks and dependencies lead somewhere', async () => {
    for (const [tasks, field] of [
      [[{ title: 'A', parent: 'B' }, { title: 'B' }], 'template_config.stages.0.tasks.0.parent'],
      [[{ title: 'A', depends_on: [{ id: 'B' }] }], 'template_config.stages.0.tasks.0.depends_on'],
    ] as const) {
      const reply = await call('POST', '/api/templates/template/', {
        template_name: 'Wrong',
        template_config: { stages: [{ name: 'One', tasks }] },
      })
      assert.equal(reply.status, 400, reply.text)
      assert.equal(reply.body.errors[0].field, field)
    }
  })
})
