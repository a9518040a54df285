import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../test/support/service.ts'
import { housekeeping } from './housekeeping.ts'
import { startQueue } from './queue.ts'

const day = 86_400_000

describe('housekeeping', () => {
  let service: TestService
  let org: TestOrganization
  let now = Date.now()

  before(async () => {
    service = await startService({}, () => new Date(now))
    org = await makeOrganization(service)
  })

  /** A token of today: those of the beginning have expired. */
  async function signIn() {
    const { user_id } = org.users.admin
    const identity = { organization_id: org.id, user_id, full_name: '', email: '', role: '' }
    return ((await service.signIn.start(identity)) as { access_token: string }).access_token
  }

  test('a deleted record stays for 30 days, its company for as long as a contact points to it', async () => {
    const { token } = org.users.admin
    const create = async (path: string, body: object) =>
      (await service.call('POST', path, { token, body })).headers.get('x-record-id')!
    const company = await create('/api/company/', { company_name: 'Acme' })
    const contact = await create('/api/contact/', { full_name: 'Ada', company_id: company })
    await service.call('DELETE', `/api/company/${company}/`, { token })
    await service.call('DELETE', `/api/contact/${contact}/`, { token })
    now += 29 * day
    const early = await housekeeping(service.runtime)
    assert.deepEqual([early.contacts, early.companies], [0, 0])
    now += 2 * day
    const late = await housekeeping(service.runtime)
    assert.deepEqual([late.contacts, late.companies], [1, 1])
  })

  test('a project goes with its plan, a series never with its first task', async () => {
    const token = await signIn()
    const create = async (path: string, body: object) =>
      (await service.call('POST', path, { token, body })).headers.get('x-record-id')!
    const account_id = await create('/api/account/info/', { account_name: 'Acme' })
    const project = await create('/api/project/info/', { project_name: 'P', account_id })
    const milestone = { name: 'M' }
    const milestone_id = await create(`/api/project/info/${project}/milestones/`, milestone)
    await create('/api/tasks/', { title: 'T', milestone_id })
    const body = { title: 'Daily', due_date: '2030-01-01', recurrence_pattern: 'FREQ=DAILY' }
    const first = await create('/api/tasks/', body)
    await service.call('PUT', `/api/tasks/${first}/`, { token, body: { is_completed: true } })
    for (const path of [
      `project/info/${project}`,
      `account/info/${account_id}`,
      `tasks/${first}`,
    ]) {
      const reply = await service.call('DELETE', `/api/${path}/`, { token })
      assert.equal(reply.status, 204, reply.text)
    }
    now += 31 * day
    const gone = await housekeeping(service.runtime)
    assert.deepEqual([gone.tasks, gone.milestones, gone.projects, gone.accounts], [1, 1, 1, 1])
  })

  test('references to a removed milestone, contact or role are cleared', async () => {
    const token = await signIn()
    const ask = async (method: string, path: string, body?: object) => {
      const reply = await service.call(method, `/api/${path}/`, { token, body })
      assert.ok(reply.status < 300, reply.text)
      return reply.headers.get('x-record-id')!
    }
    const account_id = await ask('POST', 'account/info', { account_name: 'Lasting' })
    const project = await ask('POST', 'project/info', { project_name: 'Lasting', account_id })
    const milestone = await ask('POST', `project/info/${project}/milestones`, { name: 'Gone' })
    const meeting = await ask('POST', 'calendar/info', {
      title: 'Lasting',
      start: '2030-01-01T10:00:00Z',
      end: '2030-01-01T11:00:00Z',
      project_id: project,
      milestone_id: milestone,
    })
    const contact = await ask('POST', 'contact', { full_name: 'Gone' })
    const role = await ask('POST', 'users/role', { role_name: 'Gone' })
    const { id } = org
    await service.runtime.database.transaction(id, async ({ run }) => {
      await run(sql`update projects set current_milestone_id = ${milestone} where id = ${project}`)
      await run(sql`insert into record_activity (organization_id, id, subject_module, subject_id, kind,
          source_id, at, contact_id)
        values (${id}, ${account_id}, 8, ${account_id}, 'mail', ${account_id}, now(), ${contact})`)
      await run(sql`insert into openid_providers
          (organization_id, issuer, client_id, client_secret, new_users_role_id)
        values (${id}, 'https://issuer.test', 'client', '\\x00', ${role})`)
    })
    const named = () =>
      rows(
        service,
        sql`select (select p.current_milestone_id from projects p
              where p.organization_id = ${id} and p.id = ${project}) as project,
            (select m.milestone_id from meetings m
              where m.organization_id = ${id} and m.id = ${meeting}) as meeting,
            (select a.contact_id from record_activity a
              where a.organization_id = ${id} and a.source_id = ${account_id}) as activity,
            o.new_users_role_id as provider
          from openid_providers o where o.organization_id = ${id}`,
      )
    const [before] = await named()
    assert.deepEqual(
      { ...before },
      { project: milestone, meeting: milestone, activity: contact, provider: role },
    )
    await ask('DELETE', `project/info/${project}/milestones/${milestone}`)
    await ask('DELETE', `contact/${contact}`)
    await ask('DELETE', `users/role/${role}`)
    now += 31 * day
    const gone = await housekeeping(service.runtime)
    assert.deepEqual([gone.milestones, gone.contacts, gone.roles], [1, 1, 1])
    const [after] = await named()
    assert.deepEqual({ ...after }, { project: null, meeting: null, activity: null, provider: null })
  })

  test('deleted pipelines, roles and automations of surveys go too', async () => {
    const token = await signIn()
    const post = async (path: string, body: object) => {
      const reply = await service.call('POST', path, { token, body })
      assert.ok(reply.status < 300, reply.text)
      return reply
    }
    const create = async (path: string, body: object) =>
      (await post(path, body)).headers.get('x-record-id')!
    const stages = [{ stage_name: 'Begun' }, { stage_name: 'Won', category: 'won' }]
    const unused = await create('/api/pipelines/', { pipeline_name: 'Unused', stages })
    const left = await create('/api/pipelines/', { pipeline_name: 'Left', stages })
    const deal = { project_name: 'A sale', project_type: 'deal', pipeline_id: left }
    const moved = await create('/api/project/info/', deal)
    const role = await create('/api/users/role/', { role_name: 'Unused' })
    const survey = await create('/api/surveys/', { name: 'S' })
    const automation = { name: 'A', actions: [] }
    const saved = await post(`/api/surveys/${survey}/automations_save/`, automation)
    // the deal goes on in the default pipeline, its history still names a stage of this one
    const [other] = await rows<{ id: string }>(
      service,
      sql`select s.id from stages s join pipelines p on p.organization_id = s.organization_id
        and p.id = s.pipeline_id where s.organization_id = ${org.id} and p.is_default and s.category = 'open' limit 1`,
    )
    const body = { stage_id: other!.id }
    const put = await service.call('PUT', `/api/project/info/${moved}/`, { token, body })
    assert.equal(put.status, 200, put.text)
    for (const path of [
      `pipelines/${unused}`,
      `pipelines/${left}`,
      `users/role/${role}`,
      `surveys/automations/${saved.body.automation_id}`,
    ]) {
      const reply = await service.call('DELETE', `/api/${path}/`, { token })
      assert.equal(reply.status, 204, reply.text)
    }
    now += 29 * day
    const early = await housekeeping(service.runtime)
    assert.deepEqual([early.pipelines, early.roles, early.survey_automations], [0, 0, 0])
    now += 2 * day
    const late = await housekeeping(service.runtime)
    assert.deepEqual([late.pipelines, late.roles, late.survey_automations], [1, 1, 1])
    const remaining = await rows<{ id: string }>(
      service,
      sql`select id from pipelines where id in (${unused}, ${left})
        union all select id from stages where pipeline_id = ${unused}`,
    )
    assert.deepEqual(remaining, [{ id: left }])
  })

  test('an idempotency key is forgotten after a day', async () => {
    const made = await service.call('POST', '/api/tags/info/', {
      token: await signIn(),
      body: { name: 'vip' },
      headers: { 'idempotency-key': 'k1' },
    })
    assert.equal(made.status, 201, made.text)
    now += day + 1000
    assert.equal((await housekeeping(service.runtime)).idempotency_keys, 1)
  })

  test('the job queue starts on the same database and takes a schedule', async () => {
    const queue = await startQueue(service.runtime, [])
    await queue.every('a-test', '0 0 1 1 *', async () => {})
    await queue.close()
  })
})
