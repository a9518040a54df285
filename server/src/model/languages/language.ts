import { oneLine } from '../../kit/ground/one-line.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import { languages } from './codes.ts'
import type { Language } from './codes.ts'
import nl from './nl.json' with { type: 'json' }
import pt from './pt.json' with { type: 'json' }

export { languages } from './codes.ts'
export type { Language } from './codes.ts'

const names = new Intl.DisplayNames('en', { type: 'language' })

/** The English name of a language by its code, such as German for `de`; what is no code stays as it is. */
export function languageName(code: string): string {
  return /^[a-z]{2}$/.test(code) ? (names.of(code) ?? code) : code
}

/** The messages, by language. `{name}` stands for a value; ` | ` separates singular and plural of `{count}`. */
export const catalogues: { [language in Language]: { [key in MessageKey]: string } } = {
  en,
  de,
  fr,
  es,
  pt,
  nl,
}
export type MessageKey = keyof typeof en

/** Formats messages and dates in one language and one time zone. */
export type Voice = {
  language: Language
  /** whether there is such a message */
  has(key: string): key is MessageKey
  /** a message with its values, each of them in one line */
  say(key: MessageKey, values?: { [name: string]: string | number }): string
  /** a day, as 2026-03-01 */
  day(day: string): string
  /** an instant with its time and the short name of the zone */
  instant(at: string | Date): string
  /** an instant in short, without its zone */
  moment(at: string): string
  /** from one instant to another; days alone with `isAllDay` */
  range(from: string, to: string, isAllDay?: boolean): string
  /** the same voice in another zone */
  in(zone: string): Voice
}

/** A voice in a language. The zone is an IANA name; otherwise UTC is used. */
export function voiceOf(language: Language, zone: string): Voice {
  const timeZone = isZone(zone) ? zone : 'UTC'
  const messages = catalogues[language]
  const plural = new Intl.PluralRules(language)
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locales[language], options)
  return {
    language,
    has: (key): key is MessageKey => Object.hasOwn(messages, key),
    say(key, values = {}) {
      const forms = messages[key].split(' | ')
      const isOne = plural.select(Number(values.count ?? 0)) === 'one'
      const form = (isOne ? forms[0] : forms.at(-1)) ?? ''
      return form.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
        oneLine(String(values[name] ?? whole)),
      )
    },
    day: (day) =>
      format({ dateStyle: 'full', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`)),
    instant: (at) => format({ ...timed, timeZone }).format(new Date(at)),
    moment: (at) =>
      format({ dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(at)),
    range(from, to, isAllDay = false) {
      const { timeZoneName: _, ...clock } = timed
      const options: Intl.DateTimeFormatOptions = isAllDay ? { dateStyle: 'full' } : clock
      const text = format({ ...options, timeZone }).formatRange(new Date(from), new Date(to))
      return isAllDay ? text : `${text} (${timeZone})`
    },
    in: (other) => voiceOf(language, other),
  }
}

const timed: Intl.DateTimeFormatOptions = {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
}

/** If a language leaves the order of day and month open, the most common one is used. */
const locales: { [language in Language]: string } = {
  en: 'en-GB',
  de: 'de',
  fr: 'fr',
  es: 'es',
  pt: 'pt-PT',
  nl: 'nl',
}

/** A language by its code, such as `de` or `pt-BR`, or by its name in English; undefined for others. */
export function languageOf(text: string | null | undefined): Language | undefined {
  const [word = ''] = (text ?? '').trim().toLowerCase().split(/[-_]/)
  return languages.find((each) => each === word) ?? named[word]
}

const named: { [word: string]: Language } = {
  english: 'en',
  german: 'de',
  french: 'fr',
  spanish: 'es',
  portuguese: 'pt',
  dutch: 'nl',
}

/** The best language of an `Accept-Language` header; undefined if it names none of ours. */
export function acceptedLanguage(header: string | undefined): Language | undefined {
  const ranges = (header ?? '').slice(0, 1000).split(',')
  const wanted = ranges.flatMap((range) => {
    const [tag = '', ...rest] = range.split(';').map((part) => part.trim())
    const weight = Number(rest.find((part) => part.startsWith('q='))?.slice(2) ?? 1)
    const language = languages.find((each) => tag.toLowerCase().split('-')[0] === each)
    return language && weight > 0 ? [{ language, weight }] : []
  })
  return wanted.toSorted((a, b) => b.weight - a.weight)[0]?.language
}

function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
