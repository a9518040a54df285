import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { Bounds } from './bounds.ts'
import { environment } from './commands/environment.ts'
import { isLoopback, readConfig } from './config.ts'
import { ConfigError } from './kit/ground/errors.ts'
import { tuning } from './tuning.ts'

test('nothing is needed: the defaults are those of the contract', () => {
  const config = readConfig({})
  assert.equal(config.port, 3000)
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.publicUrl, 'http://127.0.0.1:3000')
  assert.equal(config.dataDir, './data')
  assert.equal(config.automationSegment, 'automation')
  assert.deepEqual(config.rateLimits, {
    integration: { count: 600, seconds: 10 },
    application: { count: 2000, seconds: 10 },
    login: { count: 20, seconds: 60 },
    public: { count: 120, seconds: 60 },
  })
  for (const name of [
    'databaseUrl',
    'provisionFile',
    'secretKey',
    'smtpUrl',
    'aiBaseUrl',
    'aiApiKey',
    'docusealApiUrl',
    'docusealApiKey',
  ] as const) {
    assert.equal(config[name], null)
  }
  assert.ok(Object.isFrozen(config))
})

test('an empty variable counts as none', () => {
  const empty = Object.fromEntries(Object.keys(environment).map((name) => [name, '']))
  assert.deepEqual(readConfig(empty), readConfig({}))
})

test('the help and the guide name every setting that is read, and no other, and the README some of them', () => {
  const read = new Set<string>()
  readConfig(
    new Proxy<{ [name: string]: string }>(
      {},
      {
        get(_, name) {
          read.add(String(name))
          return undefined
        },
      },
    ),
  )
  // read where others are set, and those of OpenTelemetry that its own documentation describes
  const ours = [...read, 'S3_REGION'].filter((name) => !name.startsWith('OTEL_'))
  const expected = [...new Set([...ours, 'OTEL_EXPORTER_OTLP_ENDPOINT'])].toSorted()
  assert.deepEqual(Object.keys(environment).toSorted(), expected)
  assert.deepEqual(namedIn('docs/guide/settings.md').toSorted(), expected)
  const inReadme = namedIn('README.md')
  assert.ok(inReadme.length)
  for (const name of inReadme) assert.ok(expected.includes(name), name)
})

function page(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
}

/** The variables in the first column of the tables of a page. */
function namedIn(path: string): string[] {
  const [_before, ...tables] = page(path).split('| variable |')
  return tables.flatMap((table) =>
    table
      .split('\n\n')[0]!
      .split('\n')
      .flatMap((row) => {
        const [, first = ''] = row.split('|')
        return [...first.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name!)
      }),
  )
}

test('the public URL follows host and port, and loses its last slash', () => {
  assert.equal(readConfig({ HOST: '0.0.0.0', PORT: '8080' }).publicUrl, 'http://localhost:8080')
  assert.equal(readConfig({ HOST: '::1', PORT: '8080' }).publicUrl, 'http://[::1]:8080')
  const config = readConfig({ PUBLIC_URL: 'https://crm.example.com/' })
  assert.equal(config.publicUrl, 'https://crm.example.com')
})

test('TRUST_PROXY is a number of proxies, or where they are', () => {
  const read = (TRUST_PROXY: string) => readConfig({ TRUST_PROXY }).trustProxy
  for (const none of ['', '0', 'false', 'off']) assert.equal(read(none), 0, none)
  for (const one of ['1', 'true', 'on']) assert.equal(read(one), 1, one)
  assert.equal(read('3'), 3)
  assert.deepEqual(read('10.0.0.0/8, 192.0.2.7,fd00::/8'), ['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])
})

test('LIMITS sets every bound, and the file single ones', () => {
  const [small, large, off] = ['small', 'large', 'off'].map((LIMITS) => readConfig({ LIMITS }))
  assert.deepEqual(small, readConfig({}))
  for (const [name, value] of Object.entries(small!.bounds)) {
    assert.ok(value > 0, name)
    assert.ok(large!.bounds[name as keyof Bounds] >= value, name)
  }
  assert.ok(large!.maxInFlight > small!.maxInFlight)
  const none = [...Object.values(off!.bounds), ...Object.values(off!.limits), off!.maxInFlight]
  assert.deepEqual([...new Set(none)], [0])
  // what an organization may store or send, and how often one may try, are other questions
  assert.deepEqual([off!.quotas, off!.rateLimits], [small!.quotas, small!.rateLimits])
  const mixed = readConfig({ LIMITS: 'off' }, { max_in_flight: 7 })
  assert.deepEqual([mixed.maxInFlight, mixed.bounds.pipelined], [7, 0])
})

test('a wrong setting of the file stops the start with one sentence that names it', () => {
  for (const [name, { most }] of Object.entries(tuning)) {
    for (const value of [-1, 1.5, most + 1, '8', true, [], {}]) {
      assert.throws(
        () => readConfig({}, { [name]: value }),
        (error: Error) =>
          error instanceof ConfigError && error.message.startsWith(`${name} must be`),
        `${name}: ${JSON.stringify(value)} was taken`,
      )
    }
    assert.ok(readConfig({}, { [name]: most }))
  }
  assert.throws(() => readConfig({}, { MAX_IN_FLIGHT: 5 }), /must be written "max_in_flight"/)
  assert.throws(() => readConfig({}, { port: 5 }), /^Error: "port" is no setting of this file/)
})

test('the file is JSON with an object', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'perennial-settings-')), 'settings.json')
  for (const text of ['', '{', '[]', '5', 'null', 'max_in_flight: 5']) {
    writeFileSync(path, text)
    assert.throws(
      () => readConfig({ CONFIG_FILE: path }),
      /^Error: CONFIG_FILE (must be|cannot be)/,
    )
  }
  writeFileSync(path, '{"max_in_flight": 12}')
  assert.equal(readConfig({ CONFIG_FILE: path }).maxInFlight, 12)
  rmSync(dirname(path), { recursive: true })
})

