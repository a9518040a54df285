/**
 * Pasted HTML without tables of several columns, which comments do not support: a row becomes a line with its cells
 * side by side; otherwise they would run together.
 */
export function rowsAsLines(html: string): string {
  if (!/<table/i.test(html)) return html
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  // inner tables come after outer ones
  for (const table of [...body.querySelectorAll('table')].reverse()) {
    const rows = [...table.rows]
    if (!rows.some(({ cells }) => cells.length > 1)) continue
    table.replaceWith(
      ...rows.map(({ cells }) => {
        const line = document.createElement('p')
        const texts = [...cells].map((cell) => cell.textContent.replaceAll(/\s+/g, ' ').trim())
        line.textContent = texts.join(' | ')
        return line
      }),
    )
  }
  return body.innerHTML
}
