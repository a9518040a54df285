/** Counts by key; a key whose count is back at zero is removed. */
export class Tally {
  readonly #counts = new Map<string, number>()
  /** all counts together */
  total = 0

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /** How many keys have a count. */
  get size(): number {
    return this.#counts.size
  }

  /** A negative `by` takes away. */
  add(key: string, by = 1): void {
    const before = this.of(key)
    const count = before + by
    this.total += Math.max(count, 0) - before
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }

  /** All counts together, each up to `most`. */
  sum(most: number): number {
    let sum = 0
    for (const count of this.#counts.values()) sum += Math.min(count, most)
    return sum
  }

  /** The key with the highest count, the first of several; '' where nothing is counted. */
  highest(): string {
    let highest = ''
    let most = 0
    for (const [key, count] of this.#counts) {
      if (count > most) [highest, most] = [key, count]
    }
    return highest
  }
}
