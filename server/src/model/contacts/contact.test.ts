import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('contacts', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
  })

  test('the contacts of a company are listed in pages, and of no other one', async () => {
    const company = await make('company', { company_name: 'Acme' })
    const one = await make('contact', { full_name: 'Ada', company_id: company })
    const two = await make('contact', { full_name: 'Ben', company_id: company })
    await make('contact', { full_name: 'Cleo' })
    const gone = await make('contact', { full_name: 'Dan', company_id: company })
    await service.call('DELETE', `/api/contact/${gone}/`, { token })

    const path = `/api/company/${company}/contacts/`
    const all = await service.call('GET', path, { token })
    assert.equal(all.status, 200, all.text)
    assert.deepEqual(idsOf(all.body), [two, one])
    const query = '?page=2&items_per_page=1&include_count=true&sort=full_name'
    const page = await service.call('GET', path + query, { token })
    assert.deepEqual(idsOf(page.body), [two])
    assert.equal(page.headers.get('x-total-count'), '2')
    // conditions and sort keys go by the names that bodies go by
    const by = JSON.stringify([{ field: 'company_id', operator: 'eq', value: company }])
    const list = `/api/contact/?page=1&items_per_page=9&sort=name&filter=${encodeURIComponent(by)}`
    assert.deepEqual(idsOf((await service.call('GET', list, { token })).body), [one, two])

    const other = await makeOrganization(service)
    for (const [caller, id] of [
      [other.users.admin, company],
      [org.users.customer, company],
      [org.users.admin, 'missing'],
    ] as const) {
      const refused = await service.call('GET', `/api/company/${id}/contacts/`, {
        token: caller.token,
      })
      assert.equal(refused.status, 404, refused.text)
    }
  })

  test('the contacts of a company need the right to both, and are those that one may see', async () => {
    const { member } = org.users
    const company_id = await make('company', { company_name: 'Globex' })
    await make('contact', { full_name: 'Not theirs', company_id })
    const contact_owner = member.user_id
    const theirs = await make('contact', { full_name: 'Theirs', company_id, contact_owner })
    const answers: [companies: string, contacts: string, expected: unknown][] = [
      ['all', 'own', [theirs]],
      ['none', 'all', 404],
      ['all', 'none', 403],
    ]
    for (const [companies, contacts, expected] of answers) {
      const permission = { companies: { read: companies }, contacts: { read: contacts } }
      const role_name = `${companies} and ${contacts}`
      const role = await service.call('POST', '/api/users/role/', {
        token,
        body: { role_name, permission },
      })
      assert.equal(role.status, 201, role.text)
      const { role_id } = role.body
      const path = `/api/users/profile/${member.user_id}/`
      await service.call('PUT', path, { token, body: { role_id } })
      const list = await service.call('GET', `/api/company/${company_id}/contacts/`, {
        token: member.token,
      })
      assert.deepEqual(list.status === 200 ? idsOf(list.body) : list.status, expected, role_name)
    }
  })

  test('a change to the e-mail of another is refused and says whose it is', async () => {
    const first = await make('contact', { full_name: 'Eve', primary_email: 'eve@acme.test' })
    const second = await make('contact', { full_name: 'Fay' })
    const refused = await service.call('PUT', `/api/contact/${second}/`, {
      token,
      body: { primary_email: 'EVE@acme.test' },
    })
    assert.equal(refused.status, 409, refused.text)
    assert.deepEqual(refused.body.data, { contact_id: first })
  })

  test('nobody reports to themselves, in however long a line', async () => {
    const boss = await make('contact', { full_name: 'Boss', primary_email: 'boss@acme.test' })
    const lead = await make('contact', { full_name: 'Lead', reports_to: boss })
    const rep = await make('contact', { full_name: 'Rep', reports_to: { contact_id: lead } })
    for (const reports_to of [boss, lead, { contact_id: rep }, { email: ' Boss@acme.test' }]) {
      const path = `/api/contact/${boss}/`
      const reply = await service.call('PUT', path, { token, body: { reports_to } })
      refusedField(reply, ['reports_to'])
    }
    const moved = await service.call('PUT', `/api/contact/${rep}/`, {
      token,
      body: { reports_to: boss },
    })
    assert.equal(moved.status, 200, moved.text)
  })

  test('blanks around names and e-mails are not stored, nor do they make another one', async () => {
    const id = await make('contact', {
      first_name: ' Gil ',
      last_name: ' Ames ',
      email: ' Gil@acme.test ',
    })
    const read = await service.call('GET', `/api/contact/${id}/`, { token })
    assert.deepEqual([read.body.full_name, read.body.primary_email], ['Gil Ames', 'Gil@acme.test'])
    const taken = await service.call('POST', '/api/contact/', {
      token,
      body: { full_name: 'Other', primary_email: '\tgil@ACME.test' },
    })
    assert.deepEqual([taken.status, taken.body.data], [409, { contact_id: id }])
  })

  test('one part of a name may change alone', async () => {
    const id = await make('contact', { full_name: 'Ada King Lovelace' })
    const renamed = async (body: object) => {
      const { status } = await service.call('PUT', `/api/contact/${id}/`, { token, body })
      assert.equal(status, 200)
      return (await service.call('GET', `/api/contact/${id}/`, { token })).body.full_name
    }
    assert.equal(await renamed({ last_name: 'Byron' }), 'Ada Byron')
    assert.equal(await renamed({ first_name: 'Augusta' }), 'Augusta Byron')
    assert.equal(await renamed({ last_name: null }), 'Augusta')
    assert.equal(await renamed({ first_name: 'Ada', last_name: 'King' }), 'Ada King')
  })

  async function make(kind: 'company' | 'contact', body: object): Promise<string> {
    const answer = await service.call('POST', `/api/${kind}/`, { token, body })
    assert.equal(answer.status, 200, answer.text)
    return answer.headers.get('x-record-id')!
  }

  function idsOf(body: { contact_id: string }[]): string[] {
    return body.map((each) => each.contact_id)
  }
})
