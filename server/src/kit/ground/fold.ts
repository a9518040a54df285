// One way of comparing texts: what `database/migrations/0370_one_folding.sql` does in SQL, for the screens and for
// what is compared in memory. `server/test/folding.test.ts` holds the two equal.

/**
 * The letters of a text in lower case, without what is written above, below or in them (`ø` is `o`, `ß` is `ss`,
 * all forms of alef are one), and signs in one form: typographic quotes as ' and ", dashes as -. A text is found in
 * another if its letters are in those of the other.
 */
export function foldedLetters(text: string): string {
  return decomposed(text.replaceAll(signs, (sign) => signOf.get(sign) ?? ''))
    .toLowerCase()
    .replaceAll(marks, '')
    .replaceAll(letters, (letter) => letterOf.get(letter) ?? letter)
}

/** To bring many marks in order takes quadratic time: of a long run each character is decomposed by itself. */
function decomposed(text: string): string {
  if (!/[^\u0020-\u02ff]{60}/u.test(text)) return text.normalize('NFKD')
  return Array.from(text, (character) => character.normalize('NFKD')).join('')
}

/** A text as it is compared from its beginning: its letters, with one blank for hyphens, dashes and blanks. */
export function foldedText(text: string): string {
  return foldedLetters(text)
    .replaceAll(/[- \t\n\r\f\v]+/g, ' ')
    .replaceAll(/^ | $/g, '')
}

/** The words of a text, each as its letters: what stands between signs and blanks. */
export function foldedWords(text: string): string[] {
  return foldedLetters(text).split(between).filter(Boolean)
}

/** What a text must hold to contain another, in any order: its words, or itself if there are only signs. */
export function piecesOf(typed: string): string[] {
  const words = foldedText(typed)
    .split(' ')
    .map((word) => word.replaceAll(/^[,;]+|[,;]+$/g, ''))
    .filter(Boolean)
  return words.length ? [...new Set(words)] : [foldedLetters(typed)]
}

/** Whether a text holds each of some pieces of letters, in any order: also without its hyphens and apostrophes. */
export function holds(text: string, pieces: string[]): boolean {
  const found = foldedLetters(text)
  const joined = /[\p{L}\p{N}_][-'][\p{L}\p{N}_]/u.test(found) ? found.replaceAll(/[-']/g, '') : ''
  return pieces.every((piece) => found.includes(piece) || joined.includes(piece))
}

const between =
  /[[\] \t\n\r\f\v!-/:-@\\^_`{|}~\u00a1\u00a7\u00b6\u00b7\u00bf\u2020-\u2027\u060c\u061b\u061f\u066a-\u066d\u06d4\u3001\u3002\u300a-\u3011]+/

// of Latin and Greek, Cyrillic, Hebrew, Arabic with the tatweel; what joins or turns writing; of symbols
const marks = new RegExp(
  '[' +
    String.raw`\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7` +
    String.raw`\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8` +
    String.raw`\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u2064` +
    String.raw`\u2066-\u2069\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff` +
    ']+',
  'g',
)

/** What signs become, before letters are taken apart; those of the last entry are left out. */
const signForms = {
  "'": '\u00b4\u02b9\u02bc\u2018\u2019\u201a\u201b\u2032\u2039\u203a',
  '"': '\u00ab\u00bb\u201c\u201d\u201e\u201f\u2033',
  '-': '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d',
  ' ': '\u0085\u1680\u2028\u2029',
  '': '\u00ad\u2122\u00ae\u00a9\u2120',
}

/** What letters become that Unicode does not take apart. */
const letterForms = {
  ss: 'ß',
  ae: 'æ',
  oe: 'œ',
  th: 'þ',
  o: 'ø',
  d: 'đð',
  l: 'ł',
  i: 'ı',
  h: 'ħ',
  t: 'ŧ',
  n: 'ŋ',
  σ: 'ς',
  '\u0627': '\u0671',
  '\u0647': '\u0629\u06c1\u06be',
  '\u064a': '\u0649\u06cc',
  '\u0643': '\u06a9',
  ...Object.fromEntries(
    Array.from('0123456789', (digit, n) => [
      digit,
      String.fromCodePoint(0x660 + n) + String.fromCodePoint(0x6f0 + n),
    ]),
  ),
}

const signOf = formOf(signForms)
const letterOf = formOf(letterForms)
const signs = anyOf(signOf)
const letters = anyOf(letterOf)

function formOf(forms: { [to: string]: string }): Map<string, string> {
  return new Map(
    Object.entries(forms).flatMap(([to, from]) =>
      Array.from(from, (one): [string, string] => [one, to]),
    ),
  )
}

function anyOf(forms: Map<string, string>): RegExp {
  return new RegExp(`[${[...forms.keys()].join('')}]`, 'gu')
}
