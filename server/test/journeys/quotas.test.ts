import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { countRows } from '../../src/jobs/row-usage.ts'
import type { Quotas } from '../../src/kit/ground/services.ts'
import { mail, sendingMail } from '../../src/records/mail/mail.ts'
import { giveCodes } from '../support/codes.ts'
import { asService } from '../support/contexts.ts'
import { atEnd } from '../support/finally.ts'
import type { ConnectedApp } from '../support/integration.ts'
import { connectApp } from '../support/integration.ts'
import type { Mailbox } from '../support/mailbox.ts'
import { startMailbox } from '../support/mailbox.ts'
import type { Reply, TestOrganization, TestService } from '../support/service.ts'
import { idOf, makeOrganization, rows, sql, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const none: Quotas = {
  mailsPerDay: 0,
  mailsPerAddress: 0,
  remindersPerRecord: 0,
  streamsPerUser: 0,
  streamsPerOrganization: 0,
  streams: 0,
  subscriptions: 0,
  subscriptionsPerHost: 0,
  waitingDeliveries: 0,
  storageBytes: 0,
  rowBytes: 0,
}
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A clock that reaches no full hour for five minutes: the windows of quotas end there. */
function withinHour(): () => Date {
  const left = hour - (Date.now() % hour)
  const behind = left < 5 * minute ? 10 * minute : 0
  return () => new Date(Date.now() - behind)
}

function refusedWith(reply: Reply, status: number, code: string) {
  assert.equal(reply.status, status, reply.text)
  assert.equal(reply.body.status, 'error')
  assert.equal(reply.body.code, code)
  if (status === 429) assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
}

const statusesOf = (replies: { status: number }[]) => replies.map(({ status }) => status).toSorted()

describe('mails of an organization', () => {
  let mailbox: Mailbox
  before(async () => {
    mailbox = await startMailbox()
  })

  const serve = (quotas: Partial<Quotas>, now = withinHour()) =>
    startService({ smtpUrl: mailbox.url, quotas: { ...none, ...quotas } }, now, true)

  async function post(service: TestService, org: TestOrganization, to: string[]) {
    await asService(service, org, async (ctx) => {
      for (const address of to) {
        mail(ctx, {
          kind: 'meeting',
          to: { address },
          subject: 'Hello',
          text: 'Hello',
          html: '<p>Hello</p>',
        })
      }
    })
  }

  const usage = async (service: TestService, org: TestOrganization) =>
    (await service.call('GET', '/api/usage/', { token: org.users.admin.token })).body

  const got = (domain: string) =>
    mailbox.received.flatMap(({ to_addresses }) =>
      to_addresses.filter((address) => address.endsWith(domain)),
    )

  test('over the day’s number wait for the next day, and then all arrive once', async () => {
    // a clock that is some minutes before midnight of a day that is over for the queue
    const midnight = Math.floor(Date.now() / day) * day
    let behind = Date.now() - (midnight - 10 * minute)
    const now = () => new Date(Date.now() - behind)
    const service = await serve({ mailsPerDay: 3 }, now)
    const org = await makeOrganization(service)
    const other = await makeOrganization(service)
    const people = [1, 2, 3, 4, 5].map((n) => `p${n}@day.test`)
    await post(service, org, people)
    await until(async () => (await usage(service, org)).mails.waiting >= 2)
    await until(() => got('@day.test').length === 3)
    const { mails } = await usage(service, org)
    assert.equal(mails.used, 3)
    assert.equal(mails.limit, 3)
    assert.equal(mails.resets_at, new Date(midnight).toISOString())
    // another organization is not held back, nor are mails about an account
    await post(service, other, ['x@other.test'])
    await service.call('POST', '/api/login/reset/', { body: { email: org.users.member.email } })
    await until(() => got('@other.test').length === 1)
    await until(() => got(org.users.member.email).length === 1)
    assert.equal(got('@day.test').length, 3)
    behind -= 11 * minute
    await until(() => got('@day.test').length === 5)
    await sleep(500)
    assert.deepEqual(got('@day.test').toSorted(), people)
    assert.equal((await usage(service, org)).mails.used, 2)
  })

  test('about an account arrive also when the day has had enough', async () => {
    const service = await serve({ mailsPerDay: 1 })
    const org = await makeOrganization(service)
    const { admin, member, manager } = org.users
    await post(service, org, ['1@account.test', '2@account.test'])
    await until(async () => (await usage(service, org)).mails.waiting >= 1)
    const moved = `moved@${org.id}.test`
    const changed = await service.call('POST', '/api/users/profile/action/', {
      token: admin.token,
      body: { profile_id: member.user_id, email: moved },
    })
    assert.equal(changed.status, 200, changed.text)
    await giveCodes(service, org.id, manager.user_id)
    const reset = await service.call('DELETE', `/api/users/profile/${manager.user_id}/totp/`, admin)
    assert.equal(reset.status, 204, reset.text)
    for (const address of [member.email, moved, manager.email]) {
      await until(() => got(address).length === 1)
    }
    assert.equal(got('@account.test').length, 1)
  })

  test('are dropped where too many wait only if nobody sent or asked for them', async () => {
    const service = await serve({ mailsPerAddress: 1 })
    const org = await makeOrganization(service)
    const kinds = ['automation', 'meeting', 'account'] as const
    await asService(service, org, async (ctx) => {
      for (const kind of kinds) {
        const to = { address: `${kind}@many.test` }
        for (let n = 0; n < 28; n++) mail(ctx, { kind, to, subject: 'x', text: 'x', html: 'x' })
      }
    })
    const ended = () =>
      rows<{ refusal: string | null }>(
        service,
        sql`select refusal from sent_mails where organization_id = ${org.id} and is_done`,
      )
    await until(async () => (await ended()).length === 3 * 28)
    // of each one is sent at once, and the next 24 hours take one each
    const refusal = 'too many wait for automatic mails to'
    const dropped = (await ended()).filter((each) => each.refusal !== null)
    assert.deepEqual(dropped, Array(3).fill({ refusal }))
  })

  test('that an earlier version enqueued keep what they meant', async () => {
    const service = await serve({ mailsPerDay: 1 })
    const org = await makeOrganization(service)
    const enqueue = (address: string, members: object) =>
      asService(service, org, async (ctx) => {
        const message = { to: { address }, subject: 'x', text: 'x', html: 'x', ...members }
        const sealed = ctx.secrets.encrypt(JSON.stringify(message)).toString('base64')
        ctx.enqueue(sendingMail, { sealed })
      })
    await enqueue('first@earlier.test', {})
    await until(() => got('@earlier.test').length === 1)
    await enqueue('waits@earlier.test', { user_id: org.users.admin.user_id })
    await until(async () => (await usage(service, org)).mails.waiting === 1)
    await enqueue('account@earlier.test', { isAccount: true })
    await until(() => got('@earlier.test').length === 2)
    const { user_id } = org.users.observer
    await asService(service, org, (ctx) =>
      ctx.run(sql`update users t set is_active = false where t.id = ${user_id}`),
    )
    await enqueue('left@earlier.test', { user_id, isCounted: true })
    const refusals = () =>
      rows(
        service,
        sql`select refusal from sent_mails where organization_id = ${org.id} and refusal is not null`,
      )
    await until(async () => (await refusals()).length === 1)
    assert.deepEqual(await refusals(), [{ refusal: 'the user is no longer active' }])
    assert.deepEqual(got('@earlier.test'), ['first@earlier.test', 'account@earlier.test'])
  })

  test('to one address are counted in the hour, whatever its letters’ case', async () => {
    const service = await serve({ mailsPerAddress: 2 })
    const org = await makeOrganization(service)
    await post(service, org, ['a@hour.test', 'A@hour.test', 'a@hour.test', 'b@hour.test'])
    await until(async () => (await usage(service, org)).mails.waiting === 1)
    await until(() => got('@hour.test').length === 3)
    const [{ wait }] = await rows(
      service,
      sql`select extract(epoch from deferred_until - now())::int as wait from sent_mails
      where organization_id = ${org.id} and deferred_until is not null`,
    )
    assert.ok(wait > -5 && wait <= 3600, String(wait))
    // no address is readable in what is counted
    const counted = await rows(
      service,
      sql`select id, name from quota_counts where organization_id = ${org.id}`,
    )
    assert.doesNotMatch(JSON.stringify(counted), /hour\.test/)
  })

  test('of one request are counted before it is done, all of them or none', async () => {
    const service = await serve({ mailsPerDay: 5 })
    const org = await makeOrganization(service)
    const { token } = org.users.admin
    const fields = [{ id: 'a', type: 'short-text', label: 'A' }]
    const body = {
      name: 'S',
      form_structure: [{ id: 'p', title: '', fields }],
      status: 'published',
    }
    const survey = async () =>
      (await service.call('POST', '/api/surveys/', { token, body })).body.survey_id as string
    const send = (id: string, email_addresses: string[]) =>
      service.call('POST', `/api/surveys/${id}/send/`, { token, body: { email_addresses } })
    const surveys = await Promise.all([survey(), survey()])
    const replies = await Promise.all(
      surveys.map((id, i) =>
        send(
          id,
          [1, 2, 3].map((n) => `s${i}${n}@bulk.test`),
        ),
      ),
    )
    assert.deepEqual(statusesOf(replies), [200, 429])
    const refused = replies.find(({ status }) => status === 429)!
    refusedWith(refused, 429, 'mail_quota_exceeded')
    assert.equal(refused.body.data.used, 3)
    assert.equal(refused.body.data.limit, 5)
    assert.equal((await send(surveys[0]!, ['t1@bulk.test', 't2@bulk.test'])).status, 200)
    refusedWith(await send(surveys[0]!, ['t3@bulk.test']), 429, 'mail_quota_exceeded')
    await until(() => got('@bulk.test').length === 5)
    assert.equal((await usage(service, org)).mails.used, 5)
    const logged = await rows(
      service,
      sql`select from events where organization_id = ${org.id} and title like 'Survey sent%'`,
    )
    assert.ok(logged.length <= 2)
  })
})

describe('reminders about one record', () => {
  test('are a few a day by hand; other records are not concerned', async () => {
    const service = await startService({ quotas: { ...none, remindersPerRecord: 2 } }, withinHour())
    const org = await makeOrganization(service)
    const { token } = org.users.admin
    const post = (path: string, body: object = {}) => service.call('POST', path, { token, body })
    const pending = async () => {
      const { body } = await post('/api/documents/', { document_name: 'Agreement' })
      const recipients = [{ name: 'Ada', email: 'ada@signers.test' }]
      const requested = await post(`/api/documents/${body.attach_id}/signature/request/`, {
        recipients,
      })
      assert.equal(requested.status, 200, requested.text)
      return body.attach_id as string
    }
    const remind = (id: string) => post(`/api/documents/${id}/signature/remind/`)
    const [one, two] = [await pending(), await pending()]
    const replies = await Promise.all([1, 2, 3, 4].map(() => remind(one)))
    assert.deepEqual(statusesOf(replies), [200, 200, 429, 429])
    refusedWith(await remind(one), 429, 'reminder_quota_exceeded')
    assert.equal((await remind(two)).status, 200)
    const [{ reminders }] = await rows(
      service,
      sql`select reminders from signature_requests where document_id = ${one}`,
    )
    assert.equal(reminders, 2)
    // an invitation is mailed again as often
    const invite = () => post('/api/users/profile/action/', { email: 'new@acme.test' })
    const invited: Reply[] = []
    for (const _ of [1, 2, 3, 4]) invited.push(await invite())
    assert.deepEqual(statusesOf(invited), [200, 200, 200, 429])
    refusedWith(invited.at(-1)!, 429, 'reminder_quota_exceeded')
  })
})

describe('live streams', () => {
  test('are bounded for a user and for an organization, also when they come at once', async () => {
    const quotas = { ...none, streamsPerUser: 3, streamsPerOrganization: 5, streams: 7 }
    const service = await startService({ quotas })
    const [org, other] = [await makeOrganization(service), await makeOrganization(service)]
    const open = new Set<AbortController>()
    const closeAll = () => {
      for (const each of open) each.abort()
    }
    atEnd(async () => closeAll())
    const follow = async (token: string) => {
      const gone = new AbortController()
      open.add(gone)
      const headers = { authorization: `Bearer ${token}` }
      const url = `${service.url}/api/notifyhub/stream/`
      const response = await fetch(url, { headers, signal: gone.signal })
      if (response.ok) await response.body!.getReader().read()
      const text = response.ok ? '' : await response.text()
      const body = text ? JSON.parse(text) : {}
      return {
        status: response.status,
        code: body.code,
        retry: response.headers.get('retry-after'),
      }
    }
    const { admin, member, manager } = org.users
    const many = await Promise.all(Array.from({ length: 12 }, () => follow(admin.token)))
    assert.deepEqual(statusesOf(many), [200, 200, 200, ...Array.from({ length: 9 }, () => 429)])
    const refused = many.find(({ status }) => status === 429)
    assert.equal(refused?.code, 'too_many_streams')
    assert.ok(Number(refused.retry) > 0)
    const rest = [
      await follow(member.token),
      await follow(member.token),
      await follow(manager.token),
    ]
    assert.deepEqual(statusesOf(rest), [200, 200, 429])
    const { body } = await service.call('GET', '/api/usage/', { token: admin.token })
    assert.deepEqual(body.streams, { used: 5, limit: 5 })
    // another organization has its own, until the process has enough of all
    const theirs = await Promise.all([1, 2, 3].map(() => follow(other.users.admin.token)))
    assert.deepEqual(statusesOf(theirs), [200, 200, 503])
    // those that end make room, and one that was only looked at holds none
    closeAll()
    const headers = { authorization: `Bearer ${admin.token}` }
    const look = () => fetch(`${service.url}/api/notifyhub/stream/`, { method: 'HEAD', headers })
    const used = async () =>
      (await service.call('GET', '/api/usage/', { token: admin.token })).body.streams.used
    await until(async () => (await used()) === 0)
    await Promise.all([look(), look()])
    await until(async () => (await used()) === 0)
    assert.equal((await follow(admin.token)).status, 200)
  })
})

describe('the storage of an organization', () => {
  test('takes no file beyond its quota, also when they come at once', async () => {
    const service = await startService({ quotas: { ...none, storageBytes: 10_000 } })
    const [org, other] = [await makeOrganization(service), await makeOrganization(service)]
    const upload = async (size: number, { users } = org, id = '') => {
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(size)]), 'a.bin')
      const response = await fetch(`${service.url}/api/documents/${id && `${id}/`}`, {
        method: id ? 'PUT' : 'POST',
        headers: { authorization: `Bearer ${users.admin.token}` },
        body: form,
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
    }
    const stored = async () => {
      let count = 0
      for await (const { key } of service.runtime.files.list('documents')) {
        if (key.includes(org.id)) count++
      }
      return count
    }
    const first = await upload(4000)
    assert.equal(first.status, 201)
    refusedWith(await upload(6001), 413, 'storage_quota_exceeded')
    refusedWith(await upload(6001, org, first.body.attach_id), 413, 'storage_quota_exceeded')
    assert.equal(await stored(), 1)
    const many = await Promise.all(Array.from({ length: 8 }, () => upload(3000)))
    assert.deepEqual(statusesOf(many), [201, 201, 413, 413, 413, 413, 413, 413])
    refusedWith(
      many.find(({ status }) => status === 413)!,
      413,
      'storage_quota_exceeded',
    )
    // nothing of what was refused stays
    assert.equal(await stored(), 3)
    assert.equal((await upload(3000, other)).status, 201)
    const { token } = org.users.admin
    const { body } = await service.call('GET', '/api/usage/', { token })
    assert.deepEqual(body.storage, { used: 10_000, limit: 10_000 })
    // documents without a file are no matter
    const plain = { document_name: 'Plain' }
    const made = await service.call('POST', '/api/documents/', { token, body: plain })
    assert.equal(made.status, 201)
    const empty = await upload(0)
    assert.equal(empty.status, 201)
  })

  test('is shown to those who administer roles alone', async () => {
    const service = await startService()
    const org = await makeOrganization(service)
    for (const kind of ['member', 'customer', 'partner', 'observer'] as const) {
      const { status } = await service.call('GET', '/api/usage/', { token: org.users[kind].token })
      assert.equal(status, 403, kind)
    }
  })
})

