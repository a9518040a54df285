/** A pasted line, and how far it is below the first one. */
type Line = { title: string; depth: number }

/** The most lines that are pasted at once. */
export const mostLines = 500

/**
 * Pasted text as titles with their depths: by leading tabs or pairs of spaces, or by numbers as in 1.2. Bullets and
 * numbers are left out, and so are further columns of a spreadsheet.
 */
export function linesOf(text: string): Line[] {
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, mostLines)
    .map((line) => {
      const [, indent = '', rest = ''] = /^(\s*)(.*)$/.exec(line) ?? []
      const [, number = '', named = ''] =
        /^(?:[-*•–]\s+|(\d+(?:\.\d+)*)[.)]?\s+)?([^\t]*)/.exec(rest) ?? []
      const spaces = indent.replaceAll('\t', '  ').length
      const depth = Math.floor(spaces / 2) || number.split('.').length - 1
      return { title: (named || rest).trim().slice(0, 255), depth }
    })
  const first = Math.min(...lines.map(({ depth }) => depth))
  let last = -1
  return lines.map(({ title, depth }) => {
    // nothing is two levels below the line before it
    last = Math.min(depth - first, last + 1)
    return { title, depth: last }
  })
}
