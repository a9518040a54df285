/** The number of characters that are searched for addresses, which takes quadratic time; no real list is longer. */
const most = 2000

/** An e-mail address as people write it: alone, after `mailto:`, or after a name as `Ada <ada@acme.com>` or `Ada (ada@acme.com)`. */
export function addressOf(text: string): { email: string; name?: string } {
  if (text.length > most) return { email: text }
  const bare = text.trim().replace(/^mailto:/i, '')
  const found =
    /^"?([^"<]*)"?\s*<([^<>\s]+@[^<>\s]+)>$/.exec(bare) ??
    /^([^()@]+?)\s*\(([^()\s]+@[^()\s]+)\)$/.exec(bare)
  const name = found?.[1]?.trim()
  return { email: found?.[2] ?? bare, ...(name ? { name } : {}) }
}

/** The people whom a cell names, by address or name: `Lovelace, Ada` is one. */
export function peopleIn(text: string): string[] {
  const parts = text.length > most ? [] : text.split(/\s*[;,\n]\s*/).filter(Boolean)
  const areSeveral = parts.length > 1 && parts.every((part) => /\S\s+\S|@/.test(part))
  return (areSeveral ? parts : [text]).map((part) => addressOf(part).email)
}

/** The addresses in a cell, if it has several; otherwise the cell itself. */
export function addressesOf(text: string): string[] {
  if (text.length > most) return [text]
  return text
    .split(/(?:[;,\n]|:::)\s*(?=[^<>]*(?:@|<))/)
    .map((each) => each.trim())
    .filter(Boolean)
}
