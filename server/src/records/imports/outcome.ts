import { Failure } from '../../kit/ground/errors.ts'
import type { Updated, Inserted } from '../../kit/write/many.ts'
import type { Fault, Read, Reader } from './cells.ts'
import type { Fitting } from './importable.ts'
import type { ImportModule, Options } from '../../model/imports/import.ts'
import type { Line } from '../../model/sheets/cell.ts'

/** The outcome of a row; its faults are cells that were left out. */
export type Outcome = Line & {
  faults: Fault[]
  /** of another module than the import's, such as the company of a row without a person */
  module?: ImportModule
  /** which of several records it is about: what was asked, and stays so once it is answered */
  question?: { text: string; candidates: Fitting[] }
} &
  // a new record may be the same as that one
  (
    | { is: 'created'; inserted: Inserted; match?: Fitting }
    | { is: 'updated'; changed: Updated; match?: Fitting }
    | { is: 'skipped'; because: string; record_id: string | null; match?: Fitting }
    | { is: 'failed'; failure: Failure }
  )

/** A record that a row named and that was created for it. */
export type CreatedLink = Inserted & { module: ImportModule; line: number }

/** The state of an import while its rows are read and written. */
export type Plan = Omit<Reader, 'options'> & {
  options: Options
  /** null if they are only checked */
  import_id: string | null
  /** records that rows named and that were created for them */
  createdLinks: CreatedLink[]
  /** the ids of the records that rows of this run have created or are about, each of one row */
  taken: Set<string>
}

const noNumbers = { done: 0, created: 0, updated: 0, skipped: 0, failed: 0, cell_errors: 0 }

/** The number of rows with each outcome, added to earlier counts; cells of failed rows are not counted. */
export function numbersOf(outcomes: Outcome[], before = noNumbers): typeof noNumbers {
  const numbers = { ...before, done: before.done + outcomes.length }
  for (const { is, faults } of outcomes) {
    numbers[is]++
    if (is !== 'failed') numbers.cell_errors += faults.length
  }
  return numbers
}

/** The parts of a row that its outcome needs: not its body and links. */
export function lineOf({ line, cells, faults }: Read): Line & { faults: Fault[] } {
  return { line, cells, faults }
}

/** A refusal as the outcome of a row; any other error ends the import. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}

/** The reason for skipping a row whose record must not change. */
export const existsAlready = 'exists already'

/** The reason for skipping a row that says nothing, which is not reported. */
export const nothing = 'is empty'

/** The reason for skipping a row that would change nothing, which is not reported. */
export const unchanged = 'is as the row says'

/** The reason for skipping a row that an answer said to leave out, which is not reported. */
export const unwanted = 'is left out'

/** Whether an answer says to leave a row out. */
export function isUnwanted({ options }: Plan, { line }: Line): boolean {
  return options.answers[String(line)] === 'skip'
}

/** The outcome of a row that is left out. */
export function leftOut({ line, cells }: Line): Outcome {
  return { line, cells, faults: [], is: 'skipped', because: unwanted, record_id: null }
}
