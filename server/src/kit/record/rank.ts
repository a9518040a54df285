import { randomInt } from 'node:crypto'

// The order that people give to records: first by `position`, an integer that bodies may set, then by a
// text that makes room between two of the same position. Both together are one text, `rank`, which sorts
// byte by byte, here and in any client.

const lowest = -(2 ** 31)
const highest = 2 ** 31 - 1

/** The place of a record in its order: its position, and its text among records with the same position. */
export type Place = { position: number; text: string }

/** The columns of a new place; null is the text that follows from the id. */
export type PlaceColumns = { position: number; rank: string | null }

/** SQL of the text among records of the same position, over an alias of a table with a `rank`. */
export function textOf(alias: string): string {
  return `(coalesce(${alias}.rank, ${alias}.id || '5') collate "C")`
}

/** The `order by` of records in the order that people gave them. */
export function inPlace(alias: string): string {
  return `${alias}.position, ${textOf(alias)}`
}

/** SQL of `rank` as reads show it; a record without a position is at 0. */
export function rankOf(alias: string): string {
  const position = `lpad((coalesce(${alias}.position, 0)::bigint + ${-lowest})::text, 10, '0')`
  return `((${position} || ${textOf(alias)}) collate "C")`
}

/** Whether the first place is ahead of the second. */
export function isAhead(one: Place, other: Place): boolean {
  return one.position === other.position ? one.text < other.text : one.position < other.position
}

/** The columns of a place behind one and ahead of the other; either may be missing. */
export function between(after: Place | undefined, before: Place | undefined): PlaceColumns {
  if (after && before && before.position - after.position > 1) {
    return own(Math.floor((after.position + before.position) / 2))
  }
  if (after && !before && after.position < highest) return own(after.position + 1)
  if (before && !after && before.position > lowest) return own(before.position - 1)
  const position = (after ?? before)?.position ?? 0
  const isSame = before?.position === position
  return { position, rank: textBetween(after?.text ?? '', isSame ? before.text : undefined) }
}

/** The columns of so many places in a row, behind one and ahead of the other. */
export function placesIn(
  count: number,
  after: Place | undefined,
  before: Place | undefined,
): PlaceColumns[] {
  if (count === 0) return []
  const { position, rank } = between(after, before)
  // the ids that would be their texts are not known yet
  const text = rank ?? textBetween('')
  const first = Math.floor((count - 1) / 2)
  const middle = { position, text }
  return [
    ...placesIn(first, after, middle),
    { position, rank: text },
    ...placesIn(count - 1 - first, middle, before),
  ]
}

function own(position: number): PlaceColumns {
  return { position, rank: null }
}

const digits = '0123456789abcdefghijklmnopqrstuvwxyz'

/**
 * A text between two, of digits and small letters and without a 0 at its end; without `high` just one
 * behind `low`. Its end is random, so that two who choose the same gap at the same time differ.
 */
export function textBetween(low: string, high?: string): string {
  let text = ''
  let isOpen = high === undefined
  for (let at = 0; ; at++) {
    const from = at < low.length ? digits.indexOf(low[at]!) : 0
    const to = isOpen ? digits.length : digits.indexOf(high?.[at] ?? '0')
    if (to - from > 1) return text + digits[Math.floor((from + to) / 2)] + tail()
    text += digits[from]
    // behind this digit everything is ahead of `high`
    if (to > from) isOpen = true
  }
}

function tail(): string {
  const each = Array.from({ length: 3 }, () => digits[randomInt(digits.length)])
  return each.join('') + digits[1 + randomInt(digits.length - 1)]
}
