import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Demo, readDemos } from '../../src/demo/credentials.ts'
import { atEnd } from '../support/finally.ts'
import { connections, startLoad } from '../support/load.ts'
import { freshFolder, root, runProgram, startServer } from '../support/program.ts'
import { call } from '../support/service.ts'

type Server = Awaited<ReturnType<typeof startServer>>

/** Steps of one journey, in order: each goes on where the one before ended. */
describe('the first start without any configuration', () => {
  const folder = freshFolder()
  const env = { DATA_DIR: folder, LOG_LEVEL: 'trace' }
  const times: string[] = []
  const said: string[] = []
  let server: Server
  let demo: Demo
  let companies = 0

  async function start(): Promise<Server> {
    const begun = performance.now()
    server = await startServer(env)
    times.push(`${Math.round(performance.now() - begun)} ms`)
    return server
  }

  async function stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
    server.child.kill(signal)
    const status = await server.ended
    said.push(server.out(), server.err())
    return status
  }

  const signIn = async () => {
    const body = { email: demo.email, password: demo.password }
    const reply = await call(server.url, 'POST', '/api/login/', { body })
    assert.equal(reply.status, 200, reply.text)
    return reply.body.access_token as string
  }

  const count = async () => {
    const path = '/api/company/?page=1&items_per_page=1&include_count=true'
    const reply = await call(server.url, 'GET', path, { token: await signIn() })
    assert.equal(reply.status, 200, reply.text)
    return Number(reply.headers.get('x-total-count'))
  }

  before(async () => {
    await start()
    atEnd(async () => {
      // the database outlives a killed service; the last to stop takes it along
      if (existsSync(join(folder, 'postgres.json'))) await runProgram(['migrate'], env)
    })
  })

  test('creates a demonstration and shows how to sign in, readable only by this user', (t) => {
    t.diagnostic(`ready after ${times[0]}`)
    const { demos, url } = readDemos(folder)
    assert.equal(demos.length, 1)
    demo = demos[0]!
    assert.equal(url, server.url)
    const shown = server.out()
    for (const text of [
      server.url,
      demo.name,
      `${demo.email}  ${demo.password}`,
      demo.app.client_id,
      demo.app.client_secret,
      demo.app.function_key,
    ]) {
      assert.ok(shown.includes(text), text)
    }
    assert.match(shown, /tour/)
    for (const file of ['demo.json', 'secret.key']) {
      assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file)
    }
  })

  test('gives its address and answers before the demonstration is written', () => {
    const [early, later] = [`Perennial answers at ${server.url} `, 'Perennial is ready after ']
    assert.ok(server.out().includes(early), server.out())
    assert.ok(server.out().indexOf(early) < server.out().indexOf(later))
  })

  test('connects as a user that owns nothing, jobs and reads alike', async () => {
    const { password, port } = JSON.parse(readFileSync(join(folder, 'postgres.json'), 'utf8'))
    const client = new pg.Client({
      connectionString: `postgres://perennial:${password}@127.0.0.1:${port}/perennial`,
    })
    await client.connect()
    try {
      await signIn()
      const { rows } = await client.query(`select application_name as name, usename as user_name
        from pg_stat_activity where datname = 'perennial' and pid <> pg_backend_pid()`)
      assert.deepEqual([...new Set(rows.map(({ user_name }) => user_name))], ['perennial_service'])
      const names = new Set(rows.map(({ name }) => name))
      for (const name of ['read', 'write', 'listen', 'jobs']) {
        assert.ok(names.has(`perennial ${name}`), name)
      }
    } finally {
      await client.end()
    }
  })

  test('shows a command for the application surface that works as it is', async () => {
    const commands = /^TOKEN=.*\n^curl .*/m.exec(server.out())
    assert.ok(commands, server.out())
    const list = JSON.parse(await bash(commands[0]))
    assert.equal(list.length, 3)
    assert.ok(list[0].company_id)
  })

  test('shows a command for the integration surface that works as it is', async () => {
    const command = /^.* sign .*\| curl .*/m.exec(server.out())
    assert.ok(command, server.out())
    const list = JSON.parse(await bash(command[0]))
    assert.equal(list.results.length, 3, JSON.stringify(list))
    assert.ok(list.next_cursor)
  })

  test('stops on SIGTERM under load without dropping a request', async (t) => {
    companies = await count()
    const load = await startLoad(server.url, await signIn())
    await load.underWay
    const status = await stop()
    const { answered, made, refused, dropped } = await load.ended
    t.diagnostic(`${answered} answered, ${made} made, ${refused} refused`)
    assert.deepEqual(dropped, [])
    assert.equal(status, 0)
    assert.ok(made > 0)
    companies += made
  })

  test('starts again quickly, with everything that was acknowledged', async (t) => {
    await start()
    t.diagnostic(`ready after ${times.at(-1)}`)
    assert.ok(!server.out().includes('Perennial answers at'), server.out())
    assert.equal(await count(), companies)
    const shown = server.out()
    assert.ok(shown.includes(demo.password), 'how to sign in is said again')
    assert.ok(!shown.includes(demo.app.client_secret), 'but briefly')
    assert.equal(readDemos(folder).url, server.url)
  })

  test('starts again after kill -9, with everything that was acknowledged', async (t) => {
    const load = await startLoad(server.url, await signIn())
    await load.underWay
    await stop('SIGKILL')
    const { made } = await load.ended
    await start()
    t.diagnostic(`ready after ${times.at(-1)}`)
    const found = await count()
    // what was on its way may have been done without an answer
    assert.ok(found >= companies + made, `${found} of ${companies + made}`)
    assert.ok(found <= companies + made + connections)
  })

  test('a second process on the same folder warns, and joins', async () => {
    const other = await startServer(env)
    const said = `Another server runs on "${folder}": ${server.url} (process ${server.child.pid}, since `
    assert.ok(other.err().includes(said), other.err())
    assert.ok(!server.err().includes('Another server'), server.err())
    const body = { email: demo.email, password: demo.password }
    assert.equal((await call(other.url, 'POST', '/api/login/', { body })).status, 200)
    other.child.kill('SIGTERM')
    assert.equal(await other.ended, 0)
    assert.equal((await call(server.url, 'GET', '/readyz')).status, 200)
  })

  test('never says a secret in its log', async () => {
    const token = await signIn()
    const query = `code=${demo.app.function_key}&signature=abcdef0123456789`
    await call(server.url, 'GET', `/automation/company?${query}`, { token })
    await call(server.url, 'POST', '/api/login/', { body: `{"password":"${demo.password}",` })
    assert.equal(await stop(), 0)
    const lines = said.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('{'))
    assert.ok(lines.length > 20, 'at trace every request has a line')
    const key = readFileSync(join(folder, 'secret.key'), 'utf8')
    const { password: database } = JSON.parse(readFileSync(join(folder, 'postgres.json'), 'utf8'))
    const { client_secret, function_key } = demo.app
    const secrets = { key, database, client_secret, function_key, token, password: demo.password }
    for (const [name, secret] of Object.entries(secrets)) {
      assert.ok(secret.length > 10, name)
      const leak = lines.find((line) => line.includes(secret))
      assert.equal(leak, undefined, `${name} is in the log`)
    }
    const queries = lines.filter((line) => JSON.parse(line).path?.includes('?'))
    assert.deepEqual(queries, [])
  })
})

async function bash(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: root })
  return stdout
}
