/**
 * A web address: http or https, without credentials, blanks, control characters and what URLs spell
 * percent-encoded (`"<>\`). A domain without `http://`, as people write it, gets https. Returns
 * undefined for any other text, also for values stored before this was checked.
 */
export function webAddress(text: string): URL | undefined {
  if (/[\s\p{C}\p{Z}"<>\\]/u.test(text)) return undefined
  const isWhole = /^https?:\/\/[^/?#]/i.test(text)
  // a domain, perhaps with a port: neither another scheme nor a path
  if (!isWhole && !/^[^/?#:@][^/?#:@.]*\.[^/?#:@]+(:\d{1,5})?([/?#]|$)/.test(text)) return undefined
  const address = isWhole ? text : `https://${text}`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.username || url.password) return undefined
  if (isWhole) return host.test(url.hostname) ? url : undefined
  return domain.test(url.hostname) ? url : undefined
}

/** Names, IPv4 and IPv6 addresses. URLs allow `;`, `,` and more, which end what a header says. */
const host = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/
const domain = /^([a-z0-9_-]+\.)+[a-z][a-z0-9-]*\.?$/

/** Whether a text is a web address, or a path as files have it: without a scheme or a host of its own. */
export function isAddressOrPath(text: string): boolean {
  return webAddress(text) !== undefined || /^(?!\/\/)[^\s\p{C}\p{Z}"<>\\:]+$/u.test(text)
}

/** The host of an absolute URL, the same for all its spellings: no port, lower case, no dot at its end. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '')
}

/** The same for a text that must say `http://` or `https://`. */
export function wholeWebAddress(text: string): URL | undefined {
  return /^https?:/i.test(text) ? webAddress(text) : undefined
}

/** An address for a style sheet inside HTML: nothing in it ends the string, the rule or the element. */
export function cssUrl({ href }: URL): string {
  const escaped = href.replaceAll(/["'\\<>()\s]/g, (character) => percent(character))
  return `url("${escaped}")`
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/**
 * A source for a content security policy: scheme, host and port, nothing of the path. Undefined for
 * an IPv6 address, which a policy cannot name.
 */
export function policySource({ origin, hostname }: URL): string | undefined {
  return hostname.startsWith('[') ? undefined : origin
}
