import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { atEnd } from '../test/support/finally.ts'
import type { TestService } from '../test/support/service.ts'
import { rows, sql, startService } from '../test/support/service.ts'
import { checkProvision, newPassword, provision, readProvision } from './provision.ts'
import { ConfigError } from './kit/ground/errors.ts'
import { allScopes } from './records/apps/scopes.ts'

/** A name that no other test uses: an e-mail may be in several organizations. */
const unique = () => randomBytes(5).toString('hex')

describe('provisioning', () => {
  let service: TestService

  before(async () => {
    service = await startService()
  })

  const apply = (input: unknown) =>
    provision(service.runtime, 'p.json', checkProvision('p.json', input))

  const login = (email: string, password: string) =>
    service.call('POST', '/api/login/', { body: { email, password } })

  /** A file that says everything, in an organization of its own. */
  function whole() {
    const id = unique()
    const organization = {
      name: `Acme ${id}`,
      timezone: 'Europe/Paris',
      currency_unit: 'EUR',
      accounts: [{ account_name: 'Globex' }],
      users: [
        { email: `Admin@${id}.test`, password: 'one', full_name: 'Ada Admin', role: 'admin' },
        { email: `guest@${id}.test`, password: 'two', role: 'customer', account: 'globex' },
      ],
      apps: [
        {
          name: 'Connector',
          description: 'what it does',
          client_id: `client-${id}`,
          client_secret: `secret-${id}`,
          function_key: `key-${id}`,
          redirect_uris: ['https://connector.test/callback'],
          scopes: ['company.read', 'company.write'],
          endpoints: ['/automation/company'],
          require_client_auth_on_refresh: true,
          standard_authorize: true,
        },
      ],
    }
    return { id, organization, file: { organizations: [organization] } }
  }

  const everything = (name: string) =>
    rows(
      service,
      sql`select to_jsonb(o) as o,
        (select jsonb_agg(to_jsonb(u) order by u.id) from users u
          where u.organization_id = o.organization_id) as users,
        (select jsonb_agg(to_jsonb(a) order by a.id) from accounts a
          where a.organization_id = o.organization_id) as accounts,
        (select jsonb_agg(to_jsonb(a) order by a.id) from apps a
          where a.organization_id = o.organization_id) as apps
      from organizations o where o.name = ${name}`,
    )

  test('takes the file that the guide shows', async () => {
    const guide = new URL('../../docs/guide/self-hosting.md', import.meta.url)
    const [, shown = ''] = /```json\n([^]*?)```/.exec(readFileSync(guide, 'utf8')) ?? []
    const id = unique()
    // the ellipses stand for secrets of the reader's own
    const own = shown.replaceAll('"…"', `"a-secret-${id}"`).replaceAll('"Acme"', `"Acme ${id}"`)
    const generated = await apply(JSON.parse(own))
    const made = generated.map(({ of, what }) => `${of} ${what}`)
    assert.deepEqual(made, ['guest@globex.example password'])
  })

  test('everything that the file names is there, and its users can sign in', async () => {
    const { id, organization, file } = whole()
    assert.deepEqual(await apply(file), [])

    const admin = await login(`admin@${id}.test`, 'one')
    assert.equal(admin.status, 200, admin.text)
    assert.equal(admin.body.user.full_name, 'Ada Admin')
    assert.equal(admin.body.user.role, 'admin')
    const guest = await login(`guest@${id}.test`, 'two')
    assert.equal(guest.body.user.role, 'customer')

    const [made] = await everything(organization.name)
    assert.equal(made.o.timezone, 'Europe/Paris')
    assert.equal(made.o.currency_unit, 'EUR')
    assert.equal(made.accounts[0].account_name, 'Globex')
    const inside = made.users.find((user: any) => user.email === `guest@${id}.test`)
    assert.equal(inside.account_id, made.accounts[0].id)
    const [app] = made.apps
    assert.deepEqual(app.scopes, ['company.read', 'company.write'])
    assert.deepEqual(app.redirect_uris, ['https://connector.test/callback'])
    assert.equal(app.require_client_auth_on_refresh, true)
    assert.equal(app.standard_authorize, true)
    const events = await rows(
      service,
      sql`select title, actor_type from events where organization_id = ${made.o.organization_id}
        order by id`,
    )
    assert.deepEqual(events, [
      { title: 'Account created', actor_type: 'system' },
      { title: 'User created', actor_type: 'system' },
      { title: 'User created', actor_type: 'system' },
    ])
    assert.ok(!JSON.stringify(made).includes(`secret-${id}`))
    assert.ok(!JSON.stringify(made).includes(`key-${id}`))
  })

  test('applied again it changes nothing', async () => {
    const { organization, file } = whole()
    await apply(file)
    const before = await everything(organization.name)
    assert.deepEqual(await apply(file), [])
    assert.deepEqual(await everything(organization.name), before)
  })

  test('what is left out is generated once, reported once, and works', async () => {
    const id = unique()
    const file = {
      organizations: [
        {
          name: `Terse ${id}`,
          users: [{ email: `someone@${id}.test` }],
          apps: [{ name: 'Bare', scopes: ['contact.read'] }],
        },
      ],
    }
    const generated = await apply(file)
    const secrets = Object.fromEntries(generated.map(({ what, value }) => [what, value]))
    assert.deepEqual(Object.keys(secrets).sort(), [
      'client_id',
      'client_secret',
      'function_key',
      'password',
    ])
    const session = await login(`someone@${id}.test`, secrets.password!)
    assert.equal(session.status, 200)
    assert.equal(session.body.user.role, 'member')
    assert.equal(session.body.user.full_name, 'someone')
    assert.deepEqual(await apply(file), [])
    assert.equal((await login(`someone@${id}.test`, secrets.password!)).status, 200)
  })

  test('what changes in the file changes in the service; what is not in it stays', async () => {
    const { id, organization, file } = whole()
    await apply(file)
    const old = await login(`admin@${id}.test`, 'one')
    const users = [
      { email: `admin@${id}.test`, password: 'another', role: 'manager' },
      { email: `new@${id}.test`, password: 'three' },
    ]
    const apps = [{ ...organization.apps[0]!, scopes: ['contact.read'], redirect_uris: [] }]
    const next = { ...organization, timezone: 'Asia/Tokyo', users, apps }
    await apply({ organizations: [next] })

    assert.equal((await login(`admin@${id}.test`, 'one')).status, 401)
    const admin = await login(`admin@${id}.test`, 'another')
    assert.equal(admin.body.user.role, 'manager')
    assert.equal(admin.body.user.full_name, 'Ada Admin')
    assert.equal((await login(`guest@${id}.test`, 'two')).status, 200)
    assert.equal((await login(`new@${id}.test`, 'three')).status, 200)
    const ended = await service.call('GET', '/api/tags/info/', { token: old.body.access_token })
    assert.equal(ended.status, 401, 'a session of the old password went on')

    const [made] = await everything(organization.name)
    assert.equal(made.o.timezone, 'Asia/Tokyo')
    assert.deepEqual(made.apps[0].scopes, ['contact.read'])
    assert.deepEqual(made.apps[0].redirect_uris, [])
    assert.equal(made.users.length, 3)
  })

  test('gives an app every scope by the word that the command line takes', async () => {
    for (const scopes of ['all', ['all']] as const) {
      const { organization } = whole()
      const apps = [{ ...organization.apps[0]!, scopes }]
      await apply({ organizations: [{ ...organization, apps }] })
      const [made] = await everything(organization.name)
      assert.deepEqual(made.apps[0].scopes, allScopes)
    }
  })

  test('many processes may apply the same file at once', async () => {
    const { organization, file } = whole()
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => apply(file)))
    assert.deepEqual(outcomes, [[], [], [], [], []])
    const made = await everything(organization.name)
    assert.equal(made.length, 1)
    assert.equal(made[0].users.length, 2)
    assert.equal(made[0].apps.length, 1)
    assert.equal(made[0].accounts.length, 1)
  })

  test('one e-mail may be in several organizations, each with its own password', async () => {
    const id = unique()
    const user = { email: `both@${id}.test`, role: 'admin' }
    await apply({
      organizations: [
        { name: `One ${id}`, users: [{ ...user, password: 'first' }] },
        { name: `Two ${id}`, users: [{ ...user, password: 'second' }] },
      ],
    })
    const first = await login(user.email, 'first')
    const second = await login(user.email, 'second')
    assert.deepEqual([first.status, second.status], [200, 200])
    assert.notEqual(first.body.user.organization, second.body.user.organization)
  })

  test('nothing is done when any of it is wrong', async () => {
    const { organization } = whole()
    const next = {
      ...organization,
      users: [...organization.users, { email: 'x@y.test', role: 'king' }],
    }
    await assert.rejects(apply({ organizations: [next] }), ConfigError)
    assert.deepEqual(await everything(organization.name), [])
  })

  const place = { name: 'Wrong', users: [{ email: 'a@b.test' }], apps: [{ name: 'App' }] }
  const refused: [what: string, file: unknown, sentence: string][] = [
    ['no object', [], 'p.json: body must be an object'],
    ['no organizations', {}, 'p.json: organizations is required'],
    [
      'an unknown key',
      { organizations: [], users: [] },
      'p.json: users is not known here; known are organizations',
    ],
    [
      'an unknown key of a user',
      { organizations: [{ ...place, users: [{ email: 'a@b.test', pasword: 'x' }] }] },
      'p.json: organizations[0].users[0].pasword is not known here; did you mean password?',
    ],
    [
      'no e-mail',
      { organizations: [{ name: 'A' }, { name: 'B', users: [{}] }] },
      'p.json: organizations[1].users[0].email is required',
    ],
    [
      'a wrong e-mail',
      { organizations: [{ name: 'A', users: [{ email: 'ada' }] }] },
      'p.json: organizations[0].users[0].email must be a valid e-mail address',
    ],
    [
      'a wrong type',
      { organizations: [{ name: 7 }] },
      'p.json: organizations[0].name must be text',
    ],
    [
      'a wrong time zone',
      { organizations: [{ name: 'A', timezone: 'Mars/Base' }] },
      'p.json: organizations[0].timezone must be a valid IANA time zone, such as Europe/Paris',
    ],
    [
      'a role that is not there',
      { organizations: [{ ...place, users: [{ email: 'a@b.test', role: 'king' }] }] },
      'p.json: organizations[0].users[0].role "king" is not one of admin, manager, member, customer, partner, observer',
    ],
    [
      'an account that is not there',
      { organizations: [{ ...place, users: [{ email: 'a@b.test', account: 'Nope' }] }] },
      'p.json: organizations[0].users[0].account "Nope" is no account of Wrong: list it in organizations[0].accounts',
    ],
    [
      'the same user twice',
      { organizations: [{ name: 'A', users: [{ email: 'a@b.test' }, { email: 'A@b.test' }] }] },
      'p.json: organizations[0].users[1].email "A@b.test" is given twice',
    ],
    [
      'the same organization twice',
      { organizations: [{ name: 'A' }, { name: 'a ' }] },
      'p.json: organizations[1].name "a " is given twice',
    ],
    [
      'the same client id twice',
      {
        organizations: [
          { name: 'A', apps: [{ name: 'X', client_id: 'c' }] },
          { name: 'B', apps: [{ name: 'X', client_id: 'c' }] },
        ],
      },
      'p.json: organizations[1].apps[0].client_id "c" is given twice',
    ],
    [
      'characters that cannot be stored',
      { organizations: [{ name: 'A\0' }] },
      'p.json: organizations[0].name contains characters that cannot be stored (NUL or half a surrogate pair)',
    ],
  ]
  for (const [what, file, sentence] of refused) {
    test(`${what} is refused with the place in the file`, async () => {
      await assert.rejects(async () => apply(file), { name: 'Error', message: sentence })
    })
  }

  test('what an app may not have is refused with the place in the file', async () => {
    const of = (app: object) => ({ organizations: [{ ...place, apps: [{ name: 'App', ...app }] }] })
    const refuse = (app: object, sentence: RegExp) =>
      assert.rejects(
        async () => apply(of(app)),
        (error: Error) => {
          assert.ok(error instanceof ConfigError)
          assert.match(error.message, sentence)
          return true
        },
      )
    await refuse({ scopes: ['company.all'] }, /^p\.json: organizations\[0\]\.apps\[0\]\.scopes /)
    await refuse(
      { redirect_uris: ['javascript:alert(1)'] },
      /^p\.json: organizations\[0\]\.apps\[0\]\.redirect_uris /,
    )
    await refuse({ scopes: 'company.read' }, /apps\[0\]\.scopes must be a list$/)
    await refuse({ client_secret: 'two words' }, /apps\[0\]\.client_secret must be printable/)
  })

  test("another organization's client id is refused", async () => {
    const { id, file } = whole()
    await apply(file)
    const thief = { name: `Thief ${id}`, apps: [{ name: 'X', client_id: `client-${id}` }] }
    await assert.rejects(apply({ organizations: [thief] }), (error: Error) => {
      assert.match(
        error.message,
        /^p\.json: organizations\[0\]\.apps\[0\]: .* another organization/,
      )
      return true
    })
  })
})

