import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Reply, TestOrganization } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { removeOrphans } from '../../jobs/orphans.ts'

const service = await startService()
const { runtime } = service

async function setup() {
  const org = await makeOrganization(service)
  const as =
    (role: keyof TestOrganization['users']) => (method: string, path: string, body?: unknown) =>
      service.call(method, `/api/documents/${path}`, { token: org.users[role].token, body })
  return { org, as, call: as('admin') }
}

describe('A document', () => {
  test('moves to another record of the module to which it is attached', async () => {
    const { org, call } = await setup()
    const { token } = org.users.admin
    const ids = await Promise.all(
      ['One', 'Two'].map(async (full_name) => {
        const made = await service.call('POST', '/api/contact/', { token, body: { full_name } })
        return made.headers.get('x-record-id')!
      }),
    )
    const [first, second] = ids
    const about = { module_id: 5, module_name: 'contacts' }
    const made = await call('POST', '', {
      document_name: 'Note',
      ...about,
      reference_id: first,
    })
    const at = `${made.headers.get('x-record-id')}/`
    const moved = await call('PUT', at, { ...about, reference_id: second })
    assert.equal(moved.status, 200, moved.text)
    assert.equal(moved.body.reference_id, second)
    const same = await call('PUT', at, moved.body)
    assert.equal(same.headers.get('etag'), moved.headers.get('etag'))
  })

  test('is created from the account and document objects of the specification', async () => {
    const { org, call } = await setup()
    const { status, body, headers } = await call('POST', '', {
      account: {
        account_name: 'Acme',
        region: 'EU',
        customer: { full_name: 'Cleo Client', email: 'cleo@acme.test' },
        logo: [],
      },
      document: {
        document_name: 'Master agreement',
        document_template: { template_name: 'Agreement' },
        start_date: '2026-01-01',
        due_date: '2026-02-01',
        revenue: '1200.50',
        is_arr: true,
        document_fee: '99',
        document_owner: { is_owner: true, first_name: 'Ada' },
      },
    })
    assert.equal(status, 201, JSON.stringify(body))
    assert.equal(headers.get('x-record-id'), body.attach_id)
    assert.equal(body.id, body.attach_id)
    assert.equal(body.document_name, 'Master agreement')
    assert.equal(body.revenue, 1200.5)
    assert.equal(body.document_fee, 99)
    assert.equal(body.document_owner.user_id, org.users.admin.user_id)
    assert.equal(body.document_status, 'draft')
    assert.equal(body.signature_status, 'none')
    assert.equal(body.version, 1)
    assert.equal(body.latest_version, true)
    assert.equal(body.original_attach_id, null)
    assert.deepEqual(body.signature_recipients, [])
    const account = await service.call('GET', `/api/account/info/${body.account_id}/`, {
      token: org.users.admin.token,
    })
    assert.equal(account.body.account_name, 'Acme')
    const again = await call('POST', '', {
      account: { account_name: 'ACME' },
      document: { document_name: 'Second' },
    })
    assert.equal(again.body.account_id, body.account_id)
  })

  test('is created from a form whose fields were left empty', async () => {
    const { call } = await setup()
    const customer = { full_name: '', email: '', phone: '', user_id: '' }
    const { status, body } = await call('POST', '', {
      account: { account_name: '', region: '', customer, logo: [] },
      document: {
        document_name: 'Draft',
        document_template: 'Agreement',
        start_date: '',
        due_date: '',
        revenue: '',
        document_fee: '',
      },
    })
    assert.equal(status, 201, JSON.stringify(body))
    assert.deepEqual([body.account_id, body.start_date, body.revenue], [null, null, null])
    assert.deepEqual(body.document_template, { template_name: 'Agreement' })
  })

  test('needs a name, dates in order, and people and records that exist', async () => {
    const { call } = await setup()
    const wrong: [field: string, body: object][] = [
      ['document_name', {}],
      ['document.document_name', { document: {} }],
      [
        'document.due_date',
        { document: { document_name: 'x', start_date: '2026-02-01', due_date: '2026-01-01' } },
      ],
      ['project_id', { document_name: 'x', project_id: 'nope' }],
      ['document.project_id', { document: { document_name: 'x', project_id: 'nope' } }],
      ['private_users.0', { document_name: 'x', private_users: ['nope'] }],
      ['private_users.0', { document_name: 'x', private_users: [null] }],
      ['reference_id', { document_name: 'x', module_name: 'tasks', reference_id: 'nope' }],
      ['document_status', { document_name: 'x', document_status: 'signed' }],
    ]
    for (const [field, body] of wrong) {
      const reply = await call('POST', '', body)
      assert.equal(reply.status, 400, field)
      assert.equal(reply.body.errors[0].field, field)
    }
    assert.deepEqual((await call('GET', '')).body, [])
  })

  test('is signed until a time that is one and is to come', async () => {
    const { call } = await setup()
    const id = (await call('POST', '', { document_name: 'x' })).body.attach_id
    const recipients = [{ name: 'Ada', email: 'ada@x.test' }]
    const request = async (expires_at: string) =>
      (await call('POST', `${id}/signature/request/`, { recipients, expires_at })).body.message
    // both its beginning and its end could be meant
    const day = 'expires_at: must be a date and time in ISO 8601'
    assert.equal(await request('2099-12-31'), day)
    assert.equal(await request('2020-12-31T10:00:00Z'), 'expires_at: must be in the future')
  })

  test('goes from draft to published and not back', async () => {
    const { org, call } = await setup()
    const { attach_id: id } = (await call('POST', '', { document_name: 'x' })).body
    const published = await call('PUT', `${id}/`, { document_status: 'published' })
    assert.equal(published.status, 200)
    assert.equal(published.body.document_status, 'published')
    assert.ok(published.body.published_at)
    assert.equal(published.body.attach_id, id)
    const back = await call('PUT', `${id}/`, { document_status: 'draft' })
    assert.equal(back.status, 409)
    assert.deepEqual(back.body.data, { from: 'published', to: 'draft' })
    const events = await rows(
      service,
      sql`select type from events where organization_id = ${org.id} and type like 'document%'`,
    )
    assert.deepEqual(events, [
      { type: 'document_created' },
      { type: 'document_updated' },
      { type: 'document_published' },
    ])
  })

  test('gets a new version when its content changes after publishing, and lists show the latest', async () => {
    const { org, call } = await setup()
    const first = await call('POST', '', {
      document_name: 'Plan',
      editor_html_content: '<p onclick="x()">One<script>evil()</script></p>',
    })
    const id = first.body.attach_id
    assert.equal(first.body.editor_html_content, '<p>One</p>')
    const draft = await call('PUT', `${id}/`, { editor_html_content: '<p>Two</p>' })
    assert.equal(draft.body.attach_id, id)
    assert.equal(draft.body.version, 1)
    await call('POST', `${id}/publish/`)
    const renamed = await call('PUT', `${id}/`, { document_name: 'The plan', tags: ['a'] })
    assert.equal(renamed.body.attach_id, id)
    const etag = renamed.headers.get('etag')!
    const same = await call('PUT', `${id}/`, { editor_html_content: '<p>Two</p>' })
    assert.equal(same.body.attach_id, id)
    const second = await service.call('PUT', `/api/documents/${id}/`, {
      token: org.users.admin.token,
      body: { editor_html_content: '<p>Three</p>' },
      headers: { 'if-match': etag },
    })
    assert.equal(second.status, 200, second.text)
    const next = second.body
    assert.notEqual(next.attach_id, id)
    assert.equal(next.version, 2)
    assert.equal(next.version_type, 'edit')
    assert.equal(next.original_attach_id, id)
    assert.equal(next.parent_attach_id, id)
    assert.equal(next.document_name, 'The plan')
    assert.deepEqual(next.tags, ['a'])
    assert.equal(next.document_status, 'published')
    const third = await call('PUT', `${next.attach_id}/`, { editor_html_content: '<p>4</p>' })
    assert.equal(third.body.original_attach_id, id)
    assert.equal(third.body.parent_attach_id, next.attach_id)
    const listed = await call('GET', '')
    assert.deepEqual(ids(listed), [third.body.attach_id])
    const versions = await call('GET', `${id}/versions/`)
    assert.deepEqual(
      versions.body.map((each: any) => [each.version, each.latest_version]),
      [
        [3, true],
        [2, false],
        [1, false],
      ],
    )
    const old = await call('PUT', `${id}/`, { document_name: 'x' })
    assert.equal(old.status, 409)
    assert.deepEqual(old.body.data, { id: third.body.attach_id })
    const activities = await call('GET', `activities/?document_id=${id}`)
    assert.ok(activities.body.length >= 6)
  })

  test('is deleted and restored with all its versions', async () => {
    const { call } = await setup()
    const { attach_id: id } = (
      await call('POST', '', { document_name: 'x', document_status: 'published' })
    ).body
    const next = (await call('PUT', `${id}/`, { editor_html_content: 'new' })).body.attach_id
    assert.equal((await call('DELETE', `${next}/`)).status, 204)
    assert.equal((await call('GET', `${next}/`)).status, 404)
    assert.equal((await call('GET', `${id}/`)).status, 404)
    assert.equal((await call('POST', `${next}/restore/`)).status, 200)
    assert.equal((await call('GET', `${id}/versions/`)).body.length, 2)
  })

  test('is found by project, account, record, folder and state', async () => {
    const { org, call } = await setup()
    const { token } = org.users.admin
    const project = await service.call('POST', '/api/project/info/', {
      token,
      body: { account: { account_name: 'A' }, project: { project_name: 'P' } },
    })
    const project_id = project.headers.get('x-record-id')!
    const task = await service.call('POST', '/api/tasks/', { token, body: { title: 'T' } })
    const { item_id } = task.body
    const of = async (body: object) =>
      (await call('POST', '', { document_name: 'd', ...body })).body.attach_id
    const inProject = await of({ module_id: 'projects', reference_id: project_id })
    const ofTask = await of({ module_id: 1, reference_id: item_id })
    const foldered = await of({ menu_type: 'legal', document_status: 'published' })
    const found = async (query: string) => ids(await call('GET', `?${query}`))
    assert.deepEqual(await found(`project_id=${project_id}`), [inProject])
    const { account_id } = (await call('GET', `${inProject}/`)).body
    assert.ok(account_id)
    assert.deepEqual(await found(`account_id=${account_id}`), [inProject])
    assert.deepEqual(await found(`module_name=tasks&reference_id=${item_id}`), [ofTask])
    assert.deepEqual(await found('menu_type=legal'), [foldered])
    assert.deepEqual(await found('document_status=published'), [foldered])
    assert.deepEqual(await found('signature_status=pending'), [])
    const attached = await service.call('GET', `/api/tasks/attachments/?item_id=${item_id}`, {
      token,
    })
    assert.deepEqual(ids(attached), [ofTask])
    const shown = await service.call('GET', `/api/tasks/${item_id}/`, { token })
    assert.deepEqual(ids({ body: shown.body.attachments } as Reply), [ofTask])
  })

  test('is attached to a comment whose author sees it', async () => {
    const { org, as, call } = await setup()
    const { token } = org.users.member
    const task = await service.call('POST', '/api/tasks/', { token, body: { title: 'T' } })
    const about = { module_name: 'tasks', reference_id: task.body.item_id, content: 'Look' }
    const id = (await as('member')('POST', '', { document_name: 'x' })).body.attach_id
    const secret = await call('POST', '', { document_name: 'y', is_private: true })
    const comment = (attachment_ids: string[]) =>
      service.call('POST', '/api/interactions/info/', { token, body: { ...about, attachment_ids } })
    const refused = await comment([id, secret.body.attach_id])
    assert.equal(refused.status, 400)
    assert.equal(refused.body.errors[0].field, 'attachment_ids.1')
    const created = await comment([id])
    assert.equal(created.status, 201)
    assert.deepEqual(ids({ body: created.body.attachment_files } as Reply), [id])
    const path = `/api/interactions/info/${created.body.interaction_id}/`
    const change = (attachment_ids: string[], by = token) =>
      service.call('PUT', path, { token: by, body: { attachment_ids } })
    const next = (await as('member')('POST', '', { document_name: 'z' })).body.attach_id
    const [hidden] = ids({ body: [secret.body] } as Reply)
    assert.equal((await change([next, hidden!])).body.errors[0].field, 'attachment_ids.1')
    const changed = await change([next, id])
    assert.deepEqual(ids({ body: changed.body.attachment_files } as Reply), [next, id])
    assert.equal(changed.body.version, created.body.version + 1)
    assert.equal((await change([next, id])).body.version, changed.body.version)
    // what somebody else attached and the caller does not see stays
    await change([next, hidden!], org.users.admin.token)
    assert.deepEqual(ids({ body: (await change([])).body.attachment_files } as Reply), [])
    const { body: whole } = await service.call('GET', path, { token: org.users.admin.token })
    assert.deepEqual(ids({ body: whole.attachment_files } as Reply), [hidden])
  })

  test('that is private is for its own people and administrators', async () => {
    const { org, as, call } = await setup()
    const { attach_id: id } = (
      await as('manager')('POST', '', { document_name: 'secret', is_private: true })
    ).body
    assert.equal((await as('member')('GET', `${id}/`)).status, 404)
    assert.equal((await call('GET', `${id}/`)).status, 200)
    await as('manager')('PUT', `${id}/`, { private_users: [org.users.member.user_id] })
    assert.equal((await as('member')('GET', `${id}/`)).status, 200)
  })

  test('is visible to a customer once it is shared and belongs to its account', async () => {
    const { org, as, call } = await setup()
    const created = await call('POST', '', {
      account: { account_name: 'A' },
      document: { document_name: 'x' },
    })
    const { attach_id: id, account_id } = created.body
    await service.call('PUT', `/api/users/profile/${org.users.customer.user_id}/`, {
      token: org.users.admin.token,
      body: { account_id },
    })
    assert.equal((await as('customer')('GET', `${id}/`)).status, 404)
    await call('POST', `${id}/publish/`)
    assert.equal((await as('customer')('GET', `${id}/`)).status, 404)
    await call('PUT', `${id}/`, { is_shared: true })
    assert.equal((await as('customer')('GET', `${id}/`)).status, 200)
    await call('PUT', `${id}/`, { is_private: true })
    assert.equal((await as('customer')('GET', `${id}/`)).status, 404)
  })
})

