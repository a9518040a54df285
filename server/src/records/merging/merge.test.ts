import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { connectApp } from '../../../test/support/integration.ts'
import { refused, refusedField } from '../../../test/support/refused.ts'
import type { Reply, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { signed } from '../../../test/support/world.ts'

type Kind = 'company' | 'contact'

describe('merging', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
  })

  test('the primary is filled with what it lacks, and everything that pointed to the others is its', async () => {
    const parent = await make('company', { company_name: 'Holding of all' })
    const primary = await make('company', {
      company_name: 'Umbra',
      industry: 'energy',
      tags: ['a'],
    })
    const one = await make('company', {
      company_name: 'Umbra Inc',
      domain: 'umbra.test',
      industry: 'retail',
      tags: ['A', 'b'],
      parent_company: parent,
      company_owner: org.users.member.user_id,
      custom_fields: { tier: 'gold', seats: 3 },
      address: { city: 'Paris' },
    })
    const two = await make('company', { company_name: 'Umbra Ltd', tier: 'silver', vip: true })
    const child = await make('company', { company_name: 'Child', parent_company: two })
    const ada = await make('contact', { full_name: 'Ada', company_id: one })
    const ben = await make('contact', { full_name: 'Ben', company_id: two })
    await everywhere(sql`insert into accounts (organization_id, id, account_name, company_id)
      values (${org.id}, 'an-account', 'Umbra', ${one})`)

    const body = { primary_id: primary, merge_ids: [one, two] }
    const dry = await post('/api/company/merge/', { ...body, dry_run: true })
    const merged = await post('/api/company/merge/', body)
    for (const { body: result } of [dry, merged]) {
      assert.equal(result.company_id, primary)
      assert.deepEqual(result.merged_ids, [one, two])
      assert.equal(result.company_name, 'Umbra')
      assert.equal(result.industry, 'energy')
      assert.equal(result.domain, 'umbra.test')
      assert.deepEqual(result.tags, ['a', 'b'])
      assert.equal(result.parent_company, parent)
      assert.equal(result.company_owner.user_id, org.users.member.user_id)
      assert.deepEqual(result.custom_fields, { tier: 'gold', seats: 3, vip: true })
      assert.deepEqual(result.address, { city: 'Paris' })
      assert.equal(result.contacts_count, 2)
      const moved = result.moved.map((each: any) => [each.module, each.field, each.ids])
      assert.deepEqual(moved, [
        ['companies', 'parent_company', [child]],
        ['contacts', 'company', result.moved[1].ids],
        ['accounts', 'company_id', ['an-account']],
      ])
      assert.deepEqual(result.moved[1].ids.toSorted(), [ada, ben].sort())
    }
    assert.deepEqual([dry.body.dry_run, dry.body.merge_id], [true, null])
    assert.equal(merged.body.dry_run, false)

    const read = await get('company', primary)
    assert.equal(read.body.domain, 'umbra.test')
    assert.equal(merged.headers.get('etag'), read.headers.get('etag'))
    assert.equal((await get('contact', ben)).body.company.company_id, primary)
    assert.equal((await get('company', child)).body.parent_company, primary)
    const list = await service.call('GET', '/api/company/?page=1&items_per_page=500', { token })
    const listed = list.body.map((each: any) => each.company_id)
    assert.ok(!listed.includes(one) && !listed.includes(two))
    // the domain went with it
    const taken = await service.call('POST', '/api/company/', {
      token,
      body: { company_name: 'Other', domain: 'umbra.test' },
    })
    assert.deepEqual(taken.body.data, { company_id: primary })
  })

  test('a dry run leaves nothing behind', async () => {
    const [primary, other] = [
      await company({ description: null }),
      await company({ description: 'x' }),
    ]
    const ada = await make('contact', { full_name: 'Ada', company_id: other })
    const before = [
      await get('company', primary),
      await get('company', other),
      await get('contact', ada),
    ]
    const log = await events()
    const { body } = await post('/api/company/merge/', {
      primary_id: primary,
      merge_ids: [other],
      dry_run: true,
    })
    assert.equal(body.description, 'x')
    assert.deepEqual(body.changes, [{ field: 'description', from: null, to: 'x' }])
    const after = [
      await get('company', primary),
      await get('company', other),
      await get('contact', ada),
    ]
    assert.deepEqual(
      after.map(({ text }) => text),
      before.map(({ text }) => text),
    )
    assert.deepEqual(await events(), log)
  })

  test('the strategies decide whose value a field takes', async () => {
    const results: { [strategy: string]: unknown[] } = {}
    for (const strategy of ['primary_wins', 'fill_empty', 'newest_wins']) {
      const primary = await make('contact', {
        full_name: `P ${strategy}`,
        department: 'Sales',
        tags: ['p'],
      })
      const other = await make('contact', {
        full_name: `O ${strategy}`,
        department: 'Support',
        job_title: 'Lead',
        tags: ['o'],
        do_not_contact: 'yes',
      })
      const body = { primary_id: primary, merge_ids: [other], strategy }
      const { body: result } = await post('/api/contact/merge/', body)
      const { full_name, department, job_title, tags, do_not_contact } = result
      results[strategy] = [full_name[0], department, job_title, tags, do_not_contact]
    }
    assert.deepEqual(results, {
      primary_wins: ['P', 'Sales', null, ['p', 'o'], 'yes'],
      fill_empty: ['P', 'Sales', 'Lead', ['p', 'o'], 'yes'],
      newest_wins: ['O', 'Support', 'Lead', ['p', 'o'], 'yes'],
    })
  })

  test('projects and deals follow, each with the event of its own type', async () => {
    const [primary, other] = [await company(), await company()]
    const made: string[] = []
    for (const project_type of ['project', 'deal']) {
      const body = { project_name: 'Theirs', project_type, company_id: other }
      const reply = await service.call('POST', '/api/project/info/', { token, body })
      made.push(reply.headers.get('x-record-id')!)
    }
    const merge = { primary_id: primary, merge_ids: [other] }
    const { body: answer } = await post('/api/company/merge/', merge)
    const read = (id: string) => service.call('GET', `/api/project/info/${id}/`, { token })
    for (const id of made) assert.equal((await read(id)).body.company_id, primary)
    const emitted = await rows(
      service,
      sql`select type from events where reference_id = any(${made}) and type like '%updated' order by type`,
    )
    assert.deepEqual(emitted, [{ type: 'deal_updated' }, { type: 'project_updated' }])
    await post(`/api/company/merge/${answer.merge_id}/undo/`, {})
    for (const id of made) assert.equal((await read(id)).body.company_id, other)
  })

  test('the old id leads to the record that it became, however often that was merged again', async () => {
    const [first, second, third] = [await company(), await company(), await company()]
    await post('/api/company/merge/', { primary_id: second, merge_ids: [first] })
    await post('/api/company/merge/', { primary_id: third, merge_ids: [second] })
    const moved = await service.call('GET', `/api/company/${first}/?_=17`, { token })
    assert.equal(moved.status, 308, moved.text)
    assert.equal(moved.headers.get('location'), `/api/company/${third}/?_=17`)
    assert.deepEqual([moved.body.status, moved.body.code], ['error', 'merged'])
    assert.deepEqual(moved.body.data, { company_id: third })
    const contacts = await service.call('GET', `/api/company/${first}/contacts/`, { token })
    assert.equal(contacts.headers.get('location'), `/api/company/${third}/contacts/`)
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? { description: 'x' } : undefined
      refused(await service.call(method, `/api/company/${first}/`, { token, body }), 404)
    }
    const restored = await service.call('POST', `/api/company/${first}/restore/`, { token })
    refused(restored, 409)
    assert.equal(restored.body.data.company_id, second)

    const headers = signed(await connectApp(service, org))
    const read = await service.call('GET', `/automation/company?company_id=${first}`, { headers })
    assert.equal(read.status, 200, read.text)
    assert.equal(read.body.company_id, third)
    const body = { description: 'by its old id' }
    const put = await service.call('PUT', `/automation/company/${first}`, { headers, body })
    assert.equal(put.status, 200, put.text)
    assert.equal(put.body.data.company_id, third)
    assert.equal((await get('company', third)).body.description, 'by its old id')
  })

  test('who may not see where it went receives 404', async () => {
    const [primary, other] = [await company(), await company()]
    await post('/api/company/merge/', { primary_id: primary, merge_ids: [other] })
    const confined = await service.call('GET', `/api/company/${other}/`, {
      token: org.users.customer.token,
    })
    refused(confined, 404)
    const elsewhere = await makeOrganization(service)
    const foreign = await service.call('GET', `/api/company/${other}/`, {
      token: elsewhere.users.admin.token,
    })
    refused(foreign, 404)
  })

  test('the activity of what was merged is the primary’s', async () => {
    const [primary, other] = [await company(), await company()]
    await service.call('PUT', `/api/company/${other}/`, { token, body: { description: 'before' } })
    const { body } = await post('/api/company/merge/', { primary_id: primary, merge_ids: [other] })
    const path = `/api/activity/log/companies/${primary}/`
    const log = await service.call('GET', path, { token })
    const titles = log.body.map((each: any) => each.title)
    assert.equal(titles.filter((title: string) => title === 'Company created').length, 2)
    assert.ok(titles.includes('Company updated') && titles.includes('Company merged'))
    const entry = log.body.find((each: any) => each.title === 'Company merged')
    assert.equal(entry.raw_description.merge_id, body.merge_id)
    assert.match(entry.description, /merged the company/)
  })

  test('an answer names of what moved the records that the caller may read', async () => {
    const levels = { create: 'all', read: 'own', update: 'own', delete: 'own' }
    const permission = { companies: levels, contacts: levels, interactions: levels }
    const role = await service.call('POST', '/api/users/role/', {
      token,
      body: { role_name: 'Own', permission },
    })
    const { user_id, token: own } = org.users.manager
    const profile = `/api/users/profile/${user_id}/`
    const { role_id } = (await service.call('GET', profile, { token })).body
    const become = (id: string) => service.call('PUT', profile, { token, body: { role_id: id } })
    assert.equal((await become(role.body.role_id)).status, 200)
    const asReader = async (path: string, body: object) => {
      const reply = await service.call('POST', path, { token: own, body })
      assert.ok(reply.status < 300, reply.text)
      return reply
    }
    const made = async (path: string, body: object) =>
      (await asReader(path, body)).headers.get('x-record-id')
    const primary = await made('/api/company/', { company_name: 'Seen' })
    const other = await made('/api/company/', { company_name: 'Seen, too' })
    const contact = await made('/api/contact/', { full_name: 'Mine', company_id: other })
    await make('contact', { full_name: 'Hidden', company_id: other })
    const comment = { module_id: 4, reference_id: other, content: 'Hidden', is_private: true }
    assert.equal((await call('/api/interactions/info/', comment)).status, 201)
    const body = { primary_id: primary, merge_ids: [other] }
    const dry = await asReader('/api/company/merge/', { ...body, dry_run: true })
    const merged = await asReader('/api/company/merge/', body)
    const undone = await asReader(`/api/company/merge/${merged.body.merge_id}/undo/`, {})
    for (const reply of [dry, merged, undone]) {
      const [only] = reply.body.moved
      assert.deepEqual(reply.body.moved, [only], reply.text)
      assert.deepEqual(
        [only.module, only.field, only.count, only.ids],
        ['contacts', 'company', 1, [contact]],
      )
    }
    const again = await post('/api/company/merge/', body)
    const counts = again.body.moved.map((each: any) => [each.module, each.count])
    assert.deepEqual(counts, [
      ['contacts', 2],
      ['interactions', 1],
    ])
    assert.equal((await become(role_id)).status, 200)
  })

  test('events are emitted for the merge, for what was deleted and for what moved', async () => {
    const [primary, other] = [await company(), await company()]
    const ada = await make('contact', { full_name: 'Ada', company_id: other })
    const known = new Set((await events()).map(({ id }) => id))
    await post('/api/company/merge/', { primary_id: primary, merge_ids: [other] })
    const emitted = (await events()).filter(({ id }) => !known.has(id))
    const byType = Object.fromEntries(emitted.map((each) => [each.type, each]))
    assert.deepEqual(Object.keys(byType).sort(), [
      'company_deleted',
      'company_merged',
      'contact_updated',
    ])
    assert.equal(byType.company_merged.reference_id, primary)
    assert.deepEqual(byType.company_merged.changes.at(-1), {
      field: 'merged_ids',
      from: null,
      to: [other],
    })
    assert.equal(byType.company_deleted.reference_id, other)
    const [change] = byType.contact_updated.changes
    assert.equal(byType.contact_updated.reference_id, ada)
    assert.deepEqual([change.from.company_id, change.to.company_id], [other, primary])
    assert.deepEqual(change.to, (await get('contact', ada)).body.company)
    const { title, raw_description } = byType.contact_updated
    assert.deepEqual([title, raw_description.name], ['Contact updated', 'Ada'])
    assert.equal((await get('contact', ada)).headers.get('etag'), '"2"')
  })

  test('lines of companies and of managers never go round through a merge', async () => {
    const top = await company()
    const middle = await company({ parent_company: top })
    const bottom = await company({ parent_company: middle })
    const { body } = await post('/api/company/merge/', { primary_id: bottom, merge_ids: [top] })
    assert.equal(body.parent_company, null)
    assert.equal((await get('company', middle)).body.parent_company, bottom)
    const undone = await post(`/api/company/merge/${body.merge_id}/undo/`)
    assert.equal(undone.body.parent_company, middle)
    assert.equal((await get('company', middle)).body.parent_company, top)

    const boss = await make('contact', { full_name: 'Boss' })
    const report = await make('contact', { full_name: 'Report', reports_to: boss })
    const merged = await post('/api/contact/merge/', { primary_id: boss, merge_ids: [report] })
    assert.equal(merged.body.reports_to, null)
  })

  test('an undo restores what was there, to the letter', async () => {
    const primary = await make('contact', { full_name: 'Primary', tags: null, a: 1, both: 'p' })
    const other = await make('contact', {
      full_name: 'Other',
      primary_email: 'undo@other.test',
      phone: '+1 555 0100',
      location: { city: 'Oslo' },
      tags: ['x'],
      b: [1],
      both: 'o',
      last_activity_date: '2026-01-05T10:00:00Z',
    })
    const report = await make('contact', { full_name: 'Report', reports_to: other })
    const before = [
      await get('contact', primary),
      await get('contact', other),
      await get('contact', report),
    ]
    const { body } = await post('/api/contact/merge/', { primary_id: primary, merge_ids: [other] })
    assert.equal(body.primary_email, 'undo@other.test')
    assert.deepEqual(body.custom_fields, { a: 1, b: [1], both: 'p' })
    const undone = await post(`/api/contact/merge/${body.merge_id}/undo/`)
    assert.deepEqual(undone.body.restored_ids, [other])
    assert.deepEqual(undone.body.kept, [])
    assert.deepEqual(
      undone.body.moved.map((each: any) => [each.field, each.ids]),
      [['reports_to', [report]]],
    )
    const after = [
      await get('contact', primary),
      await get('contact', other),
      await get('contact', report),
    ]
    // but for when it was changed, and how often
    const contents = ({ body }: Reply) => ({ ...body, last_update_time: null, version: null })
    assert.deepEqual(after.map(contents), before.map(contents))
    const [row] = await rows(service, sql`select unique_key from contacts where id = ${other}`)
    assert.equal(row.unique_key, 'undo@other.test')
    refused(await call(`/api/contact/merge/${body.merge_id}/undo/`), 409)
    const again = await post('/api/contact/merge/', { primary_id: primary, merge_ids: [other] })
    assert.equal(again.body.phone, '+1 555 0100')
  })

  test('what was changed since a merge stays', async () => {
    const primary = await company({ tags: ['own'] })
    const other = await company({
      description: 'merged',
      category: 'merged',
      tags: ['came'],
      k: 1,
      l: 1,
    })
    const [ada, ben] = [
      await make('contact', { full_name: 'Ada', company_id: other }),
      await make('contact', { full_name: 'Ben', company_id: other }),
    ]
    const third = await company()
    const { body } = await post('/api/company/merge/', { primary_id: primary, merge_ids: [other] })
    const since = { description: 'since', custom_fields: { k: 2 }, tags: ['own', 'came', 'new'] }
    await service.call('PUT', `/api/company/${primary}/`, { token, body: since })
    await service.call('PUT', `/api/contact/${ben}/`, { token, body: { company_id: third } })
    const fresh = await make('contact', { full_name: 'Fresh', company_id: primary })
    const undone = await post(`/api/company/merge/${body.merge_id}/undo/`)
    const { description, category, tags, custom_fields, kept } = undone.body
    assert.deepEqual(
      [description, category, tags, custom_fields],
      ['since', null, ['own', 'new'], { k: 2 }],
    )
    assert.deepEqual(kept.sort(), ['custom_fields.k', 'description'])
    const at = async (id: string) => (await get('contact', id)).body.company.company_id
    assert.deepEqual([await at(ada), await at(ben), await at(fresh)], [other, third, primary])
  })

  test('an undo is refused where it cannot be: taken keys, a primary that is gone, too late', async () => {
    const primary = await company()
    const other = await company({ domain: 'taken-since.test' })
    const body = { primary_id: primary, merge_ids: [other], strategy: 'primary_wins' }
    const first = await post('/api/company/merge/', body)
    const taker = await company({ domain: 'taken-since.test' })
    const refusal = await call(`/api/company/merge/${first.body.merge_id}/undo/`)
    refused(refusal, 409)
    assert.deepEqual(refusal.body.data, { company_id: taker })
    await service.call('DELETE', `/api/company/${taker}/`, { token })

    // the later merge first
    const last = await company()
    const second = await post('/api/company/merge/', { primary_id: last, merge_ids: [primary] })
    refused(await call(`/api/company/merge/${first.body.merge_id}/undo/`), 409)
    await post(`/api/company/merge/${second.body.merge_id}/undo/`)

    const moveAge = (days: number) =>
      everywhere(sql`update merges set creation_time = creation_time + ${`${days} days`}::interval
        where id = ${first.body.merge_id}`)
    await moveAge(-30)
    refused(await call(`/api/company/merge/${first.body.merge_id}/undo/`), 404)
    await moveAge(30)
    // a contact's undo knows no company's merge
    refused(await call(`/api/contact/merge/${first.body.merge_id}/undo/`), 404)
    await post(`/api/company/merge/${first.body.merge_id}/undo/`)
  })

  test('the primary’s own custom fields stay, however many the others bring', async () => {
    const large = 'x'.repeat(40 * 1024)
    for (const { own, others } of [
      { own: { own: large }, others: { other: large } },
      { own: { both: 'p', own: large }, others: { both: large } },
      { own: keysOf('own', 300), others: keysOf('other', 300) },
    ]) {
      const primary = await company({ custom_fields: own })
      const newer = await company({ custom_fields: others })
      const merged = await post('/api/company/merge/', {
        primary_id: primary,
        merge_ids: [newer],
        strategy: 'newest_wins',
      })
      const united = merged.body.custom_fields
      const lost = Object.entries(own).filter(([key, value]) => united[key] !== value)
      assert.deepEqual(
        lost.map(([key]) => key),
        [],
      )
      assert.ok(Object.keys(united).length <= 500)
      assert.ok(Buffer.byteLength(JSON.stringify(united)) <= 64 * 1024)
    }
  })

  test('unique custom fields follow the merge and are restored by the undo', async () => {
    const headers = signed(await connectApp(service, org))
    const fields = [{ key: 'vat', type: 'text', unique: true }]
    const config = await service.call('PUT', '/automation/company/field-config', {
      headers,
      body: { fields },
    })
    assert.equal(config.status, 200, config.text)
    const [primary, other] = [await company(), await company({ vat: 'FR1' })]
    const { body } = await post('/api/company/merge/', { primary_id: primary, merge_ids: [other] })
    assert.equal(body.custom_fields.vat, 'FR1')
    const taken = { company_name: 'A third', vat: 'fr1' }
    const refusal = await service.call('POST', '/api/company/', { token, body: taken })
    assert.deepEqual([refusal.status, refusal.body.data], [409, { company_id: primary }])
    await post(`/api/company/merge/${body.merge_id}/undo/`)
    const again = await service.call('POST', '/api/company/', { token, body: taken })
    assert.deepEqual([again.status, again.body.data], [409, { company_id: other }])
  })

  test('what cannot be merged is refused and named', async () => {
    const [one, two] = [await company(), await company()]
    const contact = await make('contact', { full_name: 'No company' })
    const elsewhere = await makeOrganization(service)
    const foreign = await service.call('POST', '/api/company/', {
      token: elsewhere.users.admin.token,
      body: { company_name: 'Foreign' },
    })
    const log = await events()
    const merge = (primary_id: unknown, merge_ids: unknown, more = {}) =>
      call('/api/company/merge/', { primary_id, merge_ids, ...more })
    refusedField(await merge(one, [one]), ['merge_ids'])
    refusedField(await merge(one, [two, two]), ['merge_ids'])
    refusedField(await merge(one, []), ['merge_ids'])
    refusedField(await merge(one, two), ['merge_ids'])
    refusedField(await merge(one, [two, 'nope']), ['merge_ids'])
    refusedField(await merge(one, [contact]), ['merge_ids'])
    refusedField(await merge(one, [foreign.headers.get('x-record-id')]), ['merge_ids'])
    refusedField(await merge('nope', [one]), ['primary_id'])
    refusedField(
      await merge(
        one,
        Array.from({ length: 51 }, (_, i) => `x${i}`),
      ),
      ['merge_ids'],
    )
    refusedField(await merge(one, [two], { strategy: 'best' }), ['strategy'])
    assert.deepEqual(await events(), log)
  })

  test('merging needs the right to change the one and to delete the others', async () => {
    const { member } = org.users
    const own = await make('company', { company_name: 'Own' }, member.token)
    const alsoOwn = await make('company', { company_name: 'Also own' }, member.token)
    const [others, more] = [await company(), await company()]
    const merge = (primary_id: string, id: string) =>
      service.call('POST', '/api/company/merge/', {
        token: member.token,
        body: { primary_id, merge_ids: [id] },
      })
    refused(await merge(own, others), 403)
    refused(await merge(others, own), 403)
    const allowed = await merge(own, alsoOwn)
    assert.equal(allowed.status, 200, allowed.text)
    const admins = await post('/api/company/merge/', { primary_id: own, merge_ids: [more] })
    const undo = (id: string) =>
      service.call('POST', `/api/company/merge/${id}/undo/`, { token: member.token })
    refused(await undo(admins.body.merge_id), 403)
    assert.equal((await undo(allowed.body.merge_id)).status, 200)
  })

  test('two merges of the same records at once do not both happen', async () => {
    const [one, two] = [await company(), await company()]
    const answers = await Promise.all([
      call('/api/company/merge/', { primary_id: one, merge_ids: [two] }),
      call('/api/company/merge/', { primary_id: two, merge_ids: [one] }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
  })

  test('what names a company while it is merged is the primary’s, or is refused', async () => {
    for (let i = 0; i < 6; i++) {
      const [one, two] = [await company(), await company()]
      const [named, merged] = await Promise.all([
        service.call('POST', '/api/contact/', { token, body: { full_name: 'N', company_id: two } }),
        call('/api/company/merge/', { primary_id: one, merge_ids: [two] }),
      ])
      assert.equal(merged.status, 200, merged.text)
      const id = named.headers.get('x-record-id')
      assert.ok(id || named.status === 400, named.text)
      if (id) assert.equal((await get('contact', id)).body.company.company_id, one)
    }
  })

  let made = 0
  const company = (body: object = {}) =>
    make('company', { company_name: `Made ${made++}`, ...body })

  async function make(kind: Kind, body: object, as = token): Promise<string> {
    const answer = await service.call('POST', `/api/${kind}/`, { token: as, body })
    assert.equal(answer.status, 200, answer.text)
    return answer.headers.get('x-record-id')!
  }

  function keysOf(prefix: string, count: number) {
    return Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}_${i}`, i]))
  }

  function get(kind: Kind, id: string) {
    return service.call('GET', `/api/${kind}/${id}/`, { token })
  }

  function call(path: string, body?: object): Promise<Reply> {
    return service.call('POST', path, { token, body })
  }

  async function post(path: string, body?: object): Promise<Reply> {
    const reply = await call(path, body)
    assert.equal(reply.status, 200, reply.text)
    return reply
  }

  function events() {
    return rows(service, sql`select * from events where organization_id = ${org.id} order by id`)
  }

  function everywhere(query: Parameters<typeof rows>[1]) {
    return service.runtime.database.transaction('*', (queries) => queries.run(query))
  }
})
