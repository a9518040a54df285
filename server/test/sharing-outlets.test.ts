import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dueTasks } from '../src/jobs/due.ts'
import { notificationDigest } from '../src/jobs/digest.ts'
import { workFor } from '../src/jobs/work.ts'
import { storeBytes } from '../src/kit/ground/stored-files.ts'
import type { AnyRecord } from '../src/kit/record/record.ts'
import { newId } from '../src/kit/ground/ids.ts'
import { Meeting } from '../src/model/calendar/meeting.ts'
import { Document } from '../src/model/documents/document.ts'
import { sign } from '../src/records/documents/signing/sign.ts'
import { Interaction } from '../src/model/interactions/interaction.ts'
import type { Mail } from '../src/records/mail/mail.ts'
import { mail } from '../src/records/mail/mail.ts'
import { mailNotification } from '../src/records/notifications/mailing.ts'
import { Project } from '../src/model/projects/project.ts'
import { Task } from '../src/model/tasks/task.ts'
import { asService } from './support/contexts.ts'
import { runJobs } from './support/drain.ts'
import { foundIn, partsOf } from './support/leaks.ts'
import type { Mailbox } from './support/mailbox.ts'
import { startMailbox } from './support/mailbox.ts'
import type { TestOrganization, TestService } from './support/service.ts'
import { makeOrganization, rows, sql, startService } from './support/service.ts'
import { until } from './support/until.ts'

// What is sent to a customer, a partner and an observer: mails, the live stream, the calendar
// feed, the feedback form. Everything internal contains one word; whatever arrives is searched for it.

type Body = { [key: string]: unknown }
const confined = ['customer', 'partner', 'observer'] as const
type Confined = (typeof confined)[number]
const word = 'zqinternal'
const leak = /zqinternal|770077/i
const hiddenFromAll = /zqprivate/i
const patternOf = (kind: Confined) => (kind === 'observer' ? hiddenFromAll : leak)

