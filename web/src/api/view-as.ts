/** Whom an administrator looks through the eyes of, to see what they see. */
export type Viewed = { user_id: string; full_name: string }

let viewed: Viewed | undefined
const listeners = new Set<() => void>()

/** As whom reads are sent; undefined is the person who is signed in. It ends with the tab. */
export const viewAs = {
  current: (): Viewed | undefined => viewed,
  set(user: Viewed | undefined): void {
    viewed = user
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
