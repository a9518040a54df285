import { moduleNumber, moduleWord, numberedRecords } from '../kit/record/modules.ts'
import type { AnyRecord } from '../kit/record/record.ts'
import { wordOf } from '../kit/record/record.ts'
import { records } from './all.ts'

/** The records with their own permission module whose lists accept saved filters, by module. */
export const recordsByModule: { [module: string]: AnyRecord } = {}
for (const record of records.toSorted((a, b) => (a.module < b.module ? -1 : 1))) {
  const { module, rights, find } = record
  if (!rights.decide && find.filteredAs?.length !== 0) recordsByModule[module] ??= record
}

/** What comments, files and log entries can be about: the above, and each module with a number. */
export const subjectsByModule: { [module: string]: AnyRecord } = { ...recordsByModule }
for (const record of numberedRecords()) subjectsByModule[wordOf(record)] = record

/** The word of a module in those lists, by its number (also as digits) or word; undefined if unknown. */
export function listedModule(module: unknown): string | undefined {
  const number = moduleNumber(module)
  const word = number === undefined ? String(module).trim().toLowerCase() : moduleWord(number)!
  const record = Object.hasOwn(subjectsByModule, word) ? subjectsByModule[word] : undefined
  if (record && recordsByModule[record.module] === record) return record.module
  return [word, `${word}s`].find((each) => Object.hasOwn(recordsByModule, each))
}
