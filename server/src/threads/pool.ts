import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Computation, Threads } from '../kit/ground/computation.ts'
import { Failure, badRequest } from '../kit/ground/errors.ts'
import type { FairQueue } from '../kit/ground/fair-queue.ts'
import type { Answered, Requested } from './worker.ts'

/** What computations may take; without threads they run on the event loop itself. */
export type ThreadLimits = Readonly<{
  threads: number
  /** seconds of a processor that one computation may take, 0 for no bound */
  seconds: number
  /** MiB of a thread's heap, 0 for no bound */
  megabytes: number
}>

/** A thread without work ends after so many milliseconds. */
const idleMs = 60_000

/** Worker threads, started when they are needed; a computation over its limits costs its thread alone. */
export class ThreadPool implements Threads {
  readonly #limits: ThreadLimits
  readonly #places: Pick<FairQueue, 'run'>
  readonly #all = new Set<Worker>()
  readonly #idle = new Map<Worker, NodeJS.Timeout>()
  /** the processor time in seconds that each thread had taken when it last answered */
  readonly #spent = new WeakMap<Worker, number>()
  #isClosed = false

  constructor(limits: ThreadLimits, places: Pick<FairQueue, 'run'>) {
    this.#limits = limits
    this.#places = places
  }

  /** How many threads there are, with work or without. */
  get size(): number {
    return this.#all.size
  }

  async run<I, O>(organization: string, what: Computation<I, O>, input: I): Promise<O> {
    if (!this.#limits.threads) return what.run(input)
    return this.#places.run(organization, async () => {
      if (this.#isClosed) throw stopped()
      return (await this.#compute(what, input)) as O
    })
  }

  /** Ends every thread; what they work on fails with 503. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#all].map((thread) => this.#end(thread)))
  }

  async #compute<I, O>({ module, name }: Computation<I, O>, input: I): Promise<unknown> {
    const thread = this.#take()
    const waiting = new AbortController()
    const { signal } = waiting
    try {
      const ended = once(thread, 'exit', { signal }).then(() => Promise.reject(stopped()))
      const answer = once(thread, 'message', { signal }) as Promise<[Answered]>
      thread.postMessage({ module, name, input } satisfies Requested)
      const [answered] = await Promise.race([answer, ended, this.#expired(thread, signal)])
      this.#spent.set(thread, answered.spent)
      this.#rest(thread)
      if ('failure' in answered) throw failureOf(answered.failure)
      if ('error' in answered) throw new Error(answered.error)
      return answered.result
    } catch (error) {
      throw isOutOfMemory(error) ? tooMuch() : error
    } finally {
      waiting.abort()
      if (!this.#idle.has(thread)) await this.#end(thread)
    }
  }

  /**
   * Rejects when the computation has taken too long: by the processor time of its thread, since a busy
   * machine lets it wait, but never longer than six times that.
   */
  async #expired(thread: Worker, signal: AbortSignal): Promise<never> {
    const { seconds } = this.#limits
    const limit = seconds || Infinity
    const before = this.#spent.get(thread) ?? 0
    const start = performance.now()
    for (;;) {
      await sleep(Math.min(1000, seconds * 1000 || 1000), undefined, { signal })
      const passed = (performance.now() - start) / 1000
      if (passed < limit) continue
      // a thread that does not even say so within that time is stuck
      const patience = sleep(5000 * limit, undefined, { signal })
      // one that has ended says why by itself
      const usage = await Promise.race([thread.cpuUsage().catch(() => patience), patience])
      const spent = usage ? (usage.user + usage.system) / 1e6 - before : Infinity
      if (spent > limit || passed > 6 * limit) throw tooMuch()
    }
  }

  #take(): Worker {
    const [rested] = this.#idle
    if (rested) {
      const [thread, ending] = rested
      clearTimeout(ending)
      this.#idle.delete(thread)
      thread.ref()
      return thread
    }
    const { megabytes } = this.#limits
    const thread = new Worker(new URL('worker.ts', import.meta.url), {
      resourceLimits: megabytes ? { maxOldGenerationSizeMb: megabytes } : {},
    })
    this.#all.add(thread)
    // whoever waits for the thread hears of its end; one without work is only forgotten
    thread.on('error', () => {}).on('exit', () => void this.#end(thread))
    return thread
  }

  #rest(thread: Worker) {
    if (this.#isClosed) return
    thread.unref()
    this.#idle.set(thread, setTimeout(() => void this.#end(thread), idleMs).unref())
  }

  async #end(thread: Worker): Promise<void> {
    clearTimeout(this.#idle.get(thread))
    this.#idle.delete(thread)
    this.#all.delete(thread)
    await thread.terminate()
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function tooMuch(): Failure {
  const message = 'This takes more time or memory than one request may: send or request less'
  return badRequest(message, undefined, 'too_expensive')
}

function stopped(): Failure {
  return new Failure(503, 'unavailable', 'The service is being stopped, try again', {
    retryAfter: 1,
  })
}

function failureOf({ status, code, message, ...details }: Failure): Failure {
  return new Failure(status, code, message, details)
}