describe('the provision file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perennial-provision-'))
  atEnd(async () => rmSync(folder, { recursive: true }))

  test('is read, with or without a byte-order mark', () => {
    const file = join(folder, 'good.json')
    writeFileSync(file, '\uFEFF{"organizations": [{"name": "Acme"}]}')
    assert.deepEqual(readProvision(file), { organizations: [{ name: 'Acme' }] })
  })

  test('that is not there is named', () => {
    const file = join(folder, 'absent.json')
    assert.throws(() => readProvision(file), {
      message: `The provision file "${file}" does not exist`,
    })
  })

  test('that cannot be read is named', () => {
    assert.throws(() => readProvision(folder), {
      message: `The provision file "${folder}" cannot be read`,
    })
  })

  test('that is no JSON is named with the place, and nothing of it is repeated', () => {
    const file = join(folder, 'broken.json')
    writeFileSync(file, '{"organizations": [\n{"name": "A", "password": hunter2 }]}')
    assert.throws(
      () => readProvision(file),
      (error: Error) => {
        assert.ok(error instanceof ConfigError)
        assert.match(error.message, /is not JSON/)
        assert.ok(!error.message.includes('hunter2'))
        return true
      },
    )
  })
})

test('a password that is made has letters and digits alone, which every shell and option takes', () => {
  for (let i = 0; i < 1000; i++) assert.match(newPassword(), /^[A-Za-z0-9]{16}$/)
})
