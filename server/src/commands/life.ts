import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'

/** The lifetime of the process: what must be stopped at its end, and whether it is ending. */
export type Life = {
  begins(starting: Promise<unknown>): void
  /** registers what to stop, last in first out; throws if the process is already ending */
  atEnd(stop: () => Promise<void>): void
  isEnding(): boolean
  /** ends the process as a signal does; the second call does nothing */
  stop(why: string): void
  /** stops everything and leaves the process alone */
  end(): Promise<void>
}

/** Every signal that ends a process gracefully. */
const ends = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGABRT', 'SIGUSR2', 'SIGTERM']
const faults = ['SIGILL', 'SIGTRAP', 'SIGBUS', 'SIGFPE', 'SIGSEGV']

/**
 * A second signal within so many milliseconds is the same one: Ctrl-C reaches a process both from
 * the terminal and from npm, which passes it on.
 */
const sameSignalMs = 250

type Ways = {
  /** milliseconds that stopping may take */
  patience: number
  /** signals that this process handles differently; all of them if its parent decides */
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
    // otherwise a second signal would end it, however soon it comes
    { delay: patience, logger: false, skip: [...skip, ...ends] as never },
    async ({ err }) => {
      isEnding = true
      endedAt = performance.now()
      if (err) log.fatal({ err }, 'unexpected error, stopping')
      else log.info({ signal: reason }, 'stopping')
      // a start stops after its current step
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

/** The lifetime of a process that its parent starts and stops: the parent handles signals to the whole group. */
export function lifeUnderParent(log: Logger, patience: number): Life {
  const life = lifeUntilSignal(log, { patience, skip: [...ends, ...faults] })
  for (const signal of ends) process.on(signal, () => signal === 'SIGTERM' && life.stop(signal))
  return life
}

/** Milliseconds that a stop may take: of requests in flight, then of jobs and deliveries. */
export function stopPatience({ stopTimeout }: Config): number {
  return stopTimeout * 1000 + 5000
}
