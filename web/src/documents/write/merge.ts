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

/**
 * A text that two have changed: what only one of them has touched is theirs, what both have touched becomes a choice of
 * both by `choose`. Nothing that somebody wrote is left out.
 */
export function mergedBlocks(
  base: string[],
  mine: string[],
  theirs: string[],
  choose: (mine: string[], theirs: string[]) => string[],
): string[] {
  const own = hunksOf(base, mine)
  const others = hunksOf(base, theirs)
  const merged: string[] = []
  let position = 0
  while (own.length || others.length) {
    const first = isBefore(others[0], own[0]) ? others : own
    const region = { at: first[0]?.at ?? 0, until: first[0]?.until ?? 0 }
    const taken: { own: Hunk[]; others: Hunk[] } = { own: [], others: [] }
    if (first === own) taken.own.push(...own.splice(0, 1))
    else taken.others.push(...others.splice(0, 1))
    for (let grows = true; grows;) {
      grows = false
      for (const [list, into] of [
        [own, taken.own],
        [others, taken.others],
      ] as const) {
        const next = list[0]
        if (!next || !overlaps(region, next)) continue
        region.until = Math.max(region.until, next.until)
        into.push(...list.splice(0, 1))
        grows = true
      }
    }
    merged.push(...base.slice(position, region.at))
    position = region.until
    if (!taken.others.length) merged.push(...applied(base, region, taken.own))
    else if (!taken.own.length) merged.push(...applied(base, region, taken.others))
    else {
      const [me, them] = [applied(base, region, taken.own), applied(base, region, taken.others)]
      const isSame = me.length === them.length && me.every((each, at) => each === them[at])
      // whoever took it away did not see what it has become
      if (isSame || !me.length) merged.push(...them)
      else if (!them.length) merged.push(...me)
      else merged.push(...choose(me, them))
    }
  }
  return [...merged, ...base.slice(position)]
}

/** Whether a change comes before another; at one place, what is put in comes before what is changed. */
function isBefore(one: Hunk | undefined, other: Hunk | undefined): boolean {
  if (!one || !other) return one !== undefined
  return one.at < other.at || (one.at === other.at && one.until <= other.until)
}

function overlaps(region: { at: number; until: number }, { at, until }: Hunk): boolean {
  return at < region.until && until > region.at
}

/** The blocks of a region with changes in it. */
function applied(base: string[], region: { at: number; until: number }, hunks: Hunk[]): string[] {
  const blocks: string[] = []
  let position = region.at
  for (const { at, until, blocks: now } of hunks) {
    blocks.push(...base.slice(position, at), ...now)
    position = until
  }
  return [...blocks, ...base.slice(position, region.until)]
}
