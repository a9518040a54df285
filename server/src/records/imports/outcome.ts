import { Failure } from '../../kit/ground/errors.ts'
import type { Updated, Inserted } from '../../kit/write/many.ts'
import type { Fault, Read, Reader } from './cells.ts'
import type { ImportModule, Options } from './import.ts'
import type { Line } from './sheets/cell.ts'

/** What became of a row; its faults are cells that it was imported without. */
export type Outcome = Line & { faults: Fault[] } & (
    | { is: 'created'; inserted: Inserted }
    | { is: 'updated'; changed: Updated }
    | { is: 'skipped'; because: string; record_id: string | null }
    | { is: 'failed'; failure: Failure }
  )

/** A record that a row named and that was created for it. */
export type Beside = Inserted & { module: ImportModule; line: number }

/** How the rows of an import are read and written. */
export type Plan = Omit<Reader, 'options'> & {
  options: Options
  /** null where they are only checked */
  import_id: string | null
  /** records that rows named and that were created for them */
  beside: Beside[]
  /** the ids of what this very run has created */
  made: Set<string>
}

const noNumbers = { done: 0, created: 0, updated: 0, skipped: 0, failed: 0, cell_errors: 0 }

/** How many rows ended in which way, with those counted before; of a row that failed no cell is counted. */
export function numbersOf(outcomes: Outcome[], before = noNumbers): typeof noNumbers {
  const numbers = { ...before, done: before.done + outcomes.length }
  for (const { is, faults } of outcomes) {
    numbers[is]++
    if (is !== 'failed') numbers.cell_errors += faults.length
  }
  return numbers
}

/** What an outcome says of a row beside how it ended: a row's body and links are not needed any more. */
export function lineOf({ line, cells, faults }: Read): Line & { faults: Fault[] } {
  return { line, cells, faults }
}

/** What an error is to a row: a refusal; any other error ends the import. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}

/** Why a row is skipped whose record is to stay as it is. */
export const existsAlready = 'exists already'

/** Why a row is skipped that would change nothing: there is nothing to report about it. */
export const unchanged = 'is as the row says'
