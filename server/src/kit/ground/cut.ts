/** The start of a well-formed text, of so many UTF-16 units at most: no character is cut into halves. */
export function cut(text: string, most: number): string {
  const start = text.slice(0, most)
  return start.isWellFormed() ? start : start.slice(0, -1)
}
