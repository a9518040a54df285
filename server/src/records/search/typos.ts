/** The maximum number of mistakes in a typed word: none in short ones, which resemble too many others. */
export function mistakesIn(typed: string): number {
  if (typed.length < 4) return 0
  return typed.length < 6 ? 1 : 2
}

/** The possible corrections of a typed word, the nearest first, with few enough mistakes. */
export function nearest(typed: string, words: string[], most: number): string[] {
  const allowed = mistakesIn(typed)
  const near = words.map((word) => ({ word, away: distance(typed, word) }))
  return near
    .filter(({ away }) => away > 0 && away <= allowed)
    .sort((a, b) => a.away - b.away)
    .slice(0, most)
    .map(({ word }) => word)
}

/**
 * The number of letters omitted, inserted, replaced or swapped with their neighbour between two words (optimal
 * string alignment).
 */
export function distance(from: string, to: string): number {
  const [a, b] = [Array.from(from), Array.from(to)]
  const at = (row: number[], j: number) => row[j] ?? Infinity
  let before: number[] = []
  let last = b.map((_, j) => j).concat(b.length)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const mistaken = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? at(before, j - 2) + 1 : Infinity
      row.push(Math.min(mistaken, at(last, j) + 1, at(row, j - 1) + 1, swapped))
    }
    before = last
    last = row
  }
  return at(last, b.length)
}
