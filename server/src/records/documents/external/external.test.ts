import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { atEnd } from '../../../../test/support/finally.ts'
import { makeOrganization, rows, sql, startService } from '../../../../test/support/service.ts'

type Answer = { status: number; body: string }

/** DocuSeal's own API: what it says about each submission; those without an answer hang. */
const answers = new Map<number, Answer>()
const keys: unknown[] = []
const api = createServer((request, response) => {
  keys.push(request.headers['x-auth-token'])
  const answer = answers.get(Number(request.url?.replace('/submissions/', '')))
  if (answer) response.writeHead(answer.status).end(answer.body)
})
api.listen(0, '127.0.0.1')
await once(api, 'listening')
atEnd(async () => {
  api.closeAllConnections()
  api.close()
})
const docusealApiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`

const service = await startService({ docusealApiUrl, docusealApiKey: 'key-of-docuseal' })
const alone = await startService()
let submissions = 100

const says = (submission: number, answer: object, status = 200) =>
  void answers.set(submission, {
    status,
    body: JSON.stringify({ id: submission, ...answer }),
  })

async function setup(on = service) {
  const service = on
  const org = await makeOrganization(service)
  const { token } = org.users.admin
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, `/api/documents/${path}`, { token, body })
  const { url, header, secret } = (await call('GET', 'external/')).body
  const path = new URL(url).pathname
  const post = (body: unknown, headers: { [name: string]: string } = { [header]: secret }) =>
    service.call('POST', path, { body, headers })
  const submission = ++submissions
  const created = await call('POST', '', {
    document_name: 'Lease',
    external_submission_id: submission,
  })
  const id = created.body.attach_id as string
  const latest = async () => (await call('GET', '')).body[0]
  return { org, call, post, path, header, secret, submission, id, latest }
}

const people = (submission: number, ...statuses: string[]) =>
  statuses.map((status, i) => ({
    id: submission * 10 + i,
    email: `p${i}@out.test`,
    name: `Person ${i}`,
    status,
  }))

/** The same as DocuSeal's API shows them, with the id of the document. */
const known = (external_id: string, submission: number, ...statuses: string[]) =>
  people(submission, ...statuses).map((each) => ({ ...each, external_id }))

describe('the events of DocuSeal', () => {
  test('need the secret of the organization, in the header', async () => {
    const { post, header, secret, call, id } = await setup()
    const other = await setup()
    const event = { event_type: 'submission.created', data: { id: 1, submitters: [] } }
    for (const headers of [{}, { [header]: 'x' }, { [header]: other.secret }, { [header]: '' }]) {
      const reply = await post(event, headers as { [name: string]: string })
      assert.equal(reply.status, 401)
      assert.ok(reply.body.error)
    }
    assert.equal((await call('GET', `${id}/`)).body.signature_status, 'none')
    assert.equal((await post({ event_type: 'x' })).status, 400)
    assert.equal((await post('[')).status, 400)
    assert.equal((await post({ event_type: 'x', data: { id: 'y' } })).status, 400)
    assert.deepEqual((await post({ event_type: 'x', data: {} })).body, {
      status: 'success',
      handled: false,
    })
    assert.ok(secret)
  })

  test('come by a secret that is shown to who may update every app alone', async () => {
    const { org, secret } = await setup()
    const { token } = org.users.admin
    const { user_id, token: own } = org.users.member
    for (const [kind, level, status] of [
      ['member', 'own', 403],
      ['member', 'all', 200],
      ['observer', 'all', 403],
    ] as const) {
      const body = { role_name: `${kind} ${level}`, kind, permission: { apps: { update: level } } }
      const role = await service.call('POST', '/api/users/role/', { token, body })
      const { role_id } = role.body
      const path = `/api/users/profile/${user_id}/`
      const put = await service.call('PUT', path, { token, body: { role_id } })
      assert.equal(put.status, 200, put.text)
      const reply = await service.call('GET', '/api/documents/external/', { token: own })
      assert.equal(reply.status, status, `${kind} ${level} ${reply.text}`)
      assert.equal(reply.body.secret, status === 200 ? secret : undefined)
    }
  })

  test('come by the secret before for a day after it was rotated', async () => {
    let now = +new Date()
    const clocked = await startService({}, () => new Date(now))
    const { users } = await makeOrganization(clocked)
    const path = '/api/documents/external/'
    const { token } = users.admin
    const { url, header, secret: first } = (await clocked.call('GET', path, { token })).body
    const statuses = (...secrets: string[]) =>
      Promise.all(
        secrets.map(async (secret) => {
          const body = { event_type: 'x', data: {} }
          const headers = { [header]: secret }
          return (await clocked.call('POST', new URL(url).pathname, { body, headers })).status
        }),
      )
    const denied = await clocked.call('POST', `${path}rotate-secret/`, {
      token: users.member.token,
    })
    assert.equal(denied.status, 403)
    const rotate = () => clocked.call('POST', `${path}rotate-secret/`, { token })
    const { secret: second, previous_secret_until } = (await rotate()).body
    assert.equal(+new Date(previous_secret_until), now + 86_400_000)
    assert.deepEqual(await statuses(first, second), [200, 200])
    const read = await clocked.call('GET', path, { token })
    assert.deepEqual(read.body, { url, header, secret: second, previous_secret_until })
    const { secret: third } = (await rotate()).body
    assert.deepEqual(await statuses(first, second, third), [401, 200, 200])
    now += 86_400_001
    assert.deepEqual(await statuses(second, third), [401, 200])
  })

  test('move a document to signed, once for each event', async () => {
    const { org, post, submission, id, latest, call } = await setup()
    const template = { id: 7 }
    const submitters = known(id, submission, 'sent', 'sent')
    says(submission, { status: 'pending', template, submitters })
    await post({
      event_type: 'submission.created',
      timestamp: '1',
      data: { id: submission, template: { id: 7 }, submitters: people(submission, 'sent', 'sent') },
    })
    const requested = (await call('GET', `${id}/`)).body
    assert.equal(requested.signature_status, 'pending')
    assert.equal(requested.external_template_id, 7)
    assert.equal(requested.signatures_required, 2)
    const first = {
      event_type: 'form.completed',
      timestamp: '2',
      data: {
        ...people(submission, 'completed')[0],
        submission: { id: submission, status: 'pending' },
      },
    }
    says(submission, {
      status: 'pending',
      template,
      submitters: known(id, submission, 'completed', 'sent'),
    })
    assert.equal((await post(first)).body.handled, true)
    assert.equal((await post(first)).body.handled, false)
    const partial = (await call('GET', `${id}/`)).body
    assert.deepEqual([partial.signature_status, partial.signatures_completed], ['partial', 1])
    assert.equal((await call('PUT', `${id}/`, { editor_html_content: 'x' })).status, 409)
    const done = {
      status: 'completed',
      documents: [{ name: 'lease', url: 'https://sign.example/lease.pdf' }],
      audit_log_url: 'https://sign.example/audit.pdf',
    }
    says(submission, { ...done, submitters: known(id, submission, 'completed', 'completed') })
    await post({
      event_type: 'submission.completed',
      timestamp: '3',
      // what the event itself names is not believed
      data: { id: submission, ...done, documents: [{ url: 'https://evil.example/x.pdf' }] },
    })
    const signed = await latest()
    assert.equal(signed.signature_status, 'signed')
    assert.equal(signed.signatures_completed, 2)
    assert.equal(signed.is_signed_version, true)
    assert.equal(signed.version_type, 'signature')
    assert.equal(signed.parent_attach_id, id)
    assert.equal(signed.external_submission_id, submission)
    assert.equal(signed.external_signed_document_url, 'https://sign.example/lease.pdf')
    assert.equal(signed.external_audit_log_url, 'https://sign.example/audit.pdf')
    const late = { event_type: 'form.declined', timestamp: '4', data: { ...first.data } }
    await post({ ...late, data: { ...late.data, status: 'declined' } })
    assert.equal((await latest()).signature_status, 'signed')
    const events = await rows(
      service,
      sql`select type from events where organization_id = ${org.id} and type is not null
        order by id`,
    )
    assert.deepEqual(
      events.map(({ type }) => type),
      [
        'document_created',
        'document_updated',
        'document_signature_requested',
        'document_updated',
        'document_updated',
        'document_signed',
        'document_updated',
      ],
    )
    // the external service writes to the signers; from here the owner alone is notified, and mailed so
    const mails = await rows(
      service,
      sql`select j.name, n.user_id, n.title from asked_jobs j left join notifications n
          on n.organization_id = j.organization_id and n.id = j.data ->> 'notification_id'
        where j.organization_id = ${org.id}`,
    )
    assert.deepEqual(mails, [
      { name: 'mail-notification', user_id: org.users.admin.user_id, title: 'Lease: signed' },
    ])
  })

  test('decline, and expire', async () => {
    const { post, submission, id, call } = await setup()
    const data = { ...people(submission, 'declined')[0], submission: { id: submission } }
    says(submission, { status: 'declined', submitters: known(id, submission, 'declined') })
    await post({ event_type: 'form.declined', data: { ...data, decline_reason: 'Too dear' } })
    const declined = (await call('GET', `${id}/`)).body
    assert.equal(declined.signature_status, 'declined')
    assert.equal(declined.signature_recipients[0].decline_reason, 'Too dear')
    says(submission, { status: 'expired', submitters: known(id, submission, 'declined') })
    await post({ event_type: 'submission.expired', data: { id: submission } })
    assert.equal((await call('GET', `${id}/`)).body.signature_status, 'none')
  })

  test('find a document by the id that a submitter carries', async () => {
    const { post, call } = await setup()
    const { attach_id: id } = (await call('POST', '', { document_name: 'Other' })).body
    const submission = ++submissions
    const [person] = people(submission, 'sent')
    says(submission, { status: 'pending', submitters: known(id, submission, 'sent') })
    await post({
      event_type: 'submission.created',
      data: { id: submission, submitters: [{ ...person, external_id: id }] },
    })
    const { body } = await call('GET', `${id}/`)
    assert.deepEqual([body.external_submission_id, body.signature_status], [submission, 'pending'])
  })

  test('leave alone what was requested here, and what is unknown', async () => {
    const { post, call, id, submission } = await setup()
    await call('POST', `${id}/signature/request/`, { recipients: [{ email: 'a@b.test' }] })
    const event = (of: number) => ({
      event_type: 'submission.completed',
      data: { id: of, submitters: people(of, 'completed') },
    })
    for (const each of [submission, 999_999]) {
      says(each, { status: 'completed', submitters: known(id, each, 'completed') })
      assert.equal((await post(event(each))).body.handled, false)
    }
    assert.equal((await call('GET', `${id}/`)).body.signature_status, 'pending')
  })

  for (const [without, on, answer] of [
    ['where no API is configured', alone, { status: 'completed' }],
    ['where the API says that nobody has', service, { status: 'pending' }],
    ['where the API has no such submission', service, undefined],
    ['where the API names no document of the organization', service, { status: 'completed' }],
  ] as const) {
    test(`do not mark a document as signed by the secret alone: ${without}`, async () => {
      const { call, post, id, submission, latest, org } = await setup(on)
      const other = await setup(on)
      const isForeign = without.includes('names no document')
      const status = answer?.status === 'completed' ? 'completed' : 'sent'
      const submitters = known(isForeign ? other.id : id, submission, status)
      if (answer) says(submission, { ...answer, submitters })
      else says(submission, { error: 'Not found' }, 404)
      const claim = people(submission, 'completed')
      const documents = [{ url: 'https://evil.example/x.pdf' }]
      const events = [
        {
          event_type: 'form.completed',
          data: { ...claim[0], documents, submission: { id: submission, status: 'completed' } },
        },
        {
          event_type: 'submission.completed',
          data: { id: submission, status: 'completed', documents, submitters: claim },
        },
      ]
      for (const event of events) assert.equal((await post(event)).status, 200)
      const document = await latest()
      assert.equal(document.attach_id, id)
      assert.equal(document.signature_status, 'pending')
      assert.deepEqual([document.signatures_completed, document.signed_at], [0, null])
      assert.equal(document.external_signed_document_url, null)
      assert.deepEqual(
        document.signature_recipients.map((each: { status: string }) => each.status),
        ['sent'],
      )
      const signed = await rows(
        on,
        sql`select from events where organization_id = ${org.id} and type = 'document_signed'`,
      )
      assert.equal(signed.length, 0)
      const { entries } = (await call('GET', `${id}/signature/audit/`)).body
      const reported = entries.filter(({ title }: { title: string }) => /reported/.test(title))
      assert.equal(reported.length, answer?.status === 'pending' ? 0 : 2)
    })
  }

  test('are asked for again where DocuSeal’s API gives no answer, and are handled then', async () => {
    const { post, submission, id, latest } = await setup()
    const submitters = known(id, submission, 'completed')
    const event = {
      event_type: 'submission.completed',
      data: { id: submission, status: 'completed', submitters: people(submission, 'completed') },
    }
    const large = JSON.stringify({ id: submission, x: 'x'.repeat(3 * 1024 * 1024) })
    const wrong: (Answer | undefined)[] = [
      { status: 401, body: '{}' },
      { status: 500, body: '' },
      { status: 302, body: '' },
      { status: 200, body: '<html>' },
      { status: 200, body: 'null' },
      { status: 200, body: JSON.stringify({ id: submission + 1, status: 'completed' }) },
      { status: 200, body: JSON.stringify({ id: submission, submitters: 'x' }) },
      { status: 200, body: large },
      // it hangs
      undefined,
    ]
    for (const each of wrong) {
      if (each) answers.set(submission, each)
      else answers.delete(submission)
      const reply = await post(event)
      assert.equal(reply.status, 503, JSON.stringify(each)?.slice(0, 100))
      assert.equal(reply.headers.get('retry-after'), '60')
      assert.equal((await latest()).signature_status, 'none')
    }
    says(submission, { status: 'completed', submitters })
    assert.deepEqual((await post(event)).body, { status: 'success', handled: true })
    assert.equal((await latest()).signature_status, 'signed')
    assert.deepEqual([...new Set(keys)], ['key-of-docuseal'])
  })

  test('are confirmed by no address that is not public', async () => {
    const publicUrl = 'https://crm.example.test'
    const guarded = await startService({ docusealApiUrl, docusealApiKey: 'guarded', publicUrl })
    const { post, submission, id } = await setup(guarded)
    says(submission, { status: 'completed', submitters: known(id, submission, 'completed') })
    assert.equal((await post({ event_type: 'x', data: { id: submission } })).status, 503)
    assert.ok(!keys.includes('guarded'))
  })
})
