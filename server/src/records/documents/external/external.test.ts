import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeOrganization, rows, sql, startService } from '../../../../test/support/service.ts'

const service = await startService()
let submissions = 100

async function setup() {
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
    assert.equal((await post(first)).body.handled, true)
    assert.equal((await post(first)).body.handled, false)
    const partial = (await call('GET', `${id}/`)).body
    assert.deepEqual([partial.signature_status, partial.signatures_completed], ['partial', 1])
    assert.equal((await call('PUT', `${id}/`, { editor_html_content: 'x' })).status, 409)
    await post({
      event_type: 'submission.completed',
      timestamp: '3',
      data: {
        id: submission,
        status: 'completed',
        submitters: people(submission, 'completed', 'completed'),
        documents: [{ name: 'lease', url: 'https://sign.example/lease.pdf' }],
        audit_log_url: 'https://sign.example/audit.pdf',
      },
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
      ['document_signature_requested', 'document_signed'],
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
    await post({ event_type: 'form.declined', data: { ...data, decline_reason: 'Too dear' } })
    const declined = (await call('GET', `${id}/`)).body
    assert.equal(declined.signature_status, 'declined')
    assert.equal(declined.signature_recipients[0].decline_reason, 'Too dear')
    await post({ event_type: 'submission.expired', data: { id: submission } })
    assert.equal((await call('GET', `${id}/`)).body.signature_status, 'none')
  })

  test('find a document by the id that a submitter carries', async () => {
    const { post, call } = await setup()
    const { attach_id: id } = (await call('POST', '', { document_name: 'Other' })).body
    const submission = ++submissions
    const [person] = people(submission, 'sent')
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
    assert.equal((await post(event(submission))).body.handled, false)
    assert.equal((await post(event(999_999))).body.handled, false)
    assert.equal((await call('GET', `${id}/`)).body.signature_status, 'pending')
  })
})
