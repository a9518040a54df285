/** Turns of organizations in a queue: the job with the lowest one runs first. */
export type Turns = {
  /** the turn of the next job of an organization */
  next(queue: string, organization: string): number
  /** a job of this turn has begun to run */
  begun(queue: string, turn: number): void
}

/** So many organizations are remembered of all queues before those without waiting jobs are forgotten. */
const mostKnown = 10_000

/**
 * Start-time fair queueing (Goyal, Vin and Cheng, 1996): the n-th waiting job of an organization runs with the n-th of
 * each other, however many one of them has enqueued before. Each process counts for itself, and learns from the jobs
 * that it runs how far the others are.
 */
export function fairTurns(): Turns {
  const reached = new Map<string, number>()
  const last = new Map<string, { queue: string; turn: number }>()
  const isOver = ({ queue, turn }: { queue: string; turn: number }) =>
    turn < (reached.get(queue) ?? 0)
  return {
    next(queue, organization) {
      const key = `${queue} ${organization}`
      const turn = Math.max(reached.get(queue) ?? 0, (last.get(key)?.turn ?? -1) + 1)
      last.set(key, { queue, turn })
      if (last.size > mostKnown) {
        for (const [each, known] of last) if (isOver(known)) last.delete(each)
      }
      return turn
    },
    begun(queue, turn) {
      reached.set(queue, Math.max(reached.get(queue) ?? 0, turn))
    },
  }
}
