/** What was written here and is not stored yet, with what it was made of. */
export type Kept = { name: string; blocks: string[]; base: string[]; at: number }

const keyOf = (id: string) => `draft:document:${id}`

/** Keeps on this device what is written, until it is stored; where there is no room, only the page has it. */
export function keep(id: string, kept: Kept): void {
  try {
    localStorage.setItem(keyOf(id), JSON.stringify(kept))
  } catch {
    // it is still in the page, and is sent from there
  }
}

/** What was kept and never stored; undefined if all was. */
export function keptOf(id: string): Kept | undefined {
  try {
    const read = JSON.parse(localStorage.getItem(keyOf(id)) ?? 'null') as Partial<Kept> | null
    const isText = (list: unknown) =>
      Array.isArray(list) && list.every((each: unknown) => typeof each === 'string')
    if (!read || typeof read.name !== 'string' || typeof read.at !== 'number') return undefined
    return isText(read.blocks) && isText(read.base) ? (read as Kept) : undefined
  } catch {
    return undefined
  }
}

/** Forgets it. */
export function forget(id: string): void {
  try {
    localStorage.removeItem(keyOf(id))
  } catch {
    // nothing is kept then
  }
}
