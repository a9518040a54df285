import { createReadStream } from 'node:fs'
import { badField } from '../../kit/ground/errors.ts'

/** A content line of vCard or iCalendar (RFC 6350 and 5545, 3.3 and 3.1): its value as it is written, still escaped. */
export type Property = {
  /** in capitals, without a group such as `item1.` */
  name: string
  /** the group, which joins it with its label */
  group: string
  /** by names in capitals; the bare words of vCard 2.1 are types */
  params: { [name: string]: string[] }
  value: string
}

/** A block from `BEGIN` to `END`, with those inside it. */
export type Component = {
  name: string
  /** where it begins, from 1 */
  line: number
  properties: Property[]
  inside: Component[]
}

/** The maximum length of a line after unfolding: longer ones are pictures, of which the beginning says what they are. */
const longestLine = 256 * 1024
const mayBeLonger = /^(PHOTO|LOGO|SOUND|KEY|ATTACH|X-.*)$/
/** The maximum numbers of lines in a block, and of blocks in each other. */
const mostLines = 10_000
const deepest = 4

/**
 * The outermost blocks of these names, one after the other, so that a file of any size takes little memory.
 * Lines that follow no grammar are passed over, as are blocks that never end; 400 for a text that is too long.
 */
export function componentsOf(
  path: string,
  encoding: string,
  names: string[],
): AsyncGenerator<Component> {
  return componentsIn(linesOf(path, encoding), names)
}

/** The same of lines that are in memory. */
export async function* componentsIn(lines: Lines, names: string[]): AsyncGenerator<Component> {
  let open: Component[] = []
  let left = 0
  for await (const { line, text } of unfolded(lines)) {
    const property = propertyOf(text)
    if (!property) continue
    const { name, value } = property
    const word = value.trim().toUpperCase()
    const within = open.at(-1)
    if (name === 'BEGIN') {
      // an outermost one begins anew where the last has no end
      if (names.includes(word) && (!within || within.name === word)) {
        open = [{ name: word, line, properties: [], inside: [] }]
        left = mostLines
      } else if (within && open.length < deepest) {
        open.push({ name: word, line, properties: [], inside: [] })
      }
      continue
    }
    if (!within) continue
    if (text.length >= longestLine && !mayBeLonger.test(name)) {
      const most = `has a value of more than ${longestLine / 1024} KiB at line ${line}`
      throw badField('file', most)
    }
    if (name === 'END') {
      if (within.name !== word) continue
      open.pop()
      const outer = open.at(-1)
      if (outer) outer.inside.push(within)
      else yield within
    } else if (left-- > 0) within.properties.push(property)
  }
}

type Lines = AsyncIterable<string> | Iterable<string>
type Text = { line: number; text: string }

/** The lines with their continuations: folded ones, and those of quoted-printable, which end with `=`. */
async function* unfolded(lines: Lines): AsyncGenerator<Text> {
  let current: Text | undefined
  let isQuoted = false
  let number = 0
  for await (const each of lines) {
    number++
    const isMore = /^[ \t]/.test(each) && each.trim() !== ''
    if (current && isQuoted && current.text.endsWith('=')) {
      if (current.text.length < longestLine) current.text = current.text.slice(0, -1) + each
    } else if (current && isMore) {
      if (current.text.length < longestLine) current.text += each.slice(1)
    } else {
      if (current) yield current
      current = { line: number, text: each }
      isQuoted = quotedPrintable.test(each)
    }
  }
  if (current) yield current
}

const quotedPrintable = /^[^:]{1,200};(ENCODING=)?QUOTED-PRINTABLE[;:]/i

async function* linesOf(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  let rest = ''
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    yield* lines
    // the rest of a picture that was not folded
    if (rest.length > 2 * longestLine) rest = rest.slice(0, longestLine) + rest.slice(-1)
  }
  yield* (rest + decoder.decode()).split(/\r\n|\n|\r/)
}

/** A line as a property; undefined if it is none. */
export function propertyOf(line: string): Property | undefined {
  const [head = '', group = '', name = ''] =
    /^(?:([A-Za-z0-9_-]{1,100})\.)?([A-Za-z0-9_-]{1,100})/.exec(line.replace(/^\ufeff/, '')) ?? []
  if (!name) return undefined
  const text = line.replace(/^\ufeff/, '')
  const params: Property['params'] = {}
  let at = head.length
  while (text[at] === ';') {
    const [whole = '', word = ''] = parameterName.exec(text.slice(at, at + 100)) ?? []
    if (!whole) return undefined
    at += whole.length
    const values: string[] = []
    if (text[at] === '=') {
      do {
        const [value, end] = parameterValue(text, at + 1)
        values.push(value)
        at = end
      } while (text[at] === ',')
    }
    const bare = /^(QUOTED-PRINTABLE|BASE64|8BIT|7BIT)$/i.test(word) ? 'ENCODING' : 'TYPE'
    const key = values.length ? word.toUpperCase() : bare
    ;(params[key] ??= []).push(...(values.length ? values : [word]))
  }
  if (text[at] !== ':') return undefined
  return { name: name.toUpperCase(), group, params, value: text.slice(at + 1) }
}

const parameterName = /^;([A-Za-z0-9_-]*)/

/** A value and where it ends: in quotes it may hold signs, and `^n` and `^'` are a line end and a quote (RFC 6868). */
function parameterValue(text: string, from: number): [value: string, end: number] {
  const isQuoted = text[from] === '"'
  const start = isQuoted ? from + 1 : from
  let end = start
  while (end < text.length && !(isQuoted ? text[end] === '"' : /[;:,]/.test(text[end] ?? ''))) end++
  const value = text
    .slice(start, end)
    .replace(/\^(n|'|\^)/g, (_, sign: string) => ({ n: '\n', "'": '"' })[sign] ?? '^')
  return [value, isQuoted ? end + 1 : end]
}

/** The value as text: unescaped, and decoded where it is quoted-printable. */
export function textOf(property: Property): string {
  return unescaped(decoded(property)).trim()
}

/** The parts between signs that are not escaped, such as the lines of an address. */
export function partsOf(property: Property, sign: ';' | ','): string[] {
  const value = decoded(property)
  if (!value.includes('\\')) return value.split(sign).map((part) => part.trim())
  const parts: string[] = ['']
  for (const piece of value.match(/\\[^]|[^\\]|\\$/gu) ?? []) {
    if (piece === sign) parts.push('')
    else parts.push((parts.pop() ?? '') + piece)
  }
  return parts.map((part) => unescaped(part).trim())
}

function unescaped(text: string): string {
  if (!text.includes('\\') && !text.includes('\r')) return text
  return text
    .replace(/\\([nN,;:"\\])/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign))
    .replace(/\r\n?/g, '\n')
}

/** The value without quoted-printable (RFC 2045, 6.7), in the character set that the property names. */
function decoded({ params, value }: Property): string {
  if (!params.ENCODING?.some((each) => each.toUpperCase() === 'QUOTED-PRINTABLE')) return value
  const bytes = value
    .replace(/=$/, '')
    .split(/(=[0-9A-Fa-f]{2})/)
    .map((piece) =>
      /^=[0-9A-Fa-f]{2}$/.test(piece) ? Buffer.from(piece.slice(1), 'hex') : Buffer.from(piece),
    )
  const whole = Buffer.concat(bytes)
  const [charset = 'utf-8'] = params.CHARSET ?? []
  for (const name of [charset, 'windows-1252']) {
    try {
      return new TextDecoder(name, { fatal: true }).decode(whole)
    } catch {
      // a set that is not known, or not the one of the bytes
    }
  }
  return whole.toString()
}
