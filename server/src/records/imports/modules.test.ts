import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'

import type { ImportModule } from '../../model/imports/import.ts'
import { importables } from './importables.ts'

type Table = { [column: string]: string }[]

describe('what is exported', () => {
  let service: TestService
  let one: TestOrganization
  let other: TestOrganization

  before(async () => {
    service = await startService({}, undefined, true)
    one = await makeOrganization(service)
    other = await makeOrganization(service)
    await fill(one)
  })

  async function call(org: TestOrganization, method: string, path: string, body?: unknown) {
    const reply = await service.call(method, path, { token: org.users.admin.token, body })
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }

  async function make(org: TestOrganization, path: string, body: unknown): Promise<string> {
    const reply = await call(org, 'POST', path, body)
    return reply.headers.get('x-record-id')!
  }

  async function bring(org: TestOrganization, module: string, csv: string, more: object = {}) {
    const { body } = await call(org, 'POST', '/api/imports/', { module, csv, ...more, start: true })
    for (;;) {
      const now = (await call(org, 'GET', `/api/imports/${body.import_id}/`)).body
      if (now.status !== 'running') {
        const errors = await call(org, 'GET', `/api/imports/${body.import_id}/errors/`)
        return { ...now, errors: errors.body }
      }
      await sleep(20)
    }
  }

  const paths: { [module: string]: string } = {
    companies: '/api/company/export/',
    contacts: '/api/contact/export/',
  }
  const pathOf = (module: string) => paths[module] ?? `/api/exports/${module}/`

  /** What an organization exports, people by their roles, and without what is each organization's own. */
  async function exported(
    org: TestOrganization,
    module: string,
  ): Promise<{ text: string; table: Table }> {
    const { text } = await call(org, 'GET', pathOf(module))
    const plain = text.replaceAll(org.id, 'ORG').replaceAll(org.name, 'NAME')
    const table = parse(plain, { columns: true, bom: true }) as Table
    const own = /(^|[._])(id|user_id)$|^(customer|creation_time|last_update_time|record_source)$/
    for (const row of table) {
      for (const column of Object.keys(row)) {
        if (own.test(column) && !/^(stage_id|pipeline_id|display_id|source_ref_id)$/.test(column))
          delete row[column]
      }
    }
    // a record that another one names is written first
    return {
      text,
      table: table.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    }
  }

  async function fill(org: TestOrganization) {
    const { member, manager } = org.users
    const big = await make(org, '/api/company/', {
      company_name: 'Zeta; "Holding"',
      domain: 'zeta.test',
      industry: 'financial_services',
      employee_range: '11_50',
      estimated_arr: 8.125,
      tags: ['a', 'b c', 'd, e'],
      description: '=1+1',
      category: 'n/a',
      address: { city: 'Zürich', zip_code: '08001' },
      company_owner: { email: member.email },
      custom_fields: { tier: 'gold' },
    })
    await make(org, '/api/company/', { company_name: 'Small', parent_company: big, category: '-' })
    const contact = await make(org, '/api/contact/', {
      full_name: 'Ada Lovelace',
      primary_email: 'ada@zeta.test',
      company: { domain: 'zeta.test' },
      lead_score: -1.125,
      do_not_contact: 'no',
      phone: '+49 30 1',
      last_activity_date: '2026-01-02T03:04:05.678Z',
    })
    await make(org, '/api/contact/', {
      full_name: 'Bob',
      primary_email: 'bob@x.test',
      reports_to: contact,
    })
    const account = await make(org, '/api/account/info/', {
      account_name: 'Zeta',
      company_id: big,
      customer: contact,
      tags: ['vip'],
      vertical: 'Banks',
      website_url: 'https://zeta.test/',
    })
    await make(org, '/api/account/info/', {
      account_name: 'Set',
      total_revenue: 12.345,
      health_score: 40,
    })
    const { body: pipelines } = await call(org, 'GET', '/api/pipelines/?page=1&items_per_page=5')
    const { stages } = pipelines[0]
    await make(org, '/api/project/info/', {
      project_name: 'Big deal',
      project_type: 'deal',
      account_id: account,
      company_id: big,
      stage_id: stages[1].stage_id,
      expected_deal_value: 8000,
      due_date: '2026-12-31',
      project_team: [{ email: member.email }, { email: manager.email }],
      customer: contact,
      custom_fields: { note: 'x;y' },
    })
    await make(org, '/api/project/info/', {
      project_name: 'Won',
      project_type: 'deal',
      stage_id: stages.find((s: any) => s.category === 'won').stage_id,
    })
    const project = await make(org, '/api/project/info/', {
      project_name: 'Rollout',
      account_id: account,
      start_date: '2026-01-05',
      due_date: '2026-06-30',
      status: 'in_progress',
      project_owner: { email: manager.email },
      revenue: 1234.56,
    })
    const milestones = `/api/project/info/${project}/milestones/`
    await make(org, milestones, { name: 'Kick-off', due_date: '2026-01-12', status: 'completed' })
    const live = await make(org, milestones, { name: 'Go live', owner: { email: member.email } })
    const task = await make(org, '/api/tasks/', {
      title: 'Prepare',
      project_id: project,
      milestone_id: live,
      due_date: '2026-02-03',
      owner: { email: member.email },
      users: [{ email: manager.email }],
      priority: 'high',
      tags: ['x', 'y'],
      status: 'in_progress',
    })
    await make(org, '/api/tasks/', { title: 'Below', parent_id: task })
    await make(org, '/api/tasks/', { title: 'Call', due_date: '2026-03-01' })
    await make(org, '/api/tasks/', { title: 'Call', due_date: '2026-03-01' })
    await make(org, '/api/tasks/', {
      title: 'Weekly',
      due_date: '2026-03-02',
      recurrence_pattern: 'FREQ=WEEKLY;BYDAY=MO',
    })
    await make(org, '/api/calendar/info/', {
      title: 'Review, "all"',
      start: '2026-05-04T09:00:00Z',
      end: '2026-05-04T10:30:00Z',
      location: 'Room; 1',
      project: project,
      calendar_id: 'review-1',
      attendees: [
        { type: 'user', id: member.user_id },
        { type: 'contact', id: contact, is_optional: true },
        { email: 'guest@out.test', name: 'Guest' },
      ],
      repeat: 'FREQ=WEEKLY',
      timezone: 'Europe/Zurich',
    })
    await make(org, '/api/tags/info/', {
      tag_name: 'vip',
      tag_type: 'tasks',
      tag_owner: { email: member.email },
    })
    await make(org, '/api/tags/info/', { tag_name: 'n/a', description: 'for none' })
    await call(org, 'POST', '/api/holidays/holinfo/', {
      country: 'CH',
      state: 'ZH',
      holidays: [
        { name: 'Sechseläuten', date: '2026-04-20' },
        { name: 'Bundesfeier', date: '2026-08-01', is_repeat_annually: true },
      ],
    })
  }

  const modules = [
    'companies',
    'contacts',
    'accounts',
    'deals',
    'projects',
    'milestones',
    'tasks',
    'meetings',
    'tags',
    'holidays',
  ]
  for (const module of modules) {
    test(`${module} are imported unchanged, in a new organization and in the same one`, async () => {
      const before = await exported(one, module)
      assert.ok(before.table.length >= 1)
      for (const on_duplicate of ['skip', 'update']) {
        const again = await bring(one, module, before.text, { on_duplicate })
        const last = await rows(
          service,
          sql`select changes from events where organization_id = ${one.id} and source = 'import' and raw_description->>'module' <> 'imports' order by id desc limit 1`,
        )
        assert.deepEqual(
          [
            again.status,
            again.created,
            again.updated,
            again.failed,
            again.cell_errors,
            again.warnings,
          ],
          ['completed', 0, 0, 0, 0, []],
          JSON.stringify([on_duplicate, again.errors, last]),
        )
        assert.equal((await exported(one, module)).text, before.text, on_duplicate)
      }
      const text = before.text.replaceAll(one.id, other.id)
      const fresh = await bring(other, module, text)
      assert.deepEqual(fresh.errors, [])
      assert.deepEqual((await exported(other, module)).table, before.table)
      const twice = await bring(other, module, text, { on_duplicate: 'update' })
      assert.deepEqual(
        [twice.created, twice.updated, twice.failed],
        [0, 0, 0],
        JSON.stringify(twice.errors),
      )
    })
  }

  for (const module of modules) {
    test(`every header of ${module} names a field that can be imported`, async () => {
      const { headers } = importables[module as ImportModule]
      const columns = Object.keys(headers)
      const csv = `${columns.join()}\n${columns.map(() => 'x').join()}\n`
      const { body } = await call(other, 'POST', '/api/imports/', { module, csv })
      assert.deepEqual(body.mapping, Object.fromEntries(columns.map((name) => [name, name])))
    })
  }

  test('a row that has an id and a name beside it belongs to the record of the id', async () => {
    await make(other, '/api/project/info/', { project_name: 'Twin' })
    const second = await make(other, '/api/project/info/', { project_name: 'Twin' })
    const csv = `title,project_id.project_name,project_id\nOf the second,Twin,${second}\n`
    const { errors, mapping } = await bring(other, 'tasks', csv)
    assert.deepEqual([errors, mapping.project_id], [[], 'project_id'])
    const found = await rows(
      service,
      sql`select project_id from tasks where organization_id = ${other.id} and title = 'Of the second'`,
    )
    assert.deepEqual(found, [{ project_id: second }])
  })

  test('nobody is mailed or notified of records that an import wrote', async () => {
    const found = await rows(
      service,
      sql`select name from asked_jobs where organization_id = ${other.id} and name <> 'import'`,
    )
    assert.deepEqual(found, [])
    const notifications = await rows(
      service,
      sql`select title from notifications where organization_id = ${other.id}`,
    )
    assert.ok(
      notifications.every(({ title }: any) => title.endsWith('yours now')),
      JSON.stringify(notifications),
    )
  })
})
