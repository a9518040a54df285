/** Where the value of a member stands in the text of a JSON object. */
export type Member = { name: string; start: number; end: number }

/**
 * The members of a JSON object in the order of its text, which must be valid JSON. Values are found,
 * not parsed: numbers, spaces and the order of keys stay as they were written.
 */
export function membersOf(text: string): Member[] {
  const members: Member[] = []
  let at = skipBlank(text, text.indexOf('{') + 1)
  while (text[at] === '"') {
    const nameEnd = endOfString(text, at)
    const name = JSON.parse(text.slice(at, nameEnd)) as string
    const start = skipBlank(text, skipBlank(text, nameEnd) + 1)
    const end = endOfValue(text, start)
    members.push({ name, start, end })
    at = skipBlank(text, end)
    if (text[at] === ',') at = skipBlank(text, at + 1)
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

function skipBlank(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) <= 32) at++
  return at
}

function endOfString(text: string, from: number): number {
  let at = from + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function endOfValue(text: string, from: number): number {
  if (text[from] === '"') return endOfString(text, from)
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = endOfString(text, at) - 1
    else if (char === '{' || char === '[') depth++
    else if (depth && (char === '}' || char === ']')) {
      if (--depth === 0) return at + 1
    } else if (!depth && (char === ',' || char === '}')) {
      let end = at
      while (text.charCodeAt(end - 1) <= 32) end--
      return end
    }
  }
  return text.length
}
