import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import type { Log } from '../kit/ground/context.ts'
import type { Files } from '../kit/ground/files.ts'

/** Parts that the service can be without for a while, and whether they work. */
export type Health = { [part: string]: 'ok' | 'unavailable' }

/** A part that takes longer does not work, in milliseconds. */
const patienceMs = 2000
/** An answer is good for so long: probes come every few seconds, from several places. */
const freshMs = 10_000

/**
 * Looks at the store of files and the mail server, where there is one. They make the service degraded
 * and not unready: what needs them answers 503 or waits as a job, and all else works.
 */
export function healthOf(config: Config, files: Files, log: Log): () => Promise<Health> {
  const parts: [string, () => Promise<unknown>][] = [['files', () => files.check()]]
  const { smtpUrl } = config
  if (smtpUrl) parts.push(['mail', () => checkMail(smtpUrl)])
  const check = async () => {
    const states = await Promise.all(
      parts.map(async ([part, works]) => {
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
  let latest: Promise<Health> | undefined
  let checkedAt = -Infinity
  return () => {
    const now = performance.now()
    if (latest && now - checkedAt < freshMs) return latest
    checkedAt = now
    return (latest = check())
  }
}

/** Greets the mail server and signs in, as sending does. */
async function checkMail(url: string): Promise<void> {
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
