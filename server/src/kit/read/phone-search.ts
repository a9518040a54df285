import type { Query } from '../ground/context.ts'
import { foldedLetters } from '../ground/fold.ts'
import { sql } from '../ground/sql.ts'

/**
 * A phone number as it is typed: its digits without the zeros before them; of one with a country's prefix also those
 * without it, with which a number begins that is stored without one.
 */
export type Phone = { digits: string; national?: string; shortest: string }

/** The number that a text is, if it looks like one: `0170 123`, `+49 (0)170-123`, `555 1234`. */
export function phoneIn(typed: string): Phone | undefined {
  const plain = foldedLetters(typed).trim().replaceAll('(0)', '')
  if (!/^\+?[\d\s()./-]+$/.test(plain)) return undefined
  const all = plain.replaceAll(/\D/g, '')
  const digits = all.replace(/^0+/, '')
  const isPrefixed = plain.startsWith('+') || all.startsWith('00')
  if (digits.length < (isPrefixed || all.startsWith('0') ? 4 : 5)) return undefined
  const rest = isPrefixed ? digits.replace(country, '') : ''
  const national = rest.length >= 4 ? rest : undefined
  return { digits, ...(national ? { national } : {}), shortest: national ?? digits }
}

/** Whether a stored number has those digits. */
export function phoneMatches(column: string, { digits, national }: Phone): Query {
  const word = sql`phone_word(${sql.raw(column)})`
  const within = sql`strpos(${word}, ${digits}::text) > 0`
  return national ? sql`(${within} or starts_with(${word}, ${national}::text))` : within
}

/** The prefixes of countries (ITU-T E.164, annex D): one, two or three digits, and a 0 that one leaves out. */
const country = /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})0*/
