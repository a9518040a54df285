import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { connectApp } from '../../../test/support/integration.ts'
import type { Reply, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { signed } from '../../../test/support/world.ts'

let service: TestService
let org: TestOrganization
let app: Awaited<ReturnType<typeof connectApp>>
before(async () => {
  service = await startService()
  org = await makeOrganization(service)
  app = await connectApp(service, org)
})

type Role = keyof TestOrganization['users']
const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
  service.call(method, path, { token: org.users[role].token, body })
const automation = (method: string, path: string, body?: unknown) =>
  service.call(method, `/automation${path}`, { headers: signed(app), body })

async function make(path: string, body: object, role: Role = 'admin'): Promise<string> {
  const reply = await call('POST', path, body, role)
  assert.equal(reply.status, 201, reply.text)
  return reply.headers.get('x-record-id')!
}
const info = '/api/project/info/'
const read = async (id: string) => (await call('GET', `${info}${id}/`)).body

describe('projects', () => {
  test('take a template by its name alone, and refuse a name that none has', async () => {
    const template_name = 'Plan by name'
    const template_config = { stages: [{ name: 'One' }, { name: 'Two' }] }
    await make('/api/templates/template/', { template_name, template_config })
    for (const more of [{}, { template_id: '', template_config: { stages: [] } }]) {
      const project_template = { template_name: template_name.toUpperCase(), ...more }
      const id = await make(info, { project: { project_name: 'P', project_template } })
      const project = await read(id)
      assert.deepEqual([project.template_name, project.milestones_count], [template_name, 2])
    }
    const own = { template_name: 'Nobody has it', template_config }
    const id = await make(info, { project: { project_name: 'P', project_template: own } })
    assert.equal((await read(id)).milestones_count, 2)
    const project_template = { template_name: own.template_name }
    const refused = await call('POST', info, { project: { project_name: 'P', project_template } })
    assert.equal(refused.body.errors[0].field, 'project.project_template.template_name')
  })

  test('are made with their account, customer and template in one call', async () => {
    const templates = (await call('GET', '/api/templates/template/')).body
    const { template_id, template_name } = templates.find((each: any) => each.is_default)
    const reply = await call('POST', info, {
      account: {
        account_name: 'Nimbus',
        region: 'Europe',
        customer: { full_name: 'Cleo Customer', email: 'Cleo@nimbus.test' },
        logo: [],
      },
      project: {
        project_name: 'Nimbus onboarding',
        project_template: { template_id, template_name },
        start_date: '2026-12-24',
        revenue: '12000',
        project_fee: '1500.50',
        is_arr: true,
        project_owner: {
          is_owner: true,
          first_name: 'Ada',
          middle: '',
          last: 'Admin',
          user_id: '',
        },
      },
    })
    assert.equal(reply.status, 201, reply.text)
    assert.equal(reply.text, '')
    const project = (await call('GET', reply.headers.get('location')!)).body
    assert.equal(project.project_name, 'Nimbus onboarding')
    assert.equal(project.revenue, 12000)
    assert.equal(project.project_fee, 1500.5)
    assert.equal(project.formatted_revenue, 'USD 12,000.00')
    assert.equal(project.project_owner.user_id, org.users.admin.user_id)
    assert.equal(project.customer_project_owner.email, 'cleo@nimbus.test')
    assert.equal(project.template_name, template_name)
    assert.equal(project.milestones_count, 4)
    assert.equal(project.status.category, 'not_started')
    assert.deepEqual(project.custom_fields, [])
    const account = (await call('GET', `/api/account/info/${project.account_id}/`)).body
    assert.equal(account.account_name, 'Nimbus')
    assert.equal(account.total_projects, 1)
    // what a project brings is counted with the deal that was won for it
    assert.equal(account.total_revenue, 0)
    assert.equal(account.customer.full_name, 'Cleo Customer')
    const again = await make(info, {
      account: { account_name: 'nimbus' },
      project: { project_name: 'Second' },
    })
    assert.equal((await read(again)).account_id, project.account_id)
    const journey = await call('GET', `/api/account/info/journey/?account_id=${project.account_id}`)
    assert.deepEqual(
      journey.body.stages.map(({ stage }: any) => stage),
      ['account_created', 'project_created', 'project_created'],
    )
  })

  test('are made of a form whose fields were left empty', async () => {
    const customer = { full_name: '', email: '', phone: '', user_id: '' }
    const account = { account_name: '', region: '', website_url: '', customer, logo: [] }
    const project = {
      project_name: 'Hardly filled in',
      start_date: '',
      due_date: '',
      forecasted_date: '',
      revenue: '',
      project_fee: '',
      project_owner: { is_owner: false, first_name: '', user_id: '', email: '' },
    }
    const made = await read(await make(info, { account, project }))
    const { start_date, due_date, revenue, account_id, project_owner } = made
    const empty = [start_date, due_date, revenue, account_id, project_owner]
    assert.deepEqual(empty, [null, null, null, null, null])
    assert.deepEqual(made.tags, [])
    const named = await make(info, { account: { ...account, account_name: 'Blank & Co' }, project })
    assert.equal((await read(named)).account.account_name, 'Blank & Co')
    const amount = await call('POST', info, { project: { ...project, revenue: 'a lot' } })
    assert.equal(amount.body.errors[0].field, 'project.revenue')
  })

  test('made at once for one new account share it, and its customer', async () => {
    const account = {
      account_name: 'Twice',
      customer: { full_name: 'Tia', email: 'tia@twice.test' },
    }
    const replies = await Promise.all(
      [1, 2, 3].map((n) => call('POST', info, { account, project: { project_name: `Race ${n}` } })),
    )
    assert.deepEqual(
      replies.map(({ status }) => status),
      [201, 201, 201],
    )
    const made = await Promise.all(replies.map((each) => read(each.headers.get('x-record-id')!)))
    assert.equal(new Set(made.map(({ account_id }) => account_id)).size, 1)
    const contacts = made.map((each) => each.customer_project_owner.contact_id)
    assert.equal(new Set(contacts).size, 1)
  })

  test('lay their template out in working days around holidays', async () => {
    await make('/api/holidays/holinfo/', {
      country: 'X',
      holidays: [{ name: 'New Year', date: '2027-01-01', is_repeat_annually: true }],
    })
    const stages = [
      { name: 'A', duration_days: 2, tasks: [{ title: 'one', duration_days: 2 }] },
      { name: 'B', start_offset_days: 2, tasks: [{ title: 'two', depends_on: ['one'] }] },
    ]
    const template_id = await make('/api/templates/template/', {
      template_name: 'Short',
      template_config: { stages },
    })
    // 30 and 31 December are Wednesday and Thursday, 1 January is a holiday, then a weekend
    const id = await make(info, { project_name: 'X', template_id, start_date: '2026-12-31' })
    const { body } = await call('GET', `/api/tasks/?project_id=${id}&sort=due_date`)
    assert.deepEqual(
      body.map(({ title, start_date, due_date, is_blocked }: any) => [
        title,
        start_date,
        due_date,
        is_blocked,
      ]),
      [
        ['one', '2026-12-31', '2027-01-04', false],
        ['two', '2027-01-05', '2027-01-05', true],
      ],
    )
    const back = await make(info, { project_name: 'Y', template_id, due_date: '2027-01-05' })
    const { body: ending } = await call('GET', `/api/tasks/?project_id=${back}&sort=due_date`)
    assert.equal(ending.at(-1).due_date, '2027-01-05')
    assert.equal(ending[0].start_date, '2026-12-31')
  })

  test('refuse wrong dates, statuses, templates and a due date before the start', async () => {
    const refused: [object, string][] = [
      [{ start_date: '2026-02-02', due_date: '2026-02-01' }, 'due_date'],
      [{ status: 'nope' }, 'status'],
      [{ template_id: 'nope' }, 'template_id'],
      [{ account_id: 'nope' }, 'account_id'],
      [{ stage_id: 'nope', project_type: 'deal' }, 'stage_id'],
      [{ project_type: 'party' }, 'project_type'],
      [{ module: 'deal_plan', project_type: 'project' }, 'module'],
      [{ project_team: ['nope'] }, 'project_team.0'],
    ]
    for (const [body, field] of refused) {
      const reply = await call('POST', info, { project_name: 'x', ...body })
      assert.equal(reply.status, 400, `${field} ${reply.text}`)
      assert.equal(reply.body.errors[0].field, field)
    }
    assert.equal((await call('POST', info, { description: 'nameless' })).status, 400)
  })

  test('take owner and team for the project’s owner and team', async () => {
    const { user_id } = org.users.manager
    const id = await make(info, { project_name: 'Manned', owner: user_id, team: [user_id] })
    const { body } = await call('GET', `${info}${id}/`)
    assert.equal(body.project_owner.user_id, user_id)
    assert.equal(body.project_team[0].user_id, user_id)
    assert.deepEqual(body.custom_fields, [])
  })

  test('emit events when they are completed, and hidden ones are for their own people', async () => {
    const id = await make(info, { project_name: 'Quiet', visible_to_all: false })
    assert.equal((await call('GET', `${info}${id}/`, undefined, 'member')).status, 404)
    const team = { project_team: [{ user_id: org.users.member.user_id, role: 'Lead' }] }
    const put = await call('PUT', `${info}${id}/`, { ...team, status: { status_key: 'completed' } })
    assert.equal(put.status, 200, put.text)
    assert.equal(put.body.project_team[0].role, 'Lead')
    assert.ok(put.body.completed_at)
    assert.equal((await call('GET', `${info}${id}/`, undefined, 'member')).status, 200)
    const { email } = org.users.manager
    const more = await call('PUT', `${info}${id}/`, { project_team: [{ email }] })
    assert.equal(more.body.project_team[0].user_id, org.users.manager.user_id)
    const log = (await call('GET', `/api/activity/log/projects/${id}/`)).body
    const types = log.map(({ type }: any) => type)
    for (const type of ['project_completed', 'project_status_changed', 'project_updated']) {
      assert.ok(types.includes(type), `${type} is not among ${types}`)
    }
  })

  test('are copied with their milestones and tasks, moved by the new start', async () => {
    const id = await make(info, { project_name: 'Source', start_date: '2026-01-05' })
    const milestone_id = await make(`${info}${id}/milestones/`, {
      name: 'M',
      due_date: '2026-01-10',
    })
    await make('/api/tasks/', { title: 'T', milestone_id, due_date: '2026-01-07' })
    const copy = await call('POST', `${info}${id}/duplicate/`, { start_date: '2026-01-12' })
    assert.equal(copy.status, 201, copy.text)
    assert.equal(copy.body.project_name, 'Source (copy)')
    const [task] = (await call('GET', `/api/tasks/?project_id=${copy.body.project_id}`)).body
    assert.equal(task.due_date, '2026-01-14')
    assert.equal(task.milestone_name, 'M')
    assert.notEqual(task.milestone_id, milestone_id)
  })
})

describe('deals', () => {
  const deal = (body: object = {}) =>
    make(info, { project_name: 'Deal', project_type: 'deal', expected_deal_value: 5000, ...body })

  test('begin in the first stage, move, and keep how long they stayed', async () => {
    const id = await deal()
    assert.equal((await read(id)).current_pipe_stage.stage_key, 'qualification')
    const { pipeline_stages } = await read(id)
    const won = pipeline_stages.find(({ category }: any) => category === 'won')
    const moved = await call('PUT', `${info}${id}/`, { stage_id: won.stage_id })
    assert.equal(moved.status, 200, moved.text)
    assert.ok(moved.body.closed_at)
    const history = (await call('GET', `${info}${id}/stage-history/`)).body
    assert.deepEqual(
      history.map(({ category, left_at }: any) => [category, left_at === null]),
      [
        ['open', false],
        ['won', true],
      ],
    )
    const log = (await call('GET', `/api/activity/log/deals/${id}/`)).body
    const types = log.map(({ type }: any) => type)
    for (const type of ['deal_won', 'deal_stage_changed', 'deal_updated', 'deal_created']) {
      assert.ok(types.includes(type), `${type} is not among ${types}`)
    }
    const reopened = await call('PUT', `${info}${id}/`, { stage_id: 'negotiation' })
    assert.equal(reopened.body.closed_at, null)
  })

  test('need a reason to be lost', async () => {
    const id = await deal()
    const without = await call('PUT', `${info}${id}/`, { stage_id: 'closed_lost' })
    assert.equal(without.status, 400)
    assert.equal(without.body.errors[0].field, 'lost_reason')
    const body = { stage_id: 'closed_lost', lost_reason: 'price' }
    const lost = await call('PUT', `${info}${id}/`, body)
    assert.equal(lost.status, 200, lost.text)
    assert.equal(lost.body.lost_reason, 'price')
  })

  test('become a project once they are won, and only once', async () => {
    const id = await deal({ stage_id: 'proposal' })
    assert.equal((await call('POST', `${info}${id}/convert/`, {})).status, 409)
    await call('PUT', `${info}${id}/`, { stage_id: 'closed_won' })
    const made = await call('POST', `${info}${id}/convert/`, { project_name: 'Onboarding' })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.project_type, 'project')
    assert.equal(made.body.revenue, 5000)
    assert.equal(made.body.converted_from, id)
    const again = await call('POST', `${info}${id}/convert/`, {})
    assert.equal(again.status, 409)
    assert.equal(again.body.data.project_id, made.body.project_id)
    const project = made.body.project_id
    assert.equal((await call('POST', `${info}${project}/convert/`, {})).status, 409)
  })

  test('have one project, also where an earlier one is restored', async () => {
    const id = await deal({ stage_id: 'closed_won' })
    const convert = async () => (await call('POST', `${info}${id}/convert/`, {})).body.project_id
    const first = await convert()
    await call('DELETE', `${info}${first}/`)
    const second = await convert()
    const refused = await call('POST', `${info}${first}/restore/`)
    assert.equal(refused.status, 409, refused.text)
    assert.equal(refused.body.data.project_id, second)
    await call('DELETE', `${info}${second}/`)
    assert.equal((await call('POST', `${info}${first}/restore/`)).status, 200)
  })

  test('leave each stage after they entered it, however many moves come at once', async () => {
    const id = await deal()
    const stages = ['discovery', 'proposal', 'negotiation', 'qualification']
    const moves = [...stages, ...stages].map((stage_id) =>
      call('PUT', `${info}${id}/`, { stage_id }),
    )
    for (const { status, text } of await Promise.all(moves)) assert.equal(status, 200, text)
    const history = (await call('GET', `${info}${id}/stage-history/`)).body
    assert.equal(history.at(-1).stage_id, (await read(id)).stage_id)
    for (const [i, { entered_at, left_at, duration }] of history.entries()) {
      assert.ok(duration >= 0 && (left_at ?? entered_at) >= entered_at, JSON.stringify(history))
      if (i) assert.equal(entered_at, history[i - 1].left_at)
    }
  })

  test('are listed apart from projects, within the rights of their own kind', async () => {
    await deal()
    const types = async (query: string, role: Role = 'admin') => {
      const { body } = await call(
        'GET',
        `${info}?page=1&items_per_page=500${query}`,
        undefined,
        role,
      )
      return [...new Set(body.map(({ project_type }: any) => project_type))].sort()
    }
    assert.deepEqual(await types(''), ['deal', 'project'])
    assert.deepEqual(await types('&module=deal_plan'), ['deal'])
    assert.deepEqual(await types('&project_type=project'), ['project'])
    const role = await call('POST', '/api/users/role/', {
      role_name: 'sellers',
      permission: { deals: { read: 'all' } },
    })
    const { user_id } = org.users.observer
    const put = await call('PUT', `/api/users/profile/${user_id}/`, { role_id: role.body.role_id })
    assert.equal(put.status, 200, put.text)
    assert.deepEqual(await types('', 'observer'), ['deal'])
    const forecast = (await call('GET', '/api/project/forecast/', undefined, 'observer')).body
    assert.ok(forecast.some(({ weighted }: any) => weighted > 0))
  })
})

