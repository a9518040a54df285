import type { Language } from '../../../model/languages/language.ts'
import { languages } from '../../../model/languages/language.ts'
import type { FoundDay } from './days.ts'
import { dayFinder } from './days.ts'
import type { Cues } from './cues/cues.ts'
import { de } from './cues/de.ts'
import { en } from './cues/en.ts'
import { es } from './cues/es.ts'
import { fr } from './cues/fr.ts'
import { nl } from './cues/nl.ts'
import { pt } from './cues/pt.ts'

const cues: { [language in Language]: Cues } = { en, de, fr, es, pt, nl }

type Patterns =
  | 'promise'
  | 'ours'
  | 'takes'
  | 'request'
  | 'need'
  | 'passive'
  | 'mark'
  | 'idle'
  | 'talk'
  | 'hedge'
  | 'not'
  | 'decision'
  | 'yes'
  | 'nobody'

/** The cues of a language, ready to be looked for. */
export type Grammar = { [name in Patterns]: RegExp } & {
  language: Language
  cues: Cues
  work: RegExp
  fill: RegExp
  clause: RegExp
  tail: RegExp
  common: Set<string>
  dayIn(text: string, from: string): FoundDay | undefined
}

const left = '(?<![\\p{L}\\p{N}])'
const right = '(?![\\p{L}\\p{N}])'

const grammars = new Map<Language, Grammar>()

/** The grammar of a language, compiled at its first use. */
export function grammarOf(language: Language): Grammar {
  const known = grammars.get(language)
  if (known) return known
  const of = cues[language]
  const whole = (inner: string) => new RegExp(`${left}(?:${inner})${right}`, 'iu')
  const made: Grammar = {
    language,
    cues: of,
    promise: whole(of.promise),
    ours: whole(of.ours),
    takes: whole(of.takes),
    request: whole(of.request),
    need: whole(of.need),
    passive: whole(of.passive),
    mark: new RegExp(
      `^(?:${of.mark})(?:[ ]+(?:for|für|pour|para|voor|is|est|es|é)[ ]+[\\p{L} ]{2,30})?[ ]*[:–-]`,
      'iu',
    ),
    // only the first words say what is to be done
    idle: new RegExp(`^(?:${of.idle})${right}`, 'iu'),
    talk: whole(of.talk),
    hedge: whole(of.hedge),
    not: whole(of.not),
    decision: whole(of.decision),
    yes: new RegExp(`^(?:${of.yes})${right}`, 'iu'),
    nobody: whole(of.nobody),
    work: new RegExp(`${left}(?:${of.work})`, 'iu'),
    fill: new RegExp(`^(?:${of.fill})(?:[ ]+|(?<=['’]))`, 'iu'),
    clause: new RegExp(
      `(?:,| [–-])[ ]+(?:${of.clause})${right}|;|[ ](?:because|weil|parce que|porque|omdat|so that|zodat|para que|afin que)[ ]`,
      'iu',
    ),
    tail: new RegExp(`[, ]+(?:${of.tail})$`, 'iu'),
    common: new Set(of.common.split(' ')),
    dayIn: dayFinder(of.days),
  }
  grammars.set(language, made)
  return made
}

/** Which of the six languages a text is in, by its most usual words; `other` where none is there. */
export function languageOf(words: string[], other: Language): Language {
  const own = hitsOf(words, other)
  // languages share short words: one more is not enough
  let best = { language: other, hits: own && own + 1 }
  for (const language of languages) {
    const hits = language === other ? 0 : hitsOf(words, language)
    if (hits > best.hits) best = { language, hits }
  }
  return best.language
}

function hitsOf(words: string[], language: Language): number {
  const { common } = grammarOf(language)
  return words.reduce((sum, word) => sum + (common.has(word) ? 1 : 0), 0)
}

/** The words of a text, in lower case. */
export function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? []
}

/** The sentences of what was said; one without marks is cut at commas where it is long. */
export function sentencesOf(text: string): string[] {
  const plain = text.replaceAll(/[’ʼ‘]/g, "'")
  return plain
    .split(/(?<=[^\d.][.!?…]["»”]?)\s+(?=[\p{Lu}\p{N}"«„“¿¡])|(?<=[!?…])\s+|\n/u)
    .flatMap((sentence) => (sentence.length > 320 ? sentence.split(/,\s+/) : sentence))
    .map((sentence) => sentence.replace(/^[¿¡\s]+/, '').trim())
    .filter(Boolean)
}
