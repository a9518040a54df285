import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { atEnd } from '../../../test/support/finally.ts'
import { postForm } from '../../../test/support/integration.ts'
import type { Mailbox } from '../../../test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../test/support/mailbox.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { idOf, makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { healthDays } from '../../jobs/health-days.ts'
import type { InputName } from '../../model/health/inputs.ts'
import { inputNames, inputs, score as scoreOf } from '../../model/health/inputs.ts'

const day = 86_400_000
const iso = (ms: number) => new Date(Date.now() + ms).toISOString()
const dateOf = (ms: number) => iso(ms).slice(0, 10)
let count = 0
const fresh = (word: string) => `${word} ${(count += 1)}`

describe('health', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  let owner: pg.Client
  let shift = 0

  before(async () => {
    mailbox = await startMailbox()
    const now = () => new Date(Date.now() + shift)
    service = await startService({ smtpUrl: mailbox.url }, now, true)
    org = await makeOrganization(service)
    owner = new pg.Client({
      connectionString: service.runtime.database.url,
      options: '-c search_path=perennial,public -c app.organization=*',
    })
    await owner.connect()
    atEnd(() => owner.end())
  })

  type Role = keyof TestOrganization['users']
  const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
    service.call(method, path, { token: org.users[role].token, body })
  const make = async (path: string, body: object) => idOf(await call('POST', path, body))

  /** An account with a company, a contact of it, and a project. */
  async function world() {
    const company_id = await make('/api/company/', { company_name: fresh('Company') })
    const email = `carla${(count += 1)}@customer.test`
    const contact = await make('/api/contact/', {
      full_name: 'Carla Customer',
      primary_email: email,
      company: { company_id },
    })
    const account = await make('/api/account/info/', { name: fresh('Account'), company_id })
    const body = { project_name: fresh('Project'), account_id: account }
    const project = await make('/api/project/info/', body)
    return { company_id, email, contact, account, project }
  }

  async function read(account: string, role: Role = 'admin') {
    const { status, body, text } = await call(
      'GET',
      `/api/account/info/${account}/`,
      undefined,
      role,
    )
    assert.equal(status, 200, text)
    const its: { [name: string]: any } = {}
    for (const each of body.insight.health.inputs) its[each.input] = each
    assert.equal(body.insight.health.score, body.health_score)
    const taken = Object.values(its).reduce((sum, { points }) => sum + points, 0)
    assert.equal(body.health_score, Math.max(0, 100 - taken), 'the points explain the score')
    return { score: body.health_score as number, its, body }
  }

  const questions = [
    { id: 'score', type: 'nps', label: 'How likely?' },
    { id: 'happy', type: 'csat', label: 'How happy?' },
    { id: 'why', type: 'long-text', label: 'Why?' },
  ]
  async function survey(more: object = {}) {
    const form_structure = [{ id: 'p', title: 'One', fields: questions }]
    const name = fresh('Survey')
    const id = await make('/api/surveys/', { name, form_structure, status: 'published', ...more })
    return { id, name }
  }
  const answer = (id: string, answers: object, respondent_email?: string) =>
    make(`/api/surveys/${id}/fill/`, { answers, respondent_email })

  test('names every input with value, weight, points, since when and links', async () => {
    const { account } = await world()
    const { score, its } = await read(account)
    assert.equal(score, 100)
    assert.deepEqual(Object.keys(its), inputNames)
    for (const name of inputNames) {
      const { weight, points, unit } = its[name]
      assert.deepEqual([weight, points, unit], [inputs[name].weight, 0, inputs[name].unit])
    }
    assert.deepEqual([its.nps.value, its.csat.value, its.sentiment.value], [null, null, null])
    assert.equal(its.silence.value, 0)
    assert.ok(Date.parse(its.silence.since) > Date.now() - 60_000)
  })

  test('drops after the answer of a detractor, who may be found by e-mail', async () => {
    const { account, email, contact } = await world()
    const { id, name } = await survey()
    await answer(id, { score: 9, happy: 5 }, 'somebody@else.test')
    assert.equal((await read(account)).its.nps.value, null)
    await answer(id, { score: 10, happy: 5 }, email.toUpperCase())
    const fine = await read(account)
    assert.deepEqual([fine.score, fine.its.nps.value, fine.its.csat.value], [100, 100, 100])
    await answer(id, { score: 2, happy: 1, why: 'Terrible, and never helpful.' }, email)
    const { score, its, body } = await read(account)
    assert.equal(score, 100 - 30 - 20)
    assert.deepEqual([its.nps.value, its.nps.points], [-100, 30])
    assert.deepEqual([its.csat.value, its.csat.points], [0, 20])
    // what it says is rated by nothing, and the input says so
    assert.deepEqual([its.sentiment.value, its.sentiment.points], [null, 0])
    assert.match(its.sentiment.unit, /needs a model/)
    assert.deepEqual(its.nps.links, [{ type: 'survey', id, name }])
    assert.match(body.insight.health.reasons.join(), /net promoter score is -100/)
    const { last_activity_date } = (await call('GET', `/api/contact/${contact}/`)).body
    assert.ok(Date.parse(last_activity_date) > Date.now() - 60_000)
    // an answer to a survey that is deleted counts no more
    assert.equal((await call('DELETE', `/api/surveys/${id}/`)).status, 204)
    assert.equal((await read(account)).score, 100)
  })

  test('an account’s own survey is about that account alone', async () => {
    const [one, other] = [await world(), await world()]
    const { id } = await survey({ account_id: one.account })
    await answer(id, { score: 0 }, other.email)
    assert.equal((await read(one.account)).its.nps.value, -100)
    assert.equal((await read(other.account)).its.nps.value, null)
  })

  test('knows overdue work, risks and documents that wait, and whether they are done', async () => {
    const { account, project, email } = await world()
    const late = await make('/api/tasks/', {
      title: 'Late',
      project_id: project,
      due_date: dateOf(-3 * day),
    })
    const risk = await make('/api/tasks/', { title: 'Risk', project_id: project, is_risk: true })
    const document = await make('/api/documents/', { document_name: 'Order', account_id: account })
    const recipients = [{ name: 'Carla', email }]
    await make(`/api/documents/${document}/signature/request/`, { recipients })
    const { score, its } = await read(account)
    assert.equal(score, 100 - 5 - 5 - 5)
    assert.deepEqual(its.overdue_work.links, [{ type: 'task', id: late, name: 'Late' }])
    assert.equal(its.overdue_work.since.slice(0, 10), dateOf(-2 * day))
    assert.deepEqual(its.open_risks.links, [{ type: 'task', id: risk, name: 'Risk' }])
    assert.deepEqual(its.unsigned_documents.links, [
      { type: 'document', id: document, name: 'Order' },
    ])
    assert.ok(Date.parse(its.unsigned_documents.since) > Date.now() - 60_000)
    const path = new URL(linkIn(await mailbox.next(email))).pathname
    await postForm(service, path, { name: 'Carla', agree: 'yes', act: 'sign' })
    for (const task of [late, risk])
      await call('PUT', `/api/tasks/${task}/`, { is_completed: true })
    assert.equal((await read(account)).score, 100)
  })

  /** Everything about the account was so many days ago. */
  async function age({ account, project }: { account: string; project: string }, days: number) {
    const to = iso(-days * day)
    const of = 'where organization_id = $2 and id = $3'
    await owner.query(
      'update events set occurred_at = $1 where organization_id = $2 and reference_id in ($3, $4)',
      [to, org.id, account, project],
    )
    await owner.query(`update projects set last_update_time = $1 ${of}`, [to, org.id, project])
    await owner.query(`update accounts set creation_time = $1 ${of}`, [to, org.id, account])
  }

  async function silence(at: { account: string; project: string }) {
    await age(at, 100)
    const { account } = at
    const { score, its } = await read(account)
    assert.deepEqual([score, its.silence.points], [65, 35])
  }

  test('work is overdue by the day of the organization', async () => {
    // a zone in which it is another day than in UTC, at any time
    const isAhead = new Date().getUTCHours() >= 12
    const zone = isAhead ? 'Pacific/Kiritimati' : 'Etc/GMT+12'
    const settings = '/api/organization/settings/'
    await call('PUT', settings, { timezone: zone })
    const { account, project: project_id } = await world()
    const due_date = dateOf(isAhead ? 0 : -day)
    await make('/api/tasks/', { title: 'Due', project_id, due_date })
    const { its, body } = await read(account)
    assert.equal(its.overdue_work.value, isAhead ? 1 : 0)
    const project = await call('GET', `/api/project/info/${project_id}/`)
    assert.equal(project.body.insights.overdue_tasks, its.overdue_work.value)
    // as the dashboards compute it
    const widget = `/api/dashboards/widget/?widget_type=accounts_health&account_id=${account}`
    const { totals } = (await call('GET', widget)).body
    assert.equal(totals.average, body.health_score)
    await call('PUT', settings, { timezone: 'UTC' })
  })

  test('any activity ends the silence: answers, meetings, signatures, comments, mails', async () => {
    const acts: {
      [what: string]: (at: Awaited<ReturnType<typeof world>>) => Promise<unknown>
    } = {
      answer: async ({ email }) => answer((await survey()).id, { why: 'Fine' }, email),
      meeting: ({ contact }) =>
        make('/api/calendar/info/', {
          title: 'Call',
          start: iso(-2 * 3_600_000),
          end: iso(-3_600_000),
          attendees: [{ type: 'contact', id: contact }],
        }),
      'meeting of the project': ({ project }) =>
        make('/api/calendar/info/', {
          title: 'Call',
          start: iso(-3_600_000),
          end: iso(0),
          project: { project_id: project },
        }),
      signature: async ({ email, account }) => {
        const id = await make('/api/documents/', { document_name: 'NDA', account_id: account })
        const recipients = [{ name: 'Carla', email }]
        await make(`/api/documents/${id}/signature/request/`, { recipients })
        const path = new URL(linkIn(await mailbox.next(email))).pathname
        await postForm(service, path, { name: 'Carla', agree: 'yes', act: 'sign' })
      },
      'comment on the account': ({ account }) =>
        make('/api/interactions/info/', { module_id: 8, reference_id: account, content: 'Hello' }),
      'comment on a task': async ({ project }) => {
        const reference_id = await make('/api/tasks/', { title: 'T', project_id: project })
        await make('/api/interactions/info/', { module_id: 1, reference_id, content: 'Hello' })
      },
      mail: async ({ email }) =>
        make(`/api/surveys/${(await survey()).id}/send/`, { email_addresses: [email] }),
      'tracked mail': ({ email }) =>
        make('/api/activity/log/track/', { event: 'email_opened', recipient_email: email }),
    }
    for (const [what, act] of Object.entries(acts)) {
      const at = await world()
      await silence(at)
      await act(at)
      const { score, its } = await read(at.account)
      assert.deepEqual([what, its.silence.value, score], [what, 0, 100])
    }
  })

  test('a meeting counts once it begins, and not where it was cancelled or deleted', async () => {
    const at = await world()
    await silence(at)
    const attendees = [{ type: 'contact', id: at.contact }]
    const times = { start: iso(3_600_000), end: iso(7_200_000) }
    const id = await make('/api/calendar/info/', { title: 'Call', ...times, attendees })
    assert.equal((await read(at.account)).score, 65)
    const path = `/api/calendar/info/${id}/`
    await call('PUT', path, { start: iso(-7_200_000), end: iso(-3_600_000) })
    const { its } = await read(at.account)
    assert.deepEqual(its.silence.links, [{ type: 'meeting', id, name: 'Call' }])
    await call('PUT', path, { is_meeting_cancelled: true })
    assert.equal((await read(at.account)).score, 65)
    await call('PUT', path, { is_meeting_cancelled: false })
    assert.equal((await read(at.account)).score, 100)
    await call('DELETE', path)
    assert.equal((await read(at.account)).score, 65)
    await call('POST', `${path}restore/`)
    assert.equal((await read(at.account)).score, 100)
  })

  test('no input that becomes worse raises the score, whatever the weights', async () => {
    const worse: { [name in InputName]: (value: number) => { [column: string]: number } } = {
      overdue_work: (n) => ({ overdue: n }),
      silence: (n) => ({ quiet: 10 * n }),
      nps: (n) => ({ nps: 100 - 10 * n }),
      csat: (n) => ({ csat: 100 - 5 * n }),
      unsigned_documents: (n) => ({ unsigned: n }),
      open_risks: (n) => ({ risks: n }),
      sentiment: (n) => ({ sentiment: 1 - n / 10 }),
    }
    let seed = 7
    const random = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % (most + 1)
    const cases: { h: object; w: object; at: string }[] = []
    for (let i = 0; i < 40; i++) {
      const w = Object.fromEntries(inputNames.map((name) => [name, random(25)]))
      const others = Object.assign({}, ...inputNames.map((name) => worse[name](random(20))))
      for (const name of inputNames) {
        for (let n = 0; n <= 20; n++) {
          cases.push({ h: { ...others, ...worse[name](n) }, w, at: `${i} ${name}` })
        }
      }
    }
    const scores = await rows<{ at: string; score: number }>(
      service,
      sql`select c ->> 'at' as at, ${sql.raw(scoreOf)} as score
        from jsonb_array_elements(${JSON.stringify(cases)}::jsonb) with ordinality x (c, n)
        cross join lateral jsonb_to_record(c -> 'h') as h (overdue integer, quiet integer,
          nps integer, csat integer, unsigned integer, risks integer, sentiment numeric)
        cross join lateral jsonb_to_record(c -> 'w') as w (overdue_work integer, silence integer,
          nps integer, csat integer, unsigned_documents integer, open_risks integer,
          sentiment integer)
        order by x.n`,
    )
    assert.equal(scores.length, cases.length)
    scores.forEach(({ at, score }, i) => {
      assert.ok(score >= 0 && score <= 100)
      const before = scores[i - 1]
      if (before?.at === at) assert.ok(score <= before.score, `${at}: ${before.score} → ${score}`)
    })
    assert.ok(new Set(scores.map(({ score }) => score)).size > 20)
  })

  test('weights are the organization’s, admins change them, and they hold at once', async () => {
    const path = '/api/organization/settings/health-weights/'
    const { account, email } = await world()
    await answer((await survey()).id, { score: 0 }, email)
    assert.equal((await read(account)).score, 70)
    assert.equal((await call('PUT', path, { nps: 10 }, 'manager')).status, 403)
    for (const role of ['customer', 'partner'] as const) {
      assert.equal((await call('GET', path, undefined, role)).status, 403)
    }
    for (const wrong of [{ nps: 101 }, { nps: -1 }, { nps: 1.5 }, { npss: 1 }, { nps: '5' }]) {
      const reply = await call('PUT', path, wrong)
      assert.deepEqual([wrong, reply.status], [wrong, 400])
      assert.equal(reply.body.errors[0].field, Object.keys(wrong)[0])
    }
    const changed = await call('PUT', path, { nps: 60, silence: 0 })
    assert.deepEqual([changed.body.nps, changed.body.silence, changed.body.csat], [60, 0, 20])
    assert.deepEqual((await call('GET', path, undefined, 'member')).body, changed.body)
    assert.equal((await read(account)).score, 40)
    const list = await call('GET', '/api/account/info/?sort=health_score&items_per_page=500')
    const filter = encodeURIComponent('[{"field":"health_score","operator":"lte","value":40}]')
    const low = (await call('GET', `/api/account/info/?filter=${filter}`)).body
    assert.ok(low.some(({ account_id }: any) => account_id === account))
    const scores = list.body.map((each: any) => each.health_score)
    assert.deepEqual(
      scores,
      scores.toSorted((a: number, b: number) => a - b),
    )
    const logged = await call('GET', '/api/activity/log/?module_id=8&items_per_page=5')
    assert.equal(logged.body[0].title, 'Weights of health changed')
    await call('PUT', path, { nps: 30, silence: 35 })
    assert.equal((await read(account)).score, 70)
  })

  test('is measured anew with new weights, in their organization alone', async () => {
    const path = '/api/organization/settings/health-weights/'
    const { account } = await world()
    const other = await makeOrganization(service)
    const stored = (organization: string) =>
      rows(
        service,
        sql`select account_id from account_health_days where organization_id = ${organization}`,
      )
    const token = other.users.admin.token
    const theirs = await service.call('POST', '/api/account/info/', {
      token,
      body: { account_name: 'Elsewhere' },
    })
    assert.equal(theirs.status, 201, theirs.text)
    await call('PUT', path, { sentiment: 16 })
    await until(async () => (await stored(org.id)).some(({ account_id }) => account_id === account))
    assert.deepEqual(await stored(other.id), [])
    await call('PUT', path, { sentiment: 15 })
  })

  test('is known of each day, with its trend and what lowered it', async () => {
    const { account, project, email } = await world()
    const path = `/api/account/info/${account}/health/`
    const none = (await call('GET', path)).body
    assert.deepEqual([none.trend, none.against, none.change], ['unknown', null, null])
    assert.deepEqual(none.history, [{ date: dateOf(0), score: 100 }])
    for (const ago of [3, 2]) {
      shift = -ago * day
      await healthDays(service.runtime)
    }
    shift = 0
    await answer((await survey()).id, { score: 3 }, email)
    await make('/api/tasks/', { title: 'Late', project_id: project, due_date: dateOf(-2 * day) })
    shift = -day
    await healthDays(service.runtime)
    // a second look on the same day changes nothing but what became another
    await healthDays(service.runtime)
    shift = 0
    await make('/api/tasks/', { title: 'Later', project_id: project, due_date: dateOf(-day) })
    const { body } = await call('GET', `${path}?against=${dateOf(-2 * day)}`)
    assert.deepEqual(
      body.history,
      [100, 100, 65, 60].map((score, i) => ({ date: dateOf((i - 3) * day), score })),
    )
    assert.deepEqual([body.score, body.band, body.trend], [60, 'at_risk', 'falling'])
    assert.deepEqual(body.against, { date: dateOf(-2 * day), score: 100 })
    assert.equal(body.change, -40)
    assert.deepEqual(
      body.changes.map((each: any) => [each.input, each.change, each.from.value, each.to.value]),
      [
        ['nps', -30, null, -100],
        ['overdue_work', -10, 0, 2],
      ],
    )
    const past = await call('GET', `${path}?to=${dateOf(-2 * day)}&from=${dateOf(-3 * day)}`)
    assert.equal(past.body.history.length, 2)
    for (const [query, field] of [
      [`to=${dateOf(2 * day)}`, 'to'],
      [`from=${dateOf(day)}`, 'from'],
      ['from=2001-01-01', 'from'],
      [`against=${dateOf(2 * day)}`, 'against'],
      ['from=yesterday', 'from'],
    ]) {
      const reply = await call('GET', `${path}?${query}`)
      assert.deepEqual([query, reply.status], [query, 400])
      assert.equal(reply.body.errors[0].field, field)
    }
    // the widget compares with the period before
    await age({ account, project }, 10)
    const widget = await call(
      'GET',
      '/api/dashboards/widget/?widget_type=accounts_health&time_filter=2_days',
    )
    assert.equal(widget.status, 200, widget.text)
    const { totals } = widget.body.previous
    assert.ok(totals.average > 0 && totals.healthy > 0, widget.text)
  })

  test('shows no more than the reader may read', async () => {
    const { account, project, email } = await world()
    await answer((await survey()).id, { score: 3 }, email)
    await make('/api/tasks/', { title: 'Late', project_id: project, due_date: dateOf(-2 * day) })
    shift = -day
    await healthDays(service.runtime)
    shift = 0
    const all = { create: 'all', read: 'all', update: 'all', delete: 'all' }
    const none = { create: 'none', read: 'none', update: 'none', delete: 'none' }
    const permission = { accounts: all, projects: all, deals: all, tasks: all, surveys: none }
    const role_name = fresh('Blind')
    const role = await call('POST', '/api/users/role/', { role_name, permission })
    assert.equal(role.status, 201, role.text)
    await call('PUT', `/api/users/profile/${org.users.manager.user_id}/`, {
      role_id: role.body.role_id,
    })
    const { score, its } = await read(account, 'manager')
    assert.deepEqual([score, its.nps.value, its.nps.links], [95, null, []])
    const path = `/api/account/info/${account}/health/?against=${dateOf(-day)}`
    const { body } = await call('GET', path, undefined, 'manager')
    assert.deepEqual(body.against, { date: dateOf(-day), score: 95 })
    assert.equal((await read(account)).score, 65)
    const hidden = {
      title: 'Hidden',
      project_id: project,
      due_date: dateOf(-day),
      is_private: true,
    }
    await make('/api/tasks/', hidden)
    assert.equal((await read(account)).its.overdue_work.value, 2)
    assert.equal((await read(account, 'member')).its.overdue_work.value, 1)
    assert.equal((await call('GET', path, undefined, 'customer')).status, 404)
  })
})