describe('A document with a file', () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(5000)])

  test('is created from a form, and its fields describe the file', async () => {
    const { org } = await setup()
    const { status, body, headers } = await upload(org, 'POST', '', png, 'photo.bin', {
      description: 'A view',
      tags: '["x"]',
      is_private: 'true',
    })
    assert.equal(status, 201, JSON.stringify(body))
    assert.equal(headers.get('x-record-id'), body.attach_id)
    assert.equal(body.document_name, 'photo.bin')
    assert.equal(body.file_type, 'image/png')
    assert.equal(body.file_icon, 'image')
    assert.equal(body.file_size, png.length)
    assert.equal(body.file_hash, createHash('sha256').update(png).digest('hex'))
    assert.equal(body.storage_type, 'folder')
    assert.equal(body.file_path, `/api/documents/${body.attach_id}/file/`)
    assert.deepEqual(body.tags, ['x'])
    assert.equal(body.is_private, true)
  })

  test('describes an external file as the body states, a stored one as detected', async () => {
    const { org, call } = await setup()
    const about = { file_name: 'a.pdf', file_type: 'application/pdf', file_size: 7 }
    const named = { document_name: 'Elsewhere', external_file_url: 'https://files.test/a.pdf' }
    const created = await call('POST', '', { ...named, ...about })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const { file_name, file_type, file_size, file_path } = created.body
    assert.deepEqual({ file_name, file_type, file_size, file_path }, { ...about, file_path: null })
    const fields = { file_type: 'text/html', file_name: 'x.html', file_size: '1' }
    const stored = await upload(org, 'POST', '', png, 'photo.png', fields)
    assert.deepEqual(
      [stored.status, stored.body.file_type],
      [201, 'image/png'],
      stored.body.message,
    )
    const put = await call('PUT', `${stored.body.attach_id}/`, about)
    assert.deepEqual(
      [put.status, put.body.file_type, put.body.file_name],
      [200, 'image/png', 'photo.png'],
    )
  })

  test('offers no change of what its file is', async () => {
    const { org } = await setup()
    const { token } = org.users.admin
    const { body } = await service.call('GET', '/api/modules/documents/', { token })
    const fields = new Map<string, { is_writable: boolean }>(
      body.fields.map((each: { name: string }) => [each.name, each]),
    )
    for (const name of ['file_name', 'file_type', 'file_size']) {
      assert.equal(fields.get(name)?.is_writable, false, name)
    }
    assert.equal(fields.get('description')?.is_writable, true)
  })

  test('is downloaded whole and in ranges, and counted once', async () => {
    const { org, call } = await setup()
    const { attach_id: id } = (await upload(org, 'POST', '', png, 'büro "1".png')).body
    const get = async (headers: object, query = '') => {
      const reply = await fetch(`${service.url}/api/documents/${id}/file/${query}`, {
        headers: { authorization: `Bearer ${org.users.admin.token}`, ...headers },
      })
      return { reply, bytes: Buffer.from(await reply.arrayBuffer()) }
    }
    const whole = await get({})
    assert.equal(whole.reply.status, 200)
    assert.ok(whole.bytes.equals(png))
    assert.equal(whole.reply.headers.get('content-type'), 'image/png')
    assert.equal(whole.reply.headers.get('accept-ranges'), 'bytes')
    assert.equal(whole.reply.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(
      whole.reply.headers.get('content-disposition'),
      `attachment; filename="buro _1_.png"; filename*=UTF-8''b%C3%BCro%20%221%22.png`,
    )
    const etag = whole.reply.headers.get('etag')!
    const parts: [range: string, start: number, end: number][] = [
      ['bytes=0-9', 0, 9],
      ['bytes=100-', 100, png.length - 1],
      ['bytes=-10', png.length - 10, png.length - 1],
      ['bytes=5000-99999', 5000, png.length - 1],
    ]
    for (const [range, start, end] of parts) {
      const { reply, bytes } = await get({ range, 'if-range': etag })
      assert.equal(reply.status, 206, range)
      assert.equal(reply.headers.get('content-range'), `bytes ${start}-${end}/${png.length}`)
      assert.ok(bytes.equals(png.subarray(start, end + 1)), range)
    }
    for (const range of ['bytes=99999-', 'bytes=-0']) {
      const { reply } = await get({ range })
      assert.equal(reply.status, 416, range)
      assert.equal(reply.headers.get('content-range'), `bytes */${png.length}`)
    }
    for (const range of ['bytes=9-1', 'bytes=a-b', 'items=0-1', 'bytes=0-1,4-5']) {
      assert.equal((await get({ range })).reply.status, 200, range)
    }
    assert.equal((await get({ range: 'bytes=0-9', 'if-range': '"other"' })).reply.status, 200)
    assert.equal((await get({ 'if-none-match': etag })).reply.status, 304)
    const { headers, status } = await fetch(`${service.url}/api/documents/${id}/file/`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${org.users.admin.token}` },
    })
    assert.equal(status, 200)
    // none is allowed, and 0 would say that the file is empty
    assert.ok([null, String(png.length)].includes(headers.get('content-length')))
    const shown = await get({}, '?disposition=inline')
    assert.match(shown.reply.headers.get('content-disposition')!, /^inline/)
    const { body } = await call('GET', `${id}/`)
    // the whole file 6 times, and the range from the start
    assert.equal(body.download_count, 7)
    assert.equal(body.view_count, 1)
    const { body: analytics } = await call('GET', `analytics/?document_id=${id}`)
    assert.equal(analytics.views, 1)
    assert.equal(analytics.downloads, 7)
    assert.equal(analytics.by_day.length, 1)
  })

  test('with HTML or SVG is never shown in the browser', async () => {
    const { org } = await setup()
    for (const name of ['a.html', 'b.svg']) {
      const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')
      const { attach_id: id } = (await upload(org, 'POST', '', bytes, name)).body
      const reply = await fetch(`${service.url}/api/documents/${id}/file/?disposition=inline`, {
        headers: { authorization: `Bearer ${org.users.admin.token}` },
      })
      assert.match(reply.headers.get('content-disposition')!, /^attachment/)
      assert.match(reply.headers.get('content-security-policy')!, /sandbox/)
      await reply.body?.cancel()
    }
  })

  test('that is published gets a new version when its file is replaced', async () => {
    const { org, call } = await setup()
    const { attach_id: id } = (await upload(org, 'POST', '', png, 'a.png')).body
    await call('POST', `${id}/publish/`)
    const other = randomBytes(100)
    const { status, body } = await upload(org, 'PUT', `${id}/`, other, 'b.dat')
    assert.equal(status, 200)
    assert.equal(body.version, 2)
    assert.equal(body.file_name, 'b.dat')
    assert.equal(body.file_size, 100)
    const old = await call('GET', `${id}/`)
    assert.equal(old.body.file_name, 'a.png')
  })

  test('is 404 where there is no file, and for a document that the caller does not see', async () => {
    const { org, call, as } = await setup()
    const { attach_id: id } = (await call('POST', '', { document_name: 'x' })).body
    assert.equal((await call('GET', `${id}/file/`)).status, 404)
    const secret = await upload(org, 'POST', '', png, 'a.png', { is_private: 'true' })
    assert.equal((await as('member')('GET', `${secret.body.attach_id}/file/`)).status, 404)
  })

  test('loses files that no document refers to after a day, and nothing else', async () => {
    const { org } = await setup()
    const stored = (await upload(org, 'POST', '', png, 'a.png')).body
    const [{ storage_key }] = (await rows(
      service,
      sql`select storage_key from documents where id = ${stored.attach_id}`,
    )) as [{ storage_key: string }]
    const root = join(runtime.config.dataDir, 'files')
    const orphan = `documents/${org.id}/orphan`
    await runtime.files.put(orphan, join(root, storage_key), 'image/png')
    const young = `documents/${org.id}/young`
    await runtime.files.put(young, join(root, storage_key), 'image/png')
    const long = new Date(+runtime.now() - 2 * 86_400_000)
    for (const key of [orphan, storage_key]) await utimes(join(root, key), long, long)
    assert.equal(await removeOrphans(runtime), 1)
    const left: string[] = []
    for await (const { key } of runtime.files.list(`documents/${org.id}`)) left.push(key)
    assert.deepEqual(left.sort(), [storage_key, young].sort())
  })
})

function ids({ body }: Reply): string[] {
  return body.map((each: { attach_id: string }) => each.attach_id)
}

async function upload(
  org: TestOrganization,
  method: string,
  path: string,
  bytes: Buffer,
  name: string,
  fields: { [name: string]: string } = {},
) {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  const reply = await fetch(`${service.url}/api/documents/${path}`, {
    method,
    headers: { authorization: `Bearer ${org.users.admin.token}` },
    body: form,
  })
  return { status: reply.status, headers: reply.headers, body: (await reply.json()) as any }
}
