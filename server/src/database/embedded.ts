import { createHmac } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isCluster } from './embedded/cluster.ts'
import { EmbeddedError, explained, startFailure } from './embedded/failure.ts'
import { makeCluster, removeHalfMade } from './embedded/initdb.ts'
import { becomeUser, isUnused, type Lock, passGate, tryGate } from './embedded/lock.ts'
import {
  findPlace,
  type Log,
  openFolder,
  type Place,
  rememberCluster,
  type State,
} from './embedded/place.ts'
import { serviceRole } from './roles.ts'
import { findRunning, hurryShutdown, launch, shutDown, type Watch } from './embedded/server.ts'

export { EmbeddedError }

/**
 * A running PostgreSQL. `url` is the superuser's, on the database `perennial`, and stays valid until
 * `stop()`. `adopted` says that the server was already running.
 *
 * Every caller of `startEmbedded` is a user of the server until `stop()` or the end of its process. The
 * last user to stop shuts the server down (fast mode, which ends the sessions of those who only know the
 * url); while there are other users, `stop()` leaves the server running.
 */
export type Embedded = {
  url: string
  /** how the service connects: as a user of its own, once `migrate` has made it */
  service: { url: string; user: string; password: string }
  adopted: boolean
  stop(): Promise<void>
}

/**
 * Finds or starts the PostgreSQL of `dataDir`, creating the cluster first if there is none, and
 * restarts it on the same port when it ends. Any number of processes may do this at once on one folder.
 * As root the server runs as `postgres` or `nobody`; what that user cannot reach is stored in
 * `systemDir`. Throws EmbeddedError.
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

async function open(folder: string, systemDir: string, log: Log): Promise<Embedded> {
  const gate = await passGate(folder, log)
  let place: Place | undefined
  let user: Lock | undefined
  try {
    place = findPlace(folder, systemDir, log)
    const others = !isUnused(folder)
    user = becomeUser(folder)
    if (!isCluster(place.cluster)) await makeCluster(place)
    rememberCluster(place)
    const running = await adopt(place, others)
    if (!running && others && place.state.host !== hostname()) {
      throw new EmbeddedError(
        `Another machine or container ("${place.state.host}") uses the database in "${folder}": ` +
          `stop it first, or give both a DATABASE_URL.`,
      )
    }
    const watch = running ?? (await launch(place, others ? 'same port' : 'any port'))
    await makeDatabase(place, watch)
    removeHalfMade(place)
    return {
      url: urlOf(place.state),
      service: serviceOf(place.state),
      adopted: running !== undefined,
      stop: keepAlive(place, watch, user),
    }
  } catch (error) {
    user?.release()
    if (place && user && isUnused(folder)) await shutDown(place).catch(() => {})
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

async function isOutdated({ client }: Watch, { version }: Place) {
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
  return rows[0]?.server_version !== version
}

/** Not `postgres`, where we watch from: `CREATE DATABASE … TEMPLATE` wants nobody to be connected. */
async function makeDatabase(place: Place, { client }: Watch) {
  try {
    const found = await client.query("SELECT FROM pg_database WHERE datname = 'perennial'")
    if (!found.rowCount) await client.query('CREATE DATABASE perennial')
  } catch (error) {
    void client.end()
    const { message } = error as Error
    throw startFailure(place, message, `The database "perennial" could not be made: ${message}.`)
  }
}

function urlOf({ password, port }: State, user = 'perennial') {
  return `postgres://${user}:${password}@127.0.0.1:${port}/perennial?sslmode=disable`
}

/** Its password follows from the superuser's, and reveals nothing of it. */
function serviceOf(state: State) {
  const password = createHmac('sha256', state.password).update(serviceRole).digest('hex')
  return { url: urlOf({ ...state, password }, serviceRole), user: serviceRole, password }
}

/**
 * Watches the server over an idle connection, which ends the moment the server dies, and brings it
 * back: 0.1 s, or 0.4 s when a busy session outlives the server. Returns `stop`.
 */
function keepAlive(place: Place, first: Watch, user: Lock) {
  const { folder, log } = place
  let watch = first
  let reviving: Promise<void> | undefined
  let stopped: Promise<void> | undefined

  const hurry = setInterval(() => hurryShutdown(place), 500).unref()
  const guard = () => {
    // Nobody needs this connection to keep a process alive.
    watch.client.unref()
    void watch.ended.then(() => {
      if (!place.stopping) reviving = revive()
    })
  }
  const revive = async () => {
    let noted = ''
    while (!place.stopping) {
      let gate: Lock | undefined
      try {
        gate = tryGate(folder)
        if (gate) {
          const running = await findRunning(place)
          watch = running ?? (await launch(place, 'same port'))
          if (!running) log('PostgreSQL had ended and was started again')
          guard()
          return
        }
      } catch (error) {
        const { message } = explained(error, folder) as Error
        if (message !== noted) log((noted = message))
      } finally {
        gate?.release()
      }
      await sleep(gate ? 250 : 10)
    }
  }
  const stop = async () => {
    place.stopping = true
    clearInterval(hurry)
    await reviving
    watch.client.ref()
    void watch.client.end()
    await Promise.race([watch.ended, sleep(1000, undefined, { ref: false })])
    place.stopping = false
    // Users are added and removed only inside the gate, so that nobody can become one during a
    // shutdown.
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
