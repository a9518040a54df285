const text = JSON.stringify(
  Array.from({ length: 2000 }, (_, n) => ({ id: `id${n}`, name: 'Söme text', values: [n, n / 7] })),
)

/** What the work below takes on the machine that the limits of tests were set on, at rest, in ms. */
const usualMs = 36

/**
 * How many times longer this machine takes now for the same work than the one that the limits of tests
 * were set on; at least 1. In processor time of this thread, of about 40 ms.
 */
export function slowness(): number {
  const start = process.threadCpuUsage()
  for (let n = 0; n < 25; n++) JSON.stringify(JSON.parse(text))
  const { user, system } = process.threadCpuUsage(start)
  return Math.max(1, (user + system) / 1000 / usualMs)
}
