import { cut } from '../../../kit/ground/cut.ts'
import { computation } from '../../../kit/ground/computation.ts'
import { foldedText } from '../../../kit/ground/fold.ts'
import type { Language } from '../../../model/languages/language.ts'
import type { Grammar } from './language.ts'
import { grammarOf, languageOf, sentencesOf, wordsIn } from './language.ts'
import type { Said } from './parse.ts'
import { summaryOf } from './summary.ts'

/** What somebody takes on: `owner` is a name in the transcript, `at` seconds from the start. */
export type Item = {
  title: string
  owner: string | null
  due_date: string | null
  quote: string
  at: number | null
  speaker: string | null
}
export type Decision = Pick<Item, 'at' | 'speaker'> & { text: string }
export type Reading = {
  language: Language
  summary: string
  decisions: Decision[]
  items: Item[]
}

type Input = {
  lines: Said[]
  /** names of those who were invited */
  people: string[]
  /** the day of the meeting, from which dates are counted */
  day: string
  /** the language where too little is said to tell */
  language: Language
}

const most = { items: 100, decisions: 50, quote: 300, title: 160 }
/** From which sum of its signs a sentence is an item. */
const threshold = 1.2

/**
 * Reads a transcript without a model: who takes what on until when, what was decided, and the sentences that say most.
 * Each sentence is read in its own language of the six. A sentence is an item if it has enough signs of one: a promise,
 * a request or a need, a verb of work, a date; doubts, conditions and talk about the call itself count against it.
 */
export function readTranscript({ lines, people, day, language: other }: Input): Reading {
  const language = languageOf(
    lines.slice(0, 2000).flatMap(({ text }) => wordsIn(text)),
    other,
  )
  const names = namesOf([...people, ...lines.flatMap(({ speaker }) => speaker ?? [])])
  const decisions: Decision[] = []
  const items: Noted[] = []
  for (const [n, { at, speaker, text }] of lines.entries()) {
    const own = languageOf(wordsIn(text), language)
    let isFirst = true
    for (const sentence of sentencesOf(text)) {
      const grammar = grammarOf(languageOf(wordsIn(sentence), own))
      const about = { grammar, sentence, names, speaker, day }
      const before = items.findLast((item) => n - item.line <= 2 && item.line < n)
      if (
        isFirst &&
        before &&
        before.owner === null &&
        speaker !== before.speaker &&
        agrees(about, before.isAsked)
      ) {
        before.owner = speaker
        before.due_date ??= grammar.dayIn(sentence, day)?.day ?? null
      }
      isFirst = false
      if (isTaken(about)) {
        take(about, { line: n, at, before, lines, items })
        continue
      }
      if (isDecision(about)) {
        if (decisions.length < most.decisions)
          decisions.push({ text: cut(sentence, most.quote), at, speaker })
        continue
      }
      const found = itemIn(about)
      if (found)
        items.push({
          ...found,
          quote: cut(sentence, most.quote),
          at,
          speaker,
          line: n,
        })
    }
  }
  return {
    language,
    summary: summaryOf(lines, language),
    decisions: withoutRepeats(decisions, ({ text }) => text),
    items: withoutRepeats(items, ({ title }) => title)
      .slice(0, most.items)
      .map(({ title, owner, due_date, quote, at, speaker }) => ({
        title,
        owner,
        due_date,
        quote,
        at,
        speaker,
      })),
  }
}

export const reading = computation(import.meta.url, readTranscript)

/** An item with the number of its line, and whether somebody was asked. */
type Noted = Item & { line: number; isAsked: boolean }

type About = {
  grammar: Grammar
  sentence: string
  names: Names
  speaker: string | null
  day: string
}

/** Whether a sentence agrees to what was asked just before. */
function agrees({ grammar, sentence }: About, isAsked: boolean): boolean {
  return (isAsked && grammar.yes.test(sentence)) || grammar.takes.test(sentence)
}

