import { createHash } from 'node:crypto'
import fc from 'fast-check'

/**
 * Whether everything runs at its full depth: by `npm run test:full`, or with `--full` after the
 * path of one file. `npm test` runs the same checks with fewer random cases.
 */
export const isFull = process.argv.includes('--full')

/** How much of something long a test runs: `usual` in `npm test`, `full` in `npm run test:full`. */
export function depth(usual: number, full: number): number {
  return isFull ? full : usual
}

/** What draws follow from: the commit, or TEST_SEED, which the runner sets and prints. */
const seed = process.env.TEST_SEED ?? 'none'
let file = ''
let draws = 0

/** A number below 2^31 that follows from the commit, for tests that make their input from one. */
export const seedNumber = createHash('sha256').update(seed).digest().readUInt32BE() >>> 1
fc.configureGlobal({ seed: seedNumber })

/** From here on the draws are those of a test file, the same whatever has run before it. */
export function drawFor(path: string): void {
  file = path
  draws = 0
}

/**
 * So many of a list, others in each commit: for values by which a rule that all rows of a table share may be
 * broken. Over the hundreds of rows each value has its turn in every run.
 */
export function drawn<T>(list: readonly T[], count: number): T[] {
  const drawing = createHash('sha256').update(`${seed} ${file} ${draws++}`).digest()
  const first = drawing.readUInt32BE() % (list.length || 1)
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
