/** Text as HTML shows it, also between quotes. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** The id of a heading in the page. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** A description in Markdown of the document: paragraphs, code and bold words. */
export function prose(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((part) => `<p>${inline(part)}</p>`)
    .join('')
}

/** Code and bold words within a line. */
export function inline(text: string): string {
  return escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
}

/** A wide table scrolls by itself, and by the keyboard too; one of fields is stacked on phones. */
export function tableOf(head: string, rows: string[], label: string, kind = 'wide'): string {
  const name = escaped(`Table: ${label}`)
  return `<div class="${kind}" tabindex="0" role="group" aria-label="${name}"><table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table></div>\n`
}

/** A block of code, which scrolls by itself. */
export function codeBlock(code: string, language = ''): string {
  const label = escaped(language ? `Code: ${language}` : 'Code')
  return `<pre tabindex="0" role="group" aria-label="${label}"><code>${escaped(code)}</code></pre>\n`
}
