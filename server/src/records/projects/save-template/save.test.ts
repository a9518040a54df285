import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { planStory } from '../../../../test/support/plan-story.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, sql, startService } from '../../../../test/support/service.ts'
import { Replacement, formsOf } from './names.ts'

type Story = ReturnType<typeof planStory>
type Row = { [field: string]: any }

describe('a project saved as a template', () => {
  let service: TestService
  let org: TestOrganization
  let call: Story['call']
  let ask: Story['ask']
  let make: Story['make']
  let allow: Story['allow']

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    ;({ call, ask, make, allow } = planStory(service, org))
  })

  /** Clairval: two milestones, a subtask, a lag, a task of a later one, somebody's tasks, a private description. */
  async function clairval() {
    const account_id = await make('/api/account/info/', { account_name: 'Clairval Santé SA' })
    const project_id = await make('/api/project/info/', {
      project_name: 'Clairval Santé onboarding',
      account_id,
      start_date: '2030-11-04',
      project_owner: org.users.admin.user_id,
      project_team: [{ user_id: org.users.member.user_id, role: 'Data' }],
    })
    const milestone = (name: string) =>
      make(`/api/project/info/${project_id}/milestones/`, { name })
    const data = await milestone('Data of Clairval')
    const live = await milestone('Go-live')
    const task = (
      title: string,
      milestone_id: string,
      from: string,
      to: string,
      more: object = {},
    ) => make('/api/tasks/', { title, milestone_id, start_date: from, due_date: to, ...more })
    const { member, manager, admin } = org.users
    const first = await task('Export from CLAIRVAL SANTÉ', data, '2030-11-04', '2030-11-08', {
      owner: member.user_id,
      description: 'Clairval Santé knows how',
    })
    const second = await task('Import', data, '2030-11-11', '2030-11-13', { owner: admin.user_id })
    await make('/api/tasks/', {
      title: 'Check',
      parent_id: second,
      start_date: '2030-11-13',
      due_date: '2030-11-13',
      owner: manager.user_id,
    })
    await task('Switch over', live, '2030-11-18', '2030-11-18')
    await ask('POST', `/api/tasks/${second}/dependencies/`, {
      predecessor_id: first,
      type: 'SS',
      lag_days: 5,
    })
    await call('POST', '/api/interactions/info/', {
      module_name: 'tasks',
      reference_id: first,
      content: 'Secret',
    })
    return { project_id, first, path: `/api/project/info/${project_id}/save-as-template/` }
  }

  const config = async (template_id: string) =>
    (await ask('GET', `/api/templates/template/${template_id}/`)).template_config

  test('has working days for dates, roles for people, and no name of the customer', async () => {
    const { path, project_id } = await clairval()
    const preview = await ask('POST', path, { dry_run: true })
    // without a place in the project, the role in the organization
    const other = preview.roles[2]?.role
    assert.deepEqual(preview, {
      template_id: null,
      template_name: 'The customer onboarding',
      milestones: 2,
      tasks: 4,
      dependencies: 1,
      working_days: 11,
      roles: [
        { role: 'Data', tasks: 1 },
        { role: 'project_owner', tasks: 1 },
        { role: other, tasks: 1 },
      ],
      names: [
        { name: 'Clairval', titles: 1 },
        { name: 'Clairval Santé', titles: 2 },
      ],
    })
    const made = await ask('POST', path, {})
    assert.deepEqual({ ...made, template_id: null }, preview)
    const { stages } = await config(made.template_id)
    const text = JSON.stringify(stages)
    assert.doesNotMatch(text, /clairval|santé|secret/i)
    for (const { user_id } of Object.values(org.users)) assert.ok(!text.includes(user_id))
    assert.deepEqual(
      stages.map(({ name, start_offset_days, duration_days }: Row) => [
        name,
        start_offset_days,
        duration_days,
      ]),
      [
        ['Data of the customer', 0, 8],
        ['Go-live', 10, 1],
      ],
    )
    assert.deepEqual(
      stages[0].tasks.map(
        ({ title, start_offset_days, duration_days, assignee_role, parent, depends_on }: Row) => [
          title,
          start_offset_days,
          duration_days,
          assignee_role,
          parent,
          depends_on,
        ],
      ),
      [
        ['Export from the customer', 0, 5, 'Data', undefined, undefined],
        ['Import', 5, 3, 'project_owner', undefined, [{ id: '1.1', type: 'SS', lag_days: 5 }]],
        ['Check', 7, 1, other, '1.2', undefined],
      ],
    )
    // used from the same day on, it has the same dates
    const used: Row = await ask('POST', `/api/templates/template/${made.template_id}/use/`, {
      start_date: '2030-11-04',
    })
    const dates = async (id: string) => {
      const { tasks } = await ask('GET', `/api/project/info/${id}/plan/`)
      return tasks.map(({ start_date, due_date }: Row) => `${start_date} ${due_date}`).toSorted()
    }
    assert.deepEqual(await dates(used.project_id), await dates(project_id))
  })

  test('has what is asked for, and the names that may stay', async () => {
    const { path } = await clairval()
    const { template_id, dependencies, roles } = await ask('POST', path, {
      people: 'none',
      dependencies: false,
      descriptions: true,
      keep_names: ['Clairval Santé', 'Clairval'],
      template_name: 'Clairval',
    })
    assert.deepEqual([dependencies, roles], [0, []])
    const { stages } = await config(template_id)
    assert.equal(stages[0].tasks[0].description, 'Clairval Santé knows how')
    assert.equal(stages[0].name, 'Data of Clairval')
    assert.doesNotMatch(JSON.stringify(stages), /assignee_role|depends_on/)
  })

  test('keeps forms and estimates, unless it should not', async () => {
    const { first, path } = await clairval()
    const form_id = await make('/api/surveys/', {
      name: 'Sign-on details',
      item_type: 'form',
      form_structure: [
        { id: 'p', title: 'Page', fields: [{ id: 'q', type: 'short-text', label: 'Which?' }] },
      ],
    })
    await ask('PUT', `/api/tasks/${first}/`, { form_id, estimate_minutes: 960 })
    const kept = async (body: object) => {
      const { template_id } = await ask('POST', path, body)
      const [task] = (await config(template_id)).stages[0].tasks
      return [task.form_id ?? null, task.estimate_minutes ?? null]
    }
    assert.deepEqual(await kept({ template_name: 'All' }), [form_id, 960])
    const less = { template_name: 'Less', forms: false, estimates: false }
    assert.deepEqual(await kept(less), [null, null])
    // a form that is gone is asked for no more
    await ask('DELETE', `/api/surveys/${form_id}/`)
    assert.deepEqual(await kept({ template_name: 'Later' }), [null, 960])
  })

  test('lasts as long as its tasks really took', async () => {
    const { path, first } = await clairval()
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update tasks set completed_at = '2030-11-13T12:00:00Z'
        where organization_id = ${org.id} and id = ${first}`),
    )
    const { template_id } = await ask('POST', path, { durations: 'actual' })
    const { stages } = await config(template_id)
    assert.deepEqual(
      stages[0].tasks.map(({ duration_days }: Row) => duration_days),
      [8, 3, 1],
    )
  })

  test('has only what the caller may read, and asks for the right to make templates', async () => {
    const { path, first } = await clairval()
    await ask('PUT', `/api/tasks/${first}/`, { is_private: true, owner: org.users.admin.user_id })
    const { token } = org.users.member
    await allow('member', {
      templates: { read: 'all', create: 'all' },
      projects: { read: 'all' },
      tasks: { read: 'all' },
    })
    const { tasks, dependencies } = await ask('POST', path, { dry_run: true }, token)
    assert.deepEqual([tasks, dependencies], [3, 0])
    // the names of a customer whom the caller may not read are neither said nor looked for
    await allow('member', {
      templates: { read: 'all', create: 'all' },
      accounts: { read: 'none' },
      companies: { read: 'none' },
    })
    const { names } = await ask('POST', path, { dry_run: true }, token)
    assert.deepEqual(names, [])
    await allow('member', { templates: { read: 'all', create: 'none' } })
    assert.equal((await call('POST', path, { dry_run: true }, token)).status, 403)
    const other = await makeOrganization(service)
    const foreign = await call('POST', path, { dry_run: true }, other.users.admin.token)
    assert.equal(foreign.status, 404)
  })

  test('replaces names as whole words, with and without their legal form', () => {
    const replaced = new Replacement(formsOf(['North Bay Clinics GmbH', 'Ada AG']))
    assert.equal(
      replaced.of('Northern lights at North Bay Clinics'),
      'Northern lights at the customer',
    )
    assert.equal(replaced.of("Ada's plan"), "The customer's plan")
    assert.equal(replaced.of('Adapt it'), 'Adapt it')
    assert.deepEqual(
      [...replaced.counts],
      [
        ['North Bay Clinics', 1],
        ['Ada', 1],
      ],
    )
  })
})
