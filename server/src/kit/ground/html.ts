const entities: { [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as HTML that shows exactly that text. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

const allowed = /^(b|i|u|s|em|strong|p|br|ul|ol|li|code|pre|blockquote|span|small|a)$/
const tag = /<(\/?)([a-z]+)((?:\s[^<>]*)?)\/?>/gi
const href = /^\s+href=(?:"(https?:\/\/[^"<>\s]+)"|'(https?:\/\/[^'<>\s]+)')\s*$/i

/**
 * Makes untrusted HTML safe: formatting and links to http and https stay, their
 * other attributes are removed, every other tag is shown as text, and open tags are closed.
 */
export function safeHtml(html: string): string {
  const open: string[] = []
  let safe = ''
  let at = 0
  for (const found of html.matchAll(tag)) {
    const [whole, closes, name = '', attributes = ''] = found
    safe += escapedOnce(html.slice(at, found.index))
    at = found.index + whole.length
    safe += safeTag(open, name.toLowerCase(), closes === '/', attributes) ?? escapedOnce(whole)
  }
  safe += escapedOnce(html.slice(at))
  return safe + open.reverse().map(closing).join('')
}

/** The text of safe HTML, without its tags; each paragraph, item and row of a table is a line. */
export function textOf(html: string): string {
  // no tag goes on behind another one's beginning: looking for its end there takes the square of the length
  const text = html
    .replace(/<br ?\/?>|<\/(p|div|li|tr|h\d|blockquote|pre)>/g, '\n')
    .replace(/<[^<>]*>/g, '')
    .trimEnd()
  return Object.entries(entities).reduceRight(
    (decoded, [character, entity]) => decoded.replaceAll(entity, character),
    text,
  )
}

/** A tag made safe, with the list of open ones updated; undefined where it is not allowed. */
function safeTag(open: string[], name: string, closes: boolean, attributes: string) {
  if (!allowed.test(name)) return undefined
  if (name === 'br') return '<br>'
  if (closes) {
    if (open.at(-1) !== name) return undefined
    open.pop()
    return closing(name)
  }
  const [, double, single] = (name === 'a' && href.exec(attributes)) || []
  const url = double ?? single
  if (name === 'a' && !url) return undefined
  open.push(name)
  return url ? `<a href="${escapedOnce(url)}" rel="noopener noreferrer">` : `<${name}>`
}

function closing(name: string): string {
  return `</${name}>`
}

/** Escapes what is not an entity already. */
function escapedOnce(html: string): string {
  return html.replace(/&(?!(?:[a-z]+|#\d+|#x[\da-f]+);)|[<>"']/gi, (each) => entities[each] ?? each)
}
