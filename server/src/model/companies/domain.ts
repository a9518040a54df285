/**
 * A domain in the form that is compared and stored: without scheme, `www.`, port, path and trailing dot, lower
 * case, internationalized names in ASCII. Undefined for a text that is no domain.
 */
export function normalDomain(text: string): string | undefined {
  const bare = text.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
  const url = `http://${bare}`
  if (!bare || !URL.canParse(url)) return undefined
  const host = new URL(url).hostname.replace(/\.$/, '').replace(/^www\./, '')
  const isDomain = /^(?=.{3,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(
    host,
  )
  return isDomain && !/^[\d.]+$/.test(host) ? host : undefined
}
