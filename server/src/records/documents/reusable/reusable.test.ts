import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { plainPdf } from '../../../../test/support/pdf.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'

describe('reusable documents', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  type Who = 'admin' | 'manager' | 'member'
  const call = (method: string, path: string, body?: object, who: Who = 'admin') =>
    service.call(method, path, { token: org.users[who].token, ...(body ? { body } : {}) })
  const at = (id: string, act = '') => `/api/documents/${id}/${act}`
  const prepared = async (id: string) => (await call('GET', at(id, 'signature/preparation/'))).body

  const box = { page: 1, x: 0.1, y: 0.2, width: 0.3, height: 0.1, label: '', required: true }
  const place = (key: string, recipient: string) => ({ key, recipient, kind: 'signature', ...box })
  const ada = { key: 'a', name: 'Ada', email: 'ada@customer.test', role: 'signer', order: 1 }

  /** A reusable document of a prepared one, with a place for a customer and one for the caller. */
  async function reusable(more: object = {}, message = 'For {{Customer.name}}'): Promise<string> {
    const made = await call('POST', '/api/documents/', { document_name: 'Agreement', ...more })
    const id = made.body.attach_id
    const me = { ...ada, key: 'us', name: 'Admin', email: org.users.admin.email, order: 2 }
    const put = await call('PUT', at(id, 'signature/preparation/'), {
      recipients: [{ ...ada, role_name: 'Customer' }, me],
      fields: [place('f1', 'a'), place('f2', 'us')],
      message,
      expires: '2040-01-01',
    })
    assert.equal(put.status, 200, put.text)
    const kept = await call('POST', at(id, 'reusable/'), {})
    assert.equal(kept.status, 201, kept.text)
    assert.equal(kept.body.is_reusable, true)
    return kept.body.attach_id
  }

  test('have roles in place of people, except those of the organization', async () => {
    const id = await reusable()
    const { recipients, fields, expires } = await prepared(id)
    assert.deepEqual(
      recipients.map(({ role_name, name, email }: typeof ada & { role_name: string }) => [
        role_name,
        name,
        email,
      ]),
      [
        ['Customer', '', ''],
        ['Admin', 'Admin', org.users.admin.email],
      ],
    )
    assert.deepEqual([fields.length, expires], [2, null])
    const list = await call(
      'GET',
      `/api/documents/?filter=${JSON.stringify([{ field: 'is_reusable', operator: 'eq', value: true }])}`,
    )
    assert.ok(list.body.some((each: { attach_id: string }) => each.attach_id === id))
    const recipient = [{ name: 'Ada', email: 'ada@customer.test' }]
    const sent = await call('POST', at(id, 'signature/request/'), { recipients: recipient })
    assert.deepEqual([sent.status, sent.body.code], [409, 'reusable'])
    const put = await call('PUT', at(id), { is_reusable: false })
    assert.equal(put.status, 400)
  })

  test('have no customer as a recipient, even if they have an account here', async () => {
    const made = await call('POST', '/api/documents/', { document_name: 'For one customer' })
    const id = made.body.attach_id
    const recipients = [{ ...ada, name: 'Carl', email: org.users.customer.email }]
    const put = await call('PUT', at(id, 'signature/preparation/'), {
      recipients,
      fields: [],
      message: '',
      expires: null,
    })
    assert.equal(put.status, 200, put.text)
    const kept = await call('POST', at(id, 'reusable/'), {})
    const [role] = (await prepared(kept.body.attach_id)).recipients
    assert.deepEqual([role.role_name, role.name, role.email], ['Carl', '', ''])
  })

  test('refuse values that would make a text too long', async () => {
    const html = `<p>${'{{today}}'.repeat(1500)}</p>`
    const id = await reusable({ editor_html_content: html })
    const refused = await call('POST', at(id, 'use/'), { values: { today: '&'.repeat(2000) } })
    assert.equal(refused.status, 400, refused.text)
    assert.match(refused.text, /longer than 500000 characters/)
  })

  test('become drafts with people in their roles and values in their placeholders', async () => {
    const account = await call('POST', '/api/account/info/', {
      account_name: 'Clairval & Sons',
      account_owner: org.users.manager.user_id,
    })
    const { account_id } = account.body
    await call('POST', '/api/contact/', {
      full_name: 'Hélène & Laurent',
      primary_email: 'helene@clairval.test',
    })
    const [{ contact_id }] = (await call('GET', '/api/contact/?page=1&items_per_page=9&q=helene'))
      .body
    const html =
      '<h1>{{account.account_name}}</h1><p>{{Customer.name}}, {{account.account_owner}}, {{account.website_url | "no site"}}, {{ today | long }}</p>'
    const id = await reusable({
      editor_html_content: html,
      document_name: '{{account.account_name}}: agreement',
    })
    const used = await call('POST', at(id, 'use/'), {
      account_id,
      roles: { customer: { contact_id } },
      values: { today: 'May 1' },
    })
    assert.equal(used.status, 201, used.text)
    const { body } = used
    const manager = account.body.account_owner.full_name
    assert.equal(
      body.editor_html_content,
      `<h1>Clairval &amp; Sons</h1><p>Hélène &amp; Laurent, ${manager}, no site, May 1</p>`,
    )
    assert.deepEqual(
      [body.document_name, body.is_reusable, body.document_status, body.account_id],
      ['Clairval & Sons: agreement', false, 'draft', account_id],
    )
    const { recipients, fields, message } = await prepared(body.attach_id)
    assert.deepEqual(
      [recipients[0].name, recipients[0].email, fields.length, message],
      ['Hélène & Laurent', 'helene@clairval.test', 2, 'For Hélène & Laurent'],
    )
    assert.equal((await prepared(id)).recipients[0].email, '')
  })

  test('ask for what is empty, and name what is no placeholder', async () => {
    const html = '<p>{{account.account_name}} {{account.nothing}}</p>'
    const wrong = await reusable({ editor_html_content: html })
    const refused = await call('POST', at(wrong, 'use/'), {})
    assert.deepEqual(
      [refused.status, refused.body.errors.map(({ field }: { field: string }) => field)],
      [400, ['values.account.nothing']],
    )
    const id = await reusable({ editor_html_content: '<p>{{account.account_name}}</p>' }, '')
    const empty = await call('POST', at(id, 'use/'), {})
    assert.deepEqual(
      [empty.status, empty.body.errors],
      [
        400,
        [
          {
            field: 'values.account.account_name',
            message: 'is empty: say what stands in its place',
          },
        ],
      ],
    )
    const said = await call('POST', at(id, 'use/'), { values: { 'account.account_name': '<b>A' } })
    assert.equal(said.body.editor_html_content, '<p>&lt;b&gt;A</p>')
    const nobody = await call('POST', at(id, 'use/'), { roles: { Boss: { email: 'a@b.test' } } })
    assert.equal(nobody.body.errors[0].field, 'roles.Boss')
    const plain = (await call('POST', '/api/documents/', { document_name: 'Plain' })).body
    assert.equal((await call('POST', at(plain.attach_id, 'use/'), {})).body.code, 'not_reusable')
  })

  test('share their file with what is made of them, and keep fields when it is replaced', async () => {
    const form = async (method: string, path: string, pages: number) => {
      const body = new FormData()
      body.append('document_name', 'Contract')
      body.append('document_status', 'published')
      body.append('file', new Blob([plainPdf(Array(pages).fill({}))]), 'contract.pdf')
      const headers = { authorization: `Bearer ${org.users.admin.token}` }
      const reply = await fetch(`${service.url}${path}`, { method, body, headers })
      return (await reply.json()) as { attach_id: string; file_hash: string }
    }
    const { attach_id } = await form('POST', '/api/documents/', 1)
    const recipients = [{ ...ada, role_name: 'Customer' }]
    await call('PUT', at(attach_id, 'signature/preparation/'), {
      recipients,
      fields: [place('f1', 'a')],
      message: '',
      expires: null,
    })
    const kept = (await call('POST', at(attach_id, 'reusable/'), { document_name: 'Ours' })).body
    await call('POST', at(kept.attach_id, 'publish/'))
    const next = await form('PUT', at(kept.attach_id), 2)
    assert.notEqual(next.attach_id, kept.attach_id)
    const used = (await call('POST', at(next.attach_id, 'use/'), {})).body
    assert.equal(used.file_hash, next.file_hash)
    assert.equal((await prepared(used.attach_id)).fields.length, 1)
    const old = await call('POST', at(kept.attach_id, 'use/'), {})
    assert.deepEqual([old.status, old.body.data.id], [409, next.attach_id])
  })

  test('are kept by who may change the document, and used by who may read it', async () => {
    const made = await call('POST', '/api/documents/', {
      document_name: 'Private',
      is_private: true,
    })
    const kept = await call('POST', at(made.body.attach_id, 'reusable/'), {}, 'member')
    assert.equal(kept.status, 404)
    const id = await reusable()
    const used = await call('POST', at(id, 'use/'), { values: { 'Customer.name': 'x' } }, 'member')
    assert.equal(used.status, 201, used.text)
  })
})
