import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { ConfigError } from '../kit/ground/errors.ts'
import { stopPatience } from './life.ts'
import type { Order, Report } from './supervised.ts'

/** The signal that replaces the processes one after another. */
export const replaceSignal = 'SIGUSR2'

/**
 * Milliseconds that a replaced process waits for idle connections, as long as they may be idle
 * at all: callers are told to reconnect with their next answer, and none is cut off.
 */
export const drainMs = 73_000
/** Milliseconds that one process may take to start. */
const startMs = 180_000
/** A process that ended sooner than this after its start is not restarted at once. */
const shortLife = 10_000
const longestPause = 30_000
/** Milliseconds that a process may take to send its metrics. */
const measureMs = 2000

/** Several processes behind one port, which this process owns. */
export type Supervisor = {
  /** resolves when all of them answer; throws the error if the first cannot start */
  start(): Promise<void>
  /** replaces them one after another; if called meanwhile, another round follows */
  replaceAll(): Promise<void>
  stop(linger: number): Promise<void>
}

type Child = {
  worker: Worker
  number: number
  since: number
  isReady: boolean
  ready: Promise<void>
  /** whether it is meant to end */
  isLeaving: boolean
  ended: Promise<unknown>
  sentence?: string
}

/** `prepare` runs before the processes are replaced, for example by those of another version. */
export function supervise(config: Config, log: Logger, prepare: () => Promise<void>): Supervisor {
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('../main.ts', import.meta.url)),
    args: ['serve'],
  })
  return new Processes(config, log, prepare)
}

/** The processes by their place, of which each is replaced by another one when it ends. */
class Processes implements Supervisor {
  readonly #config: Config
  readonly #log: Logger
  readonly #prepare: () => Promise<void>
  readonly #places: (Child | undefined)[]
  readonly #all = new Set<Child>()
  #isStopping = false
  #replacing: Promise<void> | undefined
  #isWanted = false
  #collections = 0

  constructor(config: Config, log: Logger, prepare: () => Promise<void>) {
    this.#config = config
    this.#log = log
    this.#prepare = prepare
    this.#places = Array.from({ length: config.processes })
  }

