/** The user as whom an administrator views the workspace. */
export type Viewed = { user_id: string; full_name: string }

let viewed: Viewed | undefined
const listeners = new Set<() => void>()

/** The user as whom reads are sent; undefined for the signed-in person. It ends with the tab. */
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
