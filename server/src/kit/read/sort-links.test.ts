import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isSubselect } from './sort.ts'
import { connectApp } from '../../../test/support/integration.ts'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

type Contact = { full_name: string }

describe('sorting by what is linked', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  async function ask(method: string, path: string, body?: unknown, as = token) {
    const reply = await service.call(method, path, { token: as, body })
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }

  const make = async (path: string, body: object) =>
    (await ask('POST', path, body)).headers.get('x-record-id')!
  const names = (rows: Contact[]) => rows.map(({ full_name }) => full_name).join('')
  const sorted = async (sort: string, more = '') =>
    names((await ask('GET', `/api/contact/?page=1&items_per_page=50&sort=${sort}${more}`)).body)

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
    await ask('PUT', '/api/organization/settings/fields/contacts/', {
      fields: [
        { key: 'plan', label: 'Plan', type: 'text' },
        { key: 'seats', label: 'Seats', type: 'number' },
      ],
    })
    const zebra = await make('/api/company/', { company_name: 'zebra' })
    const apple = await make('/api/company/', { company_name: 'Apple' })
    for (const [full_name, company, custom_fields] of [
      ['A', zebra, { plan: 'b', seats: 10 }],
      ['B', apple, { plan: 'A', seats: 9 }],
      ['C', null, {}],
      ['D', apple, { plan: 'c', seats: 2 }],
    ] as const) {
      await make('/api/contact/', { full_name, ...(company ? { company } : {}), custom_fields })
    }
  })

  test('puts records without a link or a value below all others, in any page', async () => {
    assert.equal(await sorted('company.company_name,full_name'), 'CBDA')
    assert.equal(await sorted('company,full_name'), 'CBDA')
    assert.equal(await sorted('-company.company_name,full_name'), 'ABDC')
    assert.equal(await sorted('custom_fields.plan'), 'CBAD')
    assert.equal(await sorted('custom_fields.seats', '&reverse=true'), 'ABDC')
    let paged = ''
    for (const page of [1, 2, 3, 4]) {
      const path = `/api/contact/?page=${page}&items_per_page=1&sort=company.company_name,full_name`
      paged += names((await ask('GET', path)).body)
    }
    assert.equal(paged, 'CBDA')
  })

  test('orders the records of groups', async () => {
    for (const [sort, expected] of [
      ['company.company_name,full_name', 'CBDA'],
      ['-company,full_name', 'ABDC'],
    ]) {
      const path = `/api/contact/groups/?by=contact_owner&items=10&sort=${sort}`
      const { groups } = (await ask('GET', path)).body
      assert.equal(
        groups.map((each: { records: Contact[] }) => names(each.records)).join(),
        expected,
      )
    }
  })

  test('is preserved by cursors', async () => {
    const app = await connectApp(service, org)
    for (const [sort, expected] of [
      ['company.company_name,full_name', 'CBDA'],
      ['-custom_fields.seats', 'ABDC'],
    ] as const) {
      let [seen, cursor] = ['', '']
      do {
        const at = cursor ? `&next_cursor=${encodeURIComponent(cursor)}` : ''
        const { body } = await app.call('GET', `/automation/contact?limit=1&sort=${sort}${at}`)
        seen += names(body.results)
        cursor = body.next_cursor ?? ''
      } while (cursor)
      assert.equal(seen, expected)
    }
  })

  test('goes by the order of statuses, and the description of the module says which fields are sortable', async () => {
    for (const status of ['completed', 'not_started', 'in_progress']) {
      await make('/api/tasks/', { title: status, status })
    }
    const { body } = await ask('GET', '/api/tasks/?sort=status')
    assert.deepEqual(
      body.map(({ title }: { title: string }) => title),
      ['not_started', 'in_progress', 'completed'],
    )
    const { fields } = (await ask('GET', '/api/modules/contacts/')).body
    const isSortable = (name: string) =>
      fields.find((field: { name: string }) => field.name === name).is_sortable
    assert.ok(isSortable('company') && isSortable('custom_fields.plan'))
    assert.ok(!isSortable('tags'))
  })

  test('is refused where the caller could not filter by it', async () => {
    const query = '?page=1&items_per_page=5&sort='
    for (const sort of ['company.nothing', 'custom_fields.nothing', 'tags', 'company.tags', '.']) {
      refusedField(await service.call('GET', `/api/contact/${query}${sort}`, { token }), ['sort'])
    }
    const { customer } = org.users
    for (const sort of ['company.company_name', 'custom_fields.plan']) {
      refusedField(
        await service.call('GET', `/api/contact/${query}${sort}`, { token: customer.token }),
        ['sort'],
      )
    }
  })
})

test('a subselect is distinguished from SQL that only begins or ends with one', () => {
  const alone = [
    '(select a from b)',
    '(select \')\' || ")" from (select 1) x where f(y))',
    '(\n  select count(*) from b)',
  ]
  const others = [
    't.a',
    'f(select)',
    '(select a from b) || (select c from d)',
    'coalesce((select a from b), 1)',
    '(t.a)',
    '(selected)',
    '(select a from b)::text',
  ]
  assert.deepEqual([...alone, ...others].filter(isSubselect), alone)
})
