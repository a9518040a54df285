/** The position of a member's value in the text of a JSON object. */
export type Member = { name: string; start: number; end: number }

/**
 * The members of a JSON object in the order of its text, which must be valid JSON. Values are found,
 * not parsed: numbers, spaces and the order of keys stay as they were written.
 */
export function membersOf(text: string): Member[] {
  const members: Member[] = []
  let at = skipBlank(text, text.indexOf('{') + 1)
  while (text.charCodeAt(at) === quote) {
    const nameEnd = endOfString(text, at)
    const name = textOf(text.slice(at, nameEnd))
    const start = skipBlank(text, skipBlank(text, nameEnd) + 1)
    const end = endOfValue(text, start)
    members.push({ name, start, end })
    at = skipBlank(text, end)
    if (text.charCodeAt(at) === comma) at = skipBlank(text, at + 1)
  }
  return members
}

/** The same object with other values, as JSON text; names that it does not have are ignored. */
export function withMembers(text: string, values: ReadonlyMap<string, string>): string {
  let result = ''
  let done = 0
  for (const { name, start, end } of membersOf(text)) {
    const value = values.get(name)
    if (value === undefined) continue
    result += text.slice(done, start) + value
    done = end
  }
  return result + text.slice(done)
}

/** The same object with those of its members alone, as JSON text. */
export function onlyMembers(text: string, isKept: (name: string) => boolean): string {
  const kept = membersOf(text).filter(({ name }) => isKept(name))
  return `{${kept.map(({ name, start, end }) => `${JSON.stringify(name)}:${text.slice(start, end)}`)}}`
}

/** The value of a JSON string. Names seldom have escapes, and then need no parser. */
function textOf(string: string): string {
  return string.includes('\\') ? (JSON.parse(string) as string) : string.slice(1, -1)
}

function skipBlank(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) <= 32) at++
  return at
}

function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); ; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
    // an odd number of them escapes the quote
    if (slashes % 2 === 0) return at + 1
  }
}

function endOfValue(text: string, from: number): number {
  if (text.charCodeAt(from) === quote) return endOfString(text, from)
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) at = endOfString(text, at) - 1
    else if (char === openBrace || char === openBracket) depth++
    else if (depth && (char === closeBrace || char === closeBracket)) {
      if (--depth === 0) return at + 1
    } else if (!depth && (char === comma || char === closeBrace)) {
      let end = at
      while (text.charCodeAt(end - 1) <= 32) end--
      return end
    }
  }
  return text.length
}

// compared as numbers, which is several times as fast as texts of one character
const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
