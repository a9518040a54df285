import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedError } from './failure.ts'
import type { Log } from './place.ts'

/**
 * Locks of SQLite, on empty files: Node has no others, and the system takes them from a process that
 * dies, so that none is ever stale. Also between two callers in one process.
 */
export type Lock = { release(): void }

/** Only one process at a time starts, stops or revives. */
export async function passGate(folder: string, log: Log): Promise<Lock> {
  const begun = Date.now()
  let isNoted = false
  for (;;) {
    const gate = tryGate(folder)
    if (gate) return gate
    const waited = Date.now() - begun
    if (waited > 3000 && !isNoted) {
      log(`Waiting for another process that starts or stops the database in "${folder}"`)
      isNoted = true
    }
    if (waited > 180_000) {
      throw new EmbeddedError(
        `Another process has been starting or stopping the database in "${folder}" for 3 minutes: ` +
          'end it and start again.',
      )
    }
    await sleep(10)
  }
}

/** The gate, if nobody is in it. */
export function tryGate(folder: string) {
  return tryLock(join(folder, 'postgres.lock'), 'exclusive')
}

/** Inside the gate, so that nobody becomes a user of a server that is being shut down. */
export function becomeUser(folder: string) {
  const user = tryLock(join(folder, 'postgres.users'), 'shared')
  if (user) return user
  throw new EmbeddedError(`"${folder}" is locked by a program that is not Perennial: end it.`)
}

/** Whether nobody uses the server. Asked inside the gate. */
export function isUnused(folder: string) {
  const lock = tryLock(join(folder, 'postgres.users'), 'exclusive')
  lock?.release()
  return lock !== undefined
}

function tryLock(file: string, kind: 'shared' | 'exclusive'): Lock | undefined {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    // A journal on disk would make a full disk fail to lock, or to stop.
    database.exec('PRAGMA journal_mode = MEMORY')
    database.exec(kind === 'exclusive' ? 'BEGIN EXCLUSIVE' : 'BEGIN; SELECT * FROM sqlite_schema')
  } catch (error) {
    database.close()
    const { errcode } = error as { errcode?: number }
    const [busy, full] = [5, 13]
    if (errcode === busy) return undefined
    throw errcode === full ? Object.assign(error as Error, { code: 'ENOSPC' }) : error
  }
  held.add(database)
  return {
    release() {
      if (held.delete(database)) database.close()
    },
  }
}

/** Collected as garbage, a lock would be gone. */
const held = new Set<DatabaseSync>()
