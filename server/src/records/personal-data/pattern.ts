import { turns } from '../../kit/ground/turns.ts'

/** What identifies a person in texts. */
export type Identity = {
  names: string[]
  emails: string[]
  phones: string[]
  /** addresses of profiles */
  links: string[]
}

/** The placeholders that replace the person's data. */
export type Placeholders = { name: string; email: string; other: string }

/** Finds the traces of a person in texts. */
export type Pattern = {
  /** a regular expression for PostgreSQL's `~*`; whatever `erase` changes matches it */
  source: string
  /** lets other requests run meanwhile: with hundreds of former names a long text takes seconds */
  erase(text: string): Promise<string>
  isIn(text: string): Promise<boolean>
}

/** The minimum number of digits of a telephone number that is searched. */
const fewestDigits = 7

/** The placeholder for the matches of each regular expression. */
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
    identity.names
      .map((name) => name.trim().toLowerCase())
      .filter((name) => wordsOf(name).length < 2),
  )
  const all = parts.map(({ source, by }) => ({ expression: new RegExp(source, 'giu'), by }))
  const worked = turns()
  const erase = async (text: string): Promise<string> => {
    if (single.has(text.trim().toLowerCase())) return placeholders.name
    let left = text
    for (const { expression, by } of all) {
      await worked(text.length)
      left = left.replace(expression, () => placeholders[by])
    }
    return left
  }
  const sources = [
    ...parts.map(({ source }) => source),
    ...[...single].filter(Boolean).map(escaped),
  ]
  return {
    // without any text the pattern must not be empty, which would match everything
    source: sources.length ? sources.join('|') : '(?!)',
    erase,
    isIn: async (text) => (await erase(text)) !== text,
  }
}

/** A JSON value without the traces; the same object if there were none. */
export async function erasedJson(value: unknown, pattern: Pattern): Promise<unknown> {
  if (typeof value === 'string') return pattern.erase(value)
  if (typeof value === 'number') return (await pattern.isIn(String(value))) ? null : value
  if (Array.isArray(value)) return erasedItems(value, (item) => erasedJson(item, pattern))
  if (typeof value !== 'object' || value === null) return value
  const left: [string, unknown][] = []
  let isSame = true
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const one: [string, unknown] = [await pattern.erase(key), await erasedJson(inner, pattern)]
    if (one[0] !== key || one[1] !== inner) isSame = false
    left.push(one)
  }
  return isSame ? value : Object.fromEntries(left)
}

/** A list with `erased` applied to each item; the same list if nothing changed. */
export async function erasedItems(
  items: unknown[],
  erased: (item: unknown) => Promise<unknown>,
): Promise<unknown[]> {
  const left: unknown[] = []
  for (const item of items) left.push(await erased(item))
  return left.some((item, i) => item !== items[i]) ? left : items
}

// Only syntax that JavaScript and PostgreSQL interpret in the same way is used in these.

function emailSource(email: string): string {
  const address = escaped(email.trim().toLowerCase()).replaceAll('@', '(?:@|%40)')
  return `(?<![A-Za-z0-9.+_-])${address}(?![A-Za-z0-9-]|[.][A-Za-z0-9])`
}

function nameSources(name: string): string[] {
  const words = wordsOf(name).map(escaped)
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

const separator = '(?:[ ,._+\\n\\t-]|%20)'
const between = `${separator}{1,4}`
const separators = new RegExp(`^${separator}+$`)

/**
 * The words of a name. Characters that may also separate words do not count as words: with many of them a pattern
 * would take exponential time to find that a row of dashes is not the name.
 */
function wordsOf(name: string): string[] {
  return name.split(/\s+/).filter((word) => word && !separators.test(word))
}

function phoneSources(phone: string): string[] {
  const digits = phone.replaceAll(/\D/g, '').replace(/^00/, '')
  if (digits.length < fewestDigits) return []
  const written = (text: string) => text.split('').join('[ ()./-]{0,3}')
  const alone = (source: string) => `(?<![0-9])${source}(?![0-9])`
  // the number as dialled within its country, whose code has one to three digits
  const inside = digits.length > 9 ? [alone(`0[ ()./-]{0,3}${written(digits.slice(-9))}`)] : []
  return [alone(`(?:[+]|00)?${written(digits)}`), ...inside]
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
