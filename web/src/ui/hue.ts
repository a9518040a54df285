import { t } from '../locales/text.ts'

/** The eight hues of people, tags and options; dark on white, so that white text reads on each. */
export const hues = [
  '#2563a8',
  '#8a5a00',
  '#14704c',
  '#8a3a7a',
  '#a3431d',
  '#4a5a9a',
  '#0f6d78',
  '#6b6b1a',
] as const

/** The names of the hues, in the order of `hues`. */
export const hueNames = [
  t('Blue'),
  t('Amber'),
  t('Green'),
  t('Plum'),
  t('Rust'),
  t('Indigo'),
  t('Teal'),
  t('Olive'),
] as const

/** The hue of a name: always the same for the same name, as hexadecimal. */
export function hueOf(name: string): string {
  // FNV-1a, folded: the low bits alone would give similar words the same hue
  let hash = 0x811c9dc5
  for (const character of name) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  }
  hash = (hash ^ (hash >>> 15)) >>> 0
  return hues[hash % hues.length] ?? hues[0]
}

/** The hues of states with a common meaning, by their values in the API, which are the same in each language. */
const meanings: [values: string, hue: string][] = [
  ['published signed completed accepted active won healthy delivered', '#14704c'],
  ['pending partial partially_signed waiting on_hold paused high', '#8a5a00'],
  ['declined lost cancelled expired failed rejected urgent at_risk', '#a3431d'],
  ['none draft archived inactive closed low not_started', '#5b6661'],
]
const hueOfMeaning = new Map(
  meanings.flatMap(([values, hue]) => values.split(' ').map((value) => [value, hue] as const)),
)

/** The hue of an option: its own color, else that of its meaning by its kind or its value, else one of its value. */
export function hueOfOption({
  value,
  kind = value,
  color,
}: {
  value: string
  /** what a status or stage is, such as completed */
  kind?: string | undefined
  color?: string | null | undefined
}): string {
  const meaning = kind.toLowerCase().replaceAll(/[\s-]+/g, '_')
  return color ?? hueOfMeaning.get(meaning) ?? hueOf(value)
}

/** Up to two initials of a name: of the first and the last word; of an e-mail address its first letter. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined]
  return [first, last]
    .map((word) => (word ? String.fromCodePoint(word.codePointAt(0) ?? 0) : ''))
    .join('')
    .toUpperCase()
}
