import type de from './de.json'

/**
 * A text of the screens: its English, which is its key in the catalogue of each other language. `{name}` stands for
 * a value; ` | ` separates singular and plural of `{count}`; a word in brackets at the end, which is not shown, tells
 * apart what English writes alike: `Open [state]`.
 */
export type Text = keyof typeof de

type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never
type Value = string | number | null | undefined
type IsPlural<T extends string> = T extends `${string} | ${string}` ? 'count' : never
type Values<T extends string> = { readonly [name in NamesIn<T> | IsPlural<T>]: Value }

/** The catalogue of the document's language, which the document loads before the screens; none for English. */
const { perennialTexts: catalogue = {} } = globalThis as {
  perennialTexts?: { readonly [text: string]: string }
}

/** The language of the texts, as a code such as `de`: the one that the document says. */
export const language = globalThis.document?.documentElement.lang || 'en'

const forms = new Intl.PluralRules(language)

/** A text in the language of the document, with its values. What a catalogue lacks is English. */
export function t<T extends Text>(
  text: T,
  ...[values]: keyof Values<T> extends never ? [] : [values: Values<T>]
): string {
  const said = catalogue[text] ?? text.replace(/ \[[\w ]+\]$/, '')
  if (!values) return said
  const given: { readonly [name: string]: Value } = values
  const [one = said, many = one] = said.split(' | ')
  const form = many === one || forms.select(Number(given.count)) === 'one' ? one : many
  return form.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(given[name] ?? ''))
}

/** A label in the middle of a sentence: "Due date" is "due date", but German nouns and abbreviations stay as they are. */
export function inSentence(label: string): string {
  if (language === 'de' || !/^\p{Lu}\p{Ll}/u.test(label)) return label
  return label.charAt(0).toLowerCase() + label.slice(1)
}
