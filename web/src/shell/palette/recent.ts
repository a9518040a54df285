/** A recently opened record. */
export type Recent = { module: string; id: string; title: string }

const most = 12

/** The list with a record moved to the front, without duplicates. */
export function withRecent(list: Recent[], recent: Recent): Recent[] {
  const others = list.filter(({ module, id }) => module !== recent.module || id !== recent.id)
  return [recent, ...others].slice(0, most)
}

/** The records that a person looked at in this browser, the latest first. */
export function readRecent(user: string): Recent[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(nameOf(user)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecent) : []
  } catch {
    return []
  }
}

/** Remembers that a person opened a record. */
export function rememberRecent(user: string, recent: Recent): void {
  try {
    localStorage.setItem(nameOf(user), JSON.stringify(withRecent(readRecent(user), recent)))
  } catch {
    // without storage there are no recent records
  }
}

/** Forgets them, as at a sign-out: others may use this browser. */
export function forgetRecent(user: string): void {
  localStorage.removeItem(nameOf(user))
}

function nameOf(user: string): string {
  return `recent ${user}`
}

function isRecent(value: unknown): value is Recent {
  const { module, id, title } = (value ?? {}) as Recent
  return [module, id, title].every((each) => typeof each === 'string')
}
