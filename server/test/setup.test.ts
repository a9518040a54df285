import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Database } from '../src/database/connect.ts'
import { newId } from '../src/kit/ground/ids.ts'
import { sql } from '../src/kit/ground/sql.ts'
import { languages } from '../src/model/languages/language.ts'
import { createOrganization } from '../src/records/organizations/organization.ts'
import { setupLink } from '../src/setup.ts'
import { freshDatabase } from './support/database.ts'
import { freshFolder, startServer } from './support/program.ts'
import type { TestService } from './support/service.ts'
import { secretKey, startService } from './support/service.ts'

// The first start: the link that it prints makes the first organization in a browser.

const entered = {
  name: 'Vandam Logistics',
  currency: 'EUR',
  timezone: 'Europe/Amsterdam',
  full_name: 'Noor Vandam',
  email: 'noor@vandam.test',
  password: 'a quiet harbour at dawn',
}

async function demonstration(database: Database, name: string): Promise<void> {
  const id = newId()
  await database.transaction(id, (queries) =>
    createOrganization(queries, id, { name, is_demo_data: true }),
  )
}

const names = async (database: Database) => {
  const rows = await database
    .reads('*')
    .all<{ name: string }>(sql`select name from organizations order by name`)
  return rows.map(({ name }) => name)
}

function submit(address: string, values: { [name: string]: string }) {
  const body = new URLSearchParams(values)
  return fetch(address, { method: 'POST', body, redirect: 'manual' })
}

describe('the link of a start', () => {
  let address: string
  let origin: string
  let database: Database

  before(async () => {
    const fresh = await freshDatabase()
    ;({ database } = fresh)
    const env = { DATABASE_URL: fresh.url, DATA_DIR: freshFolder(), SECRET_KEY: secretKey }
    const server = await startServer(env)
    origin = server.url
    const [link] = /http\S+\/setup\/\S+/.exec(server.out()) ?? []
    assert.ok(link, server.out())
    address = link
    await demonstration(database, 'Larkspur Works')
  })

  test('is a form in the language of whoever opens it, with what a demonstration is called', async () => {
    for (const language of languages) {
      const reply = await fetch(address, { headers: { 'accept-language': language } })
      assert.equal(reply.status, 200)
      const text = await reply.text()
      assert.match(text, new RegExp(`<html lang="${language}"`))
      assert.match(text, /Larkspur Works/)
      for (const name of [...Object.keys(entered), 'remove'])
        assert.match(text, new RegExp(`name="${name}"`), name)
      assert.doesNotMatch(text, /\{\w+\}/)
    }
  })

  const faults: [string, { [name: string]: string }, RegExp][] = [
    ['no name', { name: ' ' }, /name of the organization/],
    ['a name like that of the demonstration', { name: 'LARKSPUR  Works' }, /looks like/],
    ['an unknown currency', { currency: 'EURO' }, /Choose the currency/],
    ['an unknown time zone', { timezone: 'Europe/Nowhere' }, /Choose the time zone/],
    ['nobody', { full_name: '' }, /Enter your name/],
    ['no e-mail', { email: 'noor' }, /Enter your e-mail/],
    ['an e-mail without a domain', { email: 'noor@vandam' }, /Enter your e-mail/],
    ['a short password', { password: 'short' }, /at least 8 characters/],
    ['a common password', { password: 'password1' }, /most common ones/],
  ]
  for (const [what, wrong, message] of faults) {
    test(`takes ${what} for a mistake, and keeps the rest`, async () => {
      const reply = await submit(address, { ...entered, ...wrong, remove: 'yes' })
      const text = await reply.text()
      assert.ok([400, 409].includes(reply.status), `${reply.status}`)
      assert.match(text, message)
      if (!('email' in wrong)) assert.match(text, /value="noor@vandam.test"/)
      assert.match(text, /name="remove"\s+value="yes"\s+checked/)
      assert.ok(!text.includes(entered.password))
      assert.deepEqual(await names(database), ['Larkspur Works'])
    })
  }

  test('makes one organization, however often it is sent, signs in, and removes the demonstration', async () => {
    const sent = { ...entered, remove: 'yes' }
    const replies = await Promise.all([submit(address, sent), submit(address, sent)])
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [303, 404])
    const made = replies.find(({ status }) => status === 303)!
    assert.equal(made.headers.get('location'), '/')
    const [cookie = ''] = made.headers.get('set-cookie')!.split(';')
    const session = (await (
      await fetch(`${origin}/api/session/`, { headers: { cookie } })
    ).json()) as { user: { full_name: string; role: string } }
    assert.equal(session.user.full_name, 'Noor Vandam')
    assert.deepEqual(await names(database), ['Vandam Logistics'])
    const row = await database.reads('*').one(
      sql`select o.timezone, o.currency_unit, r.kind, u.email from organizations o
        join users u on u.organization_id = o.organization_id
        join roles r on r.organization_id = u.organization_id and r.id = u.role_id`,
    )
    const { timezone, email } = entered
    assert.deepEqual(row, { timezone, currency_unit: 'EUR', kind: 'admin', email })
    const signedIn = await fetch(`${origin}/api/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: entered.password }),
    })
    assert.equal(signedIn.status, 200)
  })

  test('is of no use afterwards', async () => {
    for (const reply of [await fetch(address), await submit(address, entered)]) {
      assert.equal(reply.status, 404)
      assert.match(await reply.text(), /This link no longer works/)
    }
    assert.deepEqual(await names(database), ['Vandam Logistics'])
  })
})

describe('a link', () => {
  let service: TestService
  let now = new Date()

  before(async () => {
    service = await startService({}, () => now)
  })

  test('ends after a day, and is the only kind of token that opens the setup', async () => {
    const address = setupLink(service.runtime).replace(/^https?:\/\/[^/]+/, service.url)
    assert.equal((await fetch(address)).status, 200)
    const { secrets } = service.runtime
    const expires_at = now.getTime() + 1000
    for (const token of ['x', secrets.seal({ expires_at }), secrets.seal({ expires_at }, 'other')])
      assert.equal((await fetch(`${service.url}/setup/${token}`)).status, 404)
    now = new Date(now.getTime() + 24 * 3_600_000)
    assert.equal((await fetch(address)).status, 404)
    assert.equal((await submit(address, entered)).status, 404)
    assert.deepEqual(await names(service.runtime.database), [])
  })

  test('keeps the demonstration unless its removal is ticked, and leaves it where it cannot be removed', async () => {
    now = new Date()
    const { runtime } = service
    await demonstration(runtime.database, 'Larkspur Works')
    const address = setupLink(runtime).replace(/^https?:\/\/[^/]+/, service.url)
    assert.doesNotMatch(await (await fetch(address)).text(), /name="remove"/)
    runtime.removeOrganization = () => Promise.reject(new Error('the disk is full'))
    assert.match(await (await fetch(address)).text(), /name="remove"/)
    const left = await submit(address, { ...entered, remove: 'yes' })
    assert.equal(left.status, 200)
    assert.ok(left.headers.get('set-cookie'))
    assert.match(await left.text(), /The demonstration is still here/)
    assert.deepEqual(await names(runtime.database), ['Larkspur Works', 'Vandam Logistics'])
  })
})
