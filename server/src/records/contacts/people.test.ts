import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('the people of a deal and of an account', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  type Role = keyof TestOrganization['users']
  const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
    service.call(method, path, { token: org.users[role].token, body })
  async function make(path: string, body: object): Promise<string> {
    const reply = await call('POST', path, body)
    assert.ok(reply.status < 300, `${path} ${reply.status} ${reply.text}`)
    return reply.headers.get('x-record-id') ?? ''
  }
  const contact = (full_name: string, company_id: string | null, buying_role?: string) =>
    make('/api/contact/', {
      full_name,
      ...(company_id ? { company: { company_id } } : {}),
      ...(buying_role ? { buying_role } : {}),
    })
  type Row = { [field: string]: unknown }
  type Map = { people: { full_name: string; part: string; strength: number }[]; missing: string[] }
  const shown = ({ people }: Map) => people.map(({ full_name, part }) => [full_name, part])

  test('have their parts by their buying roles, and the parts that nobody has are named', async () => {
    const theirs = await make('/api/company/', { company_name: 'Clairval' })
    const other = await make('/api/company/', { company_name: 'Elsewhere' })
    await contact('Bastien', theirs, 'end_user')
    await contact('Inès', theirs, 'decision_maker')
    await contact('Legal', theirs, 'legal')
    await contact('Nobody of theirs', other, 'champion')
    const outside = await contact('Maëlle', null, 'champion')
    const account = await make('/api/account/info/', {
      account_name: 'Clairval Santé',
      company_id: theirs,
    })
    const deal = await make('/api/project/info/', {
      project_name: 'Two centres',
      project_type: 'deal',
      account_id: account,
      customer: { contact_id: outside },
    })
    const { body: ofAccount } = await call('GET', `/api/account/info/${account}/people/`)
    assert.deepEqual(shown(ofAccount), [
      ['Inès', 'decides'],
      ['Bastien', 'uses'],
      ['Legal', 'unknown'],
    ])
    assert.deepEqual(ofAccount.missing, ['champion', 'pays'])
    const { body: ofDeal } = await call('GET', `/api/project/info/${deal}/people/`)
    assert.deepEqual(shown(ofDeal), [
      ['Inès', 'decides'],
      ['Maëlle', 'champion'],
      ['Bastien', 'uses'],
      ['Legal', 'unknown'],
    ])
    assert.deepEqual(ofDeal.missing, ['pays'])

    // a meeting of the last days is contact with who took part
    const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    await make('/api/calendar/info/', {
      title: 'Prices',
      start: at(2),
      end: at(2),
      project: { project_id: deal },
      attendees: [{ type: 'contact', id: outside }],
    })
    const after: Map = (await call('GET', `/api/project/info/${deal}/people/`)).body
    const strengths = after.people.map(({ full_name, strength }) => [full_name, strength])
    assert.deepEqual(strengths, [
      ['Inès', 0],
      ['Maëlle', 1],
      ['Bastien', 0],
      ['Legal', 0],
    ])
    // of a project there are none
    const project = await make('/api/project/info/', { project_name: 'No deal' })
    assert.equal((await call('GET', `/api/project/info/${project}/people/`)).status, 404)
    const foreign = await makeOrganization(service)
    const { token } = foreign.users.admin
    const theirMap = `/api/account/info/${account}/people/`
    assert.equal((await service.call('GET', theirMap, { token })).status, 404)
  })

  test('are not shown to customers, and only as far as one may read contacts', async () => {
    const company = await make('/api/company/', { company_name: 'Hidden' })
    await contact('Unseen', company, 'champion')
    const account = await make('/api/account/info/', {
      account_name: 'Hidden account',
      company_id: company,
    })
    const path = `/api/account/info/${account}/people/`
    assert.ok([403, 404].includes((await call('GET', path, undefined, 'customer')).status))
    const { body: roles } = await call('GET', '/api/users/role/')
    const member = roles.find((role: { kind: string }) => role.kind === 'member')
    const permission = { contacts: { read: 'none' } }
    const changed = await call('PUT', `/api/users/role/${member.role_id}/`, { permission })
    assert.equal(changed.status, 200, changed.text)
    const seen = await call('GET', path, undefined, 'member')
    assert.equal(seen.status, 200, seen.text)
    assert.deepEqual(seen.body.people, [])
  })

  test('are those with a part first, and count no contacts that one may not read', async () => {
    const company = await make('/api/company/', { company_name: 'Crowd' })
    const decides = await contact('Decides', company, 'decision_maker')
    const others = Array.from({ length: 55 }, (_, n) => contact(`Other ${n}`, company))
    const [met = ''] = await Promise.all(others)
    const account = await make('/api/account/info/', {
      account_name: 'Crowd',
      company_id: company,
    })
    const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    await make('/api/calendar/info/', {
      title: 'Prices',
      start: at(2),
      end: at(2),
      attendees: [{ type: 'contact', id: met }],
    })
    const path = `/api/account/info/${account}/people/`
    const strengths = async () => {
      const { people, missing } = (await call('GET', path, undefined, 'manager')).body
      assert.equal(people.length, 50)
      assert.ok(!missing.includes('decides'))
      return people.slice(0, 2).map((each: Row) => [each.contact_id, each.strength])
    }
    assert.deepEqual(await strengths(), [
      [decides, 0],
      [met, 1],
    ])
    // a meeting is contact for whoever reads meetings
    const permission = { calendar: { read: 'own' } }
    const role = `/api/users/role/${org.roles.manager}/`
    assert.equal((await call('PUT', role, { permission })).status, 200)
    assert.deepEqual(await strengths(), [
      [decides, 0],
      [met, 0],
    ])
  })
})
