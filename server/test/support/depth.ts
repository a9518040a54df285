/**
 * Whether what is long by nature is played in full: by `npm run test:long`, or with `--long` after the
 * path of one file. `npm test` plays the same checks with fewer random cases.
 */
export const isLong = process.argv.includes('--long')

/** How much of something long a test plays: `usual` in `npm test`, `full` in `npm run test:long`. */
export function depth(usual: number, full: number): number {
  return isLong ? full : usual
}
