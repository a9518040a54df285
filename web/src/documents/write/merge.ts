import { hunksOf } from '../../ui/hunks.ts'
import type { Hunk } from '../../ui/hunks.ts'

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
