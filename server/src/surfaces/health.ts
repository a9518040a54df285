import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { type Machine, machines } from '../database/citus.ts'
import type { Database } from '../database/connect.ts'
import { allOrganizations, type Log } from '../kit/ground/context.ts'
import type { Files } from '../kit/ground/files.ts'
import { sql } from '../kit/ground/sql.ts'

/** Whether notifications of other processes arrive; `settled` waits for the first check. */
type Listening = Pick<Database, 'settled' | 'isDistributed' | 'reads'>

/** Parts without which the service can run for a while, and whether they work. */
export type Health = { [part: string]: 'ok' | 'unavailable' }

/** How long a check of a part may take, in milliseconds. */
const patienceMs = 2000
/** How long probes wait after the start for listening to begin, in milliseconds. */
const startMs = 1500
/** How long a result is cached: probes come every few seconds, from several places. */
const freshMs = 10_000

/**
 * Checks the file store and the mail server, if there is one, the machines of Citus, and whether notifications of the
 * database arrive. Anybody may read this, so that machines have numbers, and their addresses are in the log. If they fail,
 * the service is degraded but ready: what needs them answers 503 or waits as a job, nothing is cached without
 * notifications, and all else works.
 */
export function healthOf(
  config: Config,
  { files, database }: { files: Files; database: Listening },
  log: Log,
): () => Promise<Health> {
  const parts: [string, () => Promise<unknown>][] = [['files', () => files.check()]]
  const { smtpUrl } = config
  if (smtpUrl) parts.push(['mail', () => checkMail(smtpUrl)])
  const check = async () => {
    const asked = database.isDistributed ? [...parts, ...(await machinesOf(database))] : parts
    const states = await Promise.all(
      asked.map(async ([part, works]) => {
        const late = sleep(patienceMs, undefined, { ref: false }).then(() => {
          throw new Error(`no answer within ${patienceMs} ms`)
        })
        try {
          await Promise.race([works(), late])
          return [part, 'ok'] as const
        } catch (error) {
          log.warn({ err: error, part }, 'a part of the service does not work')
          return [part, 'unavailable'] as const
        }
      }),
    )
    return Object.fromEntries(states)
  }
  const begun = performance.now()
  let latest: Promise<Health> | undefined
  let checkedAt = -Infinity
  return async () => {
    const now = performance.now()
    if (!latest || now - checkedAt >= freshMs) {
      checkedAt = now
      latest = check()
    }
    // known without a check, so it is always current
    const [isListening, others] = await Promise.all([
      database.settled(begun + startMs - now),
      latest,
    ])
    return { notifications: isListening ? 'ok' : 'unavailable', ...others }
  }
}

/** The machines of Citus as parts, in the order of their addresses; as one that does not work where the coordinator does not know in time. */
async function machinesOf(
  database: Pick<Database, 'reads'>,
): Promise<[part: string, works: () => Promise<unknown>][]> {
  const asked = database.reads(allOrganizations).all<Machine>(sql.raw(machines))
  const late = sleep(patienceMs, undefined, { ref: false }).then(() => undefined)
  const known = await Promise.race([asked.catch(() => undefined), late])
  const silent = (place: string) => async () => {
    throw new Error(`the coordinator of Citus cannot sign in to ${place}`)
  }
  if (!known) return [['machines', silent('its machines')]]
  return known.map(({ place, answers }, i) => [
    `machine ${i + 1} of ${known.length}`,
    answers ? async () => {} : silent(place),
  ])
}

/** Connects to the mail server and signs in, as for sending. */
async function checkMail(url: string): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
  })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}
