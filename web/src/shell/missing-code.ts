const mark = 'perennial reloaded'

/** Reloads once where the code of a page is gone, as after an update of the server. */
export function reloadOnMissingCode(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(mark) ?? 0)
    if (Date.now() - last < 60_000) return
    sessionStorage.setItem(mark, String(Date.now()))
    event.preventDefault()
    location.reload()
  })
}
