import { item } from './present.ts'
/** Random values that are the same for the same seed. */
export type Dice = {
  /** in [0, 1) */
  next(): number
  /** a whole number from `low` to `high`, both included */
  between(low: number, high: number): number
  chance(probability: number): boolean
  one<T>(of: readonly T[]): T
  /** several, each at most once, in the order of the list */
  some<T>(of: readonly T[], count: number): T[]
  /** the list in another order */
  shuffled<T>(of: readonly T[]): T[]
  /** each # becomes a digit */
  digits(pattern: string): string
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty for a demonstration. */
export function dice(seed: number): Dice {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const one = <T>(of: readonly T[]): T => item(of, Math.floor(next() * of.length), 'choice')
  const shuffled = <T>(of: readonly T[]): T[] => {
    const list = [...of]
    for (let i = list.length - 1; i > 0; i--) {
      const j = between(0, i)
      ;[list[i], list[j]] = [item(list, j, 'entry'), item(list, i, 'entry')]
    }
    return list
  }
  return {
    next,
    between,
    one,
    shuffled,
    chance: (probability) => next() < probability,
    some(of, count) {
      const chosen = new Set(shuffled(of.map((_each, i) => i)).slice(0, count))
      return of.filter((_each, i) => chosen.has(i))
    },
    digits: (pattern) => pattern.replace(/#/g, () => String(between(0, 9))),
  }
}
