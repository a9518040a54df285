import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { giveCodes } from '../support/codes.ts'
import { asService } from '../support/contexts.ts'
import { postForm } from '../support/integration.ts'
import type { Mailbox } from '../support/mailbox.ts'
import { linkIn, startMailbox } from '../support/mailbox.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'

// The mails that customers get about their work: a task is done by its link without a sign-in, everything else is
// entered by a button, and programs that open links use nothing up.

describe('a mail to a customer', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
  })

  const call = async (method: string, path: string, body?: object) => {
    const reply = await service.call(method, path, { token: org.users.admin.token, body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.body
  }

  /** A task that waits for the customer, and the path in the mail that tells them. */
  async function asked(title: string, more: object = {}) {
    const { user_id: owner, email } = org.users.customer
    const { item_id } = await call('POST', '/api/tasks/', {
      title,
      owner,
      is_shared: true,
      ...more,
    })
    const mail = await mailbox.next(email)
    return { id: item_id as string, path: pathIn(linkIn(mail)) }
  }

  const pathIn = (link: string) => new URL(link).pathname
  const isDone = async (id: string) => (await call('GET', `/api/tasks/${id}/`)).is_completed

  const change = (what: ReturnType<typeof sql>) => asService(service, org, (ctx) => ctx.run(what))

  test('leads to the one task, which is done there once, however often the link was opened', async () => {
    const { id, path } = await asked('Send the list of sites')
    assert.match(path, /^\/t\/[\w.~-]+$/)
    for (let scan = 0; scan < 3; scan++) {
      const page = await service.call('GET', path)
      assert.equal(page.status, 200, page.text)
      assert.match(page.text, /<h1>Send the list of sites<\/h1>/)
      assert.match(page.text, /For customer of /)
      assert.equal(page.headers.get('set-cookie'), null)
      assert.equal(page.headers.get('cache-control'), 'no-store')
    }
    assert.equal(await isDone(id), false)
    const done = await postForm(service, path, { act: 'done' })
    assert.equal(done.status, 200)
    assert.match(done.text, /Done: Send the list of sites[^]+Undo/)
    assert.equal(done.headers.get('set-cookie'), null)
    assert.equal(await isDone(id), true)
    const acts = sql`select actor_id from events where organization_id = ${org.id}
      and reference_id = ${id} order by id desc limit 1`
    assert.deepEqual(await rows(service, acts), [{ actor_id: org.users.customer.user_id }])
    const again = await service.call('GET', path)
    assert.equal(again.status, 404)
    assert.match(again.text, /no longer works[^]+Send me a new link/)
  })

  test('takes what was done back for ten minutes, and then does it again', async () => {
    const { id, path } = await asked('Book the room')
    await postForm(service, path, { act: 'done' })
    assert.equal((await postForm(service, path, { act: 'open' })).status, 200)
    assert.equal(await isDone(id), false)
    await postForm(service, path, { act: 'done' })
    assert.equal(await isDone(id), true)
    await change(sql`update mailed_links set used_at = used_at - interval '11 minutes'
      where organization_id = ${org.id} and task_id = ${id}`)
    assert.equal((await postForm(service, path, { act: 'open' })).status, 404)
    assert.equal(await isDone(id), true)
  })

  test('keeps its link while a form is saved, wrong, or more time is asked for', async () => {
    const fields = [{ id: 'seats', type: 'number', label: 'How many seats?', required: true }]
    const { id, path } = await asked('Tell us about your seats', {
      item_type: 3,
      form_structure: { pages: [{ fields }] },
    })
    const wrong = await postForm(service, path, { act: 'send' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /id="q-seats-wrong"/)
    assert.equal((await postForm(service, path, { act: 'save', 'q.seats': '4' })).status, 200)
    const late = await postForm(service, path, { act: 'more-time', date: '2199-01-01' })
    assert.match(late.text, /The team has been told/)
    assert.equal((await service.call('GET', path)).status, 200)
    assert.equal(await isDone(id), false)
  })

  test('opens that task alone: neither another one nor what is no longer theirs', async () => {
    const one = await asked('The first')
    const other = await asked('The second')
    await postForm(service, one.path, { act: 'done', item_id: other.id, id: other.id })
    assert.deepEqual([await isDone(one.id), await isDone(other.id)], [true, false])
    await call('PUT', `/api/tasks/${other.id}/`, { is_shared: false, owner: null })
    const gone = await service.call('GET', other.path)
    assert.equal(gone.status, 404)
    assert.ok(!gone.text.includes('The second'))
    assert.equal((await postForm(service, other.path, { act: 'done' })).status, 404)
    assert.equal(await isDone(other.id), false)
    const forged = `${other.path.slice(0, -3)}abc`
    assert.equal((await service.call('GET', forged)).status, 404)
  })

  test('asks those with one-time codes to sign in', async () => {
    const { id, path } = await asked('With a code')
    const removed = await giveCodes(service, org.id, org.users.customer.user_id)
    assert.ok(removed)
    const page = await fetch(service.url + path, { redirect: 'manual' })
    assert.deepEqual(
      [page.status, page.headers.get('location')],
      [303, path.replace('/t/', '/enter/')],
    )
    assert.equal(await isDone(id), false)
    await change(sql`delete from one_time_codes where organization_id = ${org.id}`)
  })

  test('signs in by a button, and shows what the mail is about', async () => {
    const { user_id, email } = org.users.customer
    const { id } = await asked('Talk about it')
    await call('POST', '/api/interactions/info/', {
      module_name: 'tasks',
      reference_id: id,
      content: 'How far are you?',
      is_shared: true,
      mentions: [user_id],
    })
    const path = pathIn(linkIn(await mailbox.next(email)))
    assert.match(path, /^\/enter\//)
    assert.equal((await service.call('GET', path)).status, 200)
    const entered = await postForm(service, path, {})
    assert.equal(entered.status, 303)
    assert.equal(entered.headers.get('location'), `/portal/tasks/${id}`)
    const again = await postForm(service, path, {})
    assert.equal(again.status, 404)
    const asks = await postForm(service, `${path}/again`, {})
    assert.equal(asks.status, 200)
    assert.match(pathIn(linkIn(await mailbox.next(email))), /^\/enter\/lnk_/)
  })

  test('is worth nothing after a week, after the address changed, or for who has left', async () => {
    const week = await asked('A week ago')
    await change(sql`update mailed_links set expires_at = now() - interval '1 second'
      where organization_id = ${org.id} and task_id = ${week.id}`)
    assert.equal((await postForm(service, week.path, { act: 'done' })).status, 404)
    const moved = await asked('To the old address')
    const { user_id } = org.users.customer
    const email = `moved@${org.id}.test`
    await call('POST', '/api/users/profile/action/', { profile_id: user_id, email })
    assert.equal((await service.call('GET', moved.path)).status, 404)
    assert.equal((await postForm(service, moved.path, { act: 'done' })).status, 404)
    org.users.customer.email = email
    await mailbox.next(email)
    const left = await asked('For who has left')
    await call('PUT', `/api/users/profile/${user_id}/`, { is_active: false })
    assert.equal((await postForm(service, left.path, { act: 'done' })).status, 404)
    for (const { id } of [week, moved, left]) assert.equal(await isDone(id), false)
  })
})
