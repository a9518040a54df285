import { Problem, asProblem } from '../api/problem.ts'
import { t } from '../locales/text.ts'

/** How many writes wait at most. */
const most = 50

let line: Promise<unknown> = Promise.resolve()
let waiting = 0
const listeners = new Set<() => void>()

/**
 * Runs a write; while there is no network it waits for it, behind those that wait already. Throws the `Problem`, also
 * where too many wait.
 */
export async function whenOnline<T>(run: () => Promise<T>): Promise<T> {
  if (navigator.onLine && !waiting) {
    try {
      return await run()
    } catch (error) {
      if (!isOffline(error)) throw error
    }
  }
  if (waiting >= most)
    throw new Problem(0, 'offline', t('{most} changes wait for a connection already.', { most }))
  const turn = line.then(() => inTurn(run))
  line = turn.catch(() => {})
  count(1)
  return turn.finally(() => count(-1))
}

async function inTurn<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    if (!navigator.onLine)
      await new Promise((back) => addEventListener('online', back, { once: true }))
    try {
      return await run()
    } catch (error) {
      if (!isOffline(error)) throw error
    }
  }
}

function isOffline(error: unknown): boolean {
  return !navigator.onLine && asProblem(error).code === 'offline'
}

/** They are kept by the page alone. */
const stay = (event: BeforeUnloadEvent) => event.preventDefault()

function count(by: 1 | -1): void {
  waiting += by
  if (waiting) addEventListener('beforeunload', stay)
  else removeEventListener('beforeunload', stay)
  for (const listener of listeners) listener()
}

/** How many writes wait. */
export function waitingWrites(): number {
  return waiting
}

/** Calls the listener whenever a write begins or ends to wait. */
export function onWaiting(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
