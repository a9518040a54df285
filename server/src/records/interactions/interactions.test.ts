import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import { newId } from '../../kit/ground/ids.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

type Role = keyof TestOrganization['users']

describe('interactions', () => {
  let service: TestService
  let org: TestOrganization
  let reference_id: string
  const base = '/api/interactions/info/'
  const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
    service.call(method, path, { token: org.users[role].token, body })
  const say = async (body: object, role: Role = 'admin') => {
    const about = { module_id: 4, reference_id }
    const reply = await call('POST', base, { ...about, content: 'Hello', ...body }, role)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const list = async (query = '', role: Role = 'admin') =>
    (
      await call(
        'GET',
        `${base}?module_name=companies&reference_id=${reference_id}${query}`,
        undefined,
        role,
      )
    ).body
  const inbox = async (role: Role) => {
    const path = '/api/notifyhub/notify-info/?page=1&items_per_page=50'
    return (await call('GET', path, undefined, role)).body
  }

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    const made = await call('POST', '/api/company/', { company_name: 'Acme' })
    reference_id = made.headers.get('x-record-id')!
  })

  test('show their time on the clocks of the organization', async () => {
    const { users } = await makeOrganization(service, 'Asia/Kolkata')
    const { token } = users.admin
    const post = (path: string, body: object) => service.call('POST', path, { token, body })
    const about = await post('/api/company/', { company_name: 'Acme' })
    const subject = { module_id: 4, reference_id: about.headers.get('x-record-id') }
    const { body } = await post(base, { ...subject, content: 'Hello' })
    const there = new Date(Date.parse(body.creation_time) + 5.5 * 3_600_000).toISOString()
    assert.ok(body.formatted_creation_time.endsWith(there.slice(11, 16)))
  })

  test('are threads, and the authors of one are notified of replies', async () => {
    const first = await say({ content: 'First' }, 'member')
    assert.equal(first.is_read, true)
    assert.equal(first.interaction_type, 'interaction')
    const reply = await say({ content: 'Reply', parent_interaction_id: first.interaction_id })
    assert.equal(reply.thread_level, 1)
    const { results } = await list()
    const shown = results.find((each: any) => each.interaction_id === first.interaction_id)
    assert.equal(shown.reply_count, 1)
    assert.equal(shown.reply_interactions[0].content, 'Reply')
    assert.equal(shown.user_details.user_id, org.users.member.user_id)
    const [notice] = await inbox('member')
    assert.equal(notice.notification_type, 5)
    assert.equal(notice.notification_obj.interaction_id, reply.interaction_id)
    assert.deepEqual(await inbox('admin'), [])
    await call('DELETE', `${base}${first.interaction_id}/`)
    const { results: left } = await list()
    const tombstone = left.find((each: any) => each.interaction_id === first.interaction_id)
    assert.deepEqual([tombstone.is_deleted, tombstone.content], [true, ''])
    assert.equal((await call('GET', `${base}${first.interaction_id}/`)).status, 404)
  })

  test('that were deleted leave the list with the last reply below them', async () => {
    const first = await say({ content: 'First' })
    const reply = await say({ content: 'Reply', parent_interaction_id: first.interaction_id })
    const [below, beside] = await Promise.all(
      ['Below', 'Beside'].map((content) =>
        say({ content, parent_interaction_id: reply.interaction_id }),
      ),
    )
    const deleted = (each: any) => call('DELETE', `${base}${each.interaction_id}/`)
    const ids = async () => (await list()).results.map((each: any) => each.interaction_id)
    for (const each of [first, reply, below]) assert.equal((await deleted(each)).status, 204)
    assert.ok((await ids()).includes(first.interaction_id))
    assert.equal((await deleted(beside)).status, 204)
    assert.ok(!(await ids()).includes(first.interaction_id))
  })

  test('list all replies of some threads, whole', async () => {
    const [one, other] = [await say({ content: 'One' }), await say({ content: 'Other' })]
    const reply = await say({ content: 'A', parent_interaction_id: one.interaction_id })
    const below = await say({ content: 'B', parent_interaction_id: reply.interaction_id }, 'member')
    await say({ content: 'C', parent_interaction_id: other.interaction_id })
    const ids = `&thread_ids=${one.interaction_id}`
    const { results } = await list(`${ids}&sort=asc`)
    assert.deepEqual(
      results.map(({ interaction_id }: any) => interaction_id),
      [reply.interaction_id, below.interaction_id],
    )
    assert.equal(results[1].user_details.user_id, org.users.member.user_id)
    assert.deepEqual(results[1].is_read, false)
    const both = await list(`${ids},${other.interaction_id}`)
    assert.equal(both.results.length, 3)
    const secret = { is_private: true, parent_interaction_id: one.interaction_id }
    await say({ content: 'For the team', ...secret, visible_to_users: [org.users.manager.user_id] })
    assert.equal((await list(ids, 'member')).results.length, 2)
    const many = Array.from({ length: 101 }, () => 'x').join()
    for (const query of [`${ids}&parent_interaction_id=x`, `&thread_ids=${many}`]) {
      const refused = await list(query)
      assert.deepEqual(
        refused.errors.map(({ field }: any) => field),
        ['thread_ids'],
      )
    }
  })

  test('mention only those who may see them, once', async () => {
    const { user_id } = org.users.manager
    await say({ content: 'Look', mentions: [user_id, { user_id }] })
    const notices = await inbox('manager')
    assert.deepEqual(
      notices.map(({ notification_type, category }: any) => [notification_type, category]),
      [[1, 'mention']],
    )
    const about = { module_id: 4, reference_id, content: 'x' }
    const blind = await call('POST', base, { ...about, mentions: [org.users.customer.user_id] })
    assert.equal(blind.status, 400)
    assert.equal(blind.body.errors[0].field, 'mentions.0')
    const secret = { ...about, is_private: true, mentions: [user_id] }
    assert.equal((await call('POST', base, secret)).status, 400)
    const shared = await say({ is_private: true, visible_to_users: [user_id], mentions: [user_id] })
    const at = `${base}${shared.interaction_id}/`
    assert.equal((await call('GET', at, undefined, 'manager')).status, 200)
    assert.equal((await call('GET', at, undefined, 'member')).status, 404)
  })

  test('are as private as their thread, from now on when that changes', async () => {
    const first = await say({ content: 'Open' }, 'member')
    const reply = await say({ content: 'Answer', parent_interaction_id: first.interaction_id })
    assert.deepEqual([reply.is_private, reply.visible_to_users], [false, []])
    const [root, below] = [first, reply].map((each) => `${base}${each.interaction_id}/`)
    const status = async (path: string, role: Role) =>
      (await call('GET', path, undefined, role)).status
    assert.equal(await status(below!, 'manager'), 200)
    assert.equal((await call('PUT', root!, { is_private: true }, 'member')).status, 200)
    assert.equal(await status(below!, 'manager'), 404)
    assert.equal(await status(below!, 'member'), 200)
    // a reply says nothing about it, whatever it says
    const opened = await call('PUT', below!, { is_private: false, content: 'Still' })
    assert.deepEqual([opened.body.is_private, opened.body.content], [true, 'Still'])
    // an author who no longer sees the thread is not notified of what is written in it
    const before = (await inbox('admin')).length
    await say({ content: 'Secret', parent_interaction_id: first.interaction_id }, 'member')
    assert.equal((await inbox('admin')).length, before)
    const blind = { mentions: [org.users.manager.user_id] }
    assert.equal((await call('PUT', root!, blind, 'member')).status, 400)
    const readers = { visible_to_users: [org.users.manager.user_id] }
    assert.equal((await call('PUT', root!, readers, 'member')).status, 200)
    assert.equal(await status(below!, 'manager'), 200)
  })

  test('keep their place in the list, and the privacy of their thread, when both come at once', async () => {
    const own = await call('POST', '/api/company/', { company_name: 'At once' })
    const about = { module_id: 4, reference_id: own.headers.get('x-record-id')! }
    const path = `${base}?module_name=companies&reference_id=${about.reference_id}`
    for (let i = 0; i < 6; i++) {
      const { interaction_id } = await say(about)
      const answer = { ...about, content: 'Reply', parent_interaction_id: interaction_id }
      const [reply, removed] = await Promise.all([
        call('POST', base, answer),
        call('DELETE', `${base}${interaction_id}/`),
      ])
      assert.equal(removed.status, 204, removed.text)
      const { results } = (await call('GET', path)).body
      const place = results.find((each: any) => each.interaction_id === interaction_id)
      assert.equal(place?.reply_count ?? 0, reply.status === 201 ? 1 : 0)
    }
    for (let i = 0; i < 6; i++) {
      const { interaction_id } = await say(about)
      const answer = { ...about, content: 'Reply', parent_interaction_id: interaction_id }
      const [reply] = await Promise.all([
        call('POST', base, answer),
        call('PUT', `${base}${interaction_id}/`, { is_private: true }),
      ])
      const { body } = await call('GET', `${base}${reply.body.interaction_id}/`)
      assert.equal(body.is_private, true)
    }
  })

  test('may be private in a thread that others read, and then are for the team', async () => {
    const customer = org.users.customer
    const account_name = 'Open'
    const account = await call('POST', '/api/account/info/', { account_name })
    const { account_id } = account.body
    const profile = `/api/users/profile/${customer.user_id}/`
    assert.equal((await call('PUT', profile, { account_id })).status, 200)
    const about = { module_id: 8, reference_id: account_id }
    const thread = await say({ ...about, content: 'Shared' }, 'customer')
    const parent_interaction_id = thread.interaction_id
    const secret = await say({ parent_interaction_id, content: 'Hush', is_private: true }, 'member')
    assert.deepEqual([secret.is_private, secret.visible_to_users], [true, []])
    const below = await say({ parent_interaction_id: secret.interaction_id, content: 'Yes' })
    assert.equal(below.is_private, true)
    const mine = await say(
      {
        parent_interaction_id,
        content: 'For one',
        is_private: true,
        visible_to_users: [org.users.manager.user_id],
      },
      'member',
    )
    await say({ parent_interaction_id, content: 'Public answer' })

    const at = (each: any) => `${base}${each.interaction_id}/`
    const seen = async (role: Role) => {
      const shown = (await call('GET', at(thread), undefined, role)).body
      const { results } = (
        await call(
          'GET',
          `${base}?module_id=8&reference_id=${account_id}&parent_interaction_id=${parent_interaction_id}`,
          undefined,
          role,
        )
      ).body
      const counts = { module_id: 8, reference_ids: [account_id] }
      const unread = await call('POST', `${base}unread-counts/`, counts, role)
      const found = await call('GET', '/api/search/?q=hush&modules=interactions', undefined, role)
      return {
        replies: shown.reply_interactions.map(({ content }: any) => content),
        count: shown.reply_count,
        direct: results.map(({ content }: any) => content).sort(),
        unread: unread.body.total,
        found: found.body.results.length,
        read: await Promise.all(
          [secret, below, mine].map(
            async (each) => (await call('GET', at(each), undefined, role)).status === 200,
          ),
        ),
      }
    }
    const [all, team] = [
      ['Hush', 'Yes', 'For one', 'Public answer'],
      ['Hush', 'Yes', 'Public answer'],
    ]
    assert.deepEqual(await seen('customer'), {
      replies: ['Public answer'],
      count: 1,
      direct: ['Public answer'],
      unread: 1,
      found: 0,
      read: [false, false, false],
    })
    assert.deepEqual(await seen('manager'), {
      replies: all,
      count: 3,
      direct: ['For one', 'Hush', 'Public answer'],
      unread: 5,
      found: 1,
      read: [true, true, true],
    })
    assert.deepEqual((await seen('admin')).replies, team)
    // the author of the thread is notified of the public answer only
    const received = (await inbox('customer')).map(({ description }: any) => description)
    assert.deepEqual(received, ['Public answer'])
    const blind = { parent_interaction_id, content: 'x', is_private: true }
    const mention = { ...about, ...blind, mentions: [customer.user_id] }
    assert.equal((await call('POST', base, mention)).body.errors[0].field, 'mentions.0')

    // a thread that is private for a while does not publish them afterwards
    const privately = { is_private: true, visible_to_users: [org.users.manager.user_id] }
    assert.equal((await call('PUT', at(thread), privately, 'customer')).status, 200)
    assert.equal((await call('GET', at(secret), undefined, 'admin')).status, 404)
    assert.equal((await call('GET', at(secret), undefined, 'manager')).status, 200)
    assert.equal((await call('GET', at(secret), undefined, 'customer')).status, 404)
    assert.equal((await call('PUT', at(thread), { is_private: false }, 'customer')).status, 200)
    assert.deepEqual((await seen('customer')).replies, ['Public answer'])
    assert.deepEqual((await seen('admin')).replies, team)
    // its author may open it, and close it again
    assert.equal((await call('PUT', at(secret), { is_private: false }, 'member')).status, 200)
    assert.deepEqual((await seen('customer')).replies, ['Hush', 'Yes', 'Public answer'])
    assert.equal((await call('PUT', at(secret), { is_private: true }, 'member')).status, 200)
    assert.deepEqual((await seen('customer')).replies, ['Public answer'])
  })

  test('of a private thread leave no word in the log of others', async () => {
    const { interaction_id } = await say({ content: 'Off the record', is_private: true }, 'member')
    const log = async (role: Role) =>
      (await call('GET', '/api/activity/log/?items_per_page=50', undefined, role)).body.filter(
        (each: any) => each.reference_id === interaction_id,
      )
    assert.match(JSON.stringify(await log('member')), /Off the record/)
    for (const role of ['admin', 'manager', 'observer'] as const) {
      assert.deepEqual(await log(role), [], role)
    }
  })

  test('are on meetings and milestones too', async () => {
    const day = '2030-01-07T10:00:00Z'
    const meeting = await call('POST', '/api/calendar/info/', {
      calendar_id: newId(),
      title: 'Review',
      start: day,
      end: day,
    })
    const project = await call('POST', '/api/project/info/', { project_name: 'Move' })
    const steps = `/api/project/info/${project.headers.get('x-record-id')}/milestones/`
    const milestone = await call('POST', steps, { name: 'First' })
    for (const [module_id, module_name, id] of [
      [11, 'meetings', meeting.body.calendar_id],
      [10, 'milestones', milestone.body.milestone_id],
    ] as const) {
      const made = await say({ module_id, reference_id: id })
      assert.equal(made.module_name, module_name)
      const about = `?module_name=${module_name}&reference_id=${id}`
      const found = await call('GET', `${base}${about}`)
      assert.deepEqual(
        found.body.results.map((each: any) => each.interaction_id),
        [made.interaction_id],
      )
      assert.equal((await call('GET', `${base}${about}`, undefined, 'customer')).status, 404)
    }
  })

  test('carry reactions that come and go', async () => {
    const { interaction_id } = await say({})
    const react = () => call('POST', `${base}add-reaction/`, { interaction_id, reaction: '🎉' })
    const added = (await react()).body
    assert.deepEqual(added.reactions_summary, { '🎉': 1 })
    assert.equal(added.reactions[0].user_id, org.users.admin.user_id)
    assert.deepEqual((await react()).body.reactions_summary, {})
  })

  test('are unread until they are marked, by record or by id', async () => {
    const counts = async () =>
      (
        await call(
          'POST',
          `${base}unread-counts/`,
          { module_name: 'companies', reference_ids: [reference_id] },
          'observer',
        )
      ).body
    const role = await call('POST', '/api/users/role/', {
      role_name: 'readers',
      permission: { interactions: { read: 'all' }, companies: { read: 'all' } },
    })
    const { user_id } = org.users.observer
    await call('PUT', `/api/users/profile/${user_id}/`, { role_id: role.body.role_id })
    const { total } = await counts()
    assert.ok(total > 0)
    const marked = { module_name: 'companies', reference_id }
    assert.equal((await call('POST', `${base}mark-read/`, marked, 'observer')).status, 200)
    assert.deepEqual(await counts(), { counts: { [reference_id]: 0 }, total: 0 })
    const summary = await call(
      'GET',
      `${base}summary/?module_name=companies&reference_id=${reference_id}`,
    )
    assert.equal(summary.status, 200, summary.text)
    assert.ok(summary.body.people.some((each: any) => each.user_id === org.users.admin.user_id))
    assert.ok(summary.body.open_threads > 0)
  })

  test('are paged by a cursor that fits its own list only', async () => {
    for (const content of ['a', 'b', 'c']) await say({ content })
    const first = await list('&items_per_page=2')
    assert.equal(first.results.length, 2)
    const second = await list(`&items_per_page=2&cursor=${encodeURIComponent(first.next_cursor)}`)
    const ids = [...first.results, ...second.results].map((each: any) => each.interaction_id)
    assert.equal(new Set(ids).size, 4)
    const path = `${base}?module_name=contacts&cursor=${encodeURIComponent(first.next_cursor)}`
    refusedField(await call('GET', path), ['cursor'])
    refusedField(await call('GET', `${base}?module_name=contacts&next_cursor=x`), ['next_cursor'])
    const rising = await list('&sort=asc&items_per_page=500')
    const times = rising.results.map((each: any) => each.creation_time)
    assert.deepEqual(times, [...times].sort())
  })

  test('are newest first, and in the reverse order where that is asked for, as other records', async () => {
    for (const content of ['a', 'b', 'c']) await say({ content })
    const ids = async (query: string) => {
      const { results } = await list(`&items_per_page=500${query}`)
      return results.map((each: any) => each.interaction_id)
    }
    const newest = await ids('')
    const oldest = newest.toReversed()
    assert.deepEqual(await ids('&reverse=true'), oldest)
    assert.deepEqual(await ids('&reverse=false'), newest)
    assert.deepEqual(await ids('&sort=creation_time'), oldest)
    assert.deepEqual(await ids('&sort=creation_time&reverse=true'), newest)
    assert.deepEqual(await ids('&sort=desc'), newest)
  })

  test('keep text to the letter and make HTML safe', async () => {
    assert.equal((await say({ content: 'a < b & c' })).content, 'a < b & c')
    const { content } = await say({ content: '<b>x</b><script>alert(1)</script>' })
    assert.ok(content.includes('<b>x</b>'))
    assert.ok(!content.includes('<script'))
  })
})

