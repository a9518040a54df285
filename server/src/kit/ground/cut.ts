/** The start of a well-formed text, of so many UTF-16 units at most: no character is cut into halves. */
export function cut(text: string, most: number): string {
  const start = text.slice(0, most)
  return start.isWellFormed() ? start : start.slice(0, -1)
}

/** A name for a line that says more: its first 60 UTF-16 units in quotes, so that none can pass for what follows it. */
export function quoted(name: string): string {
  const start = cut(name, 60)
  return `“${start.replaceAll(/[“”]/g, '"')}${start === name ? '' : '…'}”`
}
