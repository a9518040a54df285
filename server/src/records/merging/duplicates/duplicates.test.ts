import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refused, refusedField } from '../../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, sql, startService } from '../../../../test/support/service.ts'

type Group = { score: number; reasons: string[]; records_count: number; records: any[] }

describe('likely duplicates', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })

  test('companies: the same domain or website, the same name, nearly the same name', async () => {
    const org = await makeOrganization(service)
    const make = maker(org, 'company')
    const domain = await make({ company_name: 'Zephyr', domain: 'zephyr.test' })
    const site = await make({
      company_name: 'Quite other',
      website_url: 'https://www.Zephyr.test/about',
    })
    const legal = await make({ company_name: 'Acme Corp.', domain: 'acme-one.test' })
    const bare = await make({ company_name: 'ACMÉ, Corporation', domain: 'acme-two.test' })
    const right = await make({ company_name: 'Wolkenkuckucksheim' })
    const typo = await make({ company_name: 'Wolkenkukucksheim' })
    await make({ company_name: 'Plant 5' })
    await make({ company_name: 'Plant 6' })
    await make({ company_name: 'Alone' })
    const gone = await make({ company_name: 'Alone Ltd' })
    await service.call('DELETE', `/api/company/${gone}/`, { token: org.users.admin.token })

    const groups = await all(org, 'company')
    assert.deepEqual(
      groups.map(({ reasons, records }) => [reasons, records.map((each) => each.company_id)]),
      [
        [['same_domain'], [domain, site]],
        [['same_name'], [legal, bare]],
        [['similar_name'], [right, typo]],
      ],
    )
    for (const { score } of groups) assert.ok(score > 0.5 && score <= 1)
    assert.ok(groups[0]!.score > groups[2]!.score)
    assert.equal(groups[1]!.records[0].company_name, 'Acme Corp.')
  })

  test('contacts: e-mail, phone, the same or nearly the same name, and not at different companies', async () => {
    const org = await makeOrganization(service)
    const make = maker(org, 'contact')
    const [one, two] = [
      await maker(org, 'company')({ company_name: 'One' }),
      await maker(org, 'company')({ company_name: 'Two' }),
    ]
    const mail = await make({ full_name: 'Ada', primary_email: 'Ada@x.test' })
    const sameMail = await make({
      full_name: 'A. L.',
      primary_email: 'ada@X.test',
      allow_duplicate: true,
    })
    const phone = await make({ full_name: 'Ben', phone: '+33 6 12 34 56 78' })
    const samePhone = await make({ full_name: 'Kim', whatsapp_number: '06.12.34.56.78' })
    const at = await make({ full_name: 'Grace Hopper', company_id: one })
    const sameAt = await make({ full_name: 'grace  HOPPER', company_id: one })
    await make({ full_name: 'Mary Major', company_id: one })
    await make({ full_name: 'Mary Major', company_id: two })
    const john = await make({ full_name: 'Jonathan Smith' })
    const jon = await make({ full_name: 'Jonathon Smith', company_id: two })
    await make({ full_name: 'Short', phone: '12' })
    await make({ full_name: 'Tiny', phone: '12' })

    const groups = await all(org, 'contact')
    const byIds = new Map(
      groups.map(({ reasons, records }) => [
        records.map((each) => each.contact_id).join(),
        reasons,
      ]),
    )
    assert.deepEqual(
      [...byIds].sort(),
      [
        [`${mail},${sameMail}`, ['same_email']],
        [`${phone},${samePhone}`, ['same_phone']],
        [`${at},${sameAt}`, ['same_name', 'same_company']],
        [`${john},${jon}`, ['similar_name']],
      ].sort() as [string, string[]][],
    )
    const { records } = groups.find(({ reasons }) => reasons.includes('same_company'))!
    assert.equal(records[0].company.company_id, one)
  })

  test('pages follow each other to the end, each group once, and mind the limit', async () => {
    const org = await makeOrganization(service)
    await fill(org, 4000)
    const seen = new Set<string>()
    let cursor: string | null = ''
    let pages = 0
    do {
      const reply = await ask(org, 'company', {
        limit: '60',
        ...(cursor && { next_cursor: cursor }),
      })
      assert.equal(reply.status, 200, reply.text)
      const { results, next_cursor } = reply.body as {
        results: Group[]
        next_cursor: string | null
      }
      assert.ok(results.length <= 60)
      for (const { records } of results) {
        const names = records.map((each) => each.company_name)
        assert.equal(names.length, 2)
        assert.equal(new Set(names.map((name: string) => name.toLowerCase())).size, 1)
        assert.ok(!seen.has(names[0]), names[0])
        seen.add(names[0])
      }
      cursor = next_cursor
      pages++
    } while (cursor)
    // each hundredth is there twice
    assert.equal(seen.size, 40)
    assert.ok(pages < 4)
  })

  test('only what the caller sees is compared and shown', async () => {
    const org = await makeOrganization(service)
    const role = await service.call('POST', '/api/users/role/', {
      token: org.users.admin.token,
      body: { role_name: 'own', permission: { companies: { read: 'own', create: 'all' } } },
    })
    await service.call('PUT', `/api/users/profile/${org.users.member.user_id}/`, {
      token: org.users.admin.token,
      body: { role_id: role.body.role_id },
    })
    const make = maker(org, 'company')
    await make({ company_name: 'Twice', domain: 'a.test' })
    await make({ company_name: 'Twice', domain: 'b.test' }, org.users.member.token)
    assert.equal((await all(org, 'company')).length, 1)
    assert.deepEqual(await all(org, 'company', org.users.member.token), [])
    refused(await ask(org, 'contact', {}, org.users.member.token), 403)
  })

  test('a cursor of something else is refused', async () => {
    const org = await makeOrganization(service)
    const place = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
    const wrong = ['nope', 'e30', place('contacts', 0, '', ''), place('companies', 9, '', '')]
    wrong.push(place('companies', 0, 'a\0', ''), place('companies', 0, '\ud800', ''))
    for (const next_cursor of wrong) {
      refusedField(await ask(org, 'company', { next_cursor }), ['next_cursor'])
    }
  })

  /** Companies with names that nobody would mix up, each hundredth of them twice. */
  async function fill(org: TestOrganization, count: number) {
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`insert into companies (organization_id, id, company_name, record_source)
        select ${org.id}, 'filled-' || n || '-' || twin, md5(n::text) || case twin when 0 then ' Inc' else ' INC' end, 'test'
        from generate_series(1, ${count}) n, generate_series(0, 1) twin
        where twin = 0 or n % 100 = 0`),
    )
  }

  function maker(org: TestOrganization, kind: 'company' | 'contact') {
    return async (body: object, token = org.users.admin.token): Promise<string> => {
      const reply = await service.call('POST', `/api/${kind}/`, { token, body })
      assert.equal(reply.status, 200, reply.text)
      return reply.headers.get('x-record-id')!
    }
  }

  function ask(
    org: TestOrganization,
    kind: 'company' | 'contact',
    query: { [name: string]: string },
    token = org.users.admin.token,
  ) {
    return service.call('GET', `/api/${kind}/duplicates/?${new URLSearchParams(query)}`, { token })
  }

  async function all(
    org: TestOrganization,
    kind: 'company' | 'contact',
    token = org.users.admin.token,
  ): Promise<Group[]> {
    const reply = await ask(org, kind, {}, token)
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.body.next_cursor, null)
    return reply.body.results
  }
})