/** "I'll take that": the open item before, or else what was said before, gets an owner. */
function take(
  about: About,
  {
    line,
    at,
    before,
    lines,
    items,
  }: {
    line: number
    at: number | null
    before: Noted | undefined
    lines: Said[]
    items: Noted[]
  },
) {
  const { grammar, sentence, speaker, day } = about
  const due = grammar.dayIn(sentence, day)?.day ?? null
  if (before) {
    before.owner ??= speaker
    before.due_date ??= due
    return
  }
  const last = lines[line - 1]
  const said = last && last.speaker !== speaker ? sentencesOf(last.text).at(-1) : undefined
  if (!said || said.length > 160 || grammar.talk.test(said) || wordsIn(said).length < 4) return
  const own = grammar.dayIn(said, day)
  const title = cleaned(said.replace(/[?]$/, ''), grammar, own)
  const quote = cut(`${said} – ${sentence}`, most.quote)
  items.push({
    title,
    owner: speaker,
    due_date: due ?? own?.day ?? null,
    quote,
    at,
    speaker,
    line,
    isAsked: false,
  })
}

function isTaken({ grammar, sentence }: About): boolean {
  return (
    wordsIn(sentence).length <= 16 &&
    grammar.takes.test(sentence) &&
    !grammar.not.test(sentence) &&
    !grammar.hedge.test(sentence)
  )
}

function isDecision({ grammar, sentence }: About): boolean {
  const words = wordsIn(sentence).length
  if (words < 4 || sentence.endsWith('?')) return false
  const found = grammar.decision.exec(sentence)
  if (!found) return false
  // "if we decided", "we have not decided"
  const head = sentence.slice(0, found.index)
  return !grammar.hedge.test(head) && !grammar.not.test(head) && wordsIn(head).length <= 6
}

type Found = Pick<Noted, 'title' | 'owner' | 'due_date' | 'isAsked'>
type Start = { base: number; rest: string; owner: string | null; isAsked?: boolean }

