type Work = () => void

/** Milliseconds of work on large bodies in one turn of the event loop, unless a single piece takes longer. */
const perTurnMs = 2

/**
 * Divides the event loop between large bodies and everything else: receiving and parsing them takes a
 * few milliseconds per turn and at most `percent` of the time; 0 is no limit. Callers with waiting work
 * take turns, so that one with many bodies delays only itself.
 */
export class BodyTurns {
  readonly #percent: number
  readonly #waiting = new Map<string, Work[]>()
  /** milliseconds of work in this turn, and of the pause that is due */
  #spent = 0
  #due = 0
  #isTurnOver = true

  constructor(percent: number) {
    this.#percent = percent
  }

  /** Does work, which may not throw, now (true) or when the caller's turn comes (false). */
  run(caller: string, work: Work): boolean {
    const isNow = !this.#percent || (this.#spent < perTurnMs && !this.#waiting.size)
    if (isNow) this.#work(work)
    else {
      const queue = this.#waiting.get(caller)
      if (queue) queue.push(work)
      else this.#waiting.set(caller, [work])
    }
    return isNow
  }

  #work(work: Work): void {
    const begun = performance.now()
    work()
    this.#spent += performance.now() - begun
    if (!this.#isTurnOver || !this.#percent) return
    this.#isTurnOver = false
    setImmediate(this.#endTurn)
  }

  readonly #endTurn = (): void => {
    this.#due += this.#spent * (100 / this.#percent - 1)
    if (this.#due < 1) return this.#nextTurn()
    this.#spent = perTurnMs
    setTimeout(this.#nextTurn, this.#due)
    this.#due = 0
  }

  readonly #nextTurn = (): void => {
    this.#spent = 0
    this.#isTurnOver = true
    for (const [caller, queue] of this.#waiting) {
      const work = queue.shift()
      this.#waiting.delete(caller)
      // to the end of the queue, which this loop reaches if there is time left
      if (queue.length) this.#waiting.set(caller, queue)
      if (work) this.#work(work)
      if (this.#spent >= perTurnMs) return
    }
  }
}
