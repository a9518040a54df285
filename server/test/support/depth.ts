/**
 * Whether everything runs at its full depth: by `npm run test:full`, or with `--full` after the
 * path of one file. `npm test` runs the same checks with fewer random cases.
 */
export const isFull = process.argv.includes('--full')

/** How much of something long a test runs: `usual` in `npm test`, `full` in `npm run test:full`. */
export function depth(usual: number, full: number): number {
  return isFull ? full : usual
}

/**
 * So many of a list, others in each run: for values by which a rule that all rows of a table share may be
 * broken. Over the hundreds of rows each value has its turn in every run.
 */
export function drawn<T>(list: readonly T[], count: number): T[] {
  const first = Math.floor(Math.random() * list.length)
  return [...list.slice(first), ...list.slice(0, first)].slice(0, count)
}

/** A function that is true for each key the first time: where one of many alike rows is enough. */
export function firstTimes(): (key: string) => boolean {
  const known = new Set<string>()
  return (key) => {
    const isKnown = known.has(key)
    known.add(key)
    return !isKnown
  }
}
