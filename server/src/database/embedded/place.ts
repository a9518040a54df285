import { createHash, randomBytes, randomInt } from 'node:crypto'
import * as fs from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { checkCluster, checkMajor, isCluster } from './cluster.ts'
import { EmbeddedError } from './failure.ts'
import { blockedAt, makeFolder, openSystemDir, type Owner, ownerOf } from './owner.ts'
import { findPrograms } from './programs.ts'

/** All that is settled before the server is touched. */
export type Place = {
  /** The data folder. */
  folder: string
  /** The cluster's own folder, in the data folder or, if the owner cannot enter that, elsewhere. */
  cluster: string
  owner: Owner
  /** In the title of each process of the server. */
  identity: string
  /** The folder with PostgreSQL's `bin`, `lib` and `share`. */
  native: string
  version: string
  state: State
  log: Log
  /** Set when we are to stop: whoever waits for the server then gives up. */
  stopping: boolean
}

/** What postgres.json keeps; `cluster` only when the data is not in the data folder itself. */
export type State = { password: string; port: number; host: string; cluster?: string }

export type Log = (message: string) => void

/** Makes the folder if need be; fails early with what would fail later. Returns its real path. */
export function openFolder(folder: string) {
  makeFolder(folder)
  const real = fs.realpathSync(folder)
  fs.accessSync(real, fs.constants.W_OK | fs.constants.X_OK)
  for (const name of ['postgres.json', 'postgres.lock', 'postgres.users', 'postgres.log']) {
    const path = join(real, name)
    if (fs.existsSync(path)) fs.accessSync(path, fs.constants.R_OK | fs.constants.W_OK)
  }
  return real
}

/** Where the data is, who runs the server, with which programs: found and checked. */
export function findPlace(folder: string, systemDir: string, log: Log): Place {
  const state = readState(folder) ?? newState(folder)
  let cluster = state.cluster ?? join(folder, 'postgres')
  if (fs.existsSync(cluster)) cluster = fs.realpathSync(cluster)
  if (state.cluster && !isCluster(cluster)) {
    throw new EmbeddedError(
      `"${join(folder, 'postgres.json')}" says that the data is in "${cluster}", where none is: ` +
        `bring it back, or delete that file to begin with an empty database.`,
    )
  }
  const owner = ownerOf(cluster)
  const blocked = owner && blockedAt(dirname(cluster), owner)
  if (blocked && isCluster(cluster)) {
    throw new EmbeddedError(
      `PostgreSQL runs as "${owner.name}", who cannot enter "${blocked}", where the data is: ` +
        `allow it (chmod o+x "${blocked}"), or move the data folder and set DATA_DIR.`,
    )
  }
  if (blocked) {
    openSystemDir(systemDir, owner)
    // By the password, not by the path: a deleted data folder must come back empty.
    const name = `${basename(dirname(folder))}-${basename(folder)}-${hash(state.password)}`
    cluster = join(fs.realpathSync(systemDir), name, 'postgres')
    log(`"${owner.name}" cannot enter "${blocked}", so the data is kept in "${cluster}"`)
  }
  checkCluster(cluster, owner)
  const { native, version } = findPrograms(folder, systemDir, owner)
  checkMajor(cluster, version)
  // By the path: a copy of the folder must not take the original's server for its own.
  const identity = `perennial-${hash(cluster)}`
  return { folder, cluster, owner, identity, native, version, state, log, stopping: false }
}

/** Once there is a cluster elsewhere, postgres.json points to it. */
export function rememberCluster({ folder, cluster, state }: Place) {
  if (state.cluster || cluster === join(folder, 'postgres')) return
  if (isCluster(join(folder, 'postgres'))) return
  writeState(folder, Object.assign(state, { cluster }))
}

/** So that the url stays the same over restarts, and a server that died comes back on it. */
export function rememberPort({ folder, state }: Place, port: number) {
  if (state.port === port && state.host === hostname()) return
  writeState(folder, Object.assign(state, { port, host: hostname() }))
}

/** Makes durable what was made or renamed in the folder. */
export function syncFolder(folder: string) {
  const descriptor = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

/**
 * Below the range from which systems give out ports (32768 on Linux, 49152 on macOS): while the server
 * is down, a client that keeps trying could otherwise be given that very port, and meet itself there.
 */
export function randomPort() {
  return randomInt(21_000, 25_000)
}

function readState(folder: string): State | undefined {
  const path = join(folder, 'postgres.json')
  if (!fs.existsSync(path)) return undefined
  try {
    const state = JSON.parse(fs.readFileSync(path, 'utf8')) as Partial<State> | null
    if (typeof state?.password === 'string' && typeof state.port === 'number') {
      return state as State
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new EmbeddedError(
    `"${path}" is damaged: restore it, or delete it if it names no "cluster": a new one is created then.`,
  )
}

function newState(folder: string): State {
  const password = randomBytes(24).toString('base64url')
  const state = { password, port: randomPort(), host: hostname() }
  writeState(folder, state)
  return state
}

function writeState(folder: string, state: State) {
  const path = join(folder, 'postgres.json')
  fs.rmSync(`${path}.new`, { force: true })
  const text = JSON.stringify(state, null, 2) + '\n'
  fs.writeFileSync(`${path}.new`, text, { mode: 0o600, flag: 'wx', flush: true })
  fs.renameSync(`${path}.new`, path)
  syncFolder(folder)
}

function hash(text: string) {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
