import { getHeapSpaceStatistics } from 'node:v8'
import { collectGarbage } from '../../kit/ground/garbage.ts'

/** Bytes of garbage that may accumulate before a collection is forced. */
const slack = 24 * 1024 * 1024
let floor: number | undefined

/**
 * Called between batches. The garbage of a batch survives V8's minor collections, because it
 * is in use while the database is awaited, and V8 would let 250 MiB of it accumulate before a major one.
 * A collection takes about 60 ms, every ten thousand rows or so.
 */
export function collectIfGrown() {
  const used = oldBytes()
  floor ??= used
  if (used < floor + slack) return
  collectGarbage()
  floor = oldBytes()
}

/** Bytes that have survived the minor collections. */
function oldBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name }) => /^(old|large_object)_space$/.test(space_name))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0)
}
