/** A required part of the story; throws naming what is missing. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new Error(`The demonstration lacks ${what}`)
  return value
}

/** An element of a list by its index. */
export function item<T>(list: readonly T[], place: number, what: string): T {
  return present(list[place], `${what} ${place + 1} of ${list.length}`)
}
