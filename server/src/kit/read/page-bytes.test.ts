import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { connectApp } from '../../../test/support/integration.ts'
import type { Reply, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { usualLimits } from '../ground/limits.ts'
import { fitting, fittingEach } from './json.ts'

const pageBytes = 60_000
const count = 23

test('as many texts are taken as fit, and the first one always', () => {
  const texts = ['abc', 'ÄÖ', 'x', 'yz']
  assert.deepEqual(fitting(texts, 8), ['abc', 'ÄÖ', 'x'])
  assert.deepEqual(fitting(texts, 6), ['abc'])
  assert.deepEqual(fitting(texts, 1), ['abc'])
  assert.deepEqual(fitting(texts, 1000), texts)
  assert.deepEqual(fitting(texts, 0), texts)
  let made = 0
  const each = Array(50)
    .values()
    .map(() => `text ${made++}`)
  assert.equal(fittingEach(each, 14).length, 2)
  assert.equal(made, 3)
})

describe('a page of large records is shorter, and the next one begins where it ends', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp
  const made: string[] = []
  const projects: string[] = []

  before(async () => {
    service = await startService({ limits: { ...usualLimits, pageBytes } })
    org = await makeOrganization(service)
    app = await connectApp(service, org)
    for (let i = 0; i < count; i++) {
      const description = 'd'.repeat(i % 3 ? 9000 : 10)
      const company = { company_name: `Company ${i}`, description }
      const reply = await app.call('POST', '/automation/company', { body: company })
      made.unshift(reply.body.data.company_id)
      const project = { project_name: `Project ${i}`, description }
      const other = await app.call('POST', '/automation/project', { body: project })
      assert.equal(other.status, 201, other.text)
      projects.unshift(other.body.project_id)
    }
  })

  const get = (path: string) => service.call('GET', path, { token: org.users.admin.token })
  const linked = ({ headers }: Reply, rel: string) =>
    new RegExp(`<([^>]*)>; rel="${rel}"`).exec(headers.get('link') ?? '')?.[1]

  /** Every page from a path on, by the link to the next one. */
  async function follow(path: string | undefined, rel = 'next'): Promise<Reply[]> {
    const replies: Reply[] = []
    while (path) {
      const reply = await get(path)
      assert.equal(reply.status, 200, reply.text)
      assert.ok(reply.text.length < pageBytes + 100, `${reply.text.length} characters`)
      replies.push(reply)
      path = linked(reply, rel)
      assert.ok(replies.length < 50)
    }
    return replies
  }
  const idsOf = (replies: Reply[]) =>
    replies.flatMap(({ body }) => body.map((each: { company_id: string }) => each.company_id))

  test('by number on the application surface, with the links', async () => {
    const replies = await follow('/api/company/?page=1&items_per_page=15')
    assert.deepEqual(idsOf(replies), made)
    assert.ok(replies.length > 2, `${replies.length} pages`)
    // a page in the middle, and back again
    const middle = await follow('/api/company/?page=2&items_per_page=11')
    assert.deepEqual(idsOf(middle), made.slice(11))
    const [last] = replies.slice(-1)
    assert.ok(last)
    const back = await follow(linked(last, 'prev'), 'prev')
    assert.equal(idsOf(back.slice(-1))[0], made[0])
  })

  test('small pages are as they were', async () => {
    const reply = await get('/api/company/?page=2&items_per_page=5&include_count=true')
    assert.deepEqual(idsOf([reply]), made.slice(5, 10))
    assert.match(linked(reply, 'next') ?? '', /page=3/)
    assert.doesNotMatch(linked(reply, 'next') ?? '', /offset/)
    assert.equal(reply.headers.get('x-total-count'), String(count))
  })

  test('with other sorts and filters', async () => {
    const filter = encodeURIComponent(
      JSON.stringify([{ field: 'description', operator: 'contains', value: 'ddd' }]),
    )
    const path = `/api/company/?page=1&items_per_page=500&sort=description&q=company&filter=${filter}`
    const replies = await follow(path)
    assert.deepEqual(idsOf(replies).toSorted(), made.toSorted())
    assert.ok(replies.length > 2)
  })

  test('by cursor on the integration surface', async () => {
    for (const sort of ['', 'hq_country,-company_name']) {
      const found: string[] = []
      let pages = 0
      for (let next_cursor: string | null = ''; next_cursor !== null; pages++) {
        const query = { limit: 20, ...(sort && { sort }), ...(next_cursor && { next_cursor }) }
        const reply = await app.call('GET', '/automation/company', { query })
        assert.equal(reply.status, 200, reply.text)
        assert.ok(reply.text.length < pageBytes + 200)
        found.push(...reply.body.results.map((each: { company_id: string }) => each.company_id))
        next_cursor = reply.body.next_cursor
      }
      assert.deepEqual(found.toSorted(), made.toSorted())
      if (!sort) assert.deepEqual(found, made)
      assert.ok(pages > 2)
    }
  })

  test('in the envelope of the integration surface', async () => {
    const found: string[] = []
    let next: string | null = 'http://x/automation/project?items_per_page=20'
    let pages = 0
    for (; next; pages++) {
      const query = Object.fromEntries(new URL(next).searchParams)
      const reply = await app.call('GET', '/automation/project', { query })
      assert.equal(reply.status, 200, reply.text)
      assert.equal(reply.body.count, count)
      found.push(...reply.body.results.map((each: { project_id: string }) => each.project_id))
      next = reply.body.next
    }
    assert.deepEqual(found, projects)
    assert.ok(pages > 2, `${pages} pages`)
  })

  describe('of the activity log', () => {
    const written: string[] = []
    let account: string
    before(async () => {
      const { token } = org.users.admin
      const post = (path: string, body: object) => service.call('POST', path, { token, body })
      const made = await post('/api/account/info/', { account_name: 'Account' })
      account = made.headers.get('x-record-id') ?? ''
      for (let i = 0; i < count; i++) {
        const raw_description = { text: 'd'.repeat(i % 3 ? 9000 : 10) }
        const entry = { title: 'Note', module_id: 'accounts', reference_id: account }
        const reply = await post('/api/activity/log/', { ...entry, raw_description })
        assert.equal(reply.status, 201, reply.text)
        written.unshift(reply.body.log_id)
      }
    })
    const notes = (entries: { title: string; log_id: string }[]) =>
      entries.filter(({ title }) => title === 'Note').map(({ log_id }) => log_id)

    for (const path of [
      'activity/log/',
      'activity/log/accounts/{id}/',
      'users/profile/activity/',
    ]) {
      test(`by number, on ${path}`, async () => {
        const replies = await follow(`/api/${path.replace('{id}', account)}?items_per_page=15`)
        assert.deepEqual(notes(replies.flatMap(({ body }) => body)), written)
        assert.ok(replies.length > 2, `${replies.length} pages`)
        const whole = await get(`/api/${path.replace('{id}', account)}?items_per_page=5&page=2`)
        assert.match(linked(whole, 'next') ?? '', /page=3/)
      })
    }

    test('by cursor, of an account', async () => {
      const found: string[] = []
      let pages = 0
      for (let cursor = ''; cursor !== null; pages++) {
        const reply = await get(
          `/api/account/info/more-activities/?account_id=${account}&limit=15${cursor && `&cursor=${cursor}`}`,
        )
        assert.equal(reply.status, 200, reply.text)
        assert.ok(reply.text.length < pageBytes + 100)
        found.push(...notes(reply.body.results))
        cursor = reply.body.next_cursor
      }
      assert.deepEqual(found, written)
      assert.ok(pages > 2, `${pages} pages`)
    })
  })

  test('and an export has every record', async () => {
    const reply = await get('/api/company/export/?fields=company_id,description')
    assert.equal(reply.text.trim().split('\r\n').length, count + 1)
  })
})
