import type { Importable } from './importable.ts'

/** A header without a part that says what the file says already, and how many parts are left out. */
type Form = { text: string; cost: number }

const sign = String.raw`[\s\-–:.(/,]+`
/** Which of several addresses or numbers a header means, in seven languages: that of the work, or another one. */
const atWork =
  'business|work|mailing|billing|shipping|postal|main|primary|geschäftlich|gesch\\.?|dienstlich|arbeit|bureau|travail|professionnelle?|pro|(?:del |de )?trabajo|(?:di |del )?lavoro|ufficio|(?:do |de )?trabalho|comercial|zakelijk|werk|(?:para |de )?correspondência|(?:de )?correspondencia|hauptadresse|principale?'
const elsewhere =
  'home|private|personal|other|privat|weitere[rs]?|domicile|maison|personnelle?|autre|casa|particular|otr[oa]|abitazione|altr[oa]|residencial|outr[oa]|privé|thuis|andere'
const said: [RegExp, number][] = [
  [new RegExp(String.raw`^(.{2,}?)${sign}(?:${atWork})\)?\s*$`, 'iu'), 1],
  [new RegExp(String.raw`^(?:${atWork})${sign}(.{2,})$`, 'iu'), 1],
  [new RegExp(String.raw`^(.{2,}?)${sign}(?:${elsewhere})\)?\s*$`, 'iu'), 2],
  [new RegExp(String.raw`^(?:${elsewhere})${sign}(.{2,})$`, 'iu'), 2],
]
const of =
  "(?:(?:de la|de los|de|du|des|del|della|do|da|van het|van de|van|der|für|of the|of|for|dell['’]|de l['’]|d['’])\\s*)?"

/** How many parts are left out at most: `Person - Telefon - Arbeit`. */
const deepest = 3

/**
 * A header without its star, without the name of the record (`Deal - Title`, `Propriétaire de la transaction`), and
 * where a record has several addresses without which of them is meant; those that leave out least come first.
 */
export function shorterForms(importable: Importable, column: string): Form[] {
  const start = column.slice(0, 255).replace(/\s*\*$/, '')
  const forms = new Map<string, number>()
  let last: Form[] = [{ text: start, cost: start === column ? 0 : 1 }]
  for (let step = 0; step < deepest; step++) {
    last = last.flatMap(({ text, cost }) =>
      parts(importable, text).map((each) => ({ text: each.text, cost: cost + each.cost })),
    )
    for (const { text, cost } of last) if (!forms.has(text)) forms.set(text, cost)
  }
  if (start !== column) forms.set(start, 0)
  return [...forms].map(([text, cost]) => ({ text, cost })).sort((a, b) => a.cost - b.cost)
}

function parts({ prefixes = [], isPlaced }: Importable, text: string): Form[] {
  const [, word = '', rest] =
    /^\s*(?:für\s+(?:den\s+|das\s+)?)?(\p{L}{2,20})(?:\s*[-–:.]\s*|\s+)(\S.*)$/isu.exec(text) ?? []
  const found: Form[] = []
  if (rest && prefixes.includes(word.toLowerCase())) found.push({ text: rest, cost: 1 })
  if (prefixes.length) {
    const behind = new RegExp(String.raw`^(.{2,}?)[\s\-–:]+${of}(?:${prefixes.join('|')})$`, 'iu')
    const before = behind.exec(text)?.[1]
    if (before) found.push({ text: before, cost: 1 })
  }
  for (const [pattern, cost] of isPlaced ? said : []) {
    const bare = pattern.exec(text)?.[1]
    if (bare) found.push({ text: bare, cost })
  }
  return found
}
