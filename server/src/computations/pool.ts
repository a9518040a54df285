import type { Computation, Computations } from '../kit/ground/computation.ts'
import type { FairQueue } from '../kit/ground/fair-queue.ts'
import type { Limits } from './child-process.ts'
import { ComputingProcess, stopped } from './child-process.ts'

/** The number of processes, and the limits of each computation; with 0 processes, the event loop itself computes. */
export type PoolLimits = Readonly<Limits & { processes: number }>

/** After how many milliseconds an idle process ends. */
const idleMs = 60_000

/** A pool of processes for computations, started when needed; a computation above its limits only ends its process. */
export class ComputationPool implements Computations {
  readonly #limits: PoolLimits
  readonly #places: Pick<FairQueue, 'run'>
  readonly #all = new Set<ComputingProcess>()
  readonly #idle = new Map<ComputingProcess, NodeJS.Timeout>()
  #isClosed = false

  constructor(limits: PoolLimits, places: Pick<FairQueue, 'run'>) {
    this.#limits = limits
    this.#places = places
  }

  /** The number of processes, busy or idle. */
  get size(): number {
    return this.#all.size
  }

  async run<I, O>(organization: string, what: Computation<I, O>, input: I): Promise<O> {
    if (!this.#limits.processes) return what.run(input)
    return this.#places.run(organization, async () => {
      if (this.#isClosed) throw stopped()
      const computing = this.#take()
      try {
        return await computing.compute(what, input)
      } finally {
        this.#rest(computing)
      }
    })
  }

  /** Ends every process; their computations fail with 503. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#all].map((each) => this.#end(each)))
  }

  #take(): ComputingProcess {
    const [rested] = this.#idle
    if (rested) {
      const [computing, ending] = rested
      clearTimeout(ending)
      this.#idle.delete(computing)
      computing.holds(true)
      return computing
    }
    const { seconds, megabytes } = this.#limits
    const computing = new ComputingProcess({ seconds, megabytes })
    this.#all.add(computing)
    computing.onExit(() => this.#forget(computing))
    return computing
  }

  #rest(computing: ComputingProcess) {
    if (this.#isClosed || !this.#all.has(computing)) return
    computing.holds(false)
    this.#idle.set(computing, setTimeout(() => void this.#end(computing), idleMs).unref())
  }

  async #end(computing: ComputingProcess): Promise<void> {
    this.#forget(computing)
    await computing.end()
  }

  #forget(computing: ComputingProcess) {
    clearTimeout(this.#idle.get(computing))
    this.#idle.delete(computing)
    this.#all.delete(computing)
  }
}
