import { isReachable } from '../api/reachable.ts'

const mark = 'perennial reloaded'

/**
 * Reloads once if the code of a page no longer exists, as after an update of the server. If the server cannot be reached
 * the page stays: a reload would lose it, with the text typed there.
 */
export function reloadOnMissingCode(): void {
  addEventListener('vite:preloadError', () => {
    const last = Number(sessionStorage.getItem(mark) ?? 0)
    if (Date.now() - last > 60_000) void reloadIfReachable()
  })
}

/** Reloads the page, unless the server cannot be reached. */
export async function reloadIfReachable(): Promise<void> {
  if (!(await isReachable())) return
  sessionStorage.setItem(mark, String(Date.now()))
  location.reload()
}
