/** What a person is found by in texts. */
export type Identity = {
  names: string[]
  emails: string[]
  phones: string[]
  /** addresses of profiles */
  links: string[]
}

/** What stands where something of the person stood. */
export type Placeholders = { name: string; email: string; other: string }

/** Finds the traces of a person in texts. */
export type Pattern = {
  /** a regular expression that PostgreSQL takes with `~*`; whatever `erase` changes matches it */
  source: string
  erase(text: string): string
  isIn(text: string): boolean
}

/** The fewest digits of a telephone number that is looked for by itself. */
const fewestDigits = 7

/** Which placeholder stands for what one of the regular expressions finds. */
type Part = { source: string; by: keyof Placeholders }

/**
 * The pattern of a person: e-mail addresses, telephone numbers however they are written, profiles, and
 * full names in either order, also with dots or dashes as in names of files. A name of one word is
 * found only where it is the whole text.
 */
export function patternOf(identity: Identity, placeholders: Placeholders): Pattern {
  const parts: Part[] = [
    ...identity.emails.map((email) => ({ source: emailSource(email), by: 'email' as const })),
    ...identity.links.map((link) => ({ source: escaped(link), by: 'other' as const })),
    ...identity.phones.flatMap(phoneSources).map((source) => ({ source, by: 'other' as const })),
    ...identity.names.flatMap(nameSources).map((source) => ({ source, by: 'name' as const })),
  ]
  const single = new Set(
    identity.names.map((name) => name.trim().toLowerCase()).filter((name) => !/\s/.test(name)),
  )
  const all = parts.map(({ source, by }) => ({ expression: new RegExp(source, 'giu'), by }))
  const erase = (text: string): string => {
    if (single.has(text.trim().toLowerCase())) return placeholders.name
    let left = text
    for (const { expression, by } of all) left = left.replace(expression, () => placeholders[by])
    return left
  }
  const sources = [
    ...parts.map(({ source }) => source),
    ...[...single].filter(Boolean).map(escaped),
  ]
  return {
    // nobody has an empty pattern, which would match every text
    source: sources.length ? sources.join('|') : '(?!)',
    erase,
    isIn: (text) => erase(text) !== text,
  }
}

/** A value of JSON without the traces; the same object where there were none. */
export function erasedJson(value: unknown, pattern: Pattern): unknown {
  if (typeof value === 'string') return pattern.erase(value)
  if (typeof value === 'number') return pattern.isIn(String(value)) ? null : value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => erasedJson(item, pattern))
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  if (typeof value !== 'object' || value === null) return value
  const entries: [string, unknown][] = Object.entries(value)
  const left = entries.map(
    ([key, inner]) => [pattern.erase(key), erasedJson(inner, pattern)] as const,
  )
  const isSame = left.every(
    ([key, inner], i) => key === entries[i]?.[0] && inner === entries[i]?.[1],
  )
  return isSame ? value : Object.fromEntries(left)
}

// Only what both JavaScript and PostgreSQL understand alike stands in these.

function emailSource(email: string): string {
  const address = escaped(email.trim().toLowerCase()).replaceAll('@', '(?:@|%40)')
  return `(?<![A-Za-z0-9.+_-])${address}(?![A-Za-z0-9-]|[.][A-Za-z0-9])`
}

function nameSources(name: string): string[] {
  const words = name.trim().split(/\s+/).filter(Boolean).map(escaped)
  if (words.length < 2) return []
  const [first = '', last = ''] = [words[0], words.at(-1)]
  const orders = new Set([
    words.join(between),
    [last, ...words.slice(0, -1)].join(between),
    [first, last].join(between),
    [last, first].join(between),
  ])
  return [...orders].map((order) => `(?<![A-Za-z0-9])${order}(?![A-Za-z0-9])`)
}

const between = '(?:[ ,._+\\n\\t-]|%20){1,4}'

function phoneSources(phone: string): string[] {
  const digits = phone.replaceAll(/\D/g, '').replace(/^00/, '')
  if (digits.length < fewestDigits) return []
  const written = (text: string) => text.split('').join('[ ()./-]{0,3}')
  const alone = (source: string) => `(?<![0-9])${source}(?![0-9])`
  // the number as it is dialled inside its country, whose code has one to three digits
  const inside = digits.length > 9 ? [alone(`0[ ()./-]{0,3}${written(digits.slice(-9))}`)] : []
  return [alone(`(?:[+]|00)?${written(digits)}`), ...inside]
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
