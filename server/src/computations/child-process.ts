import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Computation } from '../kit/ground/computation.ts'
import { Failure, badRequest } from '../kit/ground/errors.ts'
import type { Outcome, Requested } from './thread.ts'

/** The limits of one computation; 0 is no limit. */
export type Limits = {
  /** seconds of processor time, and six times as many of elapsed time */
  seconds: number
  /** MiB of heap, and twice as many by which the process may grow */
  megabytes: number
}

const entry = fileURLToPath(new URL('child.ts', import.meta.url))
/** The environment variables that a process needs; others may be secrets. */
const passed = ['NODE_COMPILE_CACHE', 'TZ']

/**
 * A process that computes one thing at a time. A computation above the limits only ends this process. A thread of
 * the service would not do: V8 ends the whole process if one array or string outgrows a thread's heap, whatever
 * limits the thread has (nodejs/node#47224).
 */
export class ComputingProcess {
  readonly #child: ChildProcess
  readonly #exit: Promise<NodeJS.Signals | null>
  #isEnding = false

  constructor(limits: Limits) {
    this.#child = fork(entry, [JSON.stringify(limits)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
      env: Object.fromEntries(
        passed.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
      ),
    })
    // a message can only get lost if the process exits, which is reported
    this.#child.on('error', () => {})
    this.#exit = this.#exitOf()
    // a process that never started has no exit event
    this.#exit.catch(() => {})
  }

  /** Calls back when the process has ended. */
  onExit(forget: () => void): void {
    void this.#exit.then(forget, forget)
  }

  /**
   * The result of a computation. 400 `too_expensive` if it exceeds the limits, which ends the process; 503 if the
   * process is ended meanwhile or could not be started.
   */
  async compute<I, O>({ module, name }: Computation<I, O>, input: I): Promise<O> {
    if (this.#child.pid === undefined) throw unavailable('The service cannot start a process')
    // so that its exit is not reported twice
    if (this.#hasEnded()) throw unavailable('A computation process has ended')
    const waiting = new AbortController()
    const { signal } = waiting
    try {
      const answer = once(this.#child, 'message', { signal }) as Promise<[Outcome]>
      const ended = this.#exitOf(signal).then((by) => Promise.reject(this.#reason(by)))
      this.#child.send({ module, name, input } satisfies Requested, () => {})
      const [outcome] = await Promise.race([answer, ended])
      // before it gets another computation
      if ('isLast' in outcome) await this.#exit
      if ('failure' in outcome) throw failureOf(outcome.failure)
      if ('error' in outcome) throw new Error(outcome.error)
      return outcome.result as O
    } finally {
      waiting.abort()
    }
  }

  /** Whether the process keeps the service from exiting; an idle one does not. */
  holds(isHeld: boolean): void {
    if (isHeld) this.#child.ref()
    else this.#child.unref()
    if (isHeld) this.#child.channel?.ref()
    else this.#child.channel?.unref()
  }

  /** Kills it, whatever it is computing. */
  async end(): Promise<void> {
    this.#isEnding = true
    this.#child.kill('SIGKILL')
    await this.#exit.catch(() => {})
  }

  #hasEnded(): boolean {
    const { exitCode, signalCode } = this.#child
    return exitCode !== null || signalCode !== null
  }

  /** The signal that ends it. */
  async #exitOf(signal?: AbortSignal): Promise<NodeJS.Signals | null> {
    const [, by] = (await once(this.#child, 'exit', { signal })) as [unknown, NodeJS.Signals | null]
    return by
  }

  /** A process ended by a signal has exceeded its limits: only its own watchdog, V8 and the kernel do that. */
  #reason(signal: NodeJS.Signals | null): Error {
    if (this.#isEnding) return stopped()
    if (signal) return tooMuch()
    return new Error('A computation process has ended by itself')
  }
}

function tooMuch(): Failure {
  const message = 'This takes more time or memory than one request may: send or request less'
  return badRequest(message, undefined, 'too_expensive')
}

/** 503: the computation was aborted because the service is stopping. */
export function stopped(): Failure {
  return unavailable('The service is being stopped')
}

function unavailable(reason: string): Failure {
  return new Failure(503, 'unavailable', `${reason}, try again`, { retryAfter: 1 })
}

function failureOf({ status, code, message, ...details }: Failure): Failure {
  return new Failure(status, code, message, details)
}
