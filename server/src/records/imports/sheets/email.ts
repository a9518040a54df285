/** An e-mail address as people write it: bare, behind `mailto:`, or behind a name as `Ada <ada@acme.com>`. */
export function addressOf(text: string): { email: string; name?: string } {
  const bare = text.trim().replace(/^mailto:/i, '')
  const found = /^"?([^"<]*)"?\s*<([^<>\s]+@[^<>\s]+)>$/.exec(bare)
  const name = found?.[1]?.trim()
  return { email: found?.[2] ?? bare, ...(name ? { name } : {}) }
}

/** The addresses of a cell that holds several; it alone where it holds one. */
export function addressesOf(text: string): string[] {
  return text
    .split(/[;,\n]\s*(?=[^<>]*(?:@|<))/)
    .map((each) => each.trim())
    .filter(Boolean)
}
