import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Mailbox } from '../../../../test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../../test/support/mailbox.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../../test/support/service.ts'
import { patient } from '../../../../test/support/until.ts'

describe('Documents sent for signature to many', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
  })

  type Who = 'admin' | 'manager' | 'member' | 'observer'
  const call = (method: string, path: string, body?: object, who: Who = 'admin') =>
    service.call(method, path, { token: org.users[who].token, ...(body ? { body } : {}) })
  const made = async (path: string, body: object) => {
    const reply = await call('POST', path, body)
    assert.ok(reply.status < 300, reply.text)
    return reply.headers.get('x-record-id')!
  }
  const at = (id: string, act = '') => `/api/documents/${id}/${act}`
  const batch = (id: string, body: object, who?: Who) =>
    call('POST', at(id, 'signature/batches/'), body, who)
  let people = 0
  const address = () => `signer${++people}@batches.test`

  /** A reusable document with a place for a customer, and one of the caller, who signs after them. */
  async function reusable(
    document_name = 'Terms for {{Customer.name}}',
    text = '<p>{{account.account_name | "your company"}}</p>',
  ): Promise<string> {
    const id = await made('/api/documents/', { document_name, editor_html_content: text })
    const box = { page: 1, x: 0.1, y: 0.2, width: 0.3, height: 0.1, label: '', required: true }
    const put = await call('PUT', at(id, 'signature/preparation/'), {
      recipients: [
        { key: 'a', name: '', email: '', role: 'signer', order: 1, role_name: 'Customer' },
        { key: 'b', name: 'Us', email: org.users.admin.email, role: 'signer', order: 2 },
      ],
      fields: [{ key: 'f', recipient: 'a', kind: 'signature', ...box }],
      message: 'For {{Customer.name}}',
      expires: null,
    })
    assert.equal(put.status, 200, put.text)
    const kept = await call('POST', at(id, 'reusable/'), {})
    assert.equal(kept.status, 201, kept.text)
    return kept.body.attach_id
  }

  /** What came of a batch, once it is over. */
  async function over(id: string, batch_id: string) {
    for (const patience = patient(); ; patience()) {
      const { body } = await call('GET', at(id, `signature/batches/${batch_id}/`))
      if (body.status !== 'held' && body.status !== 'running') return body
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  test('are a document, a request and a mail for each line', async () => {
    const id = await reusable()
    const account = await made('/api/account/info/', { account_name: 'Clairval Santé' })
    const [ada, bob] = [address(), address()]
    const started = await batch(id, {
      lines: [
        { name: 'Ada', email: ada, account_id: account },
        { name: 'Bob', email: bob },
      ],
      hold_seconds: 0,
    })
    assert.equal(started.status, 200, started.text)
    assert.deepEqual(
      [started.body.ready_count, started.body.wrong_count, started.body.lines[0].account_name],
      [2, 0, 'Clairval Santé'],
    )
    const done = await over(id, started.body.batch_id)
    assert.deepEqual([done.status, done.sent_count, done.failed_count], ['done', 2, 0])
    const mails = [await mailbox.next(ada), await mailbox.next(bob)]
    assert.match(mails[0]!.text ?? '', /For Ada/)
    assert.notEqual(linkIn(mails[0]!), linkIn(mails[1]!))
    const documents = await Promise.all(
      done.lines.map(
        async ({ document_id }: { document_id: string }) =>
          (await call('GET', at(document_id))).body,
      ),
    )
    const shown = documents.map((each) => [
      each.document_name,
      each.editor_html_content,
      each.account_id,
      each.signature_status,
      each.is_reusable,
      each.is_sequential,
      each.signature_recipients.map(({ name, fields }: any) => `${name} ${fields.length}`),
    ])
    assert.deepEqual(shown, [
      [
        'Terms for Ada',
        '<p>Clairval Santé</p>',
        account,
        'pending',
        false,
        true,
        ['Ada 1', 'Us 0'],
      ],
      ['Terms for Bob', '<p>your company</p>', null, 'pending', false, true, ['Bob 1', 'Us 0']],
    ])
    const list = await call('GET', at(id, 'signature/batches/'))
    assert.deepEqual(
      list.body.map(({ batch_id, sent_count }: any) => [batch_id, sent_count]),
      [[started.body.batch_id, 2]],
    )
    // whoever may neither change the document nor has started it sees none
    assert.deepEqual(
      (await call('GET', at(id, 'signature/batches/'), undefined, 'observer')).status,
      404,
    )
  })

  test('say of each line what is wrong, and leave those out, or refuse all', async () => {
    const id = await reusable('Terms', '<p>{{account.account_name}}</p>')
    const account = await made('/api/account/info/', { account_name: 'Olmeda' })
    const silent = await made('/api/contact/', { full_name: 'Nora Silent' })
    const email = address()
    const lines = [
      { name: 'Right', email, account_id: account },
      { name: 'No account', email: address() },
      { name: 'Odd', email: 'odd', account_id: account },
      { contact_id: silent, account_id: account },
      { name: 'Again', email, account_id: account },
      { email: address(), account_id: 'nowhere' },
      { email: address(), account_id: account, roles: { Buyer: { email: address() } } },
      { email: org.users.admin.email, account_id: account },
      { email: address(), values: { 'account.account_name': 'Said' } },
    ]
    const dry = await batch(id, { lines, dry_run: true })
    assert.equal(dry.status, 200, dry.text)
    assert.deepEqual([dry.body.batch_id, dry.body.ready_count, dry.body.wrong_count], [null, 2, 7])
    assert.deepEqual(
      dry.body.lines.map(({ problems }: any) => problems.map(({ field }: any) => field).join()),
      [
        '',
        'lines.1.values.account.account_name',
        'lines.2.email',
        'lines.3.contact_id',
        'lines.4',
        'lines.5.account_id',
        'lines.6.roles.Buyer',
        'lines.7',
        '',
      ],
    )
    assert.deepEqual((await call('GET', at(id, 'signature/batches/'))).body, [])
    const refused = await batch(id, { lines, all_or_nothing: true })
    assert.equal(refused.status, 400)
    assert.equal(refused.body.errors.length, 7, refused.text)
    const none = await batch(id, { lines: lines.slice(1, 3) })
    assert.equal(none.status, 400)
    const part = await batch(id, { lines, hold_seconds: 0 })
    assert.equal(part.status, 200, part.text)
    const done = await over(id, part.body.batch_id)
    assert.deepEqual([done.sent_count, done.lines.map(({ line }: any) => line)], [2, [0, 8]])
  })

  test('go to the contacts that a filter finds, each for the account of their company', async () => {
    const id = await reusable()
    const company = await made('/api/company/', { company_name: 'Filtered' })
    const account = await made('/api/account/info/', {
      account_name: 'Filtered account',
      company_id: company,
    })
    const full_name = 'Zoe Filtered'
    await made('/api/contact/', { full_name, primary_email: address(), company })
    const filter = [{ field: 'full_name', operator: 'eq', value: full_name }]
    const dry = await batch(id, { contacts: { filter }, dry_run: true })
    assert.equal(dry.status, 200, dry.text)
    assert.deepEqual(
      dry.body.lines.map(({ name, account_name }: any) => [name, account_name]),
      [[full_name, 'Filtered account']],
    )
    assert.ok(account)
    for (const [body, field] of [
      [{}, 'lines'],
      [{ contacts: {} }, 'contacts.filter'],
      [{ contacts: { filter }, lines: [{ email: address() }] }, 'contacts'],
      [{ contacts: { filter: [{ ...filter[0], value: 'Nobody' }] } }, 'contacts'],
      [{ contacts: { filter }, role: 'Nobody' }, 'role'],
      [{ contacts: { filter }, expires_at: '2001-01-01T00:00:00Z' }, 'expires_at'],
      [{ contacts: { filter }, hold_seconds: 601 }, 'hold_seconds'],
      [{ lines: Array(501).fill({ email: address() }) }, 'lines'],
    ] as const) {
      const reply = await batch(id, { dry_run: true, ...body })
      assert.equal(reply.status, 400, JSON.stringify(body))
      assert.ok(
        reply.body.errors.some((each: any) => each.field === field),
        reply.text,
      )
    }
  })

  test('are cancelled while they are held, and nothing has left', async () => {
    const id = await reusable()
    const email = address()
    const { body } = await batch(id, { lines: [{ email }], hold_seconds: 600 })
    const path = at(id, `signature/batches/${body.batch_id}/`)
    assert.equal((await call('GET', path)).body.status, 'held')
    assert.equal((await call('POST', `${path}cancel/`, undefined, 'member')).status, 404)
    const cancelled = await call('POST', `${path}cancel/`)
    assert.equal(cancelled.status, 200, cancelled.text)
    assert.deepEqual(
      [cancelled.body.status, cancelled.body.sent_count, cancelled.body.lines[0].document_id],
      ['cancelled', 0, null],
    )
    assert.equal((await call('POST', `${path}cancel/`)).body.status, 'cancelled')
    // one that is over is not cancelled any more
    const other = await batch(id, { lines: [{ email }], hold_seconds: 0 })
    await over(id, other.body.batch_id)
    const late = await call('POST', at(id, `signature/batches/${other.body.batch_id}/cancel/`))
    assert.equal(late.status, 409)
    await mailbox.next(email)
    assert.equal(
      mailbox.received.filter(({ to_addresses }) => to_addresses.includes(email)).length,
      1,
    )
  })

  test('may be made of a plain document, which stays as it is', async () => {
    const id = await made('/api/documents/', {
      document_name: 'Notice',
      editor_html_content: '<p>Notice</p>',
    })
    const email = address()
    const { body } = await batch(id, { lines: [{ email }], hold_seconds: 0 })
    const done = await over(id, body.batch_id)
    assert.equal(done.sent_count, 1, JSON.stringify(done))
    const [{ document_id }] = done.lines
    const sent = (await call('GET', at(document_id))).body
    assert.deepEqual(
      [sent.signature_status, sent.signature_recipients[0].email],
      ['pending', email],
    )
    assert.equal((await call('GET', at(id))).body.signature_status, 'none')
  })

  test('need the right to make documents and to change them, and a document that may be used', async () => {
    const id = await reusable()
    const body = { lines: [{ email: address() }] }
    assert.equal((await batch(id, body, 'observer')).status, 403)
    const hidden = await made('/api/documents/', { document_name: 'Hidden', is_private: true })
    assert.equal((await batch(hidden, body, 'member')).status, 404)
  })

  test('are seen by others as far as they may read who was asked', async () => {
    const id = await reusable()
    const [ada, bob] = [address(), address()]
    const started = await batch(id, {
      lines: [
        { name: 'Ada', email: ada },
        { name: 'Bob', email: bob },
      ],
      values: { 'account.account_name': 'All of you' },
      hold_seconds: 600,
    })
    assert.equal(started.status, 200, started.text)
    const linesFor = async (who: Who, batch_id: string = started.body.batch_id) => {
      const read = await call('GET', at(id, `signature/batches/${batch_id}/`), undefined, who)
      assert.equal(read.status, 200, read.text)
      return [read.body.line_count, read.body.lines.map(({ name }: any) => name)]
    }
    assert.deepEqual(await linesFor('admin'), [2, ['Ada', 'Bob']])
    const role = `/api/users/role/${org.roles.member}/`
    const may = (contacts: string, documents: string) => {
      const permission = { contacts: { read: contacts }, documents: { update: documents } }
      return call('PUT', role, { permission })
    }
    // who reads every contact sees whoever is asked
    assert.equal((await may('all', 'all')).status, 200)
    assert.deepEqual(await linesFor('member'), [2, ['Ada', 'Bob']])
    assert.equal((await may('own', 'all')).status, 200)
    assert.deepEqual(await linesFor('member'), [2, []])

    const sent = await batch(id, {
      lines: [
        { name: 'Ada', email: ada },
        { name: 'Bob', email: bob },
      ],
      values: { 'account.account_name': 'All of you' },
      hold_seconds: 0,
    })
    const { lines } = await over(id, sent.body.batch_id)
    const texts = await Promise.all(
      lines.map(
        async ({ document_id }: any) =>
          (await call('GET', at(document_id))).body.editor_html_content,
      ),
    )
    assert.deepEqual(texts, ['<p>All of you</p>', '<p>All of you</p>'])
    // the documents name the same people, as far as they may be read
    assert.deepEqual(await linesFor('member', sent.body.batch_id), [2, ['Ada', 'Bob']])
    const hidden = await call('PUT', at(lines[0].document_id), { is_private: true })
    assert.equal(hidden.status, 200, hidden.text)
    assert.deepEqual(await linesFor('member', sent.body.batch_id), [2, ['Bob']])
    assert.equal((await may('all', 'team')).status, 200)
  })

  test('store what all lines have in common once, and cut long texts between characters', async () => {
    const id = await reusable('{{Customer.name}} {{account.account_name}}', '<p>Notice</p>')
    const long = `${'x'.repeat(246)}${'😀'.repeat(20)}`
    const name = 'Ada'
    const lines = Array.from({ length: 20 }, () => ({ name, email: address() }))
    const started = await batch(id, {
      lines,
      values: { 'account.account_name': long },
      hold_seconds: 600,
    })
    assert.equal(started.status, 200, started.text)
    const [stored] = await rows(
      service,
      sql`select (select string_agg(t.content::text, '') from signature_batch_lines t
          where t.organization_id = ${org.id} and t.batch_id = ${started.body.batch_id}) as lines,
        (select t.content::text from signature_batches t
          where t.organization_id = ${org.id} and t.id = ${started.body.batch_id}) as batch`,
    )
    assert.equal(String(stored.batch).split(long).length - 1, 1)
    assert.ok(!String(stored.lines).includes(long))
    const sent = await batch(id, {
      lines: lines.slice(0, 1),
      values: { 'account.account_name': long },
      hold_seconds: 0,
    })
    const done = await over(id, sent.body.batch_id)
    assert.deepEqual([done.sent_count, done.lines[0].failure], [1, null])
    const { document_name } = (await call('GET', at(done.lines[0].document_id))).body
    assert.equal(document_name, `Ada ${'x'.repeat(246)}${'😀'.repeat(2)}`)
  })
})
