import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { makeLog } from './log.ts'

function captured() {
  const lines: string[] = []
  const log = makeLog('trace', { write: (line: string) => void lines.push(line) })
  return { log, text: () => lines.join(''), last: () => JSON.parse(lines.at(-1)!) }
}

test('a line is JSON with level, time and message', () => {
  const { log, last } = captured()
  log.info({ path: '/api/company/', status: 200 }, 'request')
  const { time, ...line } = last()
  assert.deepEqual(line, { level: 'info', path: '/api/company/', status: 200, msg: 'request' })
  assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000)
})

test('no secret is logged, wherever in a line it is', () => {
  const { log, text } = captured()
  const secret = 'S3cr3tS3cr3tS3cr3t'
  const jwt = `eyJhbGciOiJFZERTQSJ9.eyJ${secret}.${secret}`
  log.info({ password: secret, nested: { client_secret: secret, list: [{ token: secret }] } }, 'a')
  log.info({ headers: { authorization: `Bearer ${secret}`, cookie: secret } }, 'b')
  log.info({ headers: { 'x-functions-key': secret, 'x-oauth-signature': secret } }, 'c')
  log.info({ url: `/automation/company?code=${secret}&limit=3` }, 'd')
  log.info({}, `postgres://perennial:${secret}@db.example/x cannot be reached`)
  log.info({ said: `Basic ${secret}`, jwt: `is ${jwt}`, hook: `whsec_${secret}` }, jwt)
  log.warn(`GET /oauth/authorize?signature=${secret} failed`)
  log.error(new Error(`prt_${secret} was sent to https://x:${secret}@host.example/?a=${secret}`))
  log.error({ err: new Error('outer', { cause: new Error(`pfk_${secret}`) }) }, 'e')
  log.child({ reqId: '1' }).error({ err: { password_hash: secret } }, 'f')
  assert.ok(!text().includes(secret), text())
  assert.equal(text().trim().split('\n').length, 10)
})

test('a long text is searched for secrets in a short time', () => {
  const { log, text } = captured()
  for (const part of ['eyJ-', 'eyJa.', 'Bearer ', 'a://', 'psk_', '?/'])
    log.info({}, part.repeat(400_000 / part.length))
  assert.equal(text().trim().split('\n').length, 6)
})

test('of a database error the row that caused it is left out', () => {
  const { log, last, text } = captured()
  const error = new pg.DatabaseError('duplicate key value', 10, 'error')
  Object.assign(error, {
    code: '23505',
    table: 'users',
    constraint: 'users_email_key',
    detail: 'Key (email_key)=(ada@acme.example) already exists.',
  })
  log.error({ err: error }, 'unexpected error')
  const { err } = last()
  assert.equal(err.code, '23505')
  assert.equal(err.table, 'users')
  assert.equal(err.constraint, 'users_email_key')
  assert.match(err.stack, /log\.test\.ts/)
  assert.ok(!text().includes('ada@acme.example'))
})

test('values that cannot be written as JSON do no harm', () => {
  const { log, last } = captured()
  const loop: { self?: unknown } = {}
  loop.self = loop
  log.info({ loop, when: new Date(0), bytes: Buffer.from('x'), nothing: null, big: 10n }, 'odd')
  assert.equal(last().msg, 'odd')
  assert.equal(last().nothing, null)
})

test('credentials and query strings are removed from long texts in linear time', () => {
  const { log, last } = captured()
  log.info('1http://ann:pw@a.test/p?q=1 and a?b/c?d=2')
  assert.equal(last().msg, '1http://[redacted]@a.test/p and a?b/c')
  const start = process.threadCpuUsage()
  for (const part of ['a.', '/', '/a']) log.info(part.repeat(100_000))
  const { user, system } = process.threadCpuUsage(start)
  const ms = (user + system) / 1000
  assert.ok(ms < 500, `took ${ms} ms`)
})
