import { writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Limits } from './child-process.ts'
import type { Loaded, Outcome, Requested } from './thread.ts'

// The entry point of the processes that `child-process.ts` starts: a thread computes, and this one watches
// it and kills the process if it exceeds its limits, or if the service is gone.

const periodMs = 50
const { seconds, megabytes } = JSON.parse(process.argv[2] ?? '{}') as Limits

// lower priority than the event loop of the service
if (getPriority() < 10) setPriority(10)
try {
  // if memory runs out, Linux kills this process first
  if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // if that cannot be set, Linux chooses
}
// a terminal or a service manager signals all processes at once, but the service decides when this one ends
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.once('disconnect', die)

const thread = new Worker(new URL('thread.ts', import.meta.url), {
  resourceLimits: megabytes ? { maxOldGenerationSizeMb: megabytes } : {},
})
let watching: NodeJS.Timeout | undefined
thread.on('message', (outcome: Outcome | Loaded) => {
  // a process that is new has modules to load, which is not what a computation costs
  if (outcome === 'loaded') return watch()
  clearInterval(watching)
  process.send?.(outcome)
})
thread.once('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') die()
  const outcome: Outcome = { error: error.stack ?? String(error), isLast: true }
  process.send?.(outcome, die)
})

process.on('message', (requested: Requested) => thread.postMessage(requested))

/** Kills this process once it has taken more than its limits, counted from now. */
function watch(): void {
  const [start, memory] = [performance.now(), process.memoryUsage.rss()]
  const before = processorSeconds()
  watching = setInterval(() => {
    const passed = (performance.now() - start) / 1000
    // by processor time, since it may have to wait on a busy machine, but at most six times as long
    if (seconds && (processorSeconds() - before > seconds || passed > 6 * seconds)) die()
    // for memory outside the heap, such as buffers, and what the collector has not freed yet
    const most = 2 * megabytes * 2 ** 20
    if (megabytes && process.memoryUsage.rss() - memory > most) die()
  }, periodMs)
}

/** Seconds of processor time of all threads of this process. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Ends at once, whatever the thread does, for which a normal exit would wait. */
function die(): never {
  process.kill(process.pid, 'SIGKILL')
  process.exit(1)
}
