import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { before, describe, test } from 'node:test'
import { password } from '../support/organization.ts'
import { postForm } from '../support/integration.ts'
import { linkIn, startMailbox } from '../support/mailbox.ts'
import type { Mailbox } from '../support/mailbox.ts'
import type { Member, TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, startService } from '../support/service.ts'

// A customer hands in files for a task that asks for one: in the portal and from the mail, several at once, and takes
// one back. Who may not see the task gets none of it.

describe('files that a customer hands in', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  let cookie = ''

  before(async () => {
    mailbox = await startMailbox()
    service = await startService(
      { smtpUrl: mailbox.url, quotas: { storageBytes: 60 * 1024 * 1024 } as never },
      undefined,
      true,
    )
    org = await makeOrganization(service)
    cookie = await session(org.users.customer)
  })

  const call = async (method: string, path: string, body?: object) => {
    const reply = await service.call(method, path, { token: org.users.admin.token, body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.body
  }

  async function session({ email }: Member) {
    const body = { email, password }
    const headers = { 'sec-fetch-site': 'same-origin' }
    const entered = await service.call('POST', '/api/session/', { body, headers })
    assert.equal(entered.status, 200, entered.text)
    return (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  }

  async function task(title: string, more: object = {}): Promise<string> {
    const { user_id: owner } = org.users.customer
    const body = { title, owner, is_shared: true, asks_for_file: true, ...more }
    return (await call('POST', '/api/tasks/', body)).item_id
  }

  type Sent = [name: string, content: string | Uint8Array<ArrayBuffer>, type?: string]

  async function upload(path: string, files: Sent[], by = cookie) {
    const form = new FormData()
    for (const [name, content, type = 'text/csv'] of files) {
      form.append('file', new Blob([content], { type }), name)
    }
    const headers = { cookie: by, 'sec-fetch-site': 'same-origin' }
    const sent = {
      method: 'POST',
      body: form,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
    } as const
    const reply = await fetch(service.url + path, sent)
    return { status: reply.status, to: reply.headers.get('location'), text: await reply.text() }
  }

  const submit = (path: string, fields: { [name: string]: string }, by = cookie) =>
    postForm(service, path, fields, { cookie: by, 'sec-fetch-site': 'same-origin' })
  const open = (path: string, by = cookie) => service.call('GET', path, { headers: { cookie: by } })
  const filesOf = async (id: string): Promise<string[]> =>
    (await call('GET', `/api/tasks/${id}/`)).attachments.map(
      (each: { document_name: string }) => each.document_name,
    )

  test('land on the task, several at once, and the portal then asks for nothing more', async () => {
    const id = await task('Upload the export', { due_date: '2020-01-06' })
    const first = async () => {
      const reply = await service.call('GET', '/api/portal/', { token: org.users.customer.token })
      return reply.body.next.find((each: { id: string }) => each.id === id)
    }
    assert.equal((await first()).action, 'upload')
    assert.match((await open('/portal')).text, /enctype="multipart\/form-data"[^]+Upload/)
    const sent = await upload(`/portal/tasks/${id}/files`, [
      ['Lyon.csv', 'a,b\n1,2\n'],
      ['Bron <1>.csv', 'a,b\n3,4\n'],
    ])
    assert.deepEqual([sent.status, sent.to], [303, `/portal/tasks/${id}?uploaded=1#files`])
    assert.deepEqual(await filesOf(id), ['Lyon.csv', 'Bron <1>.csv'])
    assert.equal((await first()).action, 'done')
    const page = await open(`/portal/tasks/${id}?uploaded=1`)
    assert.match(page.text, /Mark it as done when nothing is missing/)
    assert.match(page.text, /Bron &lt;1&gt;\.csv/)
    const { attachments } = await call('GET', `/api/tasks/${id}/`)
    const document = await call('GET', `/api/documents/${attachments[0].attach_id}/`)
    assert.deepEqual(
      [document.is_shared, document.created_by.user_id, document.document_status],
      [true, org.users.customer.user_id, 'draft'],
    )
    const file = await service.call('GET', `/api/documents/${document.attach_id}/file/`, {
      token: org.users.member.token,
    })
    assert.equal(file.text, 'a,b\n1,2\n')
    await submit(`/portal/tasks/${id}`, { act: 'done' })
    const late = await upload(`/portal/tasks/${id}/files`, [['Late.csv', '1']])
    assert.equal(late.status, 409)
    assert.equal((await filesOf(id)).length, 2)
  })

  test('say which is wrong and why, and take the others', async () => {
    const id = await task('Upload something')
    const path = `/portal/tasks/${id}/files`
    const none = await upload(path, [])
    assert.equal(none.status, 400)
    assert.match(none.text, /Choose a file first/)
    const mixed = await upload(path, [
      ['empty.csv', ''],
      ['good.csv', '1'],
    ])
    assert.equal(mixed.status, 400)
    assert.match(mixed.text, /role="alert"[^]+empty\.csv is empty/)
    assert.deepEqual(await filesOf(id), ['good.csv'])
    const many = await upload(
      path,
      Array.from({ length: 11 }, (_, at): Sent => [`${at}.csv`, '1']),
    )
    assert.equal(many.status, 400)
    assert.match(many.text, /At most 10 files/)
    const large = await upload(path, [['huge.bin', new Uint8Array(51 * 1024 * 1024)]])
    assert.equal(large.status, 413)
    assert.match(large.text, /huge\.bin is larger than 50 MiB/)
    const full = await upload(path, [
      ['one.bin', new Uint8Array(40 * 1024 * 1024)],
      ['two.bin', new Uint8Array(40 * 1024 * 1024)],
    ])
    assert.equal(full.status, 413)
    assert.match(full.text, /no room left for two\.bin/)
    assert.deepEqual(await filesOf(id), ['good.csv', 'one.bin'])
    await call('DELETE', `/api/tasks/${id}/`)
  })

  test('are taken back by whoever handed them in, and handed in again', async () => {
    const id = await task('Upload the list')
    const path = `/portal/tasks/${id}/files`
    await upload(path, [['list.csv', '1']])
    const { attachments } = await call('GET', `/api/tasks/${id}/`)
    const [{ attach_id: file }] = attachments
    const other = await session(org.users.partner)
    await call('PUT', `/api/tasks/${id}/`, { users: [org.users.partner.user_id] })
    assert.doesNotMatch((await open(`/portal/tasks/${id}`, other)).text, /value="remove"/)
    assert.equal((await submit(path, { act: 'remove', file }, other)).status, 404)
    const removed = await submit(path, { act: 'remove', file })
    assert.equal(removed.headers.get('location'), `/portal/tasks/${id}?removed=${file}#files`)
    assert.deepEqual(await filesOf(id), [])
    const page = await open(`/portal/tasks/${id}?removed=${file}`)
    assert.match(page.text, /Removed[^]+value="restore"[^]+Undo/)
    assert.equal((await submit(path, { act: 'restore', file }, other)).status, 404)
    assert.equal((await submit(path, { act: 'restore', file })).status, 303)
    assert.deepEqual(await filesOf(id), ['list.csv'])
    // what the team deleted is no longer theirs to bring back
    await call('DELETE', `/api/documents/${file}/`)
    assert.equal((await submit(path, { act: 'restore', file })).status, 404)
    await call('POST', `/api/documents/${file}/restore/`)
    // what the team works on is no longer theirs to take back
    await call('POST', `/api/documents/${file}/publish/`)
    assert.equal((await submit(path, { act: 'remove', file })).status, 404)
    for (const wrong of ['', 'nothing', '%00']) {
      assert.equal((await submit(path, { act: 'remove', file: wrong })).status, 404, wrong)
    }
  })

  test('of a task that is not theirs are refused, and what is theirs alone stays theirs', async () => {
    const { user_id: owner } = org.users.member
    const hidden = await task('Internal', { owner, is_shared: false })
    const refused = await upload(`/portal/tasks/${hidden}/files`, [['x.csv', '1']])
    assert.equal(refused.status, 404)
    assert.deepEqual(await filesOf(hidden), [])
    const shared = await task('Of the team', { owner })
    const foreignTask = await upload(`/portal/tasks/${shared}/files`, [['x.csv', '1']])
    assert.ok([403, 404].includes(foreignTask.status), foreignTask.text)
    assert.deepEqual(await filesOf(shared), [])
    // one that is done before a byte of a file is received
    const done = await task('Done', { is_completed: true })
    const { port } = new URL(service.url)
    const head = [
      `POST /portal/tasks/${done}/files HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Cookie: ${cookie}`,
      'Sec-Fetch-Site: same-origin',
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 40000000',
    ]
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    const [first] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    assert.match(first.toString(), /^HTTP\/1\.1 409 /)
    const own = await task('For you alone', { is_shared: false })
    await upload(`/portal/tasks/${own}/files`, [['private.csv', '1']])
    const { attachments } = await call('GET', `/api/tasks/${own}/`)
    const [{ attach_id }] = attachments
    assert.equal((await call('GET', `/api/documents/${attach_id}/`)).is_shared, false)
    const { token } = org.users.partner
    const theirs = await service.call('GET', `/api/documents/${attach_id}/`, { token })
    assert.equal(theirs.status, 404)
    const foreign = await upload(`/portal/tasks/${own}/files`, [['x.csv', '1']], '')
    assert.deepEqual([foreign.status, foreign.to], [303, '/portal/sign-in'])
  })

  test('are handed in from the mail, as long as its link is good', async () => {
    const id = await task('Send us the figures')
    const { email } = org.users.customer
    let mail = await mailbox.next(email)
    while (!/Send us the figures/.test(mail.subject ?? '')) mail = await mailbox.next(email)
    const path = new URL(linkIn(mail)).pathname
    assert.match((await service.call('GET', path)).text, /enctype="multipart\/form-data"/)
    const sent = await upload(`${path}/files`, [['figures.csv', '1']], '')
    assert.equal(sent.status, 200, sent.text)
    assert.match(sent.text, /Uploaded[^]+figures\.csv/)
    assert.doesNotMatch(sent.text, /\/portal\/documents\//)
    const [{ attach_id: file }] = (await call('GET', `/api/tasks/${id}/`)).attachments
    const removed = await postForm(service, `${path}/files`, { act: 'remove', file })
    assert.match(removed.text, /Removed[^]+Undo/)
    await postForm(service, `${path}/files`, { act: 'restore', file })
    assert.deepEqual(await filesOf(id), ['figures.csv'])
    await postForm(service, path, { act: 'done' })
    const late = await upload(`${path}/files`, [['late.csv', '1']], '')
    assert.equal(late.status, 404)
    assert.deepEqual(await filesOf(id), ['figures.csv'])
  })

  test('are asked for by a template', async () => {
    const made = await call('POST', '/api/templates/template/', {
      template_name: 'Onboarding',
      template_type: 'project',
      template_config: {
        stages: [
          {
            name: 'Data',
            tasks: [{ title: 'Upload the export', asks_for_file: true }, { title: 'Check it' }],
          },
        ],
      },
    })
    const project = await service.call('POST', '/api/project/info/', {
      token: org.users.admin.token,
      body: { project_name: 'Asked', template_id: made.template_id },
    })
    const id = project.headers.get('x-record-id')
    const { tasks } = await call('GET', `/api/project/info/${id}/plan/`)
    const asks = await Promise.all(
      tasks.map(async (each: { item_id: string }) => {
        const { title, asks_for_file } = await call('GET', `/api/tasks/${each.item_id}/`)
        return [title, asks_for_file]
      }),
    )
    assert.deepEqual(asks, [
      ['Upload the export', true],
      ['Check it', false],
    ])
  })
})
