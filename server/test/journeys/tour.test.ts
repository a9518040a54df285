import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readDemos } from '../../src/demo/credentials.ts'
import { freshDatabase } from '../support/database.ts'
import { freshFolder, runProgram, startServer } from '../support/program.ts'
import { call, secretKey } from '../support/service.ts'

/** A server over a database of its own with a demonstration, and what `perennial` needs to find it. */
async function serverWithDemo() {
  const { url } = await freshDatabase()
  const env = { DATABASE_URL: url, DATA_DIR: freshFolder(), SECRET_KEY: secretKey }
  const made = await runProgram(['demo'], env)
  assert.equal(made.status, 0, made.err)
  const server = await startServer(env)
  return { env, server, demo: readDemos(env.DATA_DIR).demos[0]! }
}

async function companiesOf(url: string, { email, password }: { email: string; password: string }) {
  const { body } = await call(url, 'POST', '/api/login/', { body: { email, password } })
  const path = '/api/company/?page=1&items_per_page=1&include_count=true'
  const list = await call(url, 'GET', path, { token: body.access_token })
  return Number(list.headers.get('x-total-count'))
}

const demoServer = await serverWithDemo()

describe('the tour of a running server', () => {
  test('goes well at every step, prints each with its time, and leaves nothing behind', async () => {
    const { env, server, demo } = demoServer
    const before = await companiesOf(server.url, demo)
    const { status, out, err } = await runProgram(['tour'], { DATA_DIR: env.DATA_DIR })
    assert.equal(status, 0, out + err)
    const steps = out.match(/^✔ +\d+ ms  \S.*$/gm) ?? []
    assert.equal(steps.length, 16, out)
    assert.match(out, /^All 16 steps went well, in [\d.]+ s$/m)
    assert.equal(await companiesOf(server.url, demo), before)
    for (const secret of [demo.password, demo.app.client_secret, demo.app.function_key]) {
      assert.ok(!out.includes(secret))
    }
  })

  test('is JSON for scripts', async () => {
    const { env } = demoServer
    const { status, out } = await runProgram(['tour', '--json'], { DATA_DIR: env.DATA_DIR })
    assert.equal(status, 0, out)
    const { ok, steps } = JSON.parse(out)
    assert.equal(ok, true)
    assert.equal(steps.length, 16)
    for (const { step, ok: isOk, ms } of steps) assert.ok(step && isOk && ms >= 0)
  })

  test('ends at the first step that fails, and reports what was expected and what came', async () => {
    const { env } = demoServer
    const options = ['tour', '--json', '--client-secret', 'not the secret']
    const { status, out } = await runProgram(options, { DATA_DIR: env.DATA_DIR })
    assert.equal(status, 1)
    const { ok, steps } = JSON.parse(out)
    assert.equal(ok, false)
    const { step, expected, got } = steps.at(-1)
    assert.equal(step, 'Authorize, signed')
    assert.equal(expected, 'status 302')
    assert.match(got, /^401 .*Invalid signature/)
    assert.ok(steps.slice(0, -1).every((each: any) => each.ok))
  })
})

test('the tour of a server that others reach says that webhooks to this machine are refused', async () => {
  const { demo } = demoServer
  const env = { ...demoServer.env, HOST: '0.0.0.0' }
  const server = await startServer(env)
  const before = await companiesOf(server.url, demo)
  const { status, out } = await runProgram(['tour', '--json'], { DATA_DIR: env.DATA_DIR })
  assert.equal(status, 1)
  const { step, got } = JSON.parse(out).steps.at(-1)
  assert.equal(step, 'Subscribe to company_created')
  assert.match(got, /^400 /)
  assert.equal(await companiesOf(server.url, demo), before)
})
