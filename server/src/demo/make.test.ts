import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { freshFolder } from '../../test/support/program.ts'
import { type TestService, rows, sql, startService } from '../../test/support/service.ts'
import { type Demo, readDemos, writeDemos } from './credentials.ts'
import { makeDemo } from './make.ts'

/** How many of each list the people of a role see at least; 0 is none at all. */
const promises: { [role: string]: { [list: string]: number } } = {
  admin: {
    companies: 90,
    contacts: 150,
    accounts: 15,
    deals: 18,
    projects: 4,
    log: 500,
    unread: 1,
  },
  manager: { accounts: 15, deals: 18, projects: 4, tasks: 55, meetings: 12, unread: 1 },
  member: {
    companies: 90,
    deals: 18,
    tasks: 55,
    documents: 7,
    dashboards: 4,
    filters: 2,
    unread: 1,
  },
  observer: {
    accounts: 4,
    deals: 1,
    projects: 4,
    tasks: 40,
    documents: 3,
    dashboards: 1,
    unread: 1,
  },
  customer: { accounts: 1, deals: 0, projects: 1, tasks: 8, documents: 1, surveys: 1, unread: 1 },
  partner: { accounts: 1, deals: 0, projects: 1, tasks: 8, documents: 2, surveys: 0, unread: 1 },
}

const lists: { [list: string]: string } = {
  companies: '/api/company/?page=1&items_per_page=500',
  contacts: '/api/contact/?page=1&items_per_page=500',
  accounts: '/api/account/info/?items_per_page=500',
  deals: '/api/project/info/?project_type=deal&page=1&items_per_page=500',
  projects: '/api/project/info/?project_type=project&page=1&items_per_page=500',
  tasks: '/api/tasks/?items_per_page=500',
  documents: '/api/documents/?items_per_page=500',
  meetings: '/api/calendar/info/?items_per_page=500',
  surveys: '/api/surveys/',
  dashboards: '/api/dashboards/info/',
  filters: '/api/filters/filter/',
  notifications: '/api/notifyhub/notify-info/?page=1&items_per_page=500',
  unread: '/api/notifyhub/notify-info/?page=1&items_per_page=500&read=false',
  log: '/api/activity/log/?items_per_page=500',
}

