import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { Mailbox } from '../../../test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../test/support/mailbox.ts'
import { addMember } from '../../../test/support/world.ts'
import { postForm } from '../../../test/support/integration.ts'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, sql, startService } from '../../../test/support/service.ts'

type Role = keyof TestOrganization['users']

describe('results of a survey', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  let survey: string
  /** ids of accounts by name */
  const accounts: { [name: string]: string } = {}
  const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
    service.call(method, path, { token: org.users[role].token, body })
  const pages = [
    {
      id: 'p1',
      title: 'One',
      fields: [
        { id: 'nps', type: 'nps', label: 'How likely?', required: true },
        { id: 'why', type: 'short-text', label: 'Why?' },
      ],
    },
  ]

  const made = async (path: string, body: object) => {
    const reply = await call('POST', path, body)
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }

  /** The id of a new company, contact or account. */
  const madeId = async (path: string, body: object) => {
    const reply = await call('POST', path, body)
    assert.ok(reply.status < 300, reply.text)
    return reply.headers.get('x-record-id') ?? reply.body.account_id
  }

  const write = (query: ReturnType<typeof sql>) =>
    service.runtime.database.transaction(org.id, (queries) => queries.run(query))

  /** Ten days back and more, so that answers can be moved there. */
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)

  const answered = async (email: string, nps: number, back = 0) => {
    const { response_id } = await made(`/api/surveys/${survey}/fill/`, {
      answers: { nps, why: `${nps} by ${email}` },
      respondent_email: email,
    })
    const at = `${day(back)}T12:00:00Z`
    await write(sql`update survey_responses set finished_at = ${at}, creation_time = ${at}
        where id = ${response_id} and organization_id = ${org.id}`)
  }

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
    for (const [name, segment, owner] of [
      ['north', 'Enterprise', org.users.admin.user_id],
      ['south', 'Small', org.users.manager.user_id],
    ] as const) {
      const company_id = await madeId('/api/company/', {
        company_name: name,
        domain: `${name}.test`,
      })
      const body = { full_name: `Ada of ${name}`, primary_email: `Ada@${name}.test`, company_id }
      await madeId('/api/contact/', body)
      const account = { account_name: name, company_id, segment, account_owner: owner }
      accounts[name] = await madeId('/api/account/info/', account)
    }
    const body = { name: 'Pulse', form_structure: pages, status: 'published' }
    survey = (await made('/api/surveys/', body)).survey_id
    await answered('ada@north.test', 10)
    await answered('ada@north.test', 9)
    await answered('ada@south.test', 3)
    await answered('nobody@else.test', 7)
    await answered('ada@south.test', 10, 10)
  })

  const insights = async (query: string, role: Role = 'admin') => {
    const reply = await call('GET', `/api/surveys/${survey}/insights/?${query}`, undefined, role)
    assert.equal(reply.status, 200, reply.text)
    return reply.body.insights
  }

  /** The scores that the list, the export and the insights say match: all the same. */
  const scores = async (query: string, role: Role = 'admin'): Promise<number[]> => {
    const list = await call('GET', `/api/surveys/${survey}/responses/?${query}`, undefined, role)
    assert.equal(list.status, 200, list.text)
    const own: number[] = list.body.map(({ answers }: any) => answers.nps).toSorted()
    const path = `/api/surveys/${survey}/responses/export/?${query}`
    const sheet = parse((await call('GET', path, undefined, role)).text, { columns: true })
    const exported = sheet.map((row: any) => Number(row['How likely?'])).toSorted()
    const { total_responses, questions, trend } = await insights(query, role)
    assert.deepEqual(exported, own)
    assert.equal(total_responses, own.length)
    assert.equal(questions[0].answered, own.length)
    const counted = questions[0].distribution.flatMap(({ value, count }: any) =>
      Array.from({ length: count }, () => value),
    )
    assert.deepEqual(counted.toSorted(), own)
    assert.equal(
      trend.reduce((sum: number, { count }: any) => sum + count, 0),
      own.length,
    )
    return own.toSorted((a, b) => a - b)
  }

  test('follow days, accounts, their owners and segments, versions and answers', async () => {
    assert.deepEqual(await scores(''), [3, 7, 9, 10, 10])
    assert.deepEqual(await scores(`since=${day(1)}`), [3, 7, 9, 10])
    assert.deepEqual(await scores(`until=${day(10)}`), [10])
    assert.deepEqual(await scores(`since=${day(10)}&until=${day(10)}`), [10])
    assert.deepEqual(await scores(`account=${accounts.north}`), [9, 10])
    assert.deepEqual(await scores(`account=${accounts.north},${accounts.south}`), [3, 9, 10, 10])
    assert.deepEqual(await scores(`owner=${org.users.manager.user_id}`), [3, 10])
    assert.deepEqual(await scores('segment=Enterprise'), [9, 10])
    assert.deepEqual(await scores(`segment=Small&since=${day(1)}`), [3])
    assert.deepEqual(await scores('version=1'), [3, 7, 9, 10, 10])
    assert.deepEqual(await scores('version=2'), [])
    const filter = (...conditions: object[]) =>
      `answers=${encodeURIComponent(JSON.stringify(conditions))}`
    const low = filter({ field: 'answers.nps', operator: 'lt', value: 8 })
    assert.deepEqual(await scores(low), [3, 7])
    const said = { field: 'answers.why', operator: 'contains', value: 'south' }
    assert.deepEqual(await scores(filter(said)), [3, 10])
    const whole = { field: 'respondent_email', operator: 'eq', value: 'nobody@else.test' }
    assert.deepEqual(await scores(filter(whole)), [7])
  })

  test('of the survey of an account are all of that account', async () => {
    const body = { name: 'Own', form_structure: pages, status: 'published' }
    const own = await made('/api/surveys/', { ...body, account_id: accounts.south })
    const fill = { answers: { nps: 6 }, respondent_email: 'ada@north.test' }
    await made(`/api/surveys/${own.survey_id}/fill/`, fill)
    const count = async (account: string | undefined) => {
      const path = `/api/surveys/${own.survey_id}/insights/?account=${account}`
      return (await call('GET', path)).body.insights.total_responses
    }
    assert.deepEqual([await count(accounts.south), await count(accounts.north)], [1, 0])
  })

  test('are compared with as many days before', async () => {
    const { previous, nps, total_responses } = await insights(
      `since=${day(7)}&until=${day(0)}&compare=previous`,
    )
    assert.deepEqual([nps, total_responses], [25, 4])
    assert.deepEqual([previous.from, previous.to], [day(15), day(8)])
    assert.deepEqual([previous.nps, previous.total_responses], [100, 1])
    assert.equal((await insights('')).previous, undefined)
  })

  test('say in what range the score of everybody lies', async () => {
    const { nps, nps_low, nps_high, questions } = await insights('')
    // 3 of 5 promote, 1 detracts; with three answers more 3.75 and 1.75 of 8
    const half = 196 * Math.sqrt((5.5 / 8 - 0.25 ** 2) / 8)
    assert.equal(nps, 40)
    assert.equal(nps_low, Math.round(100 * (25 - half)) / 100)
    assert.equal(nps_high, Math.round(100 * (25 + half)) / 100)
    assert.deepEqual([questions[0].nps_low, questions[0].nps_high], [nps_low, nps_high])
    const one = await insights(`until=${day(10)}`)
    assert.ok(one.nps === 100 && one.nps_low < 50 && one.nps_high <= 100)
    assert.equal((await insights('version=9')).nps_low, undefined)
  })

  test('have the score by period', async () => {
    const { nps_trend } = await insights('unit=day')
    assert.deepEqual(
      nps_trend.map(({ date, promoters, passives, detractors, nps }: any) => ({
        date,
        promoters,
        passives,
        detractors,
        nps,
      })),
      [
        { date: day(10), promoters: 1, passives: 0, detractors: 0, nps: 100 },
        { date: day(0), promoters: 2, passives: 1, detractors: 1, nps: 25 },
      ],
    )
    // the range of each, of which few answers make a wide one
    assert.ok(nps_trend[0].nps_high - nps_trend[0].nps_low > 100)
    assert.ok(nps_trend[1].nps_low < 25 && nps_trend[1].nps_high > 25)
    const months = (await insights('')).nps_trend
    assert.ok(months.every(({ date }: any) => date.endsWith('-01')))
  })

  test('count accounts only that their reader sees', async () => {
    const { token } = await addMember(service, org, { surveys: { read: 'all' } })
    const count = async (query: string) => {
      const path = `/api/surveys/${survey}/insights/?${query}`
      const reply = await service.call('GET', path, { token })
      assert.equal(reply.status, 200, reply.text)
      return reply.body.insights.total_responses
    }
    assert.equal(await count(''), 5)
    assert.equal(await count(`account=${accounts.north}`), 0)
    assert.equal(await count('segment=Enterprise'), 0)
  })

  test('tell customers nothing of owners and segments', async () => {
    await write(sql`update users set account_id = ${accounts.south}
        where id = ${org.users.customer.user_id} and organization_id = ${org.id}`)
    const body = { name: 'Theirs', form_structure: pages, status: 'published' }
    const shown = await made('/api/surveys/', { ...body, account_id: accounts.south })
    const own = `/api/surveys/${shown.survey_id}/responses/`
    assert.equal((await call('GET', own, undefined, 'customer')).status, 200)
    const asked = await call('GET', `${own}?segment=Enterprise`, undefined, 'customer')
    assert.equal(asked.status, 403, asked.text)
  })

  test('of some people are refused to observers, who read only their own answers', async () => {
    await write(sql`update users set account_id = ${accounts.south}
        where id = ${org.users.observer.user_id} and organization_id = ${org.id}`)
    const body = { name: 'Shown', form_structure: pages, status: 'published' }
    const shown = await made('/api/surveys/', { ...body, account_id: accounts.south })
    const base = `/api/surveys/${shown.survey_id}`
    await made(`${base}/fill/`, { answers: { nps: 6 }, respondent_email: 'ada@south.test' })
    const path = `${base}/insights/`
    assert.equal((await call('GET', path, undefined, 'observer')).status, 200)
    const condition = { field: 'respondent_email', operator: 'eq', value: 'ada@south.test' }
    for (const [name, value] of [
      ['answers', JSON.stringify([condition])],
      ['account', accounts.south],
      ['owner', org.users.manager.user_id],
      ['segment', 'Small'],
      ['schedule', 'none'],
    ] as const) {
      const query = `${name}=${encodeURIComponent(value ?? '')}`
      const reply = await call('GET', `${path}?${query}`, undefined, 'observer')
      assert.equal(reply.status, 403, reply.text)
      assert.match(reply.text, new RegExp(name))
      const own = await call('GET', `${base}/responses/?${query}`, undefined, 'observer')
      assert.deepEqual([own.status, own.body], [200, []], own.text)
    }
  })

  test('reach to the first and the last day', async () => {
    assert.deepEqual(await scores('since=0001-01-01&until=9999-12-31'), [3, 7, 9, 10, 10])
    for (const since of ['0001-01-01', '1000-01-01']) {
      const path = `/api/surveys/${survey}/insights/?since=${since}&compare=previous`
      refusedField(await call('GET', path), ['since'])
    }
  })

  test('have conditions that cost no more than those of other lists', async () => {
    const asked = (count: number) => {
      const one = { field: 'answers.why', operator: 'contains', value: 'south' }
      const all = Array.from({ length: count }, () => one)
      return `answers=${encodeURIComponent(JSON.stringify(all))}`
    }
    assert.deepEqual(await scores(asked(20)), [3, 10])
    for (const what of ['insights', 'responses', 'responses/export']) {
      const reply = await call('GET', `/api/surveys/${survey}/${what}/?${asked(40)}`)
      refusedField(reply, ['answers'])
      assert.match(reply.text, /40 conditions on answers \(120\)/)
    }
  })

  test('refuse what cannot be', async () => {
    const wrong = [
      ['since=yesterday', 'since'],
      [`since=${day(1)}&until=${day(2)}`, 'until'],
      ['compare=previous', 'since'],
      ['language=xx', 'language'],
      ['version=0', 'version'],
      ['answers=[', 'answers'],
      [
        `answers=${encodeURIComponent('[{"field":"answers.none","operator":"eq","value":1}]')}`,
        'answers',
      ],
      [`answers=${encodeURIComponent('[{"field":"score","operator":"eq","value":1}]')}`, 'answers'],
    ] as const
    for (const [query, field] of wrong) {
      refusedField(await call('GET', `/api/surveys/${survey}/insights/?${query}`), [field])
    }
  })

  test('say what came of a mailing: sent, opened and answered, and in which language', async () => {
    const sent = await made(`/api/surveys/${survey}/send/`, {
      email_addresses: ['ada@north.test', 'eve@north.test', 'joe@north.test'],
    })
    const { pathname } = new URL(linkIn(await mailbox.next('ada@north.test')))
    const other = new URL(linkIn(await mailbox.next('eve@north.test'))).pathname
    const asked = { headers: { 'accept-language': 'fr' } }
    for (const path of [pathname, pathname, other]) {
      assert.equal((await fetch(new URL(path, service.url), asked)).status, 200)
    }
    const page = async () => {
      const { body } = await call('GET', `/api/surveys/${survey}/schedules/`)
      return body.find((each: any) => each.schedule_id === sent.schedule_id)
    }
    const { status, sent_count, opened_count, answered_count } = await page()
    assert.deepEqual([status, sent_count, opened_count, answered_count], ['sent', 3, 2, 0])
    const form = { page: '0', 'a.nps': '8', go: 'next' }
    // who has answered before is known by the address, not by the link
    const reply = await postForm(service, other, form, asked.headers)
    assert.equal(reply.status, 303, reply.text)
    assert.equal((await page()).answered_count, 1)
    const of = await insights(`schedule=${sent.schedule_id}`)
    assert.deepEqual([of.sent, of.opened, of.finished_responses], [3, 2, 1])
    assert.deepEqual(await scores(`schedule=${sent.schedule_id}`), [8])
    const { sent: all } = await insights('version=1')
    assert.equal(all, null)
    assert.deepEqual(await scores('language=fr'), [8])
    assert.deepEqual(await scores('language=de'), [])
    assert.equal((await insights(`account=${accounts.south}`)).sent, 0)
  })
})
