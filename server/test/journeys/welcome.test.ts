import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser, noBrowser, problemsOf, sizes } from '../support/browser.ts'
import { atEnd } from '../support/finally.ts'
import { postForm } from '../support/integration.ts'
import type { Mailbox } from '../support/mailbox.ts'
import { ageLinks } from '../support/links.ts'
import { linkIn, startMailbox } from '../support/mailbox.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'

const chosen = 'a long enough password'

describe('invitations and forgotten passwords', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  let made = 0
  let now = Date.now()

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, () => new Date(now), true)
    org = await makeOrganization(service)
  })

  /** The path of the link that an invitation's mail carries. */
  async function invite() {
    const email = `new${++made}@${org.id}.test`
    const { token } = org.users.admin
    const body = { email, full_name: 'Grace' }
    const reply = await service.call('POST', '/api/users/profile/action/', { token, body })
    assert.equal(reply.status, 200)
    const mail = await mailbox.next(email)
    assert.match(mail.subject ?? '', /admin of .* invites you to/)
    const { pathname } = new URL(linkIn(mail))
    assert.equal(pathname, `/invite/${reply.body.invite_token}`)
    return { email, path: pathname }
  }

  const signIn = (email: string, password: string) =>
    service.call('POST', '/api/login/', { body: { email, password } })

  async function forget(email: string) {
    const reply = await service.call('POST', '/api/login/reset/', { body: { email } })
    assert.deepEqual([reply.status, reply.body], [200, { status: 'success' }])
    return new URL(linkIn(await mailbox.next(email))).pathname
  }

  test('whoever is invited by mail chooses a name and a password, and signs in', async () => {
    const { email, path } = await invite()
    const page = await service.call('GET', path)
    assert.equal(page.status, 200)
    assert.match(page.text, /Join Organization/)
    const form = { full_name: 'Grace Hopper', password: chosen }
    const short = await postForm(service, path, { ...form, password: 'short' })
    assert.equal(short.status, 400)
    assert.match(short.text, /at least 8 characters/)
    assert.equal((await signIn(email, chosen)).status, 401)
    const done = await postForm(service, path, form)
    assert.equal(done.status, 200)
    assert.match(done.text, /Welcome[^]*<a href="\/">Sign in<\/a>/)
    const session = await signIn(email, chosen)
    assert.equal(session.status, 200)
    assert.equal(session.body.user.full_name, 'Grace Hopper')
    for (const again of [await service.call('GET', path), await postForm(service, path, form)]) {
      assert.equal(again.status, 404)
      assert.match(again.text, /no longer works/)
    }
  })

  test('a form sent by another site is refused', async () => {
    const { path } = await invite()
    const reply = await service.call('POST', path, {
      body: 'full_name=Eve&password=a+long+enough+password',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'cross-site',
      },
    })
    assert.equal(reply.status, 403)
    assert.match(reply.text, /Another site/)
  })

  test('a forgotten password is replaced by mail, once, and every session ends', async () => {
    const { email, token } = org.users.observer
    const path = await forget(email)
    assert.equal((await service.call('GET', path)).status, 200)
    const form = { password: chosen }
    const done = await postForm(service, path, form)
    assert.match(done.text, /was changed/)
    assert.equal((await service.call('GET', '/api/users/profile/activity/', { token })).status, 401)
    assert.equal((await signIn(email, chosen)).status, 200)
    assert.match((await mailbox.next(email)).subject ?? '', /was changed/)
    assert.equal((await postForm(service, path, form)).status, 404)
    const reused = { token: path.split('/').at(-1), password: chosen }
    const refused = await service.call('POST', '/api/login/reset/confirm/', { body: reused })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /token/)
  })

  test('only the last link works, and for an hour', async () => {
    const { email } = org.users.partner
    const first = await forget(email)
    await ageLinks(service, org, email)
    const second = await forget(email)
    assert.equal((await service.call('GET', first)).status, 404)
    assert.equal((await service.call('GET', second)).status, 200)
    now += 3_600_000
    assert.equal((await service.call('GET', second)).status, 404)
    now -= 3_600_000
  })

  test('an e-mail that nobody has is answered the same, and nobody is mailed', async () => {
    const before = mailbox.received.length
    const body = { email: `nobody@${org.id}.test` }
    const reply = await service.call('POST', '/api/login/reset/', { body })
    assert.deepEqual([reply.status, reply.body], [200, { status: 'success' }])
    const waiting = await rows(service, sql`select id from asked_jobs where name like 'send-%mail'`)
    assert.deepEqual(waiting, [])
    assert.equal(mailbox.received.length, before)
  })

  describe('in a real browser', { skip: noBrowser() }, () => {
    let browser: Browser
    before(async () => {
      browser = await launchBrowser()
    })

    for (const [size, viewport] of Object.entries(sizes)) {
      test(`nothing is wrong with the pages, which run no script: ${size}`, async () => {
        const { email, path } = await invite()
        const context = await browser.newContext({ viewport })
        atEnd(() => context.close())
        const page = await context.newPage()
        await page.goto(service.url + path)
        assert.deepEqual(await problemsOf(page), [])
        await page.getByLabel('Your name').fill('Ada')
        await page.getByLabel('Password').fill(chosen)
        await page.getByRole('button', { name: 'Join' }).click()
        await page.getByText(`as ${email}`).waitFor()
        await page.goto(`${service.url}/reset`)
        assert.deepEqual(await problemsOf(page), [])
        await page.getByLabel('E-mail').fill(email)
        await page.getByRole('button', { name: 'Send the link' }).click()
        await page.getByText('Check your mail').waitFor()
        await page.goto(service.url + new URL(linkIn(await mailbox.next(email))).pathname)
        assert.deepEqual(await problemsOf(page), [])
        await page.getByLabel('Password').fill('another long password')
        await page.getByRole('button', { name: 'Change the password' }).click()
        await page.getByText('You can sign in again').waitFor()
        assert.equal((await signIn(email, 'another long password')).status, 200)
      })
    }
  })
})