describe('projects on the integration surface', () => {
  test('are created, listed in their envelope, and read in three shapes', async () => {
    const made = await automation('POST', '/project', {
      project_name: 'From afar',
      custom_fields: { tier: 'gold' },
      revenue: 10,
    })
    assert.equal(made.status, 201, made.text)
    const { project_id, data } = made.body
    assert.equal(data.project_id, project_id)
    assert.deepEqual(data.custom_fields, { tier: 'gold' })
    const list = await automation('GET', '/project?items_per_page=1')
    assert.deepEqual(Object.keys(list.body).sort(), [
      'count',
      'max_page_limit',
      'next',
      'next_cursor',
      'previous',
      'results',
    ])
    assert.equal(list.body.results[0].project_id, project_id)
    const requests = ['Call', 'Call again'].map((title) =>
      automation('POST', '/task', { project_id, title }),
    )
    const [task, other] = (await Promise.all(requests)) as [Reply, Reply]
    assert.equal(task.status, 201, task.text)
    assert.equal(other.body.data.milestone_id, task.body.data.milestone_id)
    assert.equal(task.body.item_id, task.body.task_id)
    assert.equal(task.body.data.milestone_name, 'General')
    const whole = (await automation('GET', `/project/${project_id}`)).body
    assert.equal(whole.project_name, 'From afar')
    assert.deepEqual(
      whole.milestones[0].tasks.map(({ title }: { title: string }) => title).sort(),
      ['Call', 'Call again'],
    )
    const { results } = (await automation('GET', `/project/${project_id}?milestone=true`)).body
    assert.equal(results[0].name, 'General')
    const today = await automation('GET', `/project/${project_id}?milestones=1&due_filter=today`)
    assert.deepEqual(today.body.results[0].tasks, [])
    const options = (await automation('GET', `/project/${project_id}?options=true`)).body
    for (const name of ['milestones', 'task_statuses', 'priorities', 'owners', 'fields']) {
      assert.ok(Array.isArray(options[name]), name)
    }
    const tasks = (await automation('GET', `/tasks?project_id=${project_id}`)).body
    assert.equal(tasks.count, 2)
    assert.equal(tasks.results[0].project_name, 'From afar')
    assert.equal((await automation('GET', '/tasks')).status, 400)
    assert.equal((await automation('GET', '/tasks?project_id=nope')).status, 404)
  })

  test('give deals under their own module, and what a form for deals offers', async () => {
    const made = await automation('POST', '/project', { project_name: 'D', project_type: 'deal' })
    assert.equal(made.status, 201, made.text)
    const query = '/project?module=deal_plan&project_type=deal'
    const { results } = (await automation('GET', query)).body
    assert.ok(results.every(({ project_type }: any) => project_type === 'deal'))
    assert.equal(
      (await automation('GET', '/project?module=projects&project_type=deal')).status,
      400,
    )
    const { pipelines, deal_stages, lost_reasons } = (await automation('GET', '/deal/options')).body
    assert.equal(pipelines[0].stages.length, deal_stages.length)
    assert.ok(lost_reasons.length)
    const templates = (await automation('GET', '/templates?template_type=project')).body
    assert.ok(templates.count >= 3)
    const one = templates.results[0]
    const alone = await automation('GET', `/templates?org_temp_id=${one.template_id}`)
    assert.equal(alone.body.template_name, one.template_name)
  })
})
