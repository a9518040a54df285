import type { AnyRecord } from './record.ts'
import { wordOf } from './record.ts'
import { registered } from './registry.ts'

/** The records behind the public module numbers (contract, section 1.13), in their order. */
export function numberedRecords(): AnyRecord[] {
  return [...index().byNumber.values()]
}

/** A module by its number, digits, word or singular word → its number; undefined when unknown. */
export function moduleNumber(value: unknown): number | undefined {
  const text = String(value).trim().toLowerCase()
  const { byNumber, byWord, byName } = index()
  if (/^\d{1,9}$/.test(text)) return byNumber.has(+text) ? +text : undefined
  return byWord.get(text) ?? byName.get(text)
}

/** The word of a module's number. */
export function moduleWord(number: number): string | undefined {
  const record = index().byNumber.get(number)
  return record && wordOf(record)
}

/** The word of the module that a path or query names, where names are lower case; undefined for another. */
export function moduleInPath(name: string): string | undefined {
  const number = name === name.toLowerCase() ? moduleNumber(name) : undefined
  return number === undefined ? undefined : moduleWord(number)
}

/** The modules by their numbers, as choices of a field. */
export function moduleChoices(): { value: number; label: string }[] {
  return [...index().byWord].map(([word, value]) => ({ value, label: word }))
}

/** SQL that yields the word of the module number in a column. */
export function moduleWordIn(column: string): string {
  const cases = [...index().byWord].map(
    ([word, number]) => `when ${column} = ${number} then '${word}'`,
  )
  return `(case ${cases.join(' ')} end)`
}

type Index = {
  byNumber: Map<number, AnyRecord>
  byWord: Map<string, number>
  /** by what else a module may be named: the word of one record, and the module of its permission */
  byName: Map<string, number>
}
let known: Index | undefined

function index(): Index {
  if (known) return known
  const byNumber = new Map<number, AnyRecord>()
  for (const record of registered().toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0))) {
    // of those that share a word the first is the module's record, the others are parts of it
    const { number } = record
    if (number !== null && !byNumber.has(number)) byNumber.set(number, record)
  }
  const byWord = new Map([...byNumber].map(([number, record]) => [wordOf(record), number] as const))
  const names = [...byNumber].flatMap(([number, { word, module }]) => [
    [word, number] as const,
    [module, number] as const,
  ])
  return (known = { byNumber, byWord, byName: new Map(names) })
}
