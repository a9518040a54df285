/** The number of characters that are searched for addresses, which takes quadratic time; no real list is longer. */
const most = 2000

/** An e-mail address as people write it: alone, after `mailto:`, or after a name as `Ada <ada@acme.com>`. */
export function addressOf(text: string): { email: string; name?: string } {
  if (text.length > most) return { email: text }
  const bare = text.trim().replace(/^mailto:/i, '')
  const found = /^"?([^"<]*)"?\s*<([^<>\s]+@[^<>\s]+)>$/.exec(bare)
  const name = found?.[1]?.trim()
  return { email: found?.[2] ?? bare, ...(name ? { name } : {}) }
}

/** The addresses in a cell, if it has several; otherwise the cell itself. */
export function addressesOf(text: string): string[] {
  if (text.length > most) return [text]
  return text
    .split(/(?:[;,\n]|:::)\s*(?=[^<>]*(?:@|<))/)
    .map((each) => each.trim())
    .filter(Boolean)
}
