import { getHeapSpaceStatistics } from 'node:v8'
import { collectGarbage } from '../../kit/ground/garbage.ts'

/** Bytes of garbage rows that may accumulate before they are collected. */
const slack = 24 * 1024 * 1024
let floor: number | undefined

/**
 * Called between batches. What a batch leaves behind outlives V8's short collections, since the
 * database is awaited while it is in use, and V8 would let 250 MiB of it pile up before it looks.
 * Collecting takes some 60 ms, every ten thousand rows or so.
 */
export function tidy() {
  const used = oldBytes()
  floor ??= used
  if (used < floor + slack) return
  collectGarbage()
  floor = oldBytes()
}

/** What has outlived the short collections. */
function oldBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name }) => /^(old|large_object)_space$/.test(space_name))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0)
}
