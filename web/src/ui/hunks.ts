/** Blocks from `at` to before `until` of a text, and what stands in their place. */
export type Hunk = { at: number; until: number; blocks: string[] }

/** How many comparisons of blocks are made at most: beyond, all between what is equal at both ends counts as changed. */
const mostCompared = 4_000_000

/** What of a text is different in another, by blocks. */
export function hunksOf(before: string[], after: string[]): Hunk[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end++
  }
  const [old, now] = [
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  ]
  if (!old.length && !now.length) return []
  const pairs = old.length * now.length > mostCompared ? [] : commonOf(old, now)
  const hunks: Hunk[] = []
  let [i, j] = [0, 0]
  for (const [x, y] of [...pairs, [old.length, now.length] as const]) {
    if (i < x || j < y) hunks.push({ at: start + i, until: start + x, blocks: now.slice(j, y) })
    i = x + 1
    j = y + 1
  }
  return hunks
}

/** The longest series of blocks that both have, by their places. */
function commonOf(one: string[], other: string[]): [number, number][] {
  const width = other.length + 1
  const lengths = new Uint32Array((one.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const pairs: [number, number][] = []
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    if (one[i] === other[j]) pairs.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}