describe('the webhook subscriptions of an organization', () => {
  test('are as many as its quota, and the same again is none more', async () => {
    const service = await startService({ quotas: { ...none, subscriptions: 2 } })
    const [org, other] = [await makeOrganization(service), await makeOrganization(service)]
    const [app, second] = [await connectApp(service, org), await connectApp(service, org)]
    const subscribed = (by: ConnectedApp, path: string) =>
      by.call('POST', '/webhook/subscribe', {
        body: { events: ['company_created'], url: `http://127.0.0.1:9/${path}` },
      })
    assert.equal((await subscribed(app, 'a')).status, 201)
    assert.equal((await subscribed(second, 'b')).status, 201)
    const refused = await subscribed(app, 'c')
    refusedWith(refused, 409, 'subscription_quota_exceeded')
    assert.equal((await subscribed(app, 'a')).status, 200)
    const theirs = await connectApp(service, other)
    assert.equal((await subscribed(theirs, 'a')).status, 201)
    const { body } = await service.call('GET', '/api/usage/', { token: org.users.admin.token })
    assert.deepEqual(body.subscriptions, { used: 2, limit: 2 })
    const [first] = (await app.call('GET', '/webhook/subscriptions')).body.results
    const removed = await app.call('DELETE', '/webhook/unsubscribe', {
      query: { subscriptionId: first.id },
    })
    assert.equal(removed.status, 200, removed.text)
    assert.equal((await subscribed(app, 'c')).status, 201)
  })
})

