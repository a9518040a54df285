type Waiting = { resume: () => void; fail: (error: Error) => void }

const waiting = new Set<Waiting>()
const listeners = new Set<() => void>()
let isEnded = false

function changed(ended: boolean) {
  isEnded = ended
  for (const listener of listeners) listener()
}

/**
 * Whether this browser is signed in. A request that was answered 401 waits here until the person has
 * signed in again, so that nothing typed is lost.
 */
export const signedIn = {
  /** Resolves after the next sign-in. */
  again(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Waiting = { resume: resolve, fail: reject }
      waiting.add(entry)
      signal?.addEventListener('abort', () => {
        waiting.delete(entry)
        reject(signal.reason as Error)
      })
      changed(true)
    })
  },
  /** Lets every waiting request continue. */
  resume(): void {
    changed(false)
    for (const { resume } of waiting) resume()
    waiting.clear()
  },
  /** Ends every waiting request, because another person has signed in. */
  abandon(): void {
    for (const { fail } of waiting) fail(new Error('another session has begun'))
    waiting.clear()
    changed(false)
  },
  hasEnded: () => isEnded,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