describe('notifications', () => {
  let service: TestService
  let org: TestOrganization
  const hub = '/api/notifyhub/'
  const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
    service.call(method, hub + path, { token: org.users[role].token, body })
  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  test('are one’s own, counted and marked as read', async () => {
    const { user_id } = org.users.member
    const made = await call('POST', 'notify-info/', { user_id, title: 'Hi' })
    assert.equal(made.status, 201, made.text)
    const id = made.headers.get('x-record-id')
    assert.equal((await call('GET', `notify-info/${id}/`)).status, 404)
    const mine = await call('GET', `notify-info/${id}/`, undefined, 'member')
    assert.deepEqual(
      [mine.body.read, mine.body.is_system, mine.body.category],
      [false, true, 'system'],
    )
    const count = async () =>
      (await call('GET', 'notify-info/unread-count/', undefined, 'member')).body.count
    assert.equal(await count(), 1)
    const put = await call('PUT', `notify-info/${id}/`, { read: true }, 'member')
    assert.equal(put.status, 200, put.text)
    assert.equal(await count(), 0)
    const other = { user_id: org.users.admin.user_id, title: 'x' }
    assert.equal((await call('POST', 'notify-info/', other, 'member')).status, 403)
    assert.equal((await call('GET', 'notify-info/')).status, 400)
  })

  test('are stored as they are supplied', async () => {
    const notification = {
      notification_id: `n${newId().slice(1)}`,
      user_id: org.users.admin.user_id,
      notification_type: 5,
      title: 'Title',
      description: 'Words',
      notification_obj: { a: 1 },
      notify_time: '2030-01-07T08:00:00.000Z',
      read: true,
      category: 'general',
      is_system: true,
    }
    const made = await call('POST', 'notify-info/', notification)
    assert.equal(made.status, 201, made.text)
    const { creation_time, last_update_time, ...rest } = made.body
    assert.deepEqual(rest, { ...notification, version: 1 })
    const list = await call('GET', 'notify-info/?page=1&items_per_page=5&category=general')
    assert.deepEqual(list.body, [{ ...rest, creation_time, last_update_time }])
  })

  test('of a category that one has switched off are not made', async () => {
    const { user_id } = org.users.manager
    const own = { token: org.users.admin.token }
    const assign = async () =>
      service.call('POST', '/api/tasks/', { ...own, body: { title: 'x', owner: user_id } })
    const count = async () =>
      (await call('GET', 'notify-info/unread-count/', undefined, 'manager')).body.count
    await assign()
    assert.equal(await count(), 1)
    const body = { assignment: { in_app: false } }
    assert.equal((await call('PUT', 'preferences/', body, 'manager')).status, 200)
    await assign()
    assert.equal(await count(), 1)
  })
})
