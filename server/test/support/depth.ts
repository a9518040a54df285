/**
 * Whether everything is played at its full depth: by `npm run test:full`, or with `--full` after the
 * path of one file. `npm test` plays the same checks with fewer random cases.
 */
export const isFull = process.argv.includes('--full')

/** How much of something long a test plays: `usual` in `npm test`, `full` in `npm run test:full`. */
export function depth(usual: number, full: number): number {
  return isFull ? full : usual
}
