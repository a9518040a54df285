import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freshDatabase } from './support/database.ts'
import {
  configFile,
  freshFolder,
  root,
  runProgram,
  startProgram,
  startServer,
} from './support/program.ts'
import { call, secretKey } from './support/service.ts'

describe('serve as a process', () => {
  test('a provisioned start shows the secrets it made, and only that start', async () => {
    const { url } = await freshDatabase()
    const folder = freshFolder()
    const file = join(folder, 'provision.json')
    const provision = {
      organizations: [
        {
          name: 'Acme',
          users: [
            { email: 'ada@acme.test', password: 'a password of hers', role: 'admin' },
            { email: 'bob@acme.test' },
          ],
          apps: [
            {
              name: 'Connector',
              client_id: 'connector',
              client_secret: 'its own secret!'.replaceAll(' ', '-'),
              scopes: ['company.read'],
            },
          ],
        },
      ],
    }
    writeFileSync(file, JSON.stringify(provision))
    const env = { DATABASE_URL: url, DATA_DIR: folder, PROVISION_FILE: file }
    const first = await startServer(env)
    assert.match(first.out(), /Acme, bob@acme\.test +password  \S{16}\n/)
    assert.match(first.out(), /Acme, Connector +function_key  pfk_\S+\n/)
    assert.ok(!first.out().includes('a password of hers'))
    assert.ok(!first.out().includes('its-own-secret!'))
    assert.ok(existsSync(join(folder, 'secret.key')))
    const body = { email: 'ada@acme.test', password: 'a password of hers' }
    assert.equal((await call(first.url, 'POST', '/api/login/', { body })).status, 200)
    first.child.kill('SIGTERM')
    assert.equal(await first.ended, 0)

    const second = await startServer(env)
    assert.doesNotMatch(second.out(), /bob@acme\.test/)
    second.child.kill('SIGINT')
    assert.equal(await second.ended, 0)
  })

  test('a second signal ends it at once', async () => {
    const { url } = await freshDatabase()
    const CONFIG_FILE = configFile({ stop_timeout: 60 })
    const env = { DATABASE_URL: url, DATA_DIR: freshFolder(), CONFIG_FILE }
    const server = await startServer(env)
    // a request that never ends delays the first stop
    const { port } = new URL(server.url)
    const held = fetch(`http://127.0.0.1:${port}/api/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      duplex: 'half',
      body: new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{')) }),
    } as RequestInit).catch(() => {})
    await connected(server.url, 2)
    server.child.kill('SIGTERM')
    await server.said('"stopping"')
    // an earlier one counts as the same signal, passed on by npm
    await sleep(300)
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 1)
    await held
  })

  test('a signal to npm start ends the service with it', async () => {
    const { url } = await freshDatabase()
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, DATABASE_URL: url, DATA_DIR: freshFolder(), PORT: '0' }
    const npm = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
    let out = ''
    for await (const chunk of npm.stdout) {
      out += chunk
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(out) ?? []
      if (!address || !out.includes('is ready after')) continue
      assert.equal((await fetch(`${address}/livez`)).status, 200)
      npm.kill('SIGTERM')
      break
    }
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(out) ?? []
    assert.ok(address, out)
    if (npm.exitCode === null && npm.signalCode === null) await once(npm, 'exit')
    await assert.rejects(fetch(`${address}/livez`), 'the service is still there')
  })

  test('Ctrl-C at npm start, which reaches it twice, stops it whole', async () => {
    const { PATH, HOME } = process.env
    // its own PostgreSQL takes a while to stop, and would be left running
    const env = { PATH, HOME, DATA_DIR: freshFolder(), PORT: '0', SEED: 'none' }
    // in a separate process group, as from a terminal
    const options = { cwd: root, env, detached: true }
    const npm = spawn('npm', ['start'], { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
    let out = ''
    let isInterrupted = false
    for await (const chunk of npm.stdout) {
      out += chunk
      if (isInterrupted || !out.includes('is ready after')) continue
      isInterrupted = true
      process.kill(-npm.pid!, 'SIGINT')
    }
    assert.match(out, /"msg":"stopping"[^]*"msg":"stopped"/)
  })

  test('with --json the ready line is JSON', async () => {
    const { url } = await freshDatabase()
    const env = { DATABASE_URL: url, DATA_DIR: freshFolder(), PORT: '0', LOG_LEVEL: 'silent' }
    const program = startProgram(['serve', '--json'], env)
    await program.said('"ready":true')
    const ready = JSON.parse(program.out())
    assert.equal((await fetch(`${ready.url}/readyz`)).status, 200)
  })
})

/** Until so many connections are open, this one included. */
async function connected(url: string, count: number) {
  const wanted = new RegExp(`^http_connections ${count}$`, 'm')
  while (!wanted.test(await (await fetch(`${url}/metrics`)).text())) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('a signal that ends a command', () => {
  test('removes what a backup and an export have written so far', async () => {
    const { url } = await freshDatabase()
    const env = { DATABASE_URL: url, DATA_DIR: freshFolder(), SECRET_KEY: secretKey }
    assert.equal((await runProgram(['org', 'create', 'Acme'], env)).status, 0)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    // neither gets past this table
    await client.query('begin; lock table perennial.companies')
    try {
      for (const command of [['backup'], ['org', 'export', 'Acme']]) {
        const folder = freshFolder()
        const program = startProgram([...command, '--to', join(folder, 'written')], env)
        while (!readdirSync(folder).length) await sleep(20)
        program.child.kill('SIGINT')
        assert.equal(await program.ended, 130)
        assert.deepEqual(readdirSync(folder), [])
        assert.equal(program.err(), '')
      }
    } finally {
      await client.end()
    }
  })

  test('stops the embedded database, too', async () => {
    const folder = freshFolder()
    const program = startProgram(['migrate'], { DATA_DIR: folder })
    while (!program.err().includes('Making a new database')) await sleep(20)
    program.child.kill('SIGTERM')
    assert.equal(await program.ended, 143)
    // elsewhere than in the folder where its own user cannot enter that
    const { cluster = join(folder, 'postgres') } = JSON.parse(
      readFileSync(join(folder, 'postgres.json'), 'utf8'),
    )
    assert.ok(!existsSync(join(cluster, 'postmaster.pid')))
  })
})
