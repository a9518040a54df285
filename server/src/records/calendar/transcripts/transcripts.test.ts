import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import type { AddressInfo } from 'node:net'
import { housekeeping } from '../../../jobs/housekeeping.ts'
import type { Mailbox } from '../../../../test/support/mailbox.ts'
import { startMailbox } from '../../../../test/support/mailbox.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import {
  idOf,
  makeOrganization,
  rows,
  sql,
  startService,
} from '../../../../test/support/service.ts'
import { until } from '../../../../test/support/until.ts'
import { newId } from '../../../kit/ground/ids.ts'

type Role = keyof TestOrganization['users']

const said = `WEBVTT

1
00:00:03.000 --> 00:00:09.000
<v Ada Admin>Good morning, can you all hear me?</v>

2
00:18:02.000 --> 00:18:08.000
<v Guest Doe>We agreed that Lyon goes live with eleven clinics.</v>

3
00:23:15.000 --> 00:23:20.000
<v Ada Admin>I will send the signed contract by Friday.</v>

4
00:31:50.000 --> 00:31:55.000
<v Guest Doe>I can prepare the training plan for the night shift by December 4.</v>

5
00:44:31.000 --> 00:44:36.000
<v Ada Admin>Somebody should check the price for two more clinics.</v>
`

describe('the transcript of a meeting', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  let manager: string

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
    const [found] = await rows(
      service,
      sql`select full_name from users where organization_id = ${org.id} and id = ${org.users.manager.user_id}`,
    )
    manager = found.full_name
  })

  const call = (method: string, path: string, body?: object, role: Role = 'admin') =>
    service.call(method, path, { token: org.users[role].token, body })

  async function meet(more: object = {}, role: Role = 'manager') {
    const calendar_id = newId()
    const body = {
      calendar_id,
      title: 'Steering',
      start: '2026-11-25T09:00:00Z',
      end: '2026-11-25T10:00:00Z',
      attendees: [
        { type: 'user', id: org.users.manager.user_id },
        { type: 'external', email: 'doe@acme.test', name: 'Guest Doe' },
      ],
      ...more,
    }
    const reply = await call('POST', '/api/calendar/info/', body, role)
    assert.equal(reply.status, 201, reply.text)
    return calendar_id
  }
  const speaking = (name: string) => said.replaceAll('Ada Admin', name)
  const add = async (id: string, role: Role = 'manager', body: object = {}) => {
    return call(
      'POST',
      `/api/calendar/${id}/transcript/`,
      { text: speaking(manager), ...body },
      role,
    )
  }

  test('is read for decisions and tasks, with owners, dates and the words', async () => {
    const id = await meet()
    const reply = await add(id)
    assert.equal(reply.status, 201, reply.text)
    const { body } = reply
    assert.deepEqual(
      [body.format, body.language, body.source, body.model, body.seconds, body.is_model_asked],
      ['vtt', 'en', 'rules', null, 2671, false],
    )
    assert.deepEqual(body.decisions, [
      {
        text: 'We agreed that Lyon goes live with eleven clinics.',
        at: 1082,
        speaker: 'Guest Doe',
      },
    ])
    const items = body.suggested_items.map((item: any) => [
      item.title,
      item.owner?.user_id ?? item.owner?.name ?? null,
      item.due_date,
      item.at,
      item.task_id,
      item.duplicate_of,
    ])
    assert.deepEqual(items, [
      ['Send the signed contract', org.users.manager.user_id, '2026-11-27', 1395, null, null],
      [
        'Prepare the training plan for the night shift',
        'Guest Doe',
        '2026-12-04',
        1910,
        null,
        null,
      ],
      ['Check the price for two more clinics', null, null, 2671, null, null],
    ])
    assert.equal(body.lines.length, 5)
    assert.equal(body.speakers.length, 2)
    const read = await call('GET', `/api/calendar/${id}/transcript/`, undefined, 'manager')
    assert.deepEqual(read.body, body)
    const insight = await call('GET', `/api/calendar/insight/${body.meeting_insight_id}/`)
    assert.equal(insight.body.summary, body.summary)
    assert.ok(body.summary.includes('eleven clinics'), body.summary)
  })

  test('is for those who were there and administrators, as is what was read out of it', async () => {
    const id = await meet()
    const { meeting_insight_id: insight } = (await add(id)).body
    const at = `/api/calendar/${id}/transcript/`
    const readers: [Role, number, number][] = [
      ['manager', 200, 200],
      ['admin', 200, 200],
      ['member', 403, 404],
    ]
    for (const [role, whole, derived] of readers) {
      assert.equal((await call('GET', at, undefined, role)).status, whole, role)
      const read = await call('GET', `/api/calendar/insight/${insight}/`, undefined, role)
      assert.equal(read.status, derived, role)
      const { body } = await call('GET', '/api/calendar/insight/', undefined, role)
      const ids = body.map((each: any) => each.meeting_insight_id)
      assert.equal(ids.includes(insight), derived === 200, role)
    }
    assert.equal((await add(id, 'member')).status, 403)
    const draft = `/api/calendar/insight/email/draft/?meeting_insight_id=${insight}`
    assert.equal((await call('GET', draft, undefined, 'member')).status, 404)
    const accept = { items: [{ item_id: 'x' }] }
    const refused = await call('POST', `/api/calendar/insight/${insight}/accept/`, accept, 'member')
    assert.equal(refused.status, 404)
    const other = await makeOrganization(service)
    const foreign = await service.call('GET', at, { token: other.users.admin.token })
    assert.equal(foreign.status, 404)
  })

  test('becomes tasks in one act, which one undo takes back', async () => {
    const project = await call('POST', '/api/project/info/', { project_name: 'Clairval' })
    const project_id = idOf(project)
    await call('POST', '/api/tasks/', { title: 'check the PRICE for two more clinics', project_id })
    const id = await meet({ project: project_id }, 'admin')
    const { body } = await add(id, 'admin')
    const [first, second, third] = body.suggested_items
    assert.equal(third.duplicate_of.title, 'check the PRICE for two more clinics')
    assert.equal(first.duplicate_of, null)
    const at = `/api/calendar/insight/${body.meeting_insight_id}/accept/`
    const changed = { item_id: second.item_id, title: 'Plan the training', due_date: null }
    const made = await call('POST', at, { items: [first, { ...changed, is_shared: true }] })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.tasks.length, 2)
    const read = async (task: string) => (await call('GET', `/api/tasks/${task}/`)).body
    const [one, two] = await Promise.all(made.body.tasks.map((task: any) => read(task.task_id)))
    assert.deepEqual(
      [one.title, one.owner.user_id, one.due_date, one.project_id, one.calendar_id],
      ['Send the signed contract', org.users.manager.user_id, '2026-11-27', project_id, id],
    )
    assert.deepEqual(
      [two.title, two.owner, two.due_date, two.is_shared, two.meeting_summary_id],
      ['Plan the training', null, null, true, body.meeting_insight_id],
    )
    const again = await call('POST', at, { items: [first] })
    assert.equal(again.status, 409)
    const after = await call('GET', `/api/calendar/${id}/transcript/`)
    assert.deepEqual(
      after.body.suggested_items.map(({ task_id }: any) => task_id),
      [...made.body.tasks.map(({ task_id }: any) => task_id), null],
    )
    const undone = await call('POST', `/api/bulk/${made.body.act_id}/undo/`)
    assert.equal(undone.body.updated, 2, undone.text)
    const left = await rows(
      service,
      sql`select title from tasks where organization_id = ${org.id} and project_id = ${project_id}
        and deleted_at is null`,
    )
    assert.deepEqual(
      left.map(({ title }) => title),
      ['check the PRICE for two more clinics'],
    )
    const back = await call('GET', `/api/calendar/${id}/transcript/`)
    assert.ok(back.body.suggested_items.every(({ task_id }: any) => task_id === null))
  })

  test('makes all of the tasks or none, and names what is wrong', async () => {
    const id = await meet()
    const { body } = await add(id)
    const [first] = body.suggested_items
    const at = `/api/calendar/insight/${body.meeting_insight_id}/accept/`
    const refused = async (items: object[]) => {
      const reply = await call('POST', at, { items }, 'manager')
      return `${reply.status} ${reply.body.errors?.[0]?.field}`
    }
    const one = { item_id: first.item_id }
    assert.equal(await refused([one, { item_id: 'nobody' }]), '400 items.1.item_id')
    assert.equal(await refused([{ ...one, owner: 'nobody' }]), '400 items.0.owner')
    assert.equal(await refused([{ ...one, title: ' ' }]), '400 items.0.title')
    assert.equal(await refused([{ ...one, due_date: 'soon' }]), '400 items.0.due_date')
    assert.equal(await refused([]), '400 items')
    const tasks = await rows(
      service,
      sql`select id from tasks where organization_id = ${org.id} and calendar_id = ${id}`,
    )
    assert.equal(tasks.length, 0)
    const empty = await add(id, 'manager', { text: 'WEBVTT\n\n' })
    assert.equal(empty.body.errors[0].field, 'text')
    const long = await add(id, 'manager', { keep_days: 366 })
    assert.equal(long.body.errors[0].field, 'keep_days')
  })

  test('is replaced by a later one, and removed on request', async () => {
    const id = await meet()
    const before = (await add(id)).body
    const text = 'Ada: We decided to wait for the new release of the portal.\nBob: I see.'
    const { body } = await add(id, 'manager', { text })
    assert.equal(body.meeting_insight_id, before.meeting_insight_id)
    assert.deepEqual([body.format, body.lines.length, body.suggested_items.length], ['text', 2, 0])
    assert.match(body.summary, /new release/)
    // a summary that a person wrote stays
    const by_hand = { summary: 'Written by hand.' }
    const insight = `/api/calendar/insight/${body.meeting_insight_id}/`
    assert.equal((await call('PATCH', insight, by_hand, 'manager')).status, 200)
    assert.equal((await add(id)).body.summary, by_hand.summary)
    const at = `/api/calendar/${id}/transcript/`
    assert.equal((await call('DELETE', at, undefined, 'member')).status, 403)
    assert.equal((await call('DELETE', at, undefined, 'manager')).status, 204)
    assert.equal((await call('GET', at, undefined, 'manager')).body, null)
  })

  test('is mailed as drafted, to those who were invited', async () => {
    const id = await meet()
    const { body } = await add(id)
    const [first] = body.suggested_items
    const at = '/api/calendar/insight/email/draft/'
    const query = `meeting_insight_id=${body.meeting_insight_id}&items=${first.item_id}&language=fr`
    const draft = await call('GET', `${at}?${query}`, undefined, 'manager')
    assert.equal(draft.status, 200, draft.text)
    assert.equal(draft.body.language, 'fr')
    assert.ok(draft.body.text.includes('Send the signed contract, 27 novembre'), draft.body.text)
    assert.ok(draft.body.text.includes('eleven clinics'), draft.body.text)
    assert.ok(!draft.body.text.includes('price'), draft.body.text)
    assert.ok(draft.body.to.some(({ address }: any) => address === 'doe@acme.test'))
    const mail = {
      meeting_insight_id: body.meeting_insight_id,
      calendar_id: id,
      subject: draft.body.subject,
      text: draft.body.text,
      language: 'fr',
    }
    const stranger = { ...mail, to: ['doe@acme.test', 'other@acme.test'] }
    const refused = await call('POST', '/api/calendar/insight/email/', stranger, 'manager')
    assert.equal(refused.body.errors[0].field, 'to.1')
    const only = { ...mail, to: ['DOE@acme.test'] }
    const sent = await call('POST', '/api/calendar/insight/email/', only, 'manager')
    assert.deepEqual(sent.body, { status: 'success', sent: 1 })
    for (;;) {
      const received = await mailbox.next('doe@acme.test')
      if (received.subject !== draft.body.subject) continue
      assert.ok(received.text?.includes('27 novembre'), received.text)
      break
    }
  })

  test('is not for those whom a colleague, or who themselves, invited when it was over', async () => {
    // who may change meetings of others, and administers no roles
    const role = `/api/users/role/${org.roles.member}/`
    const change = (update: string) => call('PUT', role, { permission: { calendar: { update } } })
    assert.equal((await change('all')).status, 200)
    const past = { start: '2020-03-02T09:00:00Z', end: '2020-03-02T10:00:00Z', attendees: [] }
    const me = { type: 'user', id: org.users.member.user_id }
    const patch = (id: string, body: object, role: Role) =>
      call('PATCH', `/api/calendar/info/${id}/`, body, role)
    const statuses = async (id: string, insight: string) => {
      const whole = await call('GET', `/api/calendar/${id}/transcript/`, undefined, 'member')
      const at = `/api/calendar/insight/${insight}/`
      return [whole.status, (await call('GET', at, undefined, 'member')).status]
    }
    const id = await meet(past, 'admin')
    const { meeting_insight_id: insight } = (await add(id, 'admin')).body
    assert.equal((await patch(id, { attendees: [me] }, 'member')).status, 200)
    assert.deepEqual(await statuses(id, insight), [403, 404])
    // it goes on to be so whatever else changes
    const later = { start: `${new Date().getUTCFullYear() + 1}-03-02T09:00:00Z` }
    const moved = { ...later, end: later.start.replace('T09', 'T10') }
    assert.equal((await patch(id, { ...moved, title: 'Later' }, 'member')).status, 200)
    await patch(id, { attendees: [] }, 'member')
    await patch(id, { attendees: [me] }, 'member')
    assert.deepEqual(await statuses(id, insight), [403, 404])
    // who organizes it may invite them all the same
    await patch(id, { attendees: [] }, 'admin')
    await patch(id, { attendees: [me] }, 'admin')
    assert.deepEqual(await statuses(id, insight), [200, 200])
    // and whoever was invited before it took place was there
    const ahead = await meet({ ...moved, attendees: [] }, 'admin')
    assert.equal((await patch(ahead, { users: [me.id] }, 'member')).status, 200)
    const { body } = await add(ahead, 'admin')
    assert.deepEqual(await statuses(ahead, body.meeting_insight_id), [200, 200])
    await change('team')
  })

  test('names nobody who was erased, after they were deleted, and however many speak', async () => {
    const name = `Zora Quillfeather ${newId()}`
    const contact = idOf(await call('POST', '/api/contact/', { full_name: name }))
    const id = await meet({ attendees: [{ type: 'contact', id: contact }] }, 'admin')
    const text = Array.from({ length: 1500 }, (_, n) => `A${n}: I see.`)
    text.push('Zora: I will send the signed contract by Friday.')
    assert.equal((await add(id, 'admin', { text: text.join('\n') })).status, 201)
    assert.equal((await call('DELETE', `/api/contact/${contact}/`)).status, 204)
    const begun = await call('POST', '/api/organization/personal-data/erase/', {
      contact_id: contact,
      confirm: name,
    })
    assert.ok(begun.body.request_id, begun.text)
    const at = `/api/organization/personal-data/${begun.body.request_id}/`
    await until(async () => (await call('GET', at)).body.status === 'completed')
    const { body } = await call('GET', `/api/calendar/${id}/transcript/`)
    assert.equal(body.lines.length, 1501)
    assert.doesNotMatch(JSON.stringify(body), /zora/i)
  })

  test('gives a mail nothing for another insight of the same meeting', async () => {
    const id = await meet()
    const { body } = await add(id)
    const other = await call(
      'POST',
      '/api/calendar/insight/',
      { meeting_insight_id: newId(), calendar_id: id, summary: 'Written by hand' },
      'manager',
    )
    const items = body.suggested_items.map(({ item_id }: any) => item_id).join(',')
    const query = `meeting_insight_id=${other.body.meeting_insight_id}&items=${items}&language=en`
    const path = `/api/calendar/insight/email/draft/?${query}`
    const draft = await call('GET', path, undefined, 'manager')
    assert.equal(draft.status, 200, draft.text)
    assert.doesNotMatch(draft.body.text, /contract|eleven clinics/)
  })

  test('is gone after the days for which it is stored', async () => {
    const id = await meet()
    const { body } = await add(id, 'manager', { keep_days: 3 })
    const days = (Date.parse(body.expires_at) - Date.parse(body.creation_time)) / 86_400_000
    assert.equal(days, 3)
    await service.runtime.database.transaction(org.id, ({ run }) =>
      run(sql`update meeting_transcripts set expires_at = now() - interval '1 second'
        where organization_id = ${org.id} and calendar_id = ${id}`),
    )
    const reply = await call('GET', `/api/calendar/${id}/transcript/`, undefined, 'manager')
    assert.deepEqual([reply.status, reply.body], [200, null])
    await housekeeping(service.runtime)
    const left = await rows(
      service,
      sql`select from meeting_transcripts where organization_id = ${org.id} and calendar_id = ${id}`,
    )
    assert.equal(left.length, 0)
  })

  test('is read by a language model too, where one is configured, and by rules where it fails', async () => {
    const asked: any[] = []
    let answer = ''
    let meanwhile: (() => Promise<unknown>) | undefined
    const model = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk) => (text += String(chunk)))
      request.on('end', async () => {
        asked.push(JSON.parse(text))
        await meanwhile?.()
        response.end(JSON.stringify({ choices: [{ message: { content: answer } }] }))
      })
    }).listen(0, '127.0.0.1')
    after(() => model.close())
    await once(model, 'listening')
    const { port } = model.address() as AddressInfo
    const overrides = { aiBaseUrl: `http://127.0.0.1:${port}`, aiModel: 'small-1' }
    const own = await startService(overrides, undefined, true)
    const { users, id: organization } = await makeOrganization(own)
    const send = (method: string, path: string, body?: object) =>
      own.call(method, path, { token: users.admin.token, body })
    const read = async (
      said: string,
      more: {
        meanwhile?: (transcript: any) => Promise<unknown>
        whenAnswered?: () => Promise<unknown>
      } = {},
    ) => {
      answer = said
      const begun = Promise.withResolvers<any>()
      meanwhile = async () => more.meanwhile?.(await begun.promise)
      const calendar_id = newId()
      const times = { start: '2026-11-25T09:00:00Z', end: '2026-11-25T10:00:00Z' }
      await send('POST', '/api/calendar/info/', { calendar_id, title: 'Steering', ...times })
      const at = `/api/calendar/${calendar_id}/transcript/`
      const first = await send('POST', at, { text: 'Ada: I will send the contract tomorrow.' })
      assert.deepEqual([first.body.source, first.body.is_model_asked], ['rules', true])
      begun.resolve(first.body)
      assert.equal(first.body.suggested_items[0].title, 'Send the contract')
      await more.whenAnswered?.()
      await until(async () => !(await send('GET', at)).body.is_model_asked)
      return (await send('GET', at)).body
    }
    const item = { title: 'Mail the contract', owner: 'Ada', due_date: '2026-11-26', line: 1 }
    const unfounded = { ...item, title: 'Invented', line: 7 }
    const good = await read(
      JSON.stringify({ summary: 'All fine.', decisions: [], items: [item, unfounded] }),
    )
    assert.deepEqual(
      [good.source, good.model, good.summary, good.is_model_asked],
      ['model', 'small-1', 'All fine.', false],
    )
    assert.deepEqual(
      good.suggested_items.map(({ title, quote }: any) => [title, quote]),
      [['Mail the contract', 'I will send the contract tomorrow.']],
    )
    const { content } = asked[0].messages[1]
    assert.equal(good.sent_bytes, Buffer.byteLength(content))
    // tasks that were made of the rules' suggestions meanwhile stay those, and an edited summary too
    const used = await read(JSON.stringify({ summary: 'Fine', decisions: [], items: [item] }), {
      async meanwhile({ meeting_insight_id, suggested_items: [first] }) {
        const insight = `/api/calendar/insight/${meeting_insight_id}/`
        const body = { items: [{ item_id: first.item_id }] }
        assert.equal((await send('POST', `${insight}accept/`, body)).status, 201)
        await send('PATCH', insight, { summary: 'Written by hand' })
      },
    })
    assert.deepEqual(
      [used.source, used.summary, used.suggested_items.map(({ title }: any) => title)],
      ['rules', 'Written by hand', ['Send the contract']],
    )
    assert.ok(used.suggested_items[0].task_id)
    // one that is accepted in the moment in which the answer is stored is waited for
    const [slow, holding] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let making: Promise<unknown> | undefined
    const raced = await read(JSON.stringify({ summary: 'Fine', decisions: [], items: [item] }), {
      async meanwhile({ calendar_id, meeting_insight_id }) {
        making = own.runtime.database.transaction(organization, async (queries) => {
          await queries.run(sql`select from meeting_insights
            where organization_id = ${organization} and id = ${meeting_insight_id} for update`)
          holding.resolve()
          await slow.promise
          await queries.run(sql`update meeting_transcripts t
            set items = jsonb_set(t.items, '{0,task_id}', '"made"')
            where t.organization_id = ${organization} and t.calendar_id = ${calendar_id}`)
        })
        await holding.promise
      },
      whenAnswered: () =>
        until(
          async () => (await rows(own, sql`select from pg_locks where not granted`)).length > 0,
        ).then(() => slow.resolve()),
    })
    await making
    assert.deepEqual(
      [raced.source, raced.suggested_items.map(({ title }: any) => title)],
      ['rules', ['Send the contract']],
    )
    const bad = await read('{"summary": 3}')
    assert.deepEqual([bad.source, bad.model, bad.is_model_asked], ['rules', 'small-1', false])
    assert.equal(bad.suggested_items[0].title, 'Send the contract')
  })
})
