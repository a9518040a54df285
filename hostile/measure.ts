import { performance } from 'node:perf_hooks'

/**
 * Loaded into the service's process ahead of it (`node --import`): reports to the parent, four times a
 * second, the heap, the memory of the process and for how long the event loop was held. Only the CPU
 * time of this thread counts as held: what other processes take of the machine is theirs.
 */
const step = 5
let held = 0
let expected = performance.now() + step
let used = cpu()
setInterval(() => {
  const now = performance.now()
  const spent = cpu() - used
  held = Math.max(held, Math.min(now - expected, spent))
  expected = now + step
  used += spent
}, step).unref()

setInterval(() => {
  const { heapUsed, rss, external } = process.memoryUsage()
  process.send?.({ heapUsed, rss, external, held })
  held = 0
}, 250).unref()

function cpu(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
