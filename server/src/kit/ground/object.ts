/** What an object holds, by name. */
export type Members = { [key: string]: unknown }

/** Whether a value is an object with members: not null, not an array. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether two JSON values are the same, whatever the order of their keys. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!a || !b || typeof a !== 'object' || typeof b !== 'object') return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [a as Members, b as Members]
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key]))
  )
}

/** The place of the first value that came before, as `===` compares; -1 where each comes once. */
export function indexOfRepeated(values: unknown[]): number {
  const seen = new Set<unknown>()
  return values.findIndex((value) => {
    if (seen.has(value)) return true
    seen.add(value)
    return false
  })
}