  async start(): Promise<void> {
    const started = this.#places.map((_none, i) => (this.#places[i] = this.#fork(i + 1)))
    // one that fails is not restarted before all were up
    for (const child of started) child.isLeaving = true
    for (const child of started) {
      if (await this.#isUp(child)) continue
      const why = child.sentence ?? 'its log says why'
      throw new ConfigError(
        `Process ${child.number} of ${this.#places.length} did not start: ${why}`,
      )
    }
    for (const child of started) child.isLeaving = false
    for (const [i, child] of started.entries())
      if (!this.#all.has(child)) void this.#revive(i + 1, child)
  }

  replaceAll(): Promise<void> {
    this.#isWanted = true
    this.#replacing ??= this.#round().finally(() => (this.#replacing = undefined))
    return this.#replacing
  }

  async stop(linger: number): Promise<void> {
    this.#isStopping = true
    // stop accepting first, because answers that close their connection make callers reconnect
    const refusing = [...this.#all].map(async (child) => {
      if (!child.isReady) return
      const refused = new Promise<void>((resolve) => {
        child.worker.on('message', ({ type }: Report) => type === 'refusing' && resolve())
      })
      this.#order(child, { type: 'refuse' })
      await Promise.race([refused, child.ended, sleep(1000, undefined, { ref: false })])
    })
    await Promise.all(refusing)
    await Promise.all([...this.#all].map((child) => this.#end(child, linger)))
  }

  #fork(number: number): Child {
    const worker = cluster.fork({ ...settingsOf(this.#config), PROCESS_NUMBER: String(number) })
    const ready = Promise.withResolvers<void>()
    const child: Child = {
      worker,
      ready: ready.promise,
      number,
      since: performance.now(),
      isReady: false,
      isLeaving: false,
      ended: once(worker, 'exit'),
    }
    this.#all.add(child)
    worker.on('error', (err) =>
      this.#log.warn({ err, process: number }, 'a process cannot be reached'),
    )
    worker.on('message', (message: Report) => {
      if (message.type === 'ready') {
        child.isReady = true
        ready.resolve()
      } else if (message.type === 'failed') child.sentence = message.sentence
      else if (message.type === 'measure') void this.#collect(child, message.request)
    })
    worker.on('exit', (code, signal) => {
      this.#all.delete(child)
      if (this.#places[number - 1] !== child) return
      this.#places[number - 1] = undefined
      if (this.#isStopping || child.isLeaving) return
      this.#log.error({ process: number, code, signal }, 'a process ended, another one is started')
      void this.#revive(number, child)
    })
    return child
  }

  /** A new process in the place of one that ended. */
  async #revive(number: number, last: Child): Promise<void> {
    let pause = performance.now() - last.since < shortLife || !last.isReady ? 500 : 0
    while (!this.#isStopping && !this.#places[number - 1]) {
      if (pause) await sleep(pause)
      if (this.#isStopping || this.#places[number - 1]) return
      const child = (this.#places[number - 1] = this.#fork(number))
      if (await this.#isUp(child)) return
      pause = Math.min(longestPause, Math.max(1000, pause * 2))
    }
  }

  /** Whether the process answers; it is ended if it does not in time. */
  async #isUp(child: Child): Promise<boolean> {
    const giveUp = new AbortController()
    const tooLong = sleep(startMs, undefined, { signal: giveUp.signal }).catch(() => {})
    await Promise.race([child.ready, child.ended, tooLong])
    giveUp.abort()
    if (!child.isReady) child.worker.process.kill('SIGKILL')
    return child.isReady
  }

  async #replace(number: number): Promise<boolean> {
    const child = this.#fork(number)
    // if the new one ends before it answers, the old one stays
    if (!(await this.#isUp(child)) || this.#isStopping) return false
    const old = this.#places[number - 1]
    if (old) old.isLeaving = true
    this.#places[number - 1] = child
    if (old && this.#all.has(old)) await this.#end(old, drainMs)
    return true
  }

  async #end(child: Child, linger: number): Promise<void> {
    child.isLeaving = true
    this.#order(child, { type: 'stop', linger })
    const patience = new AbortController()
    const tooLong = sleep(linger + stopPatience(this.#config) + 1000, true, {
      signal: patience.signal,
    }).catch(() => false)
    if (await Promise.race([tooLong, child.ended.then(() => false)])) {
      this.#log.error({ process: child.number }, 'a process does not stop and is killed')
      child.worker.process.kill('SIGKILL')
    }
    patience.abort()
    await child.ended
  }

  #order({ worker }: Child, message: Order): void {
    if (worker.isConnected()) worker.send(message, () => {})
  }

  /** Collects the metrics of all, for one of them. */
  async #collect(asking: Child, request: number): Promise<void> {
    const id = ++this.#collections
    const answering = [...this.#all].filter(
      ({ isReady, worker }) => isReady && worker.isConnected(),
    )
    const answers = answering.map(async (child) => {
      const patience = new AbortController()
      const received = new Promise<object[]>((resolve) => {
        const receive = (message: Report) => {
          if (message.type === 'measured' && message.request === id) resolve(message.metrics)
        }
        child.worker.on('message', receive)
        patience.signal.addEventListener('abort', () => child.worker.off('message', receive))
      })
      const tooLong = sleep(measureMs, undefined, { signal: patience.signal }).catch(
        () => undefined,
      )
      this.#order(child, { type: 'measure', request: id })
      const metrics = await Promise.race([received, tooLong, child.ended.then(() => undefined)])
      patience.abort()
      return metrics
    })
    const measured = (await Promise.all(answers)).filter((metrics) => metrics !== undefined)
    this.#order(asking, { type: 'measured', request, all: measured })
  }

  async #round(): Promise<void> {
    while (this.#isWanted && !this.#isStopping) {
      this.#isWanted = false
      this.#log.info(
        { processes: this.#places.length },
        'replacing the processes one after another',
      )
      await this.#prepare()
      for (let number = 1; number <= this.#places.length; number++) {
        if (this.#isStopping) return
        if (await this.#replace(number)) continue
        if (!this.#isStopping)
          this.#log.error({ process: number }, 'the new process did not start: the old ones stay')
        return
      }
      this.#log.info({ processes: this.#places.length }, 'the processes are replaced')
    }
  }
}

/** The settings with which a process is started, besides the environment. */
function settingsOf({ dataDir, host, port, publicUrl, role }: Config) {
  return {
    DATA_DIR: dataDir,
    HOST: host,
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    ROLE: role,
    // already applied by the parent
    PROVISION_FILE: '',
  }
}
