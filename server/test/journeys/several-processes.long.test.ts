import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { readDemos } from '../../src/demo/credentials.ts'
import { freshDatabase } from '../support/database.ts'
import { atEnd } from '../support/finally.ts'
import { environment, freePort, makeWorld } from '../support/killed.ts'
import { startLoad } from '../support/load.ts'
import {
  configFile,
  freshFolder,
  runProgram,
  startProgram,
  startServer,
} from '../support/program.ts'
import { call } from '../support/service.ts'
import { until } from '../support/until.ts'

type Server = Awaited<ReturnType<typeof startServer>>

/** The numbers of the processes on the metrics page. */
async function processes(url: string): Promise<string[]> {
  const { text } = await call(url, 'GET', '/metrics')
  return [...text.matchAll(/^http_connections\{process="(\d+)"\}/gm)].map(
    ([, number = '']) => number,
  )
}

/** The jobs that wait, as each process counts them. */
async function jobsCounted(url: string): Promise<string[]> {
  const { text } = await call(url, 'GET', '/metrics')
  return [...text.matchAll(/^jobs_waiting\{.*queue="send-mail".*\} 0$/gm)].map(([line]) => line)
}

/** How many processes ended by themselves. */
function endings(server: Server): number {
  return server.out().split('a process ended, another one is started').length - 1
}

/** The processes that the server has started, as the system numbers them. */
function children({ child }: Server): number[] {
  const text = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(child.pid)], {
    encoding: 'utf8',
  })
  const lines = text.split('\n').filter((line) => line.endsWith(' serve'))
  return lines.map((line) => Number.parseInt(line, 10))
}

describe('several processes on one port', () => {
  let env: { [name: string]: string }
  let server: Server
  let token: string
  let companies = 0

  const count = async () => {
    const path = '/api/company/?page=1&items_per_page=1&include_count=true'
    const reply = await call(server.url, 'GET', path, { token })
    assert.equal(reply.status, 200, reply.text)
    return Number(reply.headers.get('x-total-count'))
  }

  before(async () => {
    const { url, database } = await freshDatabase()
    const port = await freePort()
    env = { ...environment(url), LOG_LEVEL: 'info', PORT: String(port) }
    const world = await makeWorld(database, port)
    token = world.org.users.admin.token
    server = await startServer(env, ['--processes', '2'])
    companies = await count()
  })

  test('each is on the metrics page, whichever answers', async () => {
    for (let i = 0; i < 4; i++) {
      assert.deepEqual((await processes(server.url)).toSorted(), ['1', '2'])
    }
    assert.equal(children(server).length, 2)
    await until(async () => (await jobsCounted(server.url)).length === 2)
  })

  test('one that is killed is restarted, and the others continue', async () => {
    const [first = 0] = children(server)
    process.kill(first, 'SIGKILL')
    await until(() => endings(server) === 1)
    assert.equal((await call(server.url, 'GET', '/livez')).status, 200)
    await until(() => children(server).length === 2, 120)
    assert.ok(!children(server).includes(first))
    await until(async () => (await processes(server.url)).length === 2, 120)
  })

  test('are replaced one after another under load, and no request fails', async (t) => {
    const old = children(server)
    const load = await startLoad(server.url, token)
    await load.underWay
    server.child.kill('SIGUSR2')
    await server.said('the processes are replaced')
    const now = children(server)
    assert.equal(now.length, 2)
    assert.ok(!now.some((pid) => old.includes(pid)))
    const { answered, made, refused, dropped } = await load.stop()
    t.diagnostic(`${answered} answered, ${made} made`)
    assert.deepEqual({ dropped, refused }, { dropped: [], refused: 0 })
    companies += made
    assert.equal(await count(), companies)
  })

  test('stop on SIGTERM under load without dropping a request', async (t) => {
    const load = await startLoad(server.url, token)
    await load.underWay
    server.child.kill('SIGTERM')
    const status = await server.ended
    const { answered, made, refused, dropped } = await load.ended
    t.diagnostic(`${answered} answered, ${made} made, ${refused} refused`)
    assert.deepEqual(dropped, [])
    assert.equal(status, 0)
    assert.ok(!server.out().includes('killed'), server.out())
  })

  test('a signal to replace them does not end a start', async () => {
    const starting = startProgram(['serve', '--processes', '2'], {
      DATA_DIR: freshFolder(),
      PORT: String(await freePort()),
    })
    await until(() => starting.err().includes('Making a new database'))
    starting.child.kill('SIGUSR2')
    await starting.said('Perennial is ready')
    starting.child.kill('SIGTERM')
    assert.equal(await starting.ended, 0)
  })

  test('say in one sentence why one of them does not start', async (t) => {
    const smtp = createServer().listen(0, '127.0.0.1')
    await once(smtp, 'listening')
    t.after(() => smtp.close())
    const { port } = smtp.address() as AddressInfo
    const CONFIG_FILE = configFile({ mail_inbound_port: port })
    const mail = { MAIL_INBOUND_DOMAIN: 'reply.example.com', CONFIG_FILE }
    const { status, err } = await runProgram(['serve', '--processes', '2'], { ...env, ...mail })
    assert.equal(status, 1)
    assert.match(err, /^perennial: Process 1 of 2 did not start: .*\n$/)
  })
})

test('the parent keeps the embedded database, whichever of the others ends', async () => {
  const folder = freshFolder()
  const env = { DATA_DIR: folder }
  const server = await startServer(env, ['--processes', '2'])
  atEnd(async () => {
    if (existsSync(join(folder, 'postgres.json'))) await runProgram(['migrate'], env)
  })
  const { demos } = readDemos(folder)
  assert.equal(demos.length, 1)
  assert.ok(server.out().includes(demos[0]!.password))
  const { email, password } = demos[0]!
  const signIn = () => call(server.url, 'POST', '/api/login/', { body: { email, password } })
  assert.equal((await signIn()).status, 200)
  for (const pid of children(server)) process.kill(pid, 'SIGKILL')
  await until(() => endings(server) === 2)
  await until(async () => (await signIn().catch(() => ({ status: 0 }))).status === 200, 120)
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  assert.ok(!server.out().includes('PostgreSQL had ended'), server.out())
})