/** What a sentence assigns, if its signs suffice. */
function itemIn(about: About): Found | undefined {
  const { grammar, sentence, day } = about
  const count = wordsIn(sentence).length
  if (count < 3 || count > 70) return undefined
  const found = startOf(about)
  if (!found) return undefined
  const { base, owner } = found
  const due = grammar.dayIn(sentence, day)
  const rest = unfilled(found.rest, grammar)
  const object = wordsIn(rest)
  const first = object.slice(0, grammar.cues.isVerbLast ? 24 : 7).join(' ')
  let score = base
  if (due) score += 0.5
  if (grammar.work.test(first)) score += 0.4
  if (object.length >= 3) score += 0.2
  if (object.length < 2) score -= 0.8
  if (isIdle(rest, grammar)) score -= 0.9
  if (grammar.talk.test(sentence)) score -= 1.5
  const head = sentence.slice(0, Math.max(sentence.length - found.rest.length, 0))
  const near = `${head} ${rest.split(/[,;]/)[0] ?? ''}`
  if (grammar.not.test(near)) score -= 1
  if (grammar.hedge.test(near)) score -= 0.7
  if (sentence.endsWith('?') && owner !== null && owner === about.speaker) score -= 0.4
  if (score < threshold) return undefined
  const called = about.names.calledIn(sentence)
  const said = called ? rest.replace(/,\s*\p{Lu}[\p{L}'-]*\s*[.!?]*$/u, '') : rest
  const title = cleaned(said, grammar, due && { ...due, text: sentence.slice(due.from, due.to) })
  if (wordsIn(title).length < 2) return undefined
  return { title, owner, due_date: due?.day ?? null, isAsked: found.isAsked ?? false }
}

/** Whether what is promised is no work: for languages with the verb at the end, the last word says it. */
function isIdle(rest: string, grammar: Grammar): boolean {
  if (!grammar.cues.isVerbLast) return grammar.idle.test(rest)
  const [main = ''] = rest.replace(/[.!?]+$/, '').split(/[,;]/)
  const last = main.trim().split(' ').at(-1) ?? ''
  return grammar.idle.test(last) || grammar.idle.test(rest)
}

/** How a sentence begins to assign something: with which weight, to whom, and what. */
function startOf(about: About): Start | undefined {
  const { grammar, sentence, names, speaker } = about
  const { cues } = grammar
  const after = (found: RegExpExecArray) => sentence.slice(found.index + found[0].length).trim()
  const vocative = names.calledIn(sentence)
  const mark = grammar.mark.exec(sentence)
  if (mark) {
    const rest = after(mark)
    const owner = names.in(rest.split(' ').slice(0, 3).join(' ')) ?? names.in(mark[0])
    return { base: 1.3, rest: owner ? names.without(rest, owner, cues.others) : rest, owner }
  }
  const third = names.subjectOf(sentence, cues.others)
  if (third) return { base: 1, rest: third.rest, owner: third.name }
  const candidates: (Start & { at: number })[] = []
  const add = (
    found: RegExpExecArray | null,
    base: number,
    owner: string | null,
    { rest, isAsked = false }: { rest?: string; isAsked?: boolean } = {},
  ) => {
    // a cue far inside a sentence is about something else
    if (found && wordsIn(sentence.slice(0, found.index)).length <= 9) {
      candidates.push({ at: found.index, base, owner, rest: rest ?? after(found), isAsked })
    }
  }
  const isForOther = vocative !== null && vocative !== speaker
  add(grammar.request.exec(sentence), 0.9, isForOther ? vocative : null, {
    isAsked: true,
  })
  add(grammar.promise.exec(sentence), 1, speaker)
  add(grammar.ours.exec(sentence), 0.8, speaker)
  const present = cues.present?.exec(sentence)
  if (present && cues.infinitive) {
    const verb = Object.values(present.groups ?? {}).find((form) => form) ?? ''
    const made = cues.infinitive(verb, sentence.slice(present.index + present[0].length).trim())
    const words = unfilled(made?.rest ?? '', grammar)
    if (made && !/^(?:que|qu'|dass|dat)\b/i.test(words)) {
      // what stands before the verb belongs to it where the sentence begins with it
      const rest = cues.isVerbLast ? `${words} ${made.verb}`.trim() : `${made.verb} ${words}`
      add(present, 1.1, speaker, { rest })
    }
  }
  const need = grammar.need.exec(sentence)
  const owner = isForOther ? vocative : null
  add(need, 0.7, owner)
  if (!need) add(grammar.passive.exec(sentence), 0.7, owner, { rest: sentence })
  candidates.sort((a, b) => a.at - b.at || b.base - a.base)
  const [first] = candidates
  if (!first) return undefined
  return first
}

/** A rest without the words before its verb that say nothing. */
function unfilled(text: string, { fill }: Grammar): string {
  let rest = text.replace(/^[,:;.\-– ]+/, '')
  for (let n = 0; n < 8; n++) {
    const next = rest.replace(fill, '').replace(/^[, ]+/, '')
    if (next === rest || !next) break
    rest = next
  }
  return rest
}

/** A title: without the date, explanations and politeness, at most so long. */
function cleaned(
  rest: string,
  grammar: Grammar,
  due?: { from: number; to: number; text?: string; day: string },
): string {
  let text = rest
  if (due?.text) text = text.replace(due.text, ' ')
  else if (due) {
    const own = grammar.dayIn(text, due.day)
    if (own) text = text.slice(0, own.from) + text.slice(own.to)
  }
  text = text
    .replaceAll(/["“”«»„]/g, '')
    .replace(/[.!?… ]+$/, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([,;.])/g, '$1')
    .trim()
  const cut = grammar.clause.exec(text)
  if (cut && wordsIn(text.slice(0, cut.index)).length >= 2) text = text.slice(0, cut.index)
  for (let n = 0; n < 4; n++) {
    const next = text.replace(/[,;:.\-–? ]+$/, '').replace(grammar.tail, '')
    if (next === text) break
    text = next
  }
  text = unfilled(text, grammar).trim()
  if (text.length > most.title) text = `${text.slice(0, text.lastIndexOf(' ', most.title - 1))}…`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

type Names = {
  /** whoever is addressed at the beginning or the end */
  calledIn(sentence: string): string | null
  /** whoever is named in a few words */
  in(words: string): string | null
  /** "Ada will send": who, and what */
  subjectOf(sentence: string, verbs: string): { name: string; rest: string } | undefined
  without(text: string, name: string, verbs: string): string
}

/** Finds people by their whole or first name, as far as only one is called so. */
function namesOf(people: string[]): Names {
  const byWord = new Map<string, string | null>()
  for (const name of new Set(people)) {
    const [first = ''] = name.split(/[ ,(]/)
    for (const word of new Set([foldedText(name), foldedText(first)])) {
      if (word.length < 2) continue
      const known = byWord.get(word)
      const isSame = known !== undefined && (known === null || samePerson(known, name))
      byWord.set(word, known === undefined || isSame ? (known ?? name) : null)
    }
  }
  const find = (word: string) => byWord.get(foldedText(word)) ?? null
  const inWords = (words: string) => {
    for (const word of words.split(/[^\p{L}\p{M}'-]+/u)) {
      const name = word ? find(word) : null
      if (name) return name
    }
    return null
  }
  const head = /^((?:[\p{Lu}][\p{L}'-]*)(?: [\p{Lu}][\p{L}'-]*)?)/u
  const subject = (sentence: string) => {
    const whole = head.exec(sentence)?.[1] ?? ''
    for (const word of new Set([whole, whole.split(' ')[0] ?? ''])) {
      const name = word ? find(word) : null
      if (name) return { name, after: sentence.slice(word.length).trim() }
    }
    return undefined
  }
  const verbed = new Map<string, RegExp>()
  const pattern = (verbs: string) => {
    const known = verbed.get(verbs) ?? new RegExp(`^(?:${verbs})(?![\\p{L}\\p{N}])`, 'iu')
    verbed.set(verbs, known)
    return known
  }
  return {
    calledIn(sentence) {
      const begun = /^(?:(?:\p{L}+,? ){0,2})(\p{Lu}[\p{L}'-]*),/u.exec(sentence)?.[1]
      const ended = /,\s*(\p{Lu}[\p{L}'-]*)\s*[.!?]*$/u.exec(sentence)?.[1]
      return (begun ? find(begun) : null) ?? (ended ? find(ended) : null)
    },
    in: inWords,
    subjectOf(sentence, verbs) {
      const found = subject(sentence)
      const verb = found && pattern(verbs).exec(found.after)
      if (!verb) return undefined
      return { name: found.name, rest: found.after.slice(verb[0].length).trim() }
    },
    without(text, name, verbs) {
      const found = subject(text)
      if (!found || found.name !== name) return text
      return found.after
        .replace(/^[,:–-]\s*/, '')
        .replace(pattern(verbs), '')
        .trim()
    },
  }
}

function samePerson(a: string, b: string): boolean {
  const [x, y] = [foldedText(a), foldedText(b)]
  return x === y || x.startsWith(`${y} `) || y.startsWith(`${x} `)
}

/** The first of those that say nearly the same: three of four words. */
function withoutRepeats<T extends { at: number | null }>(
  all: T[],
  textOf: (each: T) => string,
): T[] {
  const kept: { one: T; words: Set<string> }[] = []
  for (const one of all) {
    const words = new Set(wordsIn(foldedText(textOf(one))))
    const same = kept.some(({ words: other }) => {
      const both = words.intersection(other).size
      return both >= 0.75 * Math.max(words.size, other.size)
    })
    if (!same) kept.push({ one, words })
  }
  return kept.map(({ one }) => one)
}
