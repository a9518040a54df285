/** The `events` of a subscription are invalid; the message says what would be right. */
export class EventsError extends Error {
  override name = 'EventsError'
}

/**
 * Reads the `events` of a subscription: a list literal in single or double quotes, JSON text, an
 * array, or one bare name: 1 to 100 of them. Returns each once, trimmed, in their order; whether
 * they exist is checked against the catalogue elsewhere. Throws EventsError. (specification part 6)
 */
export function parseEvents(value: unknown): string[] {
  const names = listOf(value).map(cleanName)
  if (names.length === 0) throw malformed('names no event')
  if (names.length > 100) throw malformed(`names ${names.length} events, at most 100 are possible`)
  return [...new Set(names)]
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string') throw malformed(`is ${kindOf(value)}`)
  const text = value.trim()
  if (text.startsWith('[')) return listLiteral(text)
  if (/^(?<quote>['"]).*\k<quote>$/s.test(text)) return [text.slice(1, -1)]
  return [text]
}

// One quoted name, then a comma or the end of the list. Names hold neither quotes nor backslashes,
// so JSON text and the literals of Python and JavaScript read the same; a last comma is theirs too.
const item = /\s*(?:'([^'"\\]*)'|"([^'"\\]*)")\s*(,|\])/y

function listLiteral(text: string): string[] {
  if (/^\[\s*\]$/.test(text)) return []
  const names: string[] = []
  let at = 1
  for (;;) {
    item.lastIndex = at
    const match = item.exec(text)
    if (!match) throw malformed(`cannot be read after ${quoted(text.slice(0, at))}`)
    names.push(match[1] ?? match[2]!)
    at = item.lastIndex
    const rest = text.slice(at).trim()
    if (match[3] === ']' && rest !== '') throw malformed(`goes on after the list: ${quoted(rest)}`)
    if (match[3] === ']' || rest === ']') return names
  }
}

function cleanName(name: unknown): string {
  if (typeof name !== 'string') throw malformed(`lists ${kindOf(name)}`)
  const clean = name.trim()
  if (clean === '') throw malformed('has an empty name')
  if (!/^\w{1,100}$/.test(clean)) throw malformed(`has ${quoted(clean)}, which is no name`)
  return clean
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}

function malformed(what: string): EventsError {
  return new EventsError(
    `events ${what}: give a list of event names such as ['company_created', 'contact_updated']`,
  )
}
