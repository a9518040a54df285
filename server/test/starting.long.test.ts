import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { freshDatabase } from './support/database.ts'
import { atEnd } from './support/finally.ts'
import { freshFolder, runProgram, startProgram, startServer } from './support/program.ts'
import { call, secretKey } from './support/service.ts'

/**
 * Between the service and PostgreSQL: breaks so many connections off, as where nothing listens yet, and says to so many
 * after them that it is starting, as PostgreSQL does.
 */
async function startingFor(refused: number, target: string, absent = 0): Promise<string> {
  const { hostname, port } = new URL(target)
  let answered = 0
  const server = createServer((near) => {
    near.on('error', () => {})
    const number = answered++
    if (number < absent) {
      near.resetAndDestroy()
      return
    }
    if (number < absent + refused) {
      near.once('data', () => near.end(startingUp))
      return
    }
    const far = connect(Number(port), hostname)
    far.on('error', () => near.destroy())
    near.on('close', () => far.destroy())
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => sockets.add(socket))
  atEnd(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return url.href
}

/** An ErrorResponse of PostgreSQL's protocol 3. */
const startingUp = (() => {
  const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up']
  const body = Buffer.from(`${fields.join('\0')}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
})()

const environment = (DATABASE_URL: string) => ({
  DATABASE_URL,
  DATA_DIR: freshFolder(),
  SECRET_KEY: secretKey,
  PORT: '0',
  LOG_LEVEL: 'fatal',
})

describe('a database that is starting', () => {
  for (const args of [
    ['migrate'],
    ['doctor'],
    ['org', 'create', 'Acme'],
    ['backup', '--to', '-'],
  ]) {
    test(`${args[0]} waits while PostgreSQL says so`, async () => {
      const { url } = await freshDatabase()
      const env = environment(await startingFor(6, url))
      const { status, out, err } = await runProgram(args, env)
      assert.equal(status, 0, `${out}${err}`)
    })
  }

  test('the service waits while PostgreSQL says so, and says that it waits', async () => {
    const { url } = await freshDatabase()
    const server = await startServer(environment(await startingFor(6, url)))
    assert.match(server.err(), /The database is starting: waiting for it/)
  })

  test('the service waits for one that is not there yet, and then is starting', async () => {
    const { url } = await freshDatabase()
    await startServer(environment(await startingFor(4, url, 4)))
  })

  test('a signal ends a start that waits, at once', async () => {
    const { url } = await freshDatabase()
    const program = startProgram(['serve'], environment(await startingFor(Infinity, url)))
    const said = new Promise<void>((resolve) =>
      program.child.stderr!.on('data', () => /is starting/.test(program.err()) && resolve()),
    )
    await Promise.race([said, program.ended])
    program.child.kill('SIGTERM')
    assert.equal(await program.ended, 0)
  })
})

describe('a busy processor', () => {
  test('a first start with many users comes up, and they sign in', async () => {
    const count = 300
    const users = Array.from({ length: count }, (_, i) => ({
      email: `user${i}@acme.test`,
      password: `password ${i}`,
      role: i ? 'member' : 'admin',
    }))
    const folder = freshFolder()
    const file = join(folder, 'provision.json')
    writeFileSync(file, JSON.stringify({ organizations: [{ name: 'Acme', users }] }))
    const busy = keepBusy(availableParallelism())
    try {
      // the embedded database, which asks for a password as most do
      const env = { DATA_DIR: folder, PROVISION_FILE: file, PORT: '0', LOG_LEVEL: 'fatal' }
      const server = await startServer(env)
      const { email, password } = users.at(-1)!
      const answer = await call(server.url, 'POST', '/api/login/', { body: { email, password } })
      assert.equal(answer.status, 200, answer.text)
      server.child.kill('SIGTERM')
      await server.ended
    } finally {
      for (const each of busy) each.kill('SIGKILL')
    }
  })
})

/** Processes that each want a whole processor, for a few minutes at most. */
function keepBusy(count: number): ChildProcess[] {
  const loop = 'const end = Date.now() + 180_000; while (Date.now() < end);'
  return Array.from({ length: count }, () => spawn(process.execPath, ['-e', loop]))
}
