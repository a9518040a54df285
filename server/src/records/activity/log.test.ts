import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Reply, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import type { RoleKind } from '../../model/users/roles/permissions.ts'

describe('the activity log', () => {
  let service: TestService
  let org: TestOrganization
  let company: string

  const as = (kind: RoleKind) => org.users[kind].token
  const call = (method: string, path: string, body?: unknown, token = as('admin')) =>
    service.call(method, path, { token, body })
  const log = (query = '', token = as('admin')) =>
    call('GET', `/api/activity/log/${query}`, undefined, token)
  const is = (reply: Reply, status: number) => assert.equal(reply.status, status, reply.text)
  const make = async (path: string, body: object, token = as('admin')) => {
    const reply = await call('POST', path, body, token)
    assert.ok(reply.status < 300, reply.text)
    return reply.headers.get('x-record-id')!
  }
  const makeCompany = (body: object = {}, token = as('admin')) =>
    make('/api/company/', { company_name: `Acme ${Math.random()}`, ...body }, token)

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    company = await makeCompany({ company_name: 'Acme', industry: 'Toys' })
    is(await call('PUT', `/api/company/${company}/`, { industry: 'Space' }), 200)
  })

  test('shows what every write did, newest first', async () => {
    for (const path of [`4/${company}`, `companies/${company}`, `company/${company}`]) {
      const reply = await call('GET', `/api/activity/log/${path}/`)
      is(reply, 200)
      const [changed, created] = reply.body
      assert.equal(reply.body.length, 2)
      assert.equal(changed.description, `admin of ${org.name} changed industry from Toys to Space`)
      assert.deepEqual(changed.changes, [{ field: 'industry', from: 'Toys', to: 'Space' }])
      assert.equal(created.description, `admin of ${org.name} created the company Acme`)
      assert.deepEqual(changed.created_by, {
        user_id: org.users.admin.user_id,
        full_name: `admin of ${org.name}`,
      })
      const { type, module_id, module_name, reference_id, time_ago, icon } = changed
      assert.deepEqual(
        [type, module_id, module_name, reference_id, time_ago, icon],
        ['company_updated', 4, 'companies', company, 'now', 'icon-pencil'],
      )
      const one = await log(`${changed.log_id}/`)
      is(one, 200)
      assert.deepEqual(one.body, changed)
    }
  })

  test('is paged, turned round, counted and filtered', async () => {
    const all = await log('?items_per_page=500&include_count=true')
    assert.equal(all.headers.get('x-total-count'), String(all.body.length))
    const ids = all.body.map((entry: any) => entry.log_id)
    const second = await log('?items_per_page=1&page=2')
    assert.deepEqual(second.body, [all.body[1]])
    assert.match(second.headers.get('link')!, /rel="prev"/)
    const oldest = await log('?reverse=true&items_per_page=500')
    assert.deepEqual(
      oldest.body.map((entry: any) => entry.log_id),
      ids.toReversed(),
    )
    const tag = await make('/api/tags/info/', { tag_name: 'of the member' }, as('member'))
    const found = async (query: string) => {
      const reply = await log(`?${query}`)
      is(reply, 200)
      return reply.body.map((entry: any) => entry.title)
    }
    assert.deepEqual(await found(`created_by=${org.users.member.user_id}`), ['Tag created'])
    assert.deepEqual(await found(`module_name=tags&reference_id=${tag}`), ['Tag created'])
    assert.deepEqual(await found(`module_id=4&reference_id=${company}&type=company_created`), [
      'Company created',
    ])
    assert.deepEqual(await found('type=company_merged'), [])
    // by what was done, of records without an event of it too
    const gone = await make('/api/tags/info/', { name: 'Filtered' })
    is(await call('DELETE', `/api/tags/info/${gone}/`), 204)
    const deleted = (await log('?action=deleted&module_name=tags')).body
    assert.deepEqual(
      deleted.map((entry: any) => [entry.reference_id, entry.raw_description.action]),
      [[gone, 'deleted']],
    )
    assert.deepEqual(await found('action=approved'), [])
    for (const [query, field] of [
      ['module_id=99', 'module_id'],
      ['module_name=nope', 'module_name'],
      [`reference_id=${company}`, 'reference_id'],
      ['sort=title', 'sort'],
      ['items_per_page=501', 'items_per_page'],
    ]) {
      const reply = await log(`?${query}`)
      is(reply, 400)
      assert.equal(reply.body.errors[0].field, field)
    }
  })

  test('knows no module, record or entry that does not exist', async () => {
    for (const path of [
      `nope/${company}`,
      `companies/nope`,
      `contacts/${company}`,
      'companies/a-b',
      'nope',
    ]) {
      is(await log(`${path}/`), 404)
    }
  })

  test('takes what people write, under their own name for it or a new one', async () => {
    const log_id = 'my-note_1'
    const body = {
      log_id,
      title: 'Called',
      raw_description: { minutes: 5, nested: { a: [1] } },
      html_description: '<p>Called <b>Ada</b></p><script>x</script>',
      module_id: 'companies',
      reference_id: company,
    }
    const made = await call('POST', '/api/activity/log/', body)
    is(made, 201)
    assert.equal(made.headers.get('location'), `/api/activity/log/${log_id}/`)
    assert.equal(made.body.log_id, log_id)
    assert.deepEqual(made.body.raw_description, body.raw_description)
    assert.equal(
      made.body.html_description,
      '<p>Called <b>Ada</b></p>&lt;script&gt;x&lt;/script&gt;',
    )
    assert.equal(made.body.description, 'Called Ada\n<script>x</script>')
    assert.deepEqual((await log(`${log_id}/`)).body, made.body)
    assert.deepEqual((await log(`companies/${company}/`)).body[0], made.body)
    assert.equal((await log()).body[0].log_id, log_id, 'its name says nothing of the order')

    const again = await call('POST', '/api/activity/log/', { log_id, title: 'x' })
    is(again, 409)
    const other = (await log(`companies/${company}/?reverse=true`)).body[0].log_id
    is(await call('POST', '/api/activity/log/', { log_id: other, title: 'x' }), 409)

    const plain = await call('POST', '/api/activity/log/', { title: 'Only <this>' })
    is(plain, 201)
    assert.match(plain.body.log_id, /^[0-9a-z]{25}$/)
    assert.equal(plain.body.description, 'Only <this>')
    assert.equal(plain.body.html_description, 'Only &lt;this&gt;')
  })

  test('takes any JSON as the raw description', async () => {
    for (const raw_description of [
      { action: { toString: 'x' }, module: {}, name: [null] },
      { action: 'updated', module: null, name: 5, changes: 'x' },
      { action: ['created'], constructor: 1 },
    ]) {
      const made = await call('POST', '/api/activity/log/', { title: 'Any', raw_description })
      is(made, 201)
      assert.deepEqual(made.body.raw_description, raw_description)
      is(await call('GET', '/api/users/profile/activity/'), 200)
    }
  })

  test('of two entries written with one id at once, one is refused with 409', async () => {
    const body = { log_id: 'raced', title: 'x' }
    const replies = await Promise.all([1, 2, 3].map(() => call('POST', '/api/activity/log/', body)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409])
  })

  test('stores engagement as it was sent, about the contact it names', async () => {
    const primary_email = 'Reader@example.test'
    const contact = await make('/api/contact/', { full_name: 'Rea', primary_email })
    const event = {
      event: 'email_opened',
      is_encrypted: false,
      user_obj: { email: 'reader@EXAMPLE.test', extra: { a: [1] } },
      anything: 'else',
    }
    const made = await call('POST', '/api/activity/log/track/', event)
    is(made, 201)
    const { title, description, type, module_name, reference_id, raw_description } = made.body
    assert.deepEqual(raw_description, event)
    assert.deepEqual(
      [title, description, type, module_name, reference_id],
      [
        'Email opened',
        'Email opened: reader@EXAMPLE.test',
        'engagement_tracked',
        'contacts',
        contact,
      ],
    )
    assert.deepEqual((await log('?type=engagement_tracked')).body, [made.body])
    assert.deepEqual((await log(`contacts/${contact}/`)).body[0], made.body)
  })

  test('leaves encrypted e-mails opaque', async () => {
    await make('/api/contact/', { full_name: 'Cy', primary_email: 'cy@example.test' })
    const event = {
      event: 'link_clicked',
      is_encrypted: true,
      recipient_email: 'cy@example.test',
      user_obj: { email: 'gAAAAABh…==' },
    }
    const made = await call('POST', '/api/activity/log/track/', event)
    is(made, 201)
    assert.deepEqual(made.body.raw_description, event)
    assert.equal(made.body.reference_id, null)
    assert.deepEqual([made.body.title, made.body.description], ['Link clicked', 'Link clicked'])
    for (const [body, field] of [
      [{ ...event, is_encrypted: 'yes' }, 'is_encrypted'],
      [{ ...event, user_obj: 'x' }, 'user_obj'],
      [{ ...event, user_obj: { email: 5 } }, 'user_obj.email'],
      [{ ...event, recipient_email: {} }, 'recipient_email'],
      [{ ...event, module_name: 'companies', reference_id: 'nope' }, 'reference_id'],
    ] as const) {
      const reply = await call('POST', '/api/activity/log/track/', body)
      is(reply, 400)
      assert.equal(reply.body.errors[0].field, field)
    }
    is(await call('POST', '/api/activity/log/track/', {}), 400)
  })

  test('shows of each record what a read of the record would show', async () => {
    const own = await make('/api/users/role/', {
      role_name: 'own only',
      permission: {
        activity: { read: 'all' },
        companies: { create: 'all', read: 'own', delete: 'own' },
      },
    })
    const { user_id, token } = org.users.manager
    is(await call('PUT', `/api/users/profile/${user_id}/`, { role_id: own }), 200)
    const mine = await makeCompany({}, token)
    const gone = await makeCompany({}, token)
    is(await call('DELETE', `/api/company/${gone}/`, undefined, token), 204)
    const tag = await make('/api/tags/info/', { tag_name: 'unseen' })

    await agrees(token)
    const companies = await log('?module_name=companies&items_per_page=500', token)
    const seen = new Set(companies.body.map((entry: any) => entry.reference_id))
    assert.deepEqual(seen, new Set([mine, gone]))
    is(await log(`companies/${mine}/`, token), 200)
    is(await log(`companies/${company}/`, token), 404)
    is(await log(`tags/${tag}/`, token), 404)
    // a deletion is still shown to the record's own people
    assert.equal((await log(`companies/${gone}/`, token)).body[0].title, 'Company deleted')
    assert.deepEqual((await log(`companies/${gone}/?page=9`, token)).body, [])
    // and nobody writes about what they do not see
    const note = { title: 'x', module_name: 'companies', reference_id: company }
    is(await call('POST', '/api/activity/log/', note), 201)
    is(await call('POST', '/api/activity/log/', { ...note, reference_id: gone }), 400)
  })

  test('shows a confined caller what belongs to its account, as long as it does', async () => {
    const account = 'theirs'
    const attached = await makeCompany()
    const { user_id, token } = org.users.customer
    await service.runtime.database.transaction(org.id, async (queries) => {
      await queries.run(sql`insert into accounts (organization_id, id, account_name, company_id)
        values (${org.id}, ${account}, 'Theirs', ${attached})`)
    })
    is(await call('PUT', `/api/users/profile/${user_id}/`, { account_id: account }), 200)
    await agrees(token)
    is(await log(`companies/${attached}/`, token), 200)
    is(await log(`companies/${company}/`, token), 404)
    is(await call('POST', '/api/activity/log/', { title: 'x' }, token), 403)
    is(await call('DELETE', `/api/company/${attached}/`), 204)
    is(await log(`companies/${attached}/`, token), 404)
    await agrees(token)
  })

  test('names no record that the caller does not see, as the reads of the record do not', async () => {
    const own = await makeOrganization(service)
    const [admin, customer] = [own.users.admin.token, own.users.customer.token]
    const attached = await makeCompany({}, admin)
    const account = await make(
      '/api/account/info/',
      { name: 'Theirs', company_id: attached },
      admin,
    )
    const profile = `/api/users/profile/${own.users.customer.user_id}/`
    is(await call('PUT', profile, { account_id: account }, admin), 200)
    const above = await make('/api/contact/', { full_name: 'Hidden Above' }, admin)
    const below = { full_name: 'Seen', company_id: attached, reports_to: above }
    const contact = await make('/api/contact/', below, admin)
    is(await call('PUT', `/api/contact/${contact}/`, { reports_to: null }, admin), 200)
    is(await call('PUT', `/api/contact/${contact}/`, { reports_to: above }, admin), 200)
    for (const [token, isSeen] of [
      [admin, true],
      [customer, false],
    ] as const) {
      const one = await call('GET', `/api/contact/${contact}/`, undefined, token)
      assert.equal(one.body.reports_to?.full_name, isSeen ? 'Hidden Above' : undefined)
      assert.equal(one.body.company.company_id, attached)
      for (const path of [
        '/api/contact/?page=1&items_per_page=9',
        `/api/company/${attached}/contacts/`,
        '/api/contact/export/',
        `/api/activity/log/contacts/${contact}/`,
      ]) {
        const reply = await call('GET', path, undefined, token)
        is(reply, 200)
        assert.equal(reply.text.includes('Hidden Above'), isSeen, path)
        assert.ok(reply.text.includes('Seen') || reply.text.includes(contact), path)
      }
    }
  })

  test('shows private filters to their owner only, and nothing to other organizations', async () => {
    const filter = await make(
      '/api/filters/filter/',
      { name: 'mine', module: 'tags' },
      as('member'),
    )
    is(await log(`filters/${filter}/`, as('member')), 200)
    is(await log(`filters/${filter}/`), 404)
    await agrees(as('member'))
    await agrees(as('admin'))
    const other = await makeOrganization(service)
    const theirs = await log('', other.users.admin.token)
    assert.deepEqual(theirs.body, [])
  })

  /** List, count and single reads show one caller the same entries. */
  async function agrees(token: string) {
    const list = await log('?items_per_page=500&include_count=true', token)
    is(list, 200)
    assert.equal(list.headers.get('x-total-count'), String(list.body.length))
    const listed = new Set(list.body.map((entry: any) => entry.log_id))
    const every = await rows<{ log_id: string; module_id: number; reference_id: string }>(
      service,
      sql`select coalesce(log_id, id) as log_id, module_id, reference_id from events
        where organization_id = ${org.id}`,
    )
    assert.ok(every.length >= listed.size)
    for (const { log_id, module_id, reference_id } of every) {
      const one = await log(`${log_id}/`, token)
      is(one, listed.has(log_id) ? 200 : 404)
      if (!module_id || !reference_id) continue
      const own = await log(`${module_id}/${reference_id}/`, token)
      const found = own.status === 200 && own.body.some((entry: any) => entry.log_id === log_id)
      assert.equal(found, listed.has(log_id), `${log_id} of ${module_id}/${reference_id}`)
    }
  }

  test('takes no word of a caller for what happened: no signature, deletion or view as somebody', async () => {
    const document = await make('/api/documents/', { document_name: 'Contract', is_shared: true })
    const audit = { name: 'Sid Signer', email: 'sid@signer.test', content_hash: 'f'.repeat(64) }
    const forged = { action: 'signed', audit, module_name: 'documents', reference_id: document }
    const noted = { title: 'Signed', ...forged, raw_description: forged }
    is(await call('POST', '/api/activity/log/', noted, as('member')), 201)
    is(await call('POST', '/api/activity/log/track/', forged, as('member')), 201)
    const trail = await call('GET', `/api/documents/${document}/signature/audit/`)
    assert.deepEqual(trail.body.entries, [])
    const timeline = await call('GET', `/api/timeline/documents/${document}/?kinds=signature`)
    assert.deepEqual(timeline.body.results, [], timeline.text)

    const raw_description = { action: 'deleted', module: 'roles', name: 'admin' }
    const made = await call('POST', '/api/activity/log/', { title: 'Tidied up', raw_description })
    assert.equal(made.body.description, 'Tidied up')
    assert.deepEqual(made.body.raw_description, raw_description)
    const deleted = (await log('?action=deleted')).body.map((entry: any) => entry.log_id)
    assert.ok(!deleted.includes(made.body.log_id))

    const { user_id } = org.users.observer
    const subject = { module_name: 'users', reference_id: user_id }
    const viewed = { title: 'Said hello', raw_description: { action: 'viewed_as' }, ...subject }
    is(await call('POST', '/api/activity/log/', viewed), 201)
    const headers = { 'x-view-as': user_id }
    is(await service.call('GET', '/api/tasks/', { token: as('admin'), headers }), 200)
    const [latest] = (await log(`users/${user_id}/`)).body
    assert.match(latest.title, / looked at what /)
  })
})