describe('a demonstration', () => {
  let service: TestService
  let demo: Demo
  const tokens = new Map<string, string>()

  before(async () => {
    service = await startService()
    // a folder that nobody has made yet
    const folder = join(freshFolder(), 'data')
    const made = await makeDemo(service.runtime, {
      keep: (fresh) => writeDemos(folder, { url: null, demos: [fresh] }),
    })
    demo = made!
    assert.equal(readDemos(folder).demos[0]!.organization_id, demo.organization_id)
    for (const { email } of demo.people) {
      const body = { email, password: demo.password }
      const reply = await service.call('POST', '/api/login/', { body })
      tokens.set(email, reply.body.access_token)
    }
  })

  const read = async (role: string, path: string) => {
    const { email } = demo.people.find((person) => person.role === role)!
    const reply = await service.call('GET', path, { token: tokens.get(email) })
    assert.equal(reply.status, 200, `${role} ${path}: ${reply.text}`)
    return reply.body.results ?? reply.body
  }
  const of = (list: any[], name: string, word: string) =>
    list.find((each) => String(each[name]).includes(word)) ?? assert.fail(`there is no ${word}`)

  test('everybody who signs in sees relevant records, and customers no deals', async () => {
    for (const { email, role } of demo.people) {
      for (const [list, least] of Object.entries(promises[role]!)) {
        const reply = await service.call('GET', lists[list]!, { token: tokens.get(email) })
        assert.equal(reply.status, 200, `${role} ${list}: ${reply.text}`)
        const { length } = reply.body.results ?? reply.body
        assert.ok(least ? length >= least : length === 0, `${email}, ${role}: ${length} ${list}`)
      }
    }
  })

  test('customers and the partner read the shared plan, talk about it, and have work to do', async () => {
    for (const role of ['customer', 'partner']) {
      const [project] = await read(role, lists.projects!)
      const thread = `/api/interactions/info/?module_name=projects&reference_id=${project.project_id}`
      const talk = JSON.stringify(await read(role, thread))
      assert.ok(talk.length > 100)
      assert.ok(!/finance wants|promise figures|detractor/.test(talk), `${role}: ${talk}`)
      assert.ok((await read(role, lists.meetings!)).length >= 2)
    }
    const tasks = await read('customer', lists.tasks!)
    const me = demo.people.find(({ role }) => role === 'customer')!
    assert.ok(tasks.some((task: any) => task.owner?.email === me.email && !task.is_completed))
  })

  test('one project is on time, one late, one done and one just begun', async () => {
    const projects = await read('admin', lists.projects!)
    const tasks = await read('admin', lists.tasks!)
    const today = new Date().toISOString().slice(0, 10)
    const state = (word: string) => {
      const { project_id, status } = of(projects, 'project_name', word)
      const its = tasks.filter((task: any) => task.project_id === project_id)
      const open = its.filter((task: any) => !task.is_completed)
      const overdue = open.filter((task: any) => task.due_date < today)
      return { status: status.status_key, done: its.length - open.length, late: overdue.length }
    }
    assert.deepEqual(state('Clairval'), { status: 'completed', done: 12, late: 0 })
    const onTime = state('Feldkirchner')
    assert.ok(onTime.late === 0 && onTime.done >= 9, JSON.stringify(onTime))
    const late = state('Nørrevang')
    assert.ok(late.late >= 5 && late.status === 'in_progress', JSON.stringify(late))
    assert.deepEqual(state('Olmeda'), { status: 'in_progress', done: 1, late: 0 })
  })

  test('deals are in every stage, lost ones say why and open ones when', async () => {
    const deals = await read('admin', lists.deals!)
    const by = (category: string) =>
      deals.filter((each: any) => each.current_pipe_stage.category === category)
    assert.ok(by('won').length >= 10 && by('open').length >= 5 && by('lost').length === 2)
    assert.ok(new Set(deals.map((each: any) => each.stage_id)).size >= 5)
    assert.deepEqual(
      by('lost')
        .map((each: any) => each.lost_reason)
        .toSorted(),
      ['competitor', 'price'],
    )
    const today = new Date().toISOString().slice(0, 10)
    for (const { forecasted_date, project_name } of by('open')) {
      assert.ok(forecasted_date > today, `${project_name} is forecast for ${forecasted_date}`)
    }
  })

  test('signatures are pending, partial, declined and signed, with a sealed PDF', async () => {
    const documents = await read('admin', lists.documents!)
    const states = new Set(documents.map((each: any) => each.signature_status))
    assert.deepEqual([...states].toSorted(), ['declined', 'none', 'partial', 'pending', 'signed'])
    assert.deepEqual([...new Set(documents.map((each: any) => each.document_status))].toSorted(), [
      'draft',
      'published',
    ])
    const sealed = documents.find((each: any) => each.is_signed_version)
    const token = tokens.get(demo.email)
    const file = await service.call('GET', `/api/documents/${sealed.id}/file/`, { token })
    assert.equal(file.status, 200)
    assert.match(file.text, /^%PDF-/)
  })

  test('the survey has promoters, passives and detractors over weeks, who say why', async () => {
    const { survey_id } = of(await read('admin', lists.surveys!), 'name', 'onboarding')
    const path = `/api/surveys/${survey_id}/responses/?items_per_page=100`
    const responses = await read('admin', path)
    const scores = responses.map((each: any) => each.answers.nps)
    assert.ok(scores.length >= 12)
    assert.ok(scores.filter((nps: number) => nps >= 9).length >= 4)
    assert.ok(scores.filter((nps: number) => nps === 7 || nps === 8).length >= 2)
    assert.ok(scores.filter((nps: number) => nps <= 6).length >= 3)
    assert.ok(responses.filter((each: any) => each.answers.why).length >= 6)
    const times = responses.map((each: any) => Date.parse(each.creation_time))
    assert.ok(Math.max(...times) - Math.min(...times) > 30 * day)
  })

  test('people accepted and declined meetings of the past and of days to come', async () => {
    const meetings = await read('admin', lists.meetings!)
    const now = new Date().toISOString()
    assert.ok(meetings.filter((each: any) => each.end < now).length >= 4)
    assert.ok(meetings.filter((each: any) => each.start > now).length >= 4)
    const responses = meetings.flatMap((each: any) =>
      each.attendees.map((one: any) => one.response),
    )
    for (const response of ['accepted', 'declined', 'tentative', 'needs_action']) {
      assert.ok(responses.includes(response), response)
    }
    for (const each of meetings.filter((one: any) => one.end < now)) {
      assert.ok(each.creation_time < each.start, `${each.title} was planned after it began`)
    }
  })

  test('health has a history of weeks, and says why it dropped', async () => {
    const accounts = await read('admin', lists.accounts!)
    const late = of(accounts, 'account_name', 'Nørrevang').account_id
    const report = await read('admin', `/api/account/info/${late}/health/`)
    assert.ok(report.history.length >= 8, JSON.stringify(report))
    const dropped = report.changes.map((each: any) => each.input)
    assert.ok(dropped.includes('nps'), JSON.stringify(report.changes))
    assert.ok(report.history[0].score > report.score + 20)
    const good = of(accounts, 'account_name', 'Clairval').account_id
    const well = await read('admin', `/api/account/info/${good}/health/`)
    assert.ok(well.score > report.score + 20, `${well.score} and ${report.score}`)
  })

  test('the widgets of the dashboards show something', async () => {
    const shown = await read('admin', lists.dashboards!)
    const types = new Set<string>(
      shown.flatMap((each: any) => each.widgets.map((one: any) => one.widget_type)),
    )
    for (const type of types) {
      const widget = await read(
        'admin',
        `/api/dashboards/widget/?widget_type=${type}&time_filter=90_days`,
      )
      assert.match(JSON.stringify(widget), /:\s*[1-9]/, `${type}: ${JSON.stringify(widget)}`)
    }
    assert.ok(types.size >= 12)
  })

  test('nothing has happened that is still to come, and not all of it at one time', async () => {
    const mine = sql`t.organization_id = ${demo.organization_id}`
    const [log] = await rows(
      service,
      sql`select count(distinct date_trunc('day', occurred_at))::integer as days,
          count(*) filter (where occurred_at > now())::integer as ahead,
          max(each)::integer as most
        from (select t.*, count(*) over (partition by date_trunc('minute', occurred_at)) as each
          from events t where ${mine}) t`,
    )
    assert.ok(log.days > 80 && log.ahead === 0, JSON.stringify(log))
    const columns = await rows<{ table: string; column: string }>(
      service,
      sql`select table_name as table, column_name as column from information_schema.columns c
        where table_schema = current_schema() and data_type like 'timestamp%'
          and column_name in ('creation_time', 'last_update_time', 'completed_at', 'closed_at',
            'acted_at', 'finished_at', 'published_at', 'signed_at', 'sent_at')
          and exists (select from information_schema.columns o where o.table_schema = c.table_schema
            and o.table_name = c.table_name and o.column_name = 'organization_id')`,
    )
    assert.ok(columns.length > 40, `${columns.length} columns`)
    for (const { table, column } of columns) {
      const [found] = await rows(
        service,
        sql`select count(*)::integer as ahead from ${sql.table(table)} t
          where ${mine} and ${sql.ref(column)} > now()`,
      )
      assert.equal(found.ahead, 0, `${table}.${column}`)
    }
  })

  test('no mail and no delivery of the past is waiting to be sent', async () => {
    const [waiting] = await rows(
      service,
      sql`select count(*)::integer as jobs from asked_jobs t
        where t.organization_id = ${demo.organization_id}`,
    )
    assert.equal(waiting.jobs, 0)
  })
})

test('the story is carried out on a Sunday, too', async () => {
  const { runtime } = await startService()
  const monday = Date.parse('2026-06-01T07:00:00Z')
  for (const days of [6]) {
    const now = () => new Date(monday + days * day)
    const later = Object.create(runtime, { now: { value: now } }) as typeof runtime
    const made = await makeDemo(later, { keep() {} })
    assert.ok(made!.made.projects === 4, now().toISOString())
  }
})

const day = 86_400_000
