import type { Language } from '../../../model/languages/language.ts'
import { foldedText } from '../../../kit/ground/fold.ts'
import { grammarOf, sentencesOf, wordsIn } from './language.ts'
import type { Said } from './parse.ts'

const mostSentences = 4
/** Sentences that are compared: those of three hours are some four thousand. */
const mostCompared = 10_000

/**
 * The sentences that say most of what the rest is about, in the order in which they were said: whose words are frequent
 * in all of the transcript, with numbers and names before small talk. Empty where nothing is long enough.
 */
export function summaryOf(lines: Said[], language: Language): string {
  const grammar = grammarOf(language)
  const sentences = lines
    .flatMap(({ text }) => sentencesOf(text))
    .slice(0, mostCompared)
    .map((text, at) => ({ text, at, words: contentOf(text, grammar.common) }))
  const counts = new Map<string, number>()
  for (const { words } of sentences)
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const scored = sentences
    .filter(({ text, words }) => {
      const length = wordsIn(text).length
      return (
        words.length >= 4 &&
        length >= 7 &&
        length <= 40 &&
        !text.endsWith('?') &&
        !grammar.talk.test(text)
      )
    })
    .map((sentence) => {
      const sum = sentence.words.reduce(
        (all, word) => all + Math.log(1 + (counts.get(word) ?? 0)),
        0,
      )
      const facts =
        (/\d/.test(sentence.text) ? 0.3 : 0) + (grammar.decision.test(sentence.text) ? 0.5 : 0)
      const isOfOne = grammar.promise.test(sentence.text) ? -0.3 : 0
      return { ...sentence, score: sum / sentence.words.length + facts + isOfOne }
    })
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
  const chosen: typeof scored = []
  for (const sentence of scored) {
    if (chosen.length === mostSentences) break
    const words = new Set(sentence.words)
    const isNew = chosen.every(
      (other) => words.intersection(new Set(other.words)).size < 0.5 * words.size,
    )
    if (isNew) chosen.push(sentence)
  }
  return chosen
    .toSorted((a, b) => a.at - b.at)
    .map(({ text }) => text.charAt(0).toUpperCase() + text.slice(1))
    .map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`))
    .join(' ')
}

/** The words of a sentence that mean something, folded. */
function contentOf(text: string, common: Set<string>): string[] {
  return wordsIn(text)
    .filter((word) => word.length > 2 && !common.has(word))
    .map((word) => foldedText(word))
}
