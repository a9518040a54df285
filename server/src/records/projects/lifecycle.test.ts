import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'

describe('projects and deals', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
  })

  const at = '/api/project/info/'

  /** A request as the admin; fails the test when it does not succeed. */
  async function ask(method: string, path: string, body?: unknown, as = token) {
    const reply = await service.call(method, path, { token: as, body })
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }

  async function make(body: object, as = token): Promise<string> {
    return (await ask('POST', at, body, as)).headers.get('x-record-id')!
  }

  /** Asserts that a request is refused with 400 naming the field. */
  async function wrong(method: string, path: string, body: unknown, field: string) {
    refusedField(await service.call(method, path, { token, body }), [field])
  }

  const read = async (id: string) => (await ask('GET', `${at}${id}/`)).body

  const types = async (id: string) =>
    (
      await rows<{ type: string }>(
        service,
        sql`select type from events where reference_id = ${id} order by id`,
      )
    ).map(({ type }) => type)

  test('a project is created with an empty answer, read, changed, listed, deleted and restored', async () => {
    const made = await ask('POST', at, { project_name: 'Rollout', tags: ['a'], tier: 'gold' })
    assert.equal(made.status, 201)
    assert.equal(made.text, '')
    const id = made.headers.get('x-record-id')!
    assert.equal(made.headers.get('location'), `${at}${id}/`)

    const one = await ask('GET', `${at}${id}`)
    assert.equal(one.headers.get('etag'), '"1"')
    assert.equal(one.body.project_id, id)
    assert.equal(one.body.project_type, 'project')
    assert.equal(one.body.visible_to_all, true)
    assert.equal(one.body.status.status_key, 'not_started')
    assert.equal(one.body.status.category, 'not_started')
    assert.deepEqual(one.body.custom_fields, [
      { key: 'tier', label: 'tier', type: 'text', value: 'gold' },
    ])
    assert.equal(one.body.created_by.user_id, org.users.admin.user_id)

    const changed = await ask('PUT', `${at}${id}/`, { description: 'More', revenue: '1234.5' })
    assert.equal(changed.status, 200)
    assert.equal(changed.body.revenue, 1234.5)
    assert.equal(changed.body.formatted_revenue, 'USD 1,234.50')
    assert.deepEqual(changed.body.tags, ['a'])

    const list = await ask('GET', `${at}?page=1&items_per_page=10&include_count=true`)
    assert.ok(Array.isArray(list.body))
    assert.ok(list.body.some((each: { project_id: string }) => each.project_id === id))

    assert.equal((await ask('DELETE', `${at}${id}/`)).status, 204)
    assert.equal((await service.call('GET', `${at}${id}/`, { token })).status, 404)
    const back = await ask('POST', `${at}${id}/restore/`)
    assert.equal(back.body.project_name, 'Rollout')
  })

  test('a whole record that was read may be sent back and changes nothing', async () => {
    for (const project_type of ['project', 'deal']) {
      const id = await make({
        project_name: 'Round trip',
        project_type,
        project_owner: org.users.member.user_id,
        project_team: [org.users.manager.user_id],
        custom_fields: [{ key: 'colour', value: 'red' }],
        phase: { name: 'One' },
      })
      const before = await ask('GET', `${at}${id}/`)
      const after = await ask('PUT', `${at}${id}/`, before.body)
      assert.equal(after.headers.get('etag'), before.headers.get('etag'))
      assert.deepEqual(after.body, before.body)
    }
  })

  test('the list wants a page and its size, and distinguishes deals and projects', async () => {
    await wrong('GET', `${at}?page=1`, undefined, 'items_per_page')
    await wrong('GET', `${at}?items_per_page=5`, undefined, 'page')
    const deal = await make({ project_name: 'A sale', project_type: 'deal' })
    const project = await make({ project_name: 'Work' })
    const ids = async (query: string) =>
      (await ask('GET', `${at}?page=1&items_per_page=500&${query}`)).body.map(
        (each: { project_id: string }) => each.project_id,
      )
    for (const query of ['project_type=deal', 'module=deal_plan', 'module=3']) {
      const found = await ids(query)
      assert.ok(found.includes(deal) && !found.includes(project), query)
    }
    for (const query of ['project_type=project', 'module=projects']) {
      const found = await ids(query)
      assert.ok(!found.includes(deal) && found.includes(project), query)
    }
    const all = await ids('')
    assert.ok(all.includes(deal) && all.includes(project))
    const page = `${at}?page=1&items_per_page=5&`
    await wrong('GET', `${page}project_type=x`, undefined, 'project_type')
    await wrong('GET', `${page}project_type=deal&module=projects`, undefined, 'module')
  })

  test('one call makes the account, its customer, the plan of a template and the owner', async () => {
    const body = {
      account: {
        account_name: 'Nested Ltd',
        region: 'Europe',
        vertical: 'Finance',
        segment: 'Enterprise',
        website_url: 'https://nested.test',
        description: 'A customer',
        customer: { full_name: 'Cora Customer', email: 'Cora@nested.test', phone: '+33 1 23 45' },
        logo: [],
      },
      project: {
        project_name: 'Nested rollout',
        project_template: {
          template_name: 'Mine',
          template_config: {
            stages: [
              {
                stage_id: '1',
                name: 'Plan',
                color: '#aabbcc',
                status: { status_id: 1, status_key: 'not_started', status_name: 'Not started' },
              },
              { stage_id: '2', name: 'Build' },
            ],
          },
        },
        start_date: '2030-01-01',
        due_date: '2030-03-01',
        forecasted_date: '2030-03-05',
        show_forecasted_date: true,
        revenue: '5000',
        is_arr: true,
        project_fee: '250.5',
        project_owner: {
          is_owner: true,
          first_name: 'M',
          middle: '',
          last: 'M',
          user_id: org.users.member.user_id,
          profile_image: null,
          email: org.users.member.email,
          phone_number: '',
        },
      },
    }
    const id = await make(body)
    const one = await read(id)
    assert.equal(one.project_name, 'Nested rollout')
    assert.equal(one.account.account_name, 'Nested Ltd')
    assert.equal(one.customer_project_owner.full_name, 'Cora Customer')
    assert.equal(one.project_owner.user_id, org.users.member.user_id)
    assert.deepEqual([one.revenue, one.project_fee, one.is_arr], [5000, 250.5, true])
    assert.deepEqual(
      one.stages.map(({ name }: { name: string }) => name),
      ['Plan', 'Build'],
    )
    assert.equal(one.milestones_count, 2)
    assert.equal(one.current_stage.name, 'Plan')
    const account = (await ask('GET', `/api/account/info/${one.account_id}/`)).body
    // an option named by its label is stored by its value
    assert.equal(account.region, 'Europe')
    assert.equal(account.customer.email.toLowerCase(), 'cora@nested.test')
    assert.equal(account.total_projects, 1)

    // the same names again link existing records
    const again = await read(
      await make({
        account: {
          account_name: 'NESTED LTD',
          customer: { full_name: 'Cora', email: 'cora@nested.test' },
        },
        project: { project_name: 'Second' },
      }),
    )
    assert.equal(again.account_id, one.account_id)
    assert.equal(again.customer_project_owner.contact_id, one.customer_project_owner.contact_id)
  })

  test('what a body gets wrong is named', async () => {
    const refused = (body: object, field: string) => wrong('POST', at, body, field)
    await refused({}, 'project_name')
    await refused({ project: {} }, 'project.project_name')
    await refused({ project_name: ' ' }, 'project_name')
    await refused({ project_name: 'x', project_type: 'thing' }, 'project_type')
    await refused(
      { project_name: 'x', start_date: '2030-02-02', due_date: '2030-02-01' },
      'due_date',
    )
    await refused({ project_name: 'x', start_date: '2030-02-30' }, 'start_date')
    await refused({ project_name: 'x', revenue: 'much' }, 'revenue')
    await refused({ project_name: 'x', account_id: 'nope' }, 'account_id')
    await refused({ project_name: 'x', project_owner: 'nope' }, 'project_owner')
    await refused({ project_name: 'x', template_id: 'nope' }, 'template_id')
    await refused({ project_name: 'x', org_temp_id: 'nope' }, 'org_temp_id')
    await refused({ project_name: 'x', holidays_id: 'nope' }, 'holidays_id')
    await refused({ project_name: 'x', status: 'nope' }, 'status')
    await refused({ project_name: 'x', project_type: 'deal', stage_id: 'nope' }, 'stage_id')
    await refused({ project_name: 'x', project_type: 'deal', pipeline_id: 'nope' }, 'pipeline_id')
    await refused({ project_name: 'x', project_team: ['nope'] }, 'project_team.0')
    await refused({ project_name: 'x', account: {} }, 'account.account_name')
    await refused({ project_name: 'x', is_arr: 'yes' }, 'is_arr')
  })

  test('a deal moves through its stages; won closes, lost needs a reason, leaving reopens', async () => {
    const id = await make({ project_name: 'Stages', project_type: 'deal', expected_deal_value: 10 })
    const deal = await read(id)
    assert.equal(deal.current_pipe_stage.stage_key, 'qualification')
    assert.equal(deal.pipeline_stages.length, 6)
    const put = (body: object) => ask('PUT', `${at}${id}/`, body)

    const won = await put({ stage_id: 'closed_won' })
    assert.equal(won.body.current_pipe_stage.category, 'won')
    assert.ok(won.body.closed_at)
    await wrong('PUT', `${at}${id}/`, { stage_id: 'closed_lost' }, 'lost_reason')
    const lost = await put({ stage_id: 'closed_lost', lost_reason: 'price' })
    assert.equal(lost.body.lost_reason, 'price')
    const corrected = await put({ lost_reason: 'timing' })
    assert.equal(corrected.body.lost_reason, 'timing')
    const open = await put({ stage_id: deal.pipeline_stages[1].stage_id })
    assert.equal(open.body.closed_at, null)
    assert.equal(open.body.lost_reason, null)

    const { body: history } = await ask('GET', `${at}${id}/stage-history/`)
    assert.deepEqual(
      history.map((each: { stage_name: string }) => each.stage_name),
      ['Qualification', 'Closed won', 'Closed lost', 'Discovery'],
    )
    assert.deepEqual(
      history.map((each: { left_at: string | null }) => each.left_at === null),
      [false, false, false, true],
    )
    assert.deepEqual(await types(id), [
      'deal_created',
      'deal_updated',
      'deal_stage_changed',
      'deal_won',
      'deal_updated',
      'deal_stage_changed',
      'deal_lost',
      'deal_updated',
      'deal_updated',
      'deal_stage_changed',
    ])
  })

  test('a project is completed by its status, and its team is part of it', async () => {
    const id = await make({ project_name: 'Statuses' })
    const done = await ask('PUT', `${at}${id}/`, { status: { status_key: 'completed' } })
    assert.ok(done.body.completed_at)
    const open = await ask('PUT', `${at}${id}/`, { status: 'in_progress' })
    assert.equal(open.body.completed_at, null)
    const { user_id } = org.users.manager
    const team = await ask('PUT', `${at}${id}/`, { project_team: [{ user_id, role: 'lead' }] })
    assert.equal(team.body.project_team[0].user_id, user_id)
    assert.equal(team.body.project_team[0].role, 'lead')
    assert.equal(team.headers.get('etag'), '"4"')
    const same = await ask('PUT', `${at}${id}/`, { project_team: [{ user_id, role: 'lead' }] })
    assert.equal(same.headers.get('etag'), '"4"')
    assert.deepEqual(await types(id), [
      'project_created',
      'project_updated',
      'project_status_changed',
      'project_completed',
      'project_updated',
      'project_status_changed',
      'project_updated',
    ])
    const [last] = await rows(
      service,
      sql`select changes from events where reference_id = ${id} order by id desc limit 1`,
    )
    assert.equal(last.changes[0].field, 'project_team')
    assert.deepEqual(last.changes[0].from, [])
  })

  test('a copy has the plan begun anew, with its dates moved', async () => {
    const id = await make({
      project_name: 'Original',
      start_date: '2030-01-07',
      due_date: '2030-02-01',
      project_team: [org.users.manager.user_id],
      project_template: {
        template_config: {
          stages: [
            {
              name: 'One',
              tasks: [
                { id: 'a', title: 'First' },
                { title: 'Second', start_offset_days: 1, depends_on: ['a'] },
              ],
            },
          ],
        },
      },
    })
    const made = await ask('POST', `${at}${id}/duplicate/`, { start_date: '2030-01-14' })
    assert.equal(made.status, 201)
    assert.notEqual(made.body.project_id, id)
    assert.equal(made.body.project_name, 'Original (copy)')
    assert.equal(made.body.start_date, '2030-01-14')
    assert.equal(made.body.due_date, '2030-02-08')
    assert.equal(made.body.tasks_count, 2)
    assert.equal(made.body.project_team[0].user_id, org.users.manager.user_id)
    const its = (await ask('GET', `/api/tasks/?project_id=${made.body.project_id}&sort=position`))
      .body
    assert.deepEqual(
      its.map((each: { title: string; due_date: string }) => [each.title, each.due_date]),
      [
        ['First', '2030-01-14'],
        ['Second', '2030-01-15'],
      ],
    )
    assert.deepEqual(
      its.map((each: { is_blocked: boolean }) => each.is_blocked),
      [false, true],
    )
  })

  test('the tasks of a copy are created as any task is, without what was done with the source', async () => {
    const id = await make({ project_name: 'Assigned' })
    const { user_id } = org.users.manager
    const task = { title: 'Parent', project_id: id, owner: user_id, priority: 'high' }
    const parent = await ask('POST', '/api/tasks/', {
      ...task,
      users: [user_id],
      display_id: 'T-1',
      is_starred: true,
      due_date: '2031-01-10',
    })
    const { item_id: parent_id } = parent.body
    await ask('POST', '/api/tasks/', { title: 'Child', project_id: id, parent_id })
    const { project_id } = (await ask('POST', `${at}${id}/duplicate/`, {})).body
    const its = (await ask('GET', `/api/tasks/?project_id=${project_id}&sort=title`)).body
    const [child, copy] = its
    assert.equal(its.length, 2)
    assert.equal(child.parent_id, copy.item_id)
    assert.equal(copy.due_date, '2031-01-10')
    assert.equal(copy.priority.value, 'high')
    assert.deepEqual([copy.owner.user_id, copy.users[0].user_id], [user_id, user_id])
    assert.deepEqual([copy.display_id, copy.is_starred], [null, false])
    const types = (reference_id: string) =>
      rows(service, sql`select type from events where reference_id = ${reference_id} order by id`)
    assert.deepEqual(await types(copy.item_id), await types(parent_id))
    assert.deepEqual(await types(copy.item_id), [
      { type: 'task_created' },
      { type: 'task_assigned' },
    ])
  })

  test('a copy survives links that are gone, and holds nothing that its maker cannot see', async () => {
    const { user_id } = org.users.observer
    const id = await make({
      project_name: 'Linked',
      project_owner: org.users.partner.user_id,
      project_team: [org.users.member.user_id],
    })
    const other = await makeOrganization(service)
    assert.notEqual(other.users.observer.user_id, user_id)
    await ask('POST', '/api/tasks/', { title: 'Secret', project_id: id, is_private: true })
    await ask('POST', '/api/tasks/', { title: 'Open', project_id: id })
    await ask('DELETE', `/api/users/profile/${org.users.partner.user_id}/`)
    const made = await ask('POST', `${at}${id}/duplicate/`, {}, org.users.member.token)
    assert.equal(made.body.project_owner, null)
    const its = (await ask('GET', `/api/tasks/?project_id=${made.body.project_id}`)).body
    assert.deepEqual(
      its.map((each: { title: string }) => each.title),
      ['Open'],
    )
  })

  test('a template that its maker cannot see is no template, and no form offers it', async () => {
    const template_name = 'Known to few'
    const { template_id } = (
      await ask('POST', '/api/templates/template/', {
        template_name,
        template_config: { stages: [{ name: 'Secret stage' }] },
      })
    ).body
    const permission = {
      projects: { create: 'all', read: 'all' },
      documents: { create: 'all', read: 'all' },
      templates: { create: 'all', read: 'own' },
    }
    const role = (await ask('POST', '/api/users/role/', { role_name: 'Own templates', permission }))
      .body
    const { member } = org.users
    await ask('PUT', `/api/users/profile/${member.user_id}/`, { role_id: role.role_id })
    const as = { token: member.token }
    for (const field of ['template_id', 'org_temp_id']) {
      const body = { project_name: 'Curious', [field]: template_id }
      refusedField(await service.call('POST', at, { ...as, body }), [field])
    }
    const body = { document_name: 'Curious', document_template: { template_id } }
    const document = await service.call('POST', '/api/documents/', { ...as, body })
    refusedField(document, ['document_template'])
    await ask('PUT', `/api/users/profile/${member.user_id}/`, { role_id: org.roles.member })
    await ask('POST', at, { project_name: 'Welcome', template_id }, member.token)
  })

  test('milestones and tasks are deleted and restored with a project', async () => {
    const id = await make({ project_name: 'Whole' })
    const task = (await ask('POST', '/api/tasks/', { title: 'Inside', project_id: id })).body
      .item_id
    const gone = (await ask('POST', '/api/tasks/', { title: 'Gone', project_id: id })).body.item_id
    const plan = `${at}${id}/milestones/`
    const { milestone_id } = (await ask('POST', plan, { name: 'M' })).body
    const part = (await ask('POST', '/api/tasks/', { title: 'Part', milestone_id })).body.item_id
    await ask('DELETE', `${plan}${milestone_id}/`)
    assert.equal((await service.call('GET', `/api/tasks/${part}/`, { token })).status, 404)
    const milestone = await ask('POST', `${plan}${milestone_id}/restore/`)
    assert.equal(milestone.body.tasks_count, 1)
    await ask('DELETE', `${plan}${milestone_id}/`)
    await ask('DELETE', `/api/tasks/${gone}/`)
    await ask('DELETE', `${at}${id}/`)
    assert.equal((await service.call('GET', `/api/tasks/${task}/`, { token })).status, 404)
    const back = await ask('POST', `${at}${id}/restore/`)
    assert.equal(back.body.tasks_count, 1)
    await ask('GET', `/api/tasks/${task}/`)
    assert.equal((await service.call('GET', `/api/tasks/${gone}/`, { token })).status, 404)
  })

  test('milestones that are added concurrently have different positions', async () => {
    const id = await make({ project_name: 'Places' })
    const add = (name: string) => ask('POST', `${at}${id}/milestones/`, { name })
    await Promise.all(['A', 'B', 'C', 'D', 'E'].map(add))
    const { body } = await ask('GET', `${at}${id}/milestones/`)
    const positions = body.map(({ position }: { position: number }) => position)
    assert.deepEqual(positions, [0, 1, 2, 3, 4])
  })

  test('nothing is left in a project that is deleted while it is put there', async () => {
    for (let i = 0; i < 6; i++) {
      const id = await make({ project_name: 'Race' })
      const elsewhere = (await ask('POST', '/api/tasks/', { title: 'Moves' })).body.item_id
      const send = (method: string, path: string, body?: unknown) =>
        service.call(method, path, { token, body })
      await Promise.all([
        send('POST', '/api/tasks/', { title: 'New', project_id: id }),
        send('POST', `${at}${id}/milestones/`, { name: 'New' }),
        send('PUT', `/api/tasks/${elsewhere}/`, { project_id: id }),
        send('DELETE', `${at}${id}/`),
      ])
      const left = await rows(
        service,
        sql`select t.title from tasks t where t.project_id = ${id} and t.deleted_at is null
          union all
          select t.name from milestones t where t.project_id = ${id} and t.deleted_at is null`,
      )
      assert.deepEqual(left, [])
    }
  })

  test('the forecast weighs open deals by month', async () => {
    const fresh = await makeOrganization(service)
    const admin = fresh.users.admin.token
    const deal = (body: object) =>
      make({ project_name: 'F', project_type: 'deal', expected_deal_value: 1000, ...body }, admin)
    await deal({ forecasted_date: '2031-05-10' })
    await deal({ due_date: '2031-05-20', stage_id: 'proposal' })
    await deal({ stage_id: 'negotiation' })
    await deal({ forecasted_date: '2031-06-10', stage_id: 'closed_won' })
    const { body } = await ask('GET', '/api/project/forecast/', undefined, admin)
    const of = (deals: number, value: number, weighted: number) => {
      const sums = { currency_unit: 'USD', deals, value, weighted }
      return { ...sums, by_currency: [sums] }
    }
    assert.deepEqual(body, [
      { month: '2031-05', ...of(2, 2000, 600) },
      { month: null, ...of(1, 1000, 750) },
    ])
  })

  test('a list may be filtered and sorted by status, stage and owner', async () => {
    const fresh = await makeOrganization(service)
    const admin = fresh.users.admin.token
    const done = await make({ project_name: 'Done', status: 'completed' }, admin)
    await make({ project_name: 'Open' }, admin)
    const found = async (filter: object[]) => {
      const query = `page=1&items_per_page=9&filter=${encodeURIComponent(JSON.stringify(filter))}`
      const { body } = await ask('GET', `${at}?${query}`, undefined, admin)
      return body.map((each: { project_id: string }) => each.project_id)
    }
    const by = (field: string, value: string) => found([{ field, operator: 'eq', value }])
    assert.deepEqual(await by('status', 'completed'), [done])
    assert.deepEqual(await by('status.category', 'completed'), [done])
    assert.deepEqual(await by('status.status_key', 'completed'), [done])
  })

  test('a project row is governed by the right on projects, a deal row by that on deals', async () => {
    const fresh = await makeOrganization(service)
    const admin = fresh.users.admin.token
    const { token: member } = fresh.users.member
    const none = { create: 'none', read: 'none', update: 'none', delete: 'none' }
    await ask(
      'PUT',
      `/api/users/role/${fresh.roles.member}/`,
      { permission: { deals: none } },
      admin,
    )
    const deal = await make({ project_name: 'Hidden', project_type: 'deal' }, admin)
    const project = await make({ project_name: 'Seen' }, admin)
    const list = await ask('GET', `${at}?page=1&items_per_page=9`, undefined, member)
    assert.deepEqual(
      list.body.map((each: { project_id: string }) => each.project_id),
      [project],
    )
    const status = async (method: string, path: string, body?: object) =>
      (await service.call(method, path, { token: member, body })).status
    assert.equal(await status('GET', `${at}${deal}/`), 404)
    assert.equal(await status('PUT', `${at}${deal}/`, { description: 'x' }), 404)
    assert.equal(await status('DELETE', `${at}${deal}/`), 404)
    assert.equal(await status('GET', `${at}${deal}/stage-history/`), 404)
    assert.equal(await status('POST', `${at}${deal}/duplicate/`, {}), 404)
    assert.equal(await status('POST', at, { project_name: 'x', project_type: 'deal' }), 403)
    // seen, but another's
    assert.equal(await status('PUT', `${at}${project}/`, { description: 'x' }), 403)
    assert.equal(await status('DELETE', `${at}${project}/`), 403)
    await ask('PUT', `${at}${project}/`, { project_team: [fresh.users.member.user_id] }, admin)
    assert.equal(await status('PUT', `${at}${project}/`, { description: 'x' }), 200)
  })

  test('a hidden project is for its own people; a customer sees what its account is shown', async () => {
    const fresh = await makeOrganization(service)
    const admin = fresh.users.admin.token
    const { customer, member } = fresh.users
    const account = await ask('POST', '/api/account/info/', { account_name: 'Theirs' }, admin)
    const { account_id } = account.body
    await ask('PUT', `/api/users/profile/${customer.user_id}/`, { account_id }, admin)
    const shared = { account_id, is_shared: true }
    const theirs = await make({ project_name: 'Theirs', ...shared }, admin)
    const hidden = await make({ project_name: 'Hidden', ...shared, visible_to_all: false }, admin)
    const internal = await make({ project_name: 'Internal', account_id }, admin)
    const others = await make({ project_name: 'Others' }, admin)
    const joined = await make({ project_name: 'Joined', project_team: [customer.user_id] }, admin)
    const seen = async (as: string) =>
      (await ask('GET', `${at}?page=1&items_per_page=9&reverse=false`, undefined, as)).body
        .map((each: { project_id: string }) => each.project_id)
        .sort()
    assert.deepEqual(await seen(customer.token), [theirs, joined].sort())
    const open = [theirs, internal, others, joined]
    assert.deepEqual(await seen(member.token), open.sort())
    assert.deepEqual(await seen(admin), [...open, hidden].sort())
  })

  test('a new owner and a new manager are notified', async () => {
    const { manager, member } = org.users
    const id = await make({ project_name: 'Yours', project_owner: { email: member.email } })
    await ask('PUT', `${at}${id}/`, { project_manager: manager.user_id })
    const notifications = await rows(
      service,
      sql`select user_id, notification_type from notifications
        where notification_obj ->> 'reference_id' = ${id} order by id`,
    )
    assert.deepEqual(notifications, [
      { user_id: member.user_id, notification_type: 2 },
      { user_id: manager.user_id, notification_type: 2 },
    ])
  })
})
