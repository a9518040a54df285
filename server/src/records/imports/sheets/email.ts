/** Characters that are searched for addresses, which takes the square of them; no list of them is longer. */
const most = 2000

/** An e-mail address as people write it: bare, behind `mailto:`, or behind a name as `Ada <ada@acme.com>`. */
export function addressOf(text: string): { email: string; name?: string } {
  if (text.length > most) return { email: text }
  const bare = text.trim().replace(/^mailto:/i, '')
  const found = /^"?([^"<]*)"?\s*<([^<>\s]+@[^<>\s]+)>$/.exec(bare)
  const name = found?.[1]?.trim()
  return { email: found?.[2] ?? bare, ...(name ? { name } : {}) }
}

/** The addresses of a cell that holds several; it alone where it holds one. */
export function addressesOf(text: string): string[] {
  if (text.length > most) return [text]
  return text
    .split(/[;,\n]\s*(?=[^<>]*(?:@|<))/)
    .map((each) => each.trim())
    .filter(Boolean)
}
