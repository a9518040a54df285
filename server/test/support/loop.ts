/** How often the event loop is checked, in ms. */
const period = 5

type LoopWatch = {
  /** the longest time that the event loop was blocked since the start or the last reset, in ms */
  longest(): { ms: number }
  reset(): void
  stop(): void
}

/**
 * Watches the event loop of the calling thread. A hold is how late a timer of 5 ms came, but at most
 * the processor time that this thread itself took meanwhile: collecting garbage on it counts, waiting
 * for other processes or threads of a busy machine does not. Exact to about 5 ms.
 */
export function watchLoop(): LoopWatch {
  let longest = 0
  let seenAt = performance.now()
  let spent = processorTime()
  let timer = setTimeout(look, period)
  timer.unref()

  function look() {
    const [at, spentNow] = [performance.now(), processorTime()]
    const late = at - seenAt - period
    longest = Math.max(longest, Math.min(late, spentNow - spent))
    seenAt = at
    spent = spentNow
    timer = setTimeout(look, period)
    timer.unref()
  }

  return {
    // what blocks the event loop right now has already delayed the timer
    longest: () => {
      const late = performance.now() - seenAt - period
      return { ms: Math.max(longest, Math.min(late, processorTime() - spent)) }
    },
    reset: () => {
      longest = 0
      seenAt = performance.now()
      spent = processorTime()
    },
    stop: () => clearTimeout(timer),
  }
}

/** The processor time of this thread so far, in ms. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
