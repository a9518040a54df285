import type { Query } from '../ground/context.ts'
import { foldedText } from '../ground/fold.ts'
import { sql } from '../ground/sql.ts'

/** The SQL of a text, or of an expression around it, as its reader may read it. */
export type AtText = (text: string) => Query

const asItIs: AtText = (text) => sql.raw(text)

/**
 * Whether the text that SQL gives holds each of some pieces of letters (`foldedLetters`), in any order. Of a column
 * with ASCII and no word to join PostgreSQL tells it in 1 us, with the function, as of any other text, in 4.
 */
export function holdsPieces(text: string, pieces: string[], at: AtText = asItIs): Query {
  const whole = sql`folded_holds(${at(text)}, ${pieces}::text[])`
  if (!isColumn(text)) return whole
  const isPlain = at(
    `octet_length(${text}) = length(${text}) and strpos(${text}, '-') = 0 and strpos(${text}, '''') = 0`,
  )
  const lower = at(`lower(${text} collate "C")`)
  const each = pieces.map((piece) => sql`strpos(${lower}, ${piece}::text) > 0`)
  return sql`case when ${isPlain} then ${sql.join(each, sql` and `)} else ${whole} end`
}

/** Whether the text that SQL gives begins as another, both folded. */
export function startsAs(text: string, typed: string, at?: AtText): Query {
  return edge('left', text, typed, at)
}

/** Whether the text that SQL gives ends as another, both folded. */
export function endsAs(text: string, typed: string, at?: AtText): Query {
  return edge('right', text, typed, at)
}

const blanks = `E'- \\t\\n\\r\\f\\v'`

/** The letters tell it for one word. Of several, the blanks between them are compared too, which takes twice as long. */
function edge(side: 'left' | 'right', text: string, typed: string, at: AtText = asItIs): Query {
  const wanted = foldedText(typed)
  const words = wanted.split(' ')
  const equals = (whole: Query, word: string) =>
    sql`${sql.raw(side)}(${whole}, ${Array.from(word).length}::int) = ${word}::text`
  const letters = at(`${side === 'left' ? 'ltrim' : 'rtrim'}(folded_letters(${text}), ${blanks})`)
  const near = equals(letters, (side === 'left' ? words[0] : words.at(-1)) ?? '')
  return words.length > 1 ? sql`(${near} and ${equals(at(`folded_text(${text})`), wanted)})` : near
}

function isColumn(text: string): boolean {
  return /^t\.\w+$/.test(text)
}
