import { writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Limits } from './child-process.ts'
import type { Outcome, Requested } from './thread.ts'

// The entry point of the processes that `child-process.ts` starts: a thread computes, and this one watches
// it and kills the process when it exceeds its limits, or when the service is gone.

const periodMs = 50
const { seconds, megabytes } = JSON.parse(process.argv[2] ?? '{}') as Limits

// the event loop of the service goes first
if (getPriority() < 15) setPriority(15)
try {
  // where memory runs out, Linux ends this process first
  if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // where that cannot be set, it chooses as it likes
}
// a terminal and a service manager signal all processes at once; the service says when this one ends
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.once('disconnect', die)

const thread = new Worker(new URL('thread.ts', import.meta.url), {
  resourceLimits: megabytes ? { maxOldGenerationSizeMb: megabytes } : {},
})
let watching: NodeJS.Timeout | undefined
thread.on('message', (outcome: Outcome) => {
  clearInterval(watching)
  process.send?.(outcome)
})
thread.once('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') die()
  const outcome: Outcome = { error: error.stack ?? String(error), isLast: true }
  process.send?.(outcome, die)
})

process.on('message', (requested: Requested) => {
  const [start, memory] = [performance.now(), process.memoryUsage.rss()]
  const before = processorSeconds()
  watching = setInterval(() => {
    const passed = (performance.now() - start) / 1000
    // by processor time, since a busy machine lets it wait, but never longer than six times that
    if (seconds && (processorSeconds() - before > seconds || passed > 6 * seconds)) die()
    // what is outside of the heap, as buffers are, and room for what the collector has not freed yet
    const most = 2 * megabytes * 2 ** 20
    if (megabytes && process.memoryUsage.rss() - memory > most) die()
  }, periodMs)
  thread.postMessage(requested)
})

/** Seconds of a processor that all threads of this process have taken. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** At once, whatever the thread does: an exit would wait for it. */
function die(): never {
  process.kill(process.pid, 'SIGKILL')
  process.exit(1)
}