test('the guide names every setting of the file with its default, and no other', () => {
  const rows = [...page('docs/guide/settings.md').matchAll(/^\| `([a-z0-9_]+)` \| ([^|]+) \|/gm)]
  const shown = Object.fromEntries(rows.map(([, name, value]) => [name, value]))
  const expected = Object.entries(tuning).map(([name, { otherwise }]) => [name, String(otherwise)])
  const { heavy_reads_per_organization: _processors, ...rest } = Object.fromEntries(expected)
  assert.deepEqual(shown, { ...rest, heavy_reads_per_organization: 'half the processors' })
})

test('an owner, a pooler and a place to listen need the database that they belong to', () => {
  const DATABASE_POOLER_URL = 'postgres://a@pooler/perennial'
  for (const name of ['DATABASE_MIGRATE_URL', 'DATABASE_POOLER_URL', 'DATABASE_LISTEN_URL']) {
    const sentence = new RegExp(`^Error: ${name} needs DATABASE_URL`)
    assert.throws(() => readConfig({ [name]: DATABASE_POOLER_URL }), sentence)
  }
  const DATABASE_URL = 'postgres://a@database/perennial'
  const { databasePoolerUrl } = readConfig({ DATABASE_POOLER_URL, DATABASE_URL })
  assert.equal(databasePoolerUrl, DATABASE_POOLER_URL)
})

test('a limit of 0 is off', () => {
  const { rateLimits } = readConfig({ RATE_LIMIT_LOGIN: '0', RATE_LIMIT_INTEGRATION: '5/1' })
  assert.equal(rateLimits.login.count, 0)
  assert.deepEqual(rateLimits.integration, { count: 5, seconds: 1 })
})

const wrong: { [name: string]: string[] } = {
  HOST: ['999.1.1.1', 'two words', 'http://x', '[::1]', 'a/b'],
  PORT: ['http', '-1', '70000', '3.5', '1e3', '0x50'],
  PUBLIC_URL: [
    'crm.example.com',
    'ftp://x.example',
    'https://u:p@x.example',
    'https://x.example/?a',
  ],
  DATABASE_URL: ['mysql://x/y', 'localhost:5432', 'postgres://u:p#1@host:x/db'],
  AUTOMATION_SEGMENT: ['api', 'Oauth', 'two words', '../etc', 'webhook'],
  SECRET_KEY: ['short'],
  S3_BUCKET: ['A', 'no spaces', 'x'],
  S3_ENDPOINT: ['nowhere', 'ftp://x'],
  SMTP_URL: ['http://mail.example', 'mail.example'],
  AI_BASE_URL: ['api.example.com/v1', 'ftp://api.example.com'],
  VIDEO_CALLS_URL: ['meet.jit.si', 'ftp://x.test'],
  GOOGLE_CLIENT_ID: ['alone'],
  GOOGLE_SIGN_IN_URL: ['accounts.google.com'],
  GOOGLE_OAUTH_URL: ['ftp://oauth2.googleapis.com'],
  GOOGLE_API_URL: ['googleapis'],
  MICROSOFT_CLIENT_ID: ['alone'],
  MICROSOFT_SIGN_IN_URL: ['login.microsoftonline.us'],
  MICROSOFT_GRAPH_URL: ['graph.microsoft.us'],
  DOCUSEAL_API_URL: ['api.docuseal.com', 'ftp://api.docuseal.com', 'https://api.docuseal.com'],
  MAIL_INBOUND_DOMAIN: ['reply', 'https://reply.example.com', 'a@reply.example.com'],
  MAIL_FROM: ['Perennial', 'a@b, c@d', 'A <a@b> <c@d>'],
  WEBHOOK_ALLOWED_CIDRS: ['10.0.0.0/33', '10/8', 'internal', '999.0.0.0/8'],
  WEBHOOK_ALLOW_HTTP: ['perhaps'],
  WEBHOOK_RETRY_SCHEDULE: ['1,,2', 'soon', '-5'],
  WEBHOOK_HOST_RATE: ['many'],
  WEBHOOK_HOST_CONCURRENCY: ['-1'],
  RATE_LIMIT_INTEGRATION: ['600', '600/0', 'a/b'],
  RATE_LIMIT_APPLICATION: ['1/1/1'],
  RATE_LIMIT_LOGIN: ['20 per minute'],
  LIMITS: ['huge'],
  CONFIG_FILE: ['/nowhere.json'],
  ROLE: ['server'],
  DATABASE_POOLER_URL: ['here'],
  DATABASE_LISTEN_URL: ['here'],
  DATABASE_POOL_READ: ['many'],
  TRUST_PROXY: ['perhaps', '-1', '100', '10/8', '1.5', '10.0.0.0/33'],
  WORKSPACE: ['on'],
  LOG_LEVEL: ['loud'],
}

