import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'

/** The life of the process: what has to be stopped at its end, and whether that has come. */
export type Life = {
  begins(starting: Promise<unknown>): void
  /** what was started last is stopped first; throws when the end has come meanwhile */
  atEnd(stop: () => Promise<void>): void
  isEnding(): boolean
  /** ends the process as a signal does; the second call does nothing */
  stop(why: string): void
  /** stops everything and leaves the process alone */
  end(): Promise<void>
}

/** Every signal that ends a process with grace. */
const ends = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGABRT', 'SIGUSR2', 'SIGTERM']
const faults = ['SIGILL', 'SIGTRAP', 'SIGBUS', 'SIGFPE', 'SIGSEGV']

/**
 * A signal that comes within so many milliseconds of the first is the same one: Ctrl-C reaches a process both from
 * the terminal and from npm, which passes it on.
 */
const sameSignalMs = 250

type Ways = {
  /** milliseconds that the end may take */
  patience: number
  /** signals that mean something else to this process; all of them where it obeys somebody else */
  skip?: string[]
}

/** Ends the process on a signal or an unforeseen error; at once on a second signal. */
export function lifeUntilSignal(log: Logger, { patience, skip = [] }: Ways): Life {
  const stops: (() => Promise<void>)[] = []
  let starting: Promise<unknown> = Promise.resolve()
  let isEnding = false
  let endedAt = 0
  let reason: string | undefined
  const stopAll = async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  const grace = closeWithGrace(
    // a second signal would end it there, however soon it comes
    { delay: patience, logger: false, skip: [...skip, ...ends] as never },
    async ({ err }) => {
      isEnding = true
      endedAt = performance.now()
      if (err) log.fatal({ err }, 'unexpected error, stopping')
      else log.info({ signal: reason }, 'stopping')
      // a start gives up after the part that it is at
      await starting.catch(() => {})
      await stopAll()
      log.info({}, 'stopped')
    },
  )
  const stop = (why: string) => {
    if (isEnding) return
    reason = why
    grace.close()
  }
  const onSignal = (signal: string) => {
    if (isEnding && performance.now() - endedAt > sameSignalMs) process.exit(1)
    stop(signal)
  }
  const own = ends.filter((signal) => !skip.includes(signal))
  for (const signal of own) process.on(signal, onSignal)
  return {
    begins: (promise) => void (starting = promise),
    atEnd(stop) {
      stops.push(stop)
      if (isEnding) throw new Error('asked to stop while starting')
    },
    isEnding: () => isEnding,
    stop,
    async end() {
      grace.uninstall()
      for (const signal of own) process.off(signal, onSignal)
      await stopAll()
    },
  }
}

/** The life of a process that its parent starts and stops: signals to the whole group are the parent's. */
export function lifeUnderParent(log: Logger, patience: number): Life {
  const life = lifeUntilSignal(log, { patience, skip: [...ends, ...faults] })
  for (const signal of ends) process.on(signal, () => signal === 'SIGTERM' && life.stop(signal))
  return life
}

/** Milliseconds that a stop may take: of requests in flight, then of jobs and deliveries. */
export function stopPatience({ stopTimeout }: Config): number {
  return stopTimeout * 1000 + 5000
}