describe('the rows of an organization', () => {
  const write = (service: TestService, { users }: TestOrganization, company_name: string) =>
    service.call('POST', '/api/company/', { token: users.admin.token, body: { company_name } })

  test('over the quota nothing is stored, while deletes, exports and other organizations go on', async () => {
    const rowBytes = 300_000
    const service = await startService({ quotas: { ...none, rowBytes } })
    const [org, other] = [await makeOrganization(service), await makeOrganization(service)]
    const { token } = org.users.admin
    const usage = async () => (await service.call('GET', '/api/usage/', { token })).body.rows
    assert.deepEqual(await usage(), {
      used: 0,
      deliveries: 0,
      limit: rowBytes,
      counted_at: null,
    })
    const fields = [{ id: 'a', type: 'short-text', label: 'A' }]
    const survey = {
      name: 'S',
      form_structure: [{ id: 'p', title: '', fields }],
      status: 'published',
    }
    const { survey_id } = (await service.call('POST', '/api/surveys/', { token, body: survey }))
      .body
    const link = await service.call('POST', `/api/surveys/${survey_id}/link/`, { token, body: {} })
    await countRows(service.runtime)
    const before = (await usage()).used
    assert.ok(before > 1000 && before < rowBytes, `${before}`)
    // PostgreSQL would compress a text that repeats itself
    const text = () => randomBytes(5000).toString('hex')
    const made: Reply[] = []
    for (let i = 0; i < 30; i++) {
      const body = { title: `Full ${i}`, description: text() }
      made.push(await service.call('POST', '/api/tasks/', { token, body }))
    }
    assert.deepEqual(
      made.map(({ status }) => status),
      made.map(() => 201),
      made[0]!.text,
    )
    await countRows(service.runtime)
    const after = await usage()
    assert.ok(after.used > before + 30 * 5000, `${after.used}`)
    assert.ok(after.counted_at)
    const id = idOf(made[0]!)
    const refused = await write(service, org, 'One more')
    refusedWith(refused, 413, 'row_quota_exceeded')
    assert.match(refused.body.message, /of rows: delete what is no longer needed/)
    const renamed = { token, body: { title: 'Renamed' } }
    refusedWith(await service.call('PUT', `/api/tasks/${id}/`, renamed), 413, 'row_quota_exceeded')
    const byLink = `/api/surveys/public/${link.body.encrypted_token}/`
    const answered = await service.call('POST', byLink, { token, body: { answers: { a: 'x' } } })
    refusedWith(answered, 413, 'row_quota_exceeded')
    assert.match(answered.body.message, /cannot be stored at the moment/)
    const { body: form } = await service.call('GET', '/api/widget-config', { token })
    const sent = await service.call('POST', '/api/widget-submit', {
      body: { key: form.key, message: 'Hello', email: 'a@widget.test' },
    })
    refusedWith(sent, 413, 'row_quota_exceeded')
    const bulk = (action: string, fields?: object) =>
      service.call('POST', '/api/tasks/bulk/', {
        token,
        body: { action, ids: [idOf(made[1]!)], ...(fields ? { fields } : {}) },
      })
    refusedWith(await bulk('update', { title: 'Renamed' }), 413, 'row_quota_exceeded')
    const gone = await bulk('delete')
    assert.equal(gone.status, 200, gone.text)
    assert.equal(gone.body.updated, 1, gone.text)
    assert.ok((await service.call('GET', '/api/company/export/', { token })).status === 200)
    assert.ok((await service.call('DELETE', `/api/tasks/${id}/`, { token })).status < 300)
    const { user_id } = org.users.member
    const off = { token, body: { is_active: false } }
    assert.ok((await service.call('PUT', `/api/users/profile/${user_id}/`, off)).status < 300)
    assert.equal((await write(service, other, 'Of another')).status, 200)
  })

  test('an engagement event has 64 KiB at most', async () => {
    const service = await startService()
    const { users } = await makeOrganization(service)
    const track = (size: number) =>
      service.call('POST', '/api/activity/log/track/', {
        token: users.admin.token,
        body: { event: 'opened', text: 'x'.repeat(size) },
      })
    assert.equal((await track(60_000)).status, 201)
    refusedWith(await track(66_000), 413, 'too_large')
  })
})
