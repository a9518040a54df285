import { spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectMs } from '../while-starting.ts'
import { codeOf, EmbeddedError, startFailure, reasonLine } from './failure.ts'
import { runAs, runningAs } from './owner.ts'
import { type Place, randomPort, rememberPort, type State } from './place.ts'

/** An idle connection to a server; `ended` when the server or the connection is gone. */
export type Watch = {
  /** The types of `pg` leave two out. */
  client: pg.Client & { ref(): void; unref(): void }
  ended: Promise<void>
}

/** A connection to the server that runs already, or undefined once it is certain that none does. */
export async function findRunning(place: Place): Promise<Watch | undefined> {
  const pidFile = join(place.cluster, 'postmaster.pid')
  const patience = patient(place, 300, 'is still starting or stopping')
  for (let unreadable = 0; ;) {
    const found = readPostmaster(place.cluster)
    if (!found) return undefined
    if (!found.pid) {
      // Empty after a full disk, or being written this instant; PostgreSQL would refuse to start.
      if (++unreadable > 10) fs.rmSync(pidFile, { force: true })
    } else if (!isAlive(found.pid)) {
      return undefined
    } else if (!isServer(found.pid, place)) {
      // The number went to another program (or is that of a dead child nobody reaped): same refusal.
      fs.rmSync(pidFile, { force: true })
      return undefined
    } else if (found.status === 'ready') {
      const watch = await connect({ ...place.state, port: found.port }).catch((error: Error) => {
        if (!isRefusal(error)) return undefined
        throw new EmbeddedError(
          `The PostgreSQL that runs in "${place.cluster}" refuses the password of ` +
            `"${join(place.folder, 'postgres.json')}" (${error.message}): restore that file, ` +
            'or stop all who use the database and start again, which resets the password.',
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

/** Starts the server, which nobody runs. On the same port when somebody holds its url. */
export async function launch(place: Place, where: 'same port' | 'any port'): Promise<Watch> {
  const begun = Date.now()
  for (;;) {
    const free = where === 'same port' || (await isFree(place.state.port))
    rememberPort(place, free ? place.state.port : await freePort())
    let output = await spawnServer(place)
    if (output === undefined) {
      try {
        return await connect(place.state)
      } catch (error) {
        if (isRefusal(error)) return resetPassword(place)
        output = `FATAL: ${(error as Error).message}`
      }
    }
    const waited = Date.now() - begun
    const taken = /Address already in use/.test(output) && where === 'any port'
    if (!(taken || passing.test(output)) || waited > 10_000) {
      throw startFailure(place, output, `PostgreSQL did not start: ${reasonLine(output)}.`)
    }
    // Busy sessions of a killed server hold its memory until they notice, maybe in minutes.
    if (/still in use/.test(output) && waited > 200) endOrphans(place)
    await sleep(25)
  }
}

/** What may be better at the next try: remains of a killed server, and being killed oneself. */
const passing =
  /still in use|postmaster\.pid" already exists|ended with SIG|ECONN|terminat|starting up|timeout/

/** Fast shutdown: sessions are ended, everything is written. */
export async function shutDown(place: Place) {
  const found = readPostmaster(place.cluster)
  if (!found?.pid || !isServer(found.pid, place)) return
  process.kill(found.pid, 'SIGINT')
  const patience = patient(place, 120, 'is still shutting down')
  while (isServer(found.pid, place)) await patience()
}

/**
 * A server that somebody else stopped (SIGTERM, "smart") refuses new sessions and waits for ours,
 * which never end. This lets it end now, so that it can be started again.
 */
export function hurryShutdown(place: Place) {
  try {
    const found = readPostmaster(place.cluster)
    if (found?.status !== 'stopping' || !isServer(found.pid, place)) return
    process.kill(found.pid, 'SIGINT')
  } catch {
    // It has ended meanwhile, or its folder has; whoever waits for it sees that.
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

/** By its arguments; a dead child that nobody reaped has none. */
function isServer(pid: number, { cluster }: Place) {
  return isAlive(pid) && `${commandOf(pid)} `.includes(`-D ${cluster} `)
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
    const args = ['-ww', '-o', 'command=', '-p', String(pid)]
    return spawnSync('ps', args, { encoding: 'utf8' }).stdout?.trim() ?? ''
  }
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
    connectionTimeoutMillis: connectMs,
  })
  // Its end is what we wait for, and that comes as another event.
  client.on('error', () => {})
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  await client.connect()
  return { client: client as Watch['client'], ended }
}

/** Class 28, invalid authorization: https://www.postgresql.org/docs/18/errcodes-appendix.html */
function isRefusal(error: unknown) {
  return codeOf(error)?.startsWith('28')
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
  const child = spawn(join(native, 'bin/postgres'), ['-D', cluster, ...flags], {
    ...runningAs(owner),
    // A session of its own: Ctrl-C is for us, who stop it when the last request is answered.
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
  return child.signalCode || !said.trim() ? ended : said
}

/** Returns the log's size. At most about 10 MB, and as much in `postgres.log.1`. */
function rotate(logFile: string) {
  const size = fs.statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size < 10e6) return size
  fs.renameSync(logFile, `${logFile}.1`)
  return 0
}

/** What is left of a server whose postmaster is dead: its title begins with the cluster's name. */
function endOrphans({ identity }: Place) {
  for (const [pid, command] of processes()) {
    if (!command.startsWith(`postgres: ${identity}:`)) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It noticed by itself.
    }
  }
}

function processes(): [number, string][] {
  if (fs.existsSync('/proc/self')) {
    const ids = fs.readdirSync('/proc').map(Number).filter(Boolean)
    return ids.map((pid) => [pid, commandOf(pid)])
  }
  const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' })
  const lines = (stdout ?? '').matchAll(/^\s*(\d+) (.*)$/gm)
  return [...lines].map(([, pid, command]) => [Number(pid), command!])
}

/** postgres.json was lost. Who has the files has the database: single-user mode requires no password. */
async function resetPassword(place: Place) {
  place.log('The database has another password than postgres.json: setting it again')
  await shutDown(place)
  const args = ['--single', '-D', place.cluster, 'postgres']
  const sql = `ALTER ROLE perennial PASSWORD '${place.state.password}'\n`
  runAs(place.owner, join(place.native, 'bin/postgres'), args, sql)
  const output = await spawnServer(place)
  const otherwise = 'The password of the database could not be reset'
  if (output !== undefined)
    throw startFailure(place, output, `${otherwise}: ${reasonLine(output)}.`)
  return await connect(place.state).catch((error: Error) => {
    throw startFailure(place, error.message, `${otherwise}: ${error.message}.`)
  })
}

/** Sleeps 5 ms, later up to 100; logs why every 10 s, gives up after `seconds`. */
function patient(place: Place, seconds: number, why: string) {
  const { log, cluster } = place
  const begun = Date.now()
  let notedAt = begun
  return async () => {
    const now = Date.now()
    if (now - begun > seconds * 1000) {
      throw new EmbeddedError(
        `The PostgreSQL of "${cluster}" ${why} after ${seconds} s: ` +
          'see postgres.log, end it if it hangs, and start again.',
      )
    }
    if (place.stopping) throw new EmbeddedError(`PostgreSQL ${why} while it is to be stopped.`)
    if (now - notedAt > 10_000) {
      log(`PostgreSQL ${why}`)
      notedAt = now
    }
    await sleep(Math.min(100, 5 + (now - begun) / 20))
  }
}