for (const [name, values] of Object.entries(wrong)) {
  test(`a wrong ${name} stops the start with one sentence that names it`, () => {
    for (const value of values) {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error: Error) => {
          assert.ok(error instanceof ConfigError, value)
          assert.match(error.message, new RegExp(`^${name}`))
          assert.ok(!error.message.includes('\n'))
          return true
        },
        `${name}=${value} was taken`,
      )
    }
  })
}

test('values that may hold a secret are not repeated', () => {
  const secrets = {
    DATABASE_URL: 'postgre://user:hunter2hunter2@host/db',
    SMTP_URL: 'imap://user:hunter2hunter2@host',
    SECRET_KEY: 'hunter2hunter2',
  }
  for (const [name, value] of Object.entries(secrets)) {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error: Error) => !error.message.includes('hunter2'),
    )
  }
})

test('every variable that can be wrong is explained in the help', () => {
  for (const name of Object.keys(wrong)) assert.ok(environment[name], name)
  for (const { about, otherwise } of Object.values(environment)) assert.ok(about && otherwise)
})

test('loopback addresses are distinguished from others', () => {
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '::1']) assert.ok(isLoopback(host))
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.example']) {
    assert.ok(!isLoopback(host), host)
  }
})

test('every sslmode with TLS checks the certificate and the name, unless the URL wants what libpq does', () => {
  const read = (query: string) =>
    readConfig({ DATABASE_URL: `postgres://a@db/x?${query}` }).databaseUrl
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
    assert.equal(read(`sslmode=${mode}`), 'postgres://a@db/x?sslmode=verify-full')
    assert.match(read(`sslmode=${mode}&sslrootcert=ca.pem`)!, /sslmode=verify-full&sslrootcert=/)
    assert.match(read(`uselibpqcompat=true&sslmode=${mode}`)!, new RegExp(`sslmode=${mode}$`))
  }
  for (const mode of ['disable', 'no-verify']) {
    assert.match(read(`sslmode=${mode}`)!, new RegExp(`sslmode=${mode}$`))
  }
})

test('a setting that was removed is refused, with what takes its place', () => {
  const removed: [name: string, value: string, instead: RegExp][] = [
    ['SURVEY_PROOF_WORK', '200000', /surveys are protected by RATE_LIMIT_PUBLIC$/],
    ['RATE_LIMIT_LOGIN_ACCOUNT', '200/60', /it is ten times RATE_LIMIT_LOGIN$/],
    ['S3_PREFIX', 'one', /write S3_BUCKET as bucket\/prefix$/],
    ...Object.keys(tuning).map((name): (typeof removed)[number] => [
      name.toUpperCase(),
      '5',
      new RegExp(`write "${name}" into the JSON file that CONFIG_FILE or --config names$`),
    ]),
  ]
  for (const [name, value, instead] of removed) {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error: Error) => {
        assert.ok(error instanceof ConfigError)
        assert.ok(error.message.startsWith(`${name} is no longer a setting: `))
        assert.match(error.message, instead)
        return true
      },
    )
  }
})

test('a bucket may have a prefix', () => {
  const read = (S3_BUCKET: string) => {
    const { bucket, prefix } = readConfig({ S3_BUCKET }).s3!
    return [bucket, prefix]
  }
  assert.deepEqual(read('files'), ['files', ''])
  assert.deepEqual(read('files/'), ['files', ''])
  assert.deepEqual(read('files/one/two/'), ['files', 'one/two/'])
})