describe('what reaches people by itself', () => {
  // in the past, since jobs wait for their time by the database's clock; the hour of the daily mail
  const now = new Date('2026-01-05T08:10:00Z')
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  let account = ''
  let project = ''
  let task = ''
  let hiddenTask = ''
  const streams: { [kind in Confined]?: { text: string; end(): void } } = {}

  const call = (kind: keyof TestOrganization['users'], method: string, path: string, body?: Body) =>
    service.call(method, path, { token: org.users[kind].token, body })
  const make = async (path: string, body: Body = {}, kind: Confined | 'admin' = 'admin') => {
    const reply = await call(kind, 'POST', path, body)
    assert.ok(reply.status < 300, `POST ${path} ${reply.text}`)
    return reply.headers.get('x-record-id') ?? String((reply.body as Body)?.automation_id ?? '')
  }
  const put = async (path: string, body: Body) => {
    const reply = await call('admin', 'PUT', path, body)
    assert.ok(reply.status < 300, `PUT ${path} ${reply.text}`)
  }
  const everybody = () => confined.map((kind) => org.users[kind].user_id)
  const mailsTo = (kind: Confined) =>
    mailbox.received.filter(({ to_addresses: [to] }) => to === org.users[kind].email)

  before(async () => {
    mailbox = await startMailbox()
    service = await startService(
      { smtpUrl: mailbox.url, mailFrom: 'Perennial <crm@acme.test>' },
      () => now,
    )
    org = await makeOrganization(service)
    account = await make('/api/account/info/', { account_name: 'Customer', description: word })
    for (const kind of confined) {
      await put(`/api/users/profile/${org.users[kind].user_id}/`, { account_id: account })
      streams[kind] = await openStream(org.users[kind].token)
    }
    // survey answers come by the daily mail, everything else at once
    for (const kind of confined) {
      const reply = await service.call('PUT', '/api/notifyhub/preferences/', {
        token: org.users[kind].token,
        body: { preferences: [{ category: 'survey_response', email: 'daily' }] },
      })
      assert.ok(reply.status < 300, reply.text)
    }
    await happen()
  })
  after(() => {
    for (const stream of Object.values(streams)) stream?.end()
  })

  /** Whatever notifies or mails somebody, with all three wherever a body may name people. */
  async function happen() {
    const users = everybody()
    const internal = { tags: [`${word} tag`], custom_fields: { [`${word}_key`]: word } }
    project = await make('/api/project/info/', {
      project_name: 'Shared rollout',
      account_id: account,
      is_shared: true,
      revenue: 77_007_700,
      ...internal,
    })
    const inner = await make('/api/project/info/', {
      project_name: `${word} project`,
      account_id: account,
    })
    const newTask = (body: Body) => make('/api/tasks/', { project_id: project, ...body })
    task = await newTask({
      title: 'Shared task',
      is_shared: true,
      users,
      due_date: '2026-01-06',
      ...internal,
    })
    hiddenTask = await newTask({ title: `${word} task`, due_date: '2026-01-06' })
    // of an internal project, and of an internal parent
    await newTask({ title: 'Theirs', project_id: inner, owner: users[0], due_date: '2026-01-05' })
    await newTask({
      title: 'Below',
      parent_id: hiddenTask,
      owner: users[1],
      due_date: '2026-01-03',
    })
    const comment = (body: Body, kind: Confined | 'admin' = 'admin') =>
      make('/api/interactions/info/', body, kind)
    const about = { module_name: 'tasks', reference_id: task }
    for (const kind of ['customer', 'partner'] as const) {
      const thread = await comment({ ...about, content: `${kind} asks` }, kind)
      await comment({ parent_interaction_id: thread, content: 'Answered' })
      await comment({ parent_interaction_id: thread, content: `${word} aside`, is_shared: false })
      await comment({ parent_interaction_id: thread, content: `${word} note`, is_private: true })
    }
    await comment({ ...about, content: 'Look here', mentions: users, is_shared: true })
    await comment({ ...about, content: `${word} talk` })
    await comment({ module_name: 'tasks', reference_id: hiddenTask, content: `${word} talk` })
    await meetings(users)
    await papers()
    await surveys(users)
    // owners of what they may not see, and automations that name them
    await make('/api/company/', { company_name: `${word} company`, company_owner: users[0] })
    await make('/api/contact/', { full_name: `${word} contact`, contact_owner: users[1] })
    await service.call('POST', '/api/login/reset/', {
      body: { email: org.users.customer.email },
    })
    await dueTasks(service.runtime)
    await runJobs(service)
    const tomorrow = new Date(+now + 86_400_000)
    await notificationDigest({ ...service.runtime, now: () => tomorrow })
    await runJobs(service)
  }

  async function meetings(users: string[]) {
    const attendees = users.map((id) => ({ type: 'user', id }))
    const times = { start: '2026-01-08T10:00:00Z', end: '2026-01-08T11:00:00Z' }
    const meeting = (body: Body) => make('/api/calendar/info/', { ...times, ...body })
    const call1 = await meeting({ title: 'Shared call', attendees, project })
    const at = `/api/calendar/info/${call1}/`
    await put(at, { start: '2026-01-09T10:00:00Z', end: '2026-01-09T11:00:00Z' })
    const meeting_insight_id = newId()
    await make('/api/calendar/insight/', {
      meeting_insight_id,
      calendar_id: call1,
      summary: 'What was said',
    })
    await make('/api/calendar/insight/email/', { meeting_insight_id, calendar_id: call1 })
    await meeting({ title: `${word} call`, project })
    const gone = await meeting({ title: 'Off', attendees, project })
    await put(`/api/calendar/info/${gone}/`, { is_meeting_cancelled: true, cancel_note: 'ill' })
  }

  async function papers() {
    const document = await make('/api/documents/', {
      document_name: 'Agreement',
      project_id: project,
      editor_html_content: '<p>We agree.</p>',
      revenue: 77_007_700,
      tags: [`${word} tag`],
    })
    const recipients = confined.map((kind) => ({ name: kind, email: org.users[kind].email }))
    await make(`/api/documents/${document}/signature/request/`, { recipients })
    await make(`/api/documents/${document}/signature/remind/`)
    for (const kind of confined) {
      await runJobs(service)
      const [recipient] = await rows<{ id: string }>(
        service,
        sql`select id from signature_recipients where email = ${org.users[kind].email}`,
      )
      const client = { address: '127.0.0.1', user_agent: 'test' }
      await asService(service, org, (ctx) =>
        sign(ctx, recipient!.id, { name: kind } as never, client),
      )
    }
    await make('/api/documents/', { document_name: `${word} paper`, project_id: project })
  }

  async function surveys(users: string[]) {
    const fields = [{ id: 'q1', type: 'nps', label: 'How likely?', required: true }]
    const survey = await make('/api/surveys/', {
      name: `${word} survey`,
      form_structure: [{ id: 'p1', title: 'One', fields }],
    })
    await make(`/api/surveys/${survey}/automations_save/`, {
      name: `${word} automation`,
      trigger: { type: 'response_submitted' },
      actions: [{ type: 'notify', config: { user_ids: users } }],
    })
    await make(`/api/surveys/${survey}/publish/`)
    await make(`/api/surveys/${survey}/fill/`, { answers: { q1: 2 }, finished: true })
    await runJobs(service)
    const theirSurvey = await make('/api/surveys/', {
      name: 'Their survey',
      account_id: account,
      form_structure: [{ id: 'p1', title: 'One', fields }],
    })
    await make(`/api/surveys/${theirSurvey}/publish/`)
    await make(`/api/surveys/${theirSurvey}/send/`, {
      email_addresses: confined.map((kind) => org.users[kind].email),
      custom_message: 'Please tell us',
    })
  }

  for (const kind of confined) {
    test(`mails to a ${kind}: subject, headers, text, HTML and attachments`, (t) => {
      const mails = mailsTo(kind)
      t.diagnostic(mails.map(({ subject }) => subject).join('; '))
      assert.ok(mails.length >= 10, String(mails.length))
      for (const each of mails) {
        assert.deepEqual(foundIn(partsOf(each), patternOf(kind)), [], each.subject)
      }
      const names = mails.flatMap(({ attachments }) => attachments.map(({ mimeType }) => mimeType))
      assert.ok(names.includes('application/pdf') && names.some((each) => /calendar/.test(each)))
    })

    test(`the live stream of a ${kind}, live and when resumed later`, async () => {
      const missed = await openStream(org.users[kind].token, '0')
      for (const stream of [streams[kind], missed]) {
        await until(() => (stream?.text.match(/^event: notification$/gm) ?? []).length >= 4)
        assert.deepEqual(foundIn([{ place: 'stream', text: stream!.text }], patternOf(kind)), [])
        assert.match(stream!.text, /Look here|mentioned you/)
      }
      missed.end()
    })

    test(`notifications of a ${kind}, and how many are unread, are of what they may read`, async () => {
      const list = await call(kind, 'GET', '/api/notifyhub/notify-info/?page=1&items_per_page=200')
      assert.deepEqual(foundIn([{ place: 'list', text: list.text }], patternOf(kind)), [])
      const { body } = await call(kind, 'GET', '/api/notifyhub/notify-info/unread-count/')
      const unread = (list.body as Body[]).filter(({ read }) => !read)
      assert.equal(body.count, unread.length)
      const all = await rows<{ id: string }>(
        service,
        sql`select id from notifications where user_id = ${org.users[kind].user_id}`,
      )
      const shown = new Set((list.body as Body[]).map((each) => each.notification_id))
      for (const { id } of all.filter((each) => !shown.has(each.id))) {
        const one = await call(kind, 'GET', `/api/notifyhub/notify-info/${id}/`)
        assert.equal(one.status, 404, one.text)
      }
    })

    test(`the calendar feed and the feedback form of a ${kind}`, async () => {
      const { body } = await call(kind, 'GET', '/api/calendar/feed-url/')
      const feed = await service.call('GET', new URL(body.url).pathname)
      assert.match(feed.text, /Shared call/)
      const widget = await call(kind, 'GET', '/api/widget-config')
      const texts = [feed, widget].map(({ text }) => ({
        place: 'page',
        text: text.replaceAll(/\r?\n[ \t]/g, ''),
      }))
      assert.deepEqual(foundIn(texts, patternOf(kind)), [])
    })
  }

  test('a comment that becomes internal leaves the notifications and the stream', async () => {
    const about = { module_name: 'tasks', reference_id: task }
    const reply = await call('customer', 'POST', '/api/interactions/info/', {
      ...about,
      content: 'And now?',
    })
    const answer = await make('/api/interactions/info/', {
      parent_interaction_id: reply.body.interaction_id,
      content: 'Withdrawn words',
    })
    const list = () =>
      call('customer', 'GET', '/api/notifyhub/notify-info/?page=1&items_per_page=50')
    assert.match((await list()).text, /Withdrawn words/)
    await put(`/api/interactions/info/${answer}/`, { is_shared: false })
    assert.doesNotMatch((await list()).text, /Withdrawn words/)
    const again = await openStream(org.users.customer.token, '0')
    await until(() => again.text.includes('event: notification'))
    assert.doesNotMatch(again.text, /Withdrawn words/)
    again.end()
  })

  describe('and a leak is found', () => {
    const parts: { [place: string]: Partial<Mail> } = {
      'in the subject': { subject: word },
      'in the sender’s name': { from: `${word} via Acme` },
      'in the text': { text: `x ${word} x` },
      'in the HTML': { html: `<p>x ${word}</p>` },
      'in an attribute of the HTML': { html: `<a href="https://x.test/${word}">x</a>` },
      'broken up by tags': { html: '<p>zq<b>int</b>ernal</p>' },
      'in a character reference': { html: '<p>&#122;qinternal</p>' },
      'in the calendar part': {
        calendar: { method: 'REQUEST', content: `BEGIN:VCALENDAR\r\nX:zqin\r\n ternal\r\n` },
      },
    }
    const files: { [place: string]: [name: string, content: string] } = {
      'in the name of a file': [`${word}.txt`, 'x'],
      'in a file': ['a.txt', `x ${word}`],
    }
    for (const place of [...Object.keys(parts), ...Object.keys(files)]) {
      test(place, async () => {
        const address = `${newId()}@planted.test`
        const [filename, content] = files[place] ?? []
        const words = { subject: 'x', text: 'x', html: '<p>x</p>' }
        await asService(service, org, async (ctx) => {
          const type = 'text/plain'
          const attachments = filename
            ? [
                {
                  filename,
                  type,
                  storedKey: await storeBytes(ctx, Buffer.from(content!), 'x', type),
                },
              ]
            : []
          mail(ctx, {
            kind: 'meeting',
            to: { name: 'x', address },
            ...words,
            ...parts[place],
            attachments,
          })
        })
        await runJobs(service)
        const got = await mailbox.next(address)
        assert.notDeepEqual(foundIn(partsOf(got), leak), [])
      })
    }

    // each rule is taken away once: then the mail is sent, and it shows what is hidden
    const rules: { [what: string]: { record: AnyRecord; module: number; id(): Promise<string> } } =
      {
        task: { record: Task, module: 1, id: () => idIn('tasks', 'title') },
        project: { record: Project, module: 2, id: () => idIn('projects', 'project_name') },
        document: { record: Document, module: 6, id: () => idIn('documents', 'document_name') },
        meeting: { record: Meeting, module: 11, id: () => idIn('meetings', 'title') },
      }
    for (const [what, { record, module, id }] of Object.entries(rules)) {
      test(`by mail and in the stream, of a ${what} without its rule`, async () => {
        const about = { module_id: module, reference_id: await id() }
        assert.deepEqual(await reachedBy(about), [])
        const { shared } = record.rights
        record.rights.shared = undefined
        try {
          const found = await reachedBy(about)
          assert.ok(found.includes('mail') && found.includes('stream'), String(found))
        } finally {
          record.rights.shared = shared
        }
      })
    }

    test('of an internal comment without its rule', async () => {
      const about = {
        module_id: 1,
        reference_id: task,
        interaction_id: await idIn('interactions', 'content'),
      }
      assert.deepEqual(await reachedBy(about), [])
      const { shared } = Interaction.rights
      Interaction.rights.shared = undefined
      try {
        const found = await reachedBy(about)
        assert.ok(found.includes('mail') && found.includes('stream'), String(found))
      } finally {
        Interaction.rights.shared = shared
      }
    })
  })

  async function idIn(table: string, column: string): Promise<string> {
    const [found] = await rows<{ id: string }>(
      service,
      sql`select id from ${sql.table(table)} where organization_id = ${org.id}
        and ${sql.ref(column)} like ${`%${word}%`}`,
    )
    assert.ok(found, table)
    return found.id
  }

  /** A notification of the customer about a record: by which ways its internal word arrives. */
  async function reachedBy(about: Body): Promise<string[]> {
    const id = newId()
    const { user_id, token, email } = org.users.customer
    const title = `${word} ${id}`
    await service.runtime.database.transaction(org.id, async (queries) => {
      await queries.run(sql`insert into notifications (organization_id, id, user_id, event_id,
          notification_type, title, category, notification_obj, notify_time, creation_time, last_update_time)
        values (${org.id}, ${id}, ${user_id}, ${newId()}, 2, ${title}, 'assignment',
          ${JSON.stringify(about)}::jsonb, ${now.toISOString()}, ${now.toISOString()},
          ${now.toISOString()})`)
    })
    const before = mailsTo('customer').length
    const signal = new AbortController().signal
    const enqueued = { organization_id: org.id, id: newId(), user_id: null }
    const work = await workFor(service.runtime, mailNotification, enqueued, signal)
    await mailNotification.run(work, { notification_id: id })
    await runJobs(service)
    const stream = await openStream(token, '0')
    await until(() => stream.text.includes('Look here'))
    const read = await call('customer', 'GET', `/api/notifyhub/notify-info/${id}/`)
    stream.end()
    const mails = mailbox.received.filter(({ to_addresses: [to] }) => to === email).slice(before)
    return [
      ...(mails.some((each) => foundIn(partsOf(each), leak).length) ? ['mail'] : []),
      ...(foundIn([{ place: 'stream', text: stream.text }], leak).length ? ['stream'] : []),
      ...(read.status === 200 ? ['read'] : []),
    ]
  }

  /** Server-sent events as they come. */
  async function openStream(token: string, after?: string) {
    const ends = new AbortController()
    const stream = { text: '', end: () => ends.abort() }
    const path = `/api/notifyhub/stream/${after === undefined ? '' : `?after=${after}`}`
    const response = await fetch(service.url + path, {
      headers: { authorization: `Bearer ${token}` },
      signal: ends.signal,
    })
    assert.equal(response.status, 200)
    const read = async () => {
      const decoder = new TextDecoder()
      for await (const chunk of response.body!)
        stream.text += decoder.decode(chunk as Uint8Array, { stream: true })
    }
    read().catch(() => undefined)
    await until(() => stream.text.includes('retry'))
    return stream
  }
})
