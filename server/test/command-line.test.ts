import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer as listenPlainly } from 'node:net'
import { join } from 'node:path'
import { before, describe, test, type TestContext } from 'node:test'
import pg from 'pg'
import { environment } from '../src/commands/environment.ts'
import { tuning } from '../src/tuning.ts'
import { run } from '../src/commands/line.ts'
import { migrations } from '../src/database/migrate.ts'
import { sql } from '../src/kit/ground/sql.ts'
import { at, freshDatabase, serverUrl } from './support/database.ts'
import { configFile, freshFolder, main, runProgram, startServer } from './support/program.ts'
import { call, secretKey } from './support/service.ts'

const names = [
  'serve',
  'tour',
  'doctor',
  'demo',
  'migrate',
  'upgrade',
  'backup',
  'restore',
  'org create',
  'org export',
  'org import',
  'org move',
  'org remove',
  'user create',
  'app issue',
  'app rotate',
  'keys rotate',
  'keys encrypt',
  'listen',
  'events trigger',
  'api',
  'sign',
]

/** Runs a command in this process, as `main.ts` does in its own. */
async function perennial(args: string[], env: { [name: string]: string } = {}) {
  const said = { out: '', err: '' }
  const status = await run(args, env, {
    out: (text) => (said.out += `${text}\n`),
    note: (text) => (said.err += `${text}\n`),
    hasColors: false,
  })
  return { status, ...said }
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** One line on standard error, nothing on standard output, and the status. */
function assertRefused(
  outcome: { status: unknown; out: string; err: string },
  status: number,
  sentence: RegExp,
) {
  assert.match(outcome.err, sentence)
  assert.equal(outcome.err.trim().split('\n').length, 1, outcome.err)
  assert.equal(outcome.out, '')
  assert.equal(outcome.status, status)
}

describe('the help', () => {
  test('lists every command', async () => {
    const { status, out } = await perennial(['--help'])
    assert.equal(status, 0)
    for (const name of names) assert.match(out, new RegExp(`^  ${name}  `, 'm'))
    assert.deepEqual(await perennial(['-h']), await perennial(['help']))
  })

  test('is not what the name alone shows: that serves', async () => {
    const { status, err } = await perennial([], { PORT: 'http' })
    assert.equal(status, 1)
    assert.match(err, /^perennial: PORT must be/)
  })

  for (const name of names) {
    test(`of ${name} says what it does, with an example, the options and the settings`, async () => {
      const { status, out } = await perennial([...name.split(' '), '--help'])
      assert.equal(status, 0)
      assert.match(out, new RegExp(`^perennial ${name}: `))
      assert.match(out, /^Examples:\n  .*(perennial|npm run)/m)
      assert.match(out, /--json/)
      assert.match(out, /^Environment:\n  [A-Z_]+ /m)
    })
  }

  test('of a command is shown by help and the command, too', async () => {
    const shown = await perennial(['org', 'create', '--help'])
    assert.match(shown.out, /^perennial org create: /)
    assert.deepEqual(await perennial(['help', 'org', 'create']), shown)
  })

  test('of several commands with the same first word lists them', async () => {
    const shown = await perennial(['keys', '--help'])
    assert.equal(shown.status, 0)
    assert.match(shown.out, /^ {2}keys rotate {3}replace .*\n {2}keys encrypt {2}re-encrypt .*\n$/)
    assert.deepEqual(await perennial(['help', 'keys']), shown)
  })

  test('of serve names every setting that there is', async () => {
    const { out } = await perennial(['serve', '--help'])
    for (const name of Object.keys({ ...environment, ...tuning }))
      assert.match(out, new RegExp(`^  ${name} `, 'm'))
  })

  test('the version is that of the package', async () => {
    const file = new URL('../package.json', import.meta.url)
    const { version } = JSON.parse(readFileSync(file, 'utf8'))
    assert.deepEqual(await perennial(['--version']), { status: 0, out: `${version}\n`, err: '' })
  })
})

describe('a wrong command line', () => {
  const wrong: [args: string[], sentence: RegExp][] = [
    [['sreve'], /There is no command "sreve"/],
    [['app'], /perennial app is one of: app issue, app rotate/],
    [['app', 'remove'], /app is one of/],
    [['__proto__'], /There is no command/],
    [['serve', '--prot', '1'], /Unknown option '--prot'/],
    [['serve', 'here'], /serve does not take "here"/],
    [['serve', '--port'], /argument missing/],
    [['serve', '--port', 'abc'], /--port must be a whole number from 0 to 65535, not "abc"/],
    [['serve', '--processes', '-1'], /'--processes' argument begins with a dash: write --option=V/],
    [['migrate', '--data-dir='], /--data-dir needs a DIR/],
    [['help', 'sreve'], /There is no command "sreve"/],
    [['org', 'create'], /org create needs a NAME/],
    [['org', 'create', 'a', 'b'], /org create does not take "b"/],
    [['org', 'create', 'A', '--timezone', 'Mars'], /"Mars" is no IANA time zone/],
    [['user', 'create', '--role', 'admin'], /user create needs --email EMAIL/],
    [['user', 'create', '--email', 'ada'], /email: must be a valid e-mail address/],
    [['user', 'create', '--email', 'a@b.test', '--password', 'x'], /--password must be 8 to/],
    [['app', 'issue', '--name', 'A'], /app issue needs --scope, some of company\.read/],
    [['app', 'issue', '--scope', 'all'], /app issue needs --name NAME/],
    [['app', 'rotate'], /app rotate needs --client-id ID/],
    [['app', 'rotate', '--client-id', 'x', '--only', 'all'], /--only must be/],
    [['events', 'trigger'], /events trigger needs an EVENT/],
    [['upgrade'], /upgrade needs --check/],
    [['events'], /perennial events is one of: events trigger/],
    [['listen', '--forward', 'here'], /--forward "here" is not a URL/],
    [['listen', '--receiver-port', '99999'], /--receiver-port must be a port/],
    [['api', 'get_compny'], /There is no operation "get_compny": did you mean get_company\?/],
    [
      ['api', 'get_company', '--limt', '3'],
      /get_company has no field "limt": did you mean --limit/,
    ],
    [['api', 'get_company', 'limit=3'], /"limit=3" is no field: write --field VALUE/],
    [['api', 'update_company', '--domain', 'a.example'], /needs --company_id string/],
    [['api', 'create_task', '--project_id', 'p', '--title', 't', '--custom_fields', 'x'], /JSON/],
    [['demo', '--name', ''], /--name must be 1 to 200 characters/],
  ]
  for (const [args, sentence] of wrong) {
    test(`perennial ${args.join(' ')}: one line and status 2`, async () => {
      assertRefused(await perennial(args), 2, sentence)
    })
  }

  test('settings of another installation are refused by the name of their file', async () => {
    const file = join(freshFolder(), 'cell-b.env')
    const move = () => perennial(['org', 'move', 'Acme', '--to', file, '--confirm', 'Acme'])
    writeFileSync(file, 'DATABASE_ULR=postgres://b.internal/perennial\n')
    assertRefused(await move(), 2, /cell-b\.env" names no installation: it needs DATABASE_URL or/)
    writeFileSync(file, 'DATA_DIR=b\nPORT=http\n')
    assertRefused(await move(), 1, /^perennial: In ".*cell-b\.env": PORT must be/)
  })

  test('a wrong setting is one line and status 1', async () => {
    assertRefused(await perennial(['serve'], { PORT: 'http' }), 1, /^perennial: PORT must be/)
  })

  test(
    'output that a full disk does not take is one line and status 1',
    { skip: !existsSync('/dev/full') },
    () => {
      const full = openSync('/dev/full', 'w')
      const { status, stderr } = spawnSync(process.execPath, [main, '--help'], {
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      })
      closeSync(full)
      assert.equal(status, 1)
      assert.match(stderr, /^perennial: The output cannot be written: ENOSPC[^\n]*\n$/)
    },
  )

  test('with --json the refusal is JSON too', async () => {
    const { status, err } = await perennial(['app', 'rotate', '--json'])
    assert.equal(status, 2)
    assert.deepEqual(JSON.parse(err), { error: 'app rotate needs --client-id ID' })
  })
})

describe('beside a running server', () => {
  let url: string
  let env: { [name: string]: string }
  let server: Awaited<ReturnType<typeof startServer>>
  let database: Awaited<ReturnType<typeof freshDatabase>>['database']

  before(async () => {
    ;({ url, database } = await freshDatabase())
    env = { DATABASE_URL: url, DATA_DIR: freshFolder(), SECRET_KEY: secretKey }
    server = await startServer(env)
  })

  const json = async (args: string[]) => {
    const { status, out, err } = await perennial([...args, '--json'], env)
    assert.equal(status, 0, err)
    return JSON.parse(out)
  }

  const rows = (query: ReturnType<typeof sql>) => database.reads('*').all<any>(query)

  test('a server over an empty database of its own says how to begin', () => {
    assert.match(server.out(), /There is no organization yet: open this link.*\n.*\/setup\//)
    assert.match(server.out(), /Or here: .* org create NAME/)
  })

  test('an organization, its users and an app are made, and work at once', async () => {
    const organization = await json(['org', 'create', 'Acme', '--timezone', 'Europe/Paris'])
    const [row] = await rows(sql`select name, timezone from organizations`)
    assert.deepEqual(row, { name: 'Acme', timezone: 'Europe/Paris' })

    // the only organization need not be named
    const made = await json(['user', 'create', '--email', 'Ada@acme.test', '--role', 'admin'])
    assert.equal(made.organization_id, organization.organization_id)
    const { email, password } = made
    const session = await call(server.url, 'POST', '/api/login/', { body: { email, password } })
    assert.equal(session.status, 200, session.text)
    assert.equal(session.body.user.role, 'admin')

    const chosen = [
      '--email',
      'bob@acme.test',
      '--password',
      'bobs own password',
      '--name',
      'Bob B',
    ]
    const bob = await json(['user', 'create', '--org', 'acme', ...chosen])
    assert.equal(bob.password, undefined, 'a password that was given need not be shown')
    assert.equal(bob.role, 'member')
    const body = { email: 'bob@acme.test', password: 'bobs own password' }
    const other = await call(server.url, 'POST', '/api/login/', { body })
    assert.equal(other.body.user.full_name, 'Bob B')

    const scopes = ['--scope', 'company.read,company.write', '--scope', 'contact.read']
    const app = await json(['app', 'issue', '--name', 'Connector', ...scopes])
    assert.deepEqual(app.scopes, ['company.read', 'company.write', 'contact.read'])
    for (const secret of [app.client_id, app.client_secret, app.function_key]) assert.ok(secret)

    const again = await json(['app', 'issue', '--name', 'Connector', '--scope', 'all'])
    assert.equal(again.client_id, app.client_id)
    assert.equal(again.client_secret, null, 'a secret is shown once')
    assert.ok(again.scopes.length > 10)

    const key = ['--client-id', app.client_id, '--only', 'function-key']
    const rotated = await json(['app', 'rotate', ...key])
    assert.equal(rotated.client_secret, null)
    assert.ok(rotated.function_key && rotated.function_key !== app.function_key)
    const both = await json(['app', 'rotate', '--client-id', app.client_id])
    assert.ok(both.client_secret && both.client_secret !== app.client_secret)
  })

  test('each of them works in a process of its own, which has loaded nothing else', async () => {
    for (const args of [
      ['org', 'create', 'Alone'],
      ['user', 'create', '--org', 'Alone', '--email', 'a@alone.test', '--role', 'admin'],
      ['app', 'issue', '--org', 'Alone', '--name', 'A', '--scope', 'all'],
    ]) {
      const { status, err } = await runProgram(args, env)
      assert.equal(status, 0, `${args.join(' ')}: ${err}`)
    }
  })

  test('for people the same is said in lines, and secrets with a warning', async () => {
    await perennial(['org', 'create', 'Lines'], env)
    const made = await perennial(
      ['user', 'create', '--org', 'Lines', '--email', 'a@lines.test'],
      env,
    )
    assert.match(made.out, /^Created the user a@lines\.test \(\w+\), member of Lines\n/)
    assert.match(made.out, /\nSign in at http/)
    assert.doesNotMatch(made.out, /POST|\/api\//)
    assert.match(made.out, /^Password, shown only now: \S{16}$/m)
    const app = await perennial(
      ['app', 'issue', '--org', 'Lines', '--name', 'X', '--scope', 'all'],
      env,
    )
    assert.match(app.out, /^client_secret  psk_\S+$/m)
    assert.match(app.out, /shown only now/)
  })

  test('something that already exists, or does not exist, is one line and status 1', async () => {
    await json(['org', 'create', 'Taken'])
    const user = ['user', 'create', '--org', 'Taken', '--email', 'x@taken.test']
    await json(user)
    const refused: [args: string[], sentence: RegExp, status?: number][] = [
      [['org', 'create', 'TAKEN'], /The organization "TAKEN" already exists/],
      [user, /Taken already has a user x@taken\.test/],
      [['user', 'create', '--org', 'Nowhere', '--email', 'a@b.test'], /no organization "Nowhere"/],
      [['user', 'create', '--email', 'a@b.test'], /Name one with --org: /, 2],
      [[...user, '--account', 'None'], /Taken has no account "None"/],
      [[...user, '--role', 'king'], /--role must be one of admin, manager/, 2],
      [['app', 'rotate', '--client-id', 'nobody'], /App nobody not found/],
      [['app', 'issue', '--org', 'Taken', '--name', 'A', '--scope', 'x'], /scopes: x not known/, 2],
    ]
    for (const [args, sentence, status = 1] of refused) {
      assertRefused(await perennial(args, env), status, sentence)
    }
  })

  test('an organization is removed by the owner of the tables alone', async () => {
    const outcome = await perennial(['org', 'remove', 'Nobody', '--confirm', 'Nobody'], env)
    assertRefused(outcome, 1, /There is no organization "Nobody"/)
    const { url } = await freshDatabase()
    const name = new URL(url).pathname.slice(1)
    const user = `serves_${name}`
    await query(url, `create role ${user} login password 'p'; grant perennial_service to ${user}`)
    const serving = new URL(url)
    serving.username = user
    serving.password = 'p'
    const own = { DATABASE_URL: `${serving}`, DATA_DIR: freshFolder(), SECRET_KEY: secretKey }
    try {
      const owned = { ...own, DATABASE_MIGRATE_URL: url }
      assert.equal((await perennial(['org', 'create', 'Acme'], owned)).status, 0)
      const remove = ['org', 'remove', 'Acme', '--confirm', 'Acme']
      assertRefused(await perennial(remove, own), 1, /Only the owner of the tables may remove/)
      assert.equal((await perennial(remove, owned)).status, 0)
    } finally {
      await query(url, `drop owned by ${user}; drop role ${user}`)
    }
  })

  test('the key that signs tokens is replaced, and older tokens stay good', async () => {
    await json(['org', 'create', 'Keys'])
    const args = ['user', 'create', '--org', 'Keys', '--email', 'k@keys.test', '--role', 'admin']
    const { email, password } = await json(args)
    const signIn = async () => {
      const reply = await call(server.url, 'POST', '/api/login/', { body: { email, password } })
      return reply.body.access_token as string
    }
    const old = await signIn()
    const { kid } = await json(['keys', 'rotate'])
    const [newest] = await rows(
      sql`select kid from signing_keys order by creation_time desc limit 1`,
    )
    assert.equal(newest!.kid, kid)
    const list = (token: string) => call(server.url, 'GET', '/api/tags/info/', { token })
    assert.equal((await list(old)).status, 200)
    assert.equal((await list(await signIn())).status, 200)
  })

  test('a demonstration is made with records, history and an app, each with another name', async () => {
    const first = await json(['demo'])
    const second = await json(['demo'])
    assert.notEqual(first.name, second.name)
    const named = await json(['demo', '--name', 'Nightingale Works'])
    assert.equal(named.name, 'Nightingale Works')
    assert.equal(named.email, 'admin@nightingale-works.example')

    const file = join(env.DATA_DIR!, 'demo.json')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const stored = JSON.parse(readFileSync(file, 'utf8'))
    assert.deepEqual(
      stored.demos.map((demo: any) => demo.name),
      [first.name, second.name, 'Nightingale Works'],
    )

    const { email, password, organization_id } = named
    const body = { email, password, organization: organization_id }
    const session = await call(server.url, 'POST', '/api/login/', { body })
    const token = session.body.access_token
    const page = '?page=1&items_per_page=500'
    const companies = await call(server.url, 'GET', `/api/company/${page}`, { token })
    const contacts = await call(server.url, 'GET', `/api/contact/${page}`, { token })
    assert.equal(companies.body.length, named.made.companies)
    assert.equal(contacts.body.length, named.made.contacts)
    assert.ok(companies.body.length + contacts.body.length >= 300)
    for (const { domain } of companies.body) assert.match(domain, /\.example$/)
    for (const contact of contacts.body) {
      assert.ok(contact.primary_email.endsWith(`@${contact.company.domain}`))
    }
    assert.ok(contacts.body.some((contact: any) => contact.reports_to))

    const mine = sql`t.organization_id = ${organization_id}`
    const [logged = {}] =
      await rows(sql`select count(*) as entries, count(distinct actor_id) as people,
        count(*) filter (where type = 'company_created') as companies,
        count(*) filter (where type = 'contact_created') as contacts,
        count(*) filter (where type in ('company_updated', 'contact_updated')) as changes,
        extract(day from max(occurred_at) - min(occurred_at)) as days,
        count(*) filter (where type = 'user_created') as users,
        max(occurred_at) < now() as is_past
      from events t where ${mine}`)
    assert.equal(logged.companies, named.made.companies)
    assert.equal(logged.contacts, named.made.contacts)
    assert.equal(logged.changes, named.made.changes)
    assert.equal(logged.users, named.made.users)
    assert.ok(logged.people >= 5 && logged.days > 100 && logged.is_past, JSON.stringify(logged))
    const kinds = await rows(sql`select distinct r.kind from users t
      join roles r on r.organization_id = t.organization_id and r.id = t.role_id where ${mine}`)
    assert.equal(kinds.length, 6, 'somebody of each built-in role')
  })

  test('the doctor finds nothing wrong, and reports what is wrong', async () => {
    const { status, out } = await perennial(['doctor', '--json'], {
      ...env,
      PORT: await closedPort(),
    })
    assert.equal(status, 0, out)
    const { ok, findings } = JSON.parse(out)
    assert.equal(ok, true)
    const states = Object.fromEntries(findings.map((each: any) => [each.check, each.state]))
    assert.equal(states.database, 'ok')
    assert.equal(states.migrations, 'ok')
    assert.equal(states['tenants apart'], 'ok')
    assert.equal(states['secret key'], 'ok')

    const key = {
      ...env,
      PORT: await closedPort(),
      SECRET_KEY: 'another key that is long enough, really',
    }
    const wrong = await perennial(['doctor'], key)
    assert.equal(wrong.status, 1)
    assert.match(wrong.out, /^fail  secret key +the secrets in this database were encrypted/m)
    assert.match(wrong.out, /→ set SECRET_KEY/)

    const { url: later } = await freshDatabase()
    await execute(later, `insert into perennial.migrations (name) values ('9999_later.sql')`)
    const newer = await perennial(['doctor'], { ...env, DATABASE_URL: later })
    assert.match(newer.out, /^warn  migrations +a newer version applied 9999_later\.sql$/m)

    const { SECRET_KEY: _, ...keyless } = key
    const lost = await perennial(['doctor'], { ...keyless, DATA_DIR: freshFolder() })
    assert.equal(lost.status, 1)
    assert.match(lost.out, /^fail  secret key +neither SECRET_KEY nor a key in the data folder/m)

    const here = await perennial(['doctor'], { ...env, PORT: new URL(server.url).port })
    assert.match(here.out, /^ok    port +the service listens on/m)
    assert.match(here.out, /^ok    public URL +http\S+ leads to the service/m)
  })

  test('a worker that is ready does not send people to pages that it does not have', async () => {
    const { url } = await freshDatabase()
    const settings = { DATABASE_URL: url, DATA_DIR: freshFolder(), SECRET_KEY: secretKey }
    const worker = await startServer({ ...settings, ROLE: 'worker', WORKSPACE: 'build' })
    assert.match(
      worker.out(),
      /is ready after .*\nDatabase: .*\. Processes with the role web answer/,
    )
    assert.doesNotMatch(worker.out(), /in a browser|\/docs/)
    worker.child.kill('SIGTERM')
    await worker.ended
  })

  test('the doctor knows another key by the secret of an app, before any token was signed', async () => {
    const { url: fresh } = await freshDatabase()
    const own = { ...env, DATABASE_URL: fresh, PORT: await closedPort() }
    for (const args of [
      ['migrate'],
      ['org', 'create', 'A'],
      ['app', 'issue', '--name', 'A', '--scope', 'all'],
    ]) {
      const done = await perennial(args, own)
      assert.equal(done.status, 0, done.out)
    }
    assert.match((await perennial(['doctor'], own)).out, /^ok    secret key +fits/m)
    const other = { ...own, SECRET_KEY: 'another key that is long enough, really' }
    assert.match((await perennial(['doctor'], other)).out, /^fail  secret key/m)
  })

  test('a database whose secrets were encrypted with another key stops every command', async () => {
    const other = { ...env, SECRET_KEY: 'another key that is long enough, really' }
    const sentence = /encrypted with another SECRET_KEY: set SECRET_KEY to that one/
    assertRefused(await perennial(['org', 'create', 'New'], other), 1, sentence)
    assertRefused(await perennial(['serve'], other), 1, sentence)
  })

  test('a database whose secret key is lost stops every command, and no other key is made', async () => {
    const folder = freshFolder()
    const keyless = { ...env, SECRET_KEY: '', DATA_DIR: folder, PORT: '0' }
    const sentence = /encrypted with a key that is neither SECRET_KEY nor in ".*": set SECRET_KEY/
    assertRefused(await perennial(['serve'], keyless), 1, sentence)
    assertRefused(await perennial(['org', 'create', 'New'], keyless), 1, sentence)
    assert.ok(!existsSync(join(folder, 'secret.key')))
  })
})

describe('migrate', () => {
  test('sets up an empty database once, whichever process comes first', async (t) => {
    const url = await emptyDatabase(t)
    const env = { DATABASE_URL: url, DATA_DIR: freshFolder(), SECRET_KEY: secretKey }
    const outcomes = await Promise.all([1, 2, 3].map(() => perennial(['migrate', '--json'], env)))
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      [0, 0, 0],
      outcomes.map(({ err }) => err).join(),
    )
    const applied = outcomes.map(({ out }) => JSON.parse(out).applied.length)
    const count = applied.reduce((sum: number, each: number) => sum + each, 0)
    assert.equal(count, migrations().length, 'each was applied by one of them')
    const again = await perennial(['migrate'], env)
    assert.match(again.out, /^The database \(127\.0\.0\.1:\d+\/\w+\) is up to date$/m)
  })
})

describe('a start that cannot succeed is one sentence and status 1', () => {
  const start = (env: { [name: string]: string }, ...args: string[]) =>
    perennial(['serve', ...args], {
      SECRET_KEY: secretKey,
      DATA_DIR: freshFolder(),
      PORT: '0',
      ...env,
    })

  test('a database that is not there', async () => {
    const DATABASE_URL = 'postgres://perennial:hunter2@127.0.0.1:1/nothing'
    const outcome = await start({ DATABASE_URL })
    assertRefused(
      outcome,
      1,
      /^perennial: The database at 127\.0\.0\.1:1\/nothing cannot be reached \(the connection was refused\): start it, or correct DATABASE_URL$/m,
    )
    assert.ok(!outcome.err.includes('hunter2'))
  })

  test('a database of a wrong name', async () => {
    const DATABASE_URL = at(await serverUrl(), 'no_such_database')
    assertRefused(await start({ DATABASE_URL }), 1, /There is no such database at .*: create it/)
  })

  test('a database that is read-only, or accepts no connections', async () => {
    const { url } = await freshDatabase()
    const name = new URL(url).pathname.slice(1)
    const set = async (text: string) => query(await serverUrl(), `alter database ${name} ${text}`)
    await set('set default_transaction_read_only = on')
    // a process, because what goes on in it must not prevent its end
    const env = { DATABASE_URL: url, DATA_DIR: freshFolder(), SECRET_KEY: secretKey, PORT: '0' }
    const { status, out, err } = await runProgram(['serve'], { ...env, LOG_LEVEL: 'fatal' })
    assertRefused({ status, out, err }, 1, /is read-only: name the primary in DATABASE_URL/)
    const doctor = await perennial(['doctor'], { ...env, WORKSPACE: 'off' })
    assert.match(doctor.out, /^fail {2}writes +the database is read-only$/m)
    assert.equal(doctor.status, 1)
    await set('reset default_transaction_read_only')
    await set('allow_connections false')
    assertRefused(await start({ DATABASE_URL: url }), 1, /accepts no connections: allow them there/)
  })

  test('a database in which another application has the schema', async () => {
    const { url } = await freshDatabase()
    await query(url, 'alter table perennial.migrations rename name to title')
    const sentence = /^perennial: The schema perennial of this database belongs to another/
    assertRefused(await start({ DATABASE_URL: url }), 1, sentence)
    await query(url, 'alter table perennial.migrations rename title to name')
    await query(url, "update perennial.migrations set name = 'another ' || name")
    assertRefused(await start({ DATABASE_URL: url }), 1, sentence)
  })

  test('a job queue that cannot start ends the process', async () => {
    const { url } = await freshDatabase()
    await query(url, 'alter table perennial_jobs.schedule rename to timetable')
    const env = { DATABASE_URL: url, DATA_DIR: freshFolder(), SECRET_KEY: secretKey, PORT: '0' }
    const { status, err } = await runProgram(['serve'], { ...env, LOG_LEVEL: 'fatal' })
    assert.equal(status, 1)
    assert.match(err, /perennial_jobs\.schedule/)
  })

  test('a host that is not there', async () => {
    const DATABASE_URL = 'postgres://perennial@no-such-host.invalid/x'
    const outcome = await start({ DATABASE_URL })
    assertRefused(outcome, 1, /cannot be reached \((no such host|its name cannot be looked up)\)/)
  })

  test('something that is no PostgreSQL', async (t) => {
    const server = listenPlainly((socket) => {
      socket.on('error', () => {})
      socket.end()
    })
    const port = await listening(t, server)
    const DATABASE_URL = `postgres://perennial@127.0.0.1:${port}/x`
    assertRefused(await start({ DATABASE_URL }), 1, /cannot be reached/)
  })

  test('another setting that names a database is the one to correct', async () => {
    const { url } = await freshDatabase()
    for (const name of ['DATABASE_MIGRATE_URL', 'DATABASE_POOLER_URL', 'DATABASE_LISTEN_URL']) {
      const nowhere = 'postgres://perennial:hunter2@127.0.0.1:1/nothing'
      const outcome = await start({ DATABASE_URL: url, [name]: nowhere })
      const sentence = `at 127\\.0\\.0\\.1:1/nothing cannot be reached .* correct ${name}$`
      assertRefused(outcome, 1, new RegExp(sentence, 'm'))
    }
  })

  test('a bucket that does not answer, before a demonstration is made', async () => {
    const { url } = await freshDatabase()
    const outcome = await perennial(['demo'], {
      DATABASE_URL: url,
      DATA_DIR: freshFolder(),
      SECRET_KEY: secretKey,
      S3_BUCKET: 'bucket',
      S3_ENDPOINT: 'http://127.0.0.1:1',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    })
    assertRefused(outcome, 1, /The bucket does not answer \(.*\): correct S3_BUCKET/)
  })

  test('a port for replies by mail that is in use', async (t) => {
    const port = await listening(t, createServer())
    const { url } = await freshDatabase()
    const env = {
      DATABASE_URL: url,
      DATA_DIR: freshFolder(),
      SECRET_KEY: secretKey,
      PORT: '0',
      ROLE: 'worker',
      LOG_LEVEL: 'warn',
      MAIL_INBOUND_DOMAIN: 'reply.example.com',
      CONFIG_FILE: configFile({ mail_inbound_port: port }),
    }
    const { status, out, err } = await runProgram(['serve'], env)
    assertRefused({ status, out, err }, 1, /Port \d+ is in use: .* set mail_inbound_port/)
  })

  test('a port that is in use', async (t) => {
    const port = await listening(t, createServer())
    const { url } = await freshDatabase()
    const outcome = await start({ DATABASE_URL: url, PORT: String(port) })
    assertRefused(outcome, 1, new RegExp(`^perennial: Port ${port} is in use: stop what listens`))
  })

  test('an address that this machine does not have', async () => {
    const { url } = await freshDatabase()
    const outcome = await start({ DATABASE_URL: url, HOST: '192.0.2.1' })
    assertRefused(outcome, 1, /"192\.0\.2\.1" is not an address of this machine: set HOST/)
  })

  test('a provision file that is not there', async () => {
    const { url } = await freshDatabase()
    const outcome = await start({ DATABASE_URL: url }, '--provision', '/nowhere/p.json')
    assertRefused(outcome, 1, /The provision file "\/nowhere\/p\.json" does not exist/)
  })

  test('a data folder that is a file', async () => {
    const file = join(freshFolder(), 'file')
    writeFileSync(file, '')
    const outcome = await perennial(['serve'], { DATA_DIR: file })
    assertRefused(outcome, 1, /is a file/)
    // with a database of one's own it is for files and mails
    const { url } = await freshDatabase()
    assertRefused(await start({ DATABASE_URL: url, DATA_DIR: file }), 1, /is a file/)
  })

  test('a data folder where there can be none', { skip: !existsSync('/proc/self') }, async () => {
    assertRefused(await perennial(['serve'], { DATA_DIR: '/proc/none/data' }), 1, /data|DATA_DIR/)
  })

  test('a data folder that may not be written', { skip: process.getuid?.() === 0 }, async () => {
    const folder = join(freshFolder(), 'closed')
    mkdirSync(folder)
    chmodSync(folder, 0o500)
    assertRefused(await perennial(['serve'], { DATA_DIR: folder }), 1, /no permission/)
  })

  test('a secret key file that holds none', async () => {
    const folder = freshFolder()
    writeFileSync(join(folder, 'secret.key'), '')
    const { url } = await freshDatabase()
    const outcome = await perennial(['serve'], { DATABASE_URL: url, DATA_DIR: folder })
    assertRefused(outcome, 1, /secret\.key" contains no secret key/)
  })

  test('a tour without a demonstration', async () => {
    const outcome = await perennial(['tour'], { DATA_DIR: freshFolder() })
    assertRefused(outcome, 1, /There is no demonstration in the data folder .* perennial demo/)
  })
})

describe('the tour', () => {
  test('of a server that does not answer ends with status 1 at the first step', async () => {
    const access = [
      '--email',
      'a@b.test',
      '--password',
      'x',
      '--client-id',
      'x',
      '--client-secret',
      'x',
      '--function-key',
      'x',
      '--redirect-uri',
      'https://x.example/',
      '--url',
    ]
    const env = { DATA_DIR: freshFolder() }
    const url = `http://127.0.0.1:${await closedPort()}`
    const { status, out } = await perennial(['tour', ...access, url], env)
    assert.equal(status, 1)
    assert.match(out, /^✘ .* The server is ready\n +expected .*start the server with npm start/m)
    assert.match(out, /^ +got +ECONNREFUSED$/m)
    const result = await perennial(['tour', ...access, url, '--json'], env)
    const { ok, steps } = JSON.parse(result.out)
    assert.equal(ok, false)
    assert.equal(steps.length, 1)
    assert.equal(steps[0].ok, false)
  })
})

describe('as a process', () => {
  test('the exit status and both outputs are those of the command', async () => {
    const good = await runProgram(['--version'])
    assert.equal(good.status, 0)
    assert.match(good.out, /^\d+\.\d+\.\d+\n$/)
    assert.equal(good.err, '')
    const wrong = await runProgram(['serve', '--nothing'])
    assertRefused(wrong as never, 2, /^perennial: Unknown option '--nothing'/)
  })
})

/** A port that nobody listens on. */
async function closedPort(): Promise<string> {
  const server = listenPlainly()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

async function listening(t: TestContext, server: ReturnType<typeof listenPlainly>) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

async function emptyDatabase(t: TestContext): Promise<string> {
  const admin = await serverUrl()
  const name = `test_empty_${process.pid}_${Date.now()}`
  await execute(admin, `create database ${name} template template0 encoding 'UTF8'`)
  t.after(() => execute(admin, `drop database ${name} with (force)`))
  return at(admin, name)
}

/** Runs one statement on a connection of its own. */
async function execute(url: string, text: string) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}
