import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { environment } from './commands/environment.ts'
import { isLoopback, readConfig } from './config.ts'
import { ConfigError } from './kit/ground/errors.ts'

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
  const ours = [...read, 'S3_REGION', 'S3_PREFIX'].filter((name) => !name.startsWith('OTEL_'))
  const expected = [...new Set([...ours, 'OTEL_EXPORTER_OTLP_ENDPOINT'])].toSorted()
  assert.deepEqual(Object.keys(environment).toSorted(), expected)
  assert.deepEqual(namedIn('docs/guide/settings.md').toSorted(), expected)
  const inReadme = namedIn('README.md')
  assert.ok(inReadme.length)
  for (const name of inReadme) assert.ok(expected.includes(name), name)
})

/** The variables in the first column of the tables of a page. */
function namedIn(page: string): string[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')
  const [_before, ...tables] = text.split('| variable |')
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

test('every bound is a setting, and 0 takes it away', () => {
  const { bounds } = readConfig({})
  for (const [name, value] of Object.entries(bounds)) assert.ok(value > 0, name)
  const off = Object.fromEntries(Object.keys(environment).map((name) => [name, '0']))
  const { SECRET_KEY: _key, ...rest } = off
  const bounded = Object.fromEntries(
    Object.entries(rest).filter(([name]) =>
      /^(MAX|IN|HEAD|BODY|UPLOAD|ANSWER|PASSWORD)_/.test(name),
    ),
  )
  for (const [name, value] of Object.entries(readConfig(bounded).bounds))
    assert.equal(value, 0, name)
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
  DOCUSEAL_API_URL: ['api.docuseal.com', 'ftp://api.docuseal.com', 'https://api.docuseal.com'],
  MAIL_INBOUND_DOMAIN: ['reply', 'https://reply.example.com', 'a@reply.example.com'],
  MAIL_INBOUND_PORT: ['smtp', '70000'],
  MAIL_FROM: ['Perennial', 'a@b, c@d', 'A <a@b> <c@d>'],
  WEBHOOK_ALLOWED_CIDRS: ['10.0.0.0/33', '10/8', 'internal', '999.0.0.0/8'],
  WEBHOOK_ALLOW_HTTP: ['perhaps'],
  WEBHOOK_RETRY_SCHEDULE: ['1,,2', 'soon', '-5'],
  WEBHOOK_HOST_RATE: ['many'],
  WEBHOOK_HOST_CONCURRENCY: ['-1'],
  WEBHOOK_ORGANIZATION_CONCURRENCY: ['many'],
  WEBHOOK_CONCURRENCY: ['-5'],
  RATE_LIMIT_INTEGRATION: ['600', '600/0', 'a/b'],
  RATE_LIMIT_APPLICATION: ['1/1/1'],
  RATE_LIMIT_LOGIN: ['20 per minute'],
  MAX_IN_FLIGHT: ['lots'],
  ROLE: ['server'],
  DATABASE_POOLER_URL: ['here'],
  DATABASE_LISTEN_URL: ['here'],
  DATABASE_POOL_READ: ['many'],
  DATABASE_POOL_WRITE: ['many'],
  WRITES_PER_ORGANIZATION: ['-1'],
  WRITES_WAITING: ['1.5'],
  SIGN_IN_WRITERS: ['two'],
  DATABASE_POOL_JOBS: ['x'],
  READS_PER_ORGANIZATION: ['8 MiB'],
  READS_WAITING: ['lots'],
  HEAVY_READERS: ['-3'],
  HEAVY_READS_PER_ORGANIZATION: ['half'],
  HEAVY_READS_WAITING: ['1e3'],
  READ_TIMEOUT: ['5s'],
  MAX_FILTER_COST: ['cheap'],
  MAX_PAGE_BYTES: ['8MiB'],
  MAX_RESULT_BYTES: ['1k'],
  MAX_CUSTOM_FIELDS_BYTES: ['64KiB'],
  MAX_CUSTOM_FIELDS_KEYS: ['-1'],
  MAX_BULK_BYTES: ['all'],
  STOP_TIMEOUT: ['-1', '10s'],
  TRUST_PROXY: ['perhaps', '-1', '100', '10/8', '1.5', '10.0.0.0/33'],
  RATE_LIMIT_LOGIN_ACCOUNT: ['200'],
  MAX_IN_FLIGHT_CALLER: ['many'],
  IN_FLIGHT_ALWAYS: ['some'],
  MAX_CONNECTIONS: ['1e4'],
  HEAD_TIMEOUT: ['15s'],
  MAX_BODY_VALUES: ['-1'],
  PASSWORD_HASHES: ['65'],
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
  assert.throws(
    () => readConfig({ SURVEY_PROOF_WORK: '200000' }),
    (error: unknown) =>
      error instanceof ConfigError &&
      error.message ===
        'SURVEY_PROOF_WORK is no longer a setting: surveys are protected by RATE_LIMIT_PUBLIC',
  )
})
