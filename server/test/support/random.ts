/** Random numbers below a bound, always the same of one seed. */
export function randomOf(seed: number) {
  let state = seed * 2_654_435_769 + 1
  return (bound: number) => {
    state = Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5
    const mixed = state ^ (state + Math.imul(state ^ (state >>> 7), 61 | state))
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}
