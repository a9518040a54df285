import type { Context } from '../../kit/ground/context.ts'
import { sql } from '../../kit/ground/sql.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { Failure } from '../../kit/ground/errors.ts'
import type { Fault } from './cells.ts'
import { errorsOf, readRow } from './cells.ts'
import type { Body } from './importable.ts'
import type { ColumnReport, ImportRow, Reports } from '../../model/imports/import.ts'
import type { Target } from './mapping.ts'
import { nameOf } from './mapping.ts'
import { addOptions } from './new-options.ts'
import { planOf, previewRows, shownRows } from './plan.ts'
import type { Outcome, Plan } from './outcome.ts'
import { numbersOf } from './outcome.ts'
import { currencyReport, matchesOf, questionsOf, refusedOf, valueReport } from './reports.ts'
import { importLines } from './rows.ts'
import type { Line } from '../../model/sheets/cell.ts'
import type { Format, Profile } from '../../model/sheets/column.ts'
import { currencyOf, decimalOf, emptyProfile, orderBeside } from '../../model/sheets/column.ts'
import { dateOrders, readDate } from '../../model/sheets/dates.ts'
import { decimalSigns, readNumber } from '../../model/sheets/numbers.ts'

const shownFaults = 5
/** The number of rows that are checked together, which take longer with operations of their own. */
const checkedTogether = { bulk: 50, single: 10 }
/** The milliseconds after which no more are started. */
const patience = 1500

/** The reports of an import that nothing is known about. */
export const noReports: Reports = {
  preview: [],
  column_report: [],
  value_report: [],
  currency_report: [],
  matches: [],
  questions: [],
  refused: [],
  checked: null,
}

/**
 * What the import would do: its first rows as they would be written, the target of each column, and the
 * results of the first rows, which are really imported and rolled back: up to 1,000, and as many as
 * can be checked in 1.5 s.
 */
export async function previewOf(
  ctx: Context,
  planned: Pick<ImportRow, 'module' | 'columns' | 'mapping' | 'options' | 'profiles'>,
  lines: Line[],
): Promise<Reports> {
  const quiet: Context = { ...ctx, emit: () => '', emitMany: () => [], enqueue: () => {} }
  await ctx.run(sql`savepoint preview`)
  const isAdded = await addOptions(quiet, planned)
  const plan = await planOf(ctx, planned, null)
  const preview = lines.slice(0, shownRows).map((line) => shown(plan, line))
  const outcomes = await tried(quiet, plan, lines.slice(0, previewRows))
  const value_report = await valueReport(ctx, plan, planned, lines)
  await ctx.run(sql`rollback to savepoint preview`)
  // the options that were added are gone again
  if (isAdded) ctx.forget()
  const faults = outcomes.flatMap((outcome) =>
    faultsOf(outcome).map((fault) => ({ ...fault, line: outcome.line })),
  )
  const { done: rows, ...numbers } = numbersOf(outcomes)
  return {
    preview,
    column_report: reportOf(plan, planned, faults),
    value_report,
    currency_report: await currencyReport(plan, planned, lines),
    matches: matchesOf(outcomes),
    questions: questionsOf(outcomes),
    refused: refusedOf(outcomes),
    checked: { rows, ...numbers },
  }
}

/** The same writes as in the import, so that the results are correct; the caller rolls them back. */
async function tried(ctx: Context, plan: Plan, lines: Line[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const until = performance.now() + patience
  const together = checkedTogether[plan.importable.how]
  for (let at = 0; at < lines.length; at += together) {
    if (at && performance.now() > until) break
    outcomes.push(...(await importLines(ctx, plan, lines.slice(at, at + together))))
  }
  return outcomes
}

/** A row as it would be written, with its errors. */
function shown(plan: Plan, line: Line) {
  try {
    const { body, links, id, faults } = readRow(plan, line)
    const named = Object.entries(links).map(([name, [first]]): [string, unknown] => [
      name,
      first?.text,
    ])
    const key: Body = id ? { [plan.importable.record.key]: id } : {}
    const values: Body = { ...key, ...body, ...Object.fromEntries(named) }
    return { line: line.line, values, errors: faults }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { line: line.line, values: {}, errors: errorsOf(error) }
  }
}

function faultsOf(outcome: Outcome): Fault[] {
  const lost = outcome.is === 'failed' ? errorsOf(outcome.failure) : []
  return [...outcome.faults, ...lost.filter(isFault)]
}

function isFault(error: FieldError): error is Fault {
  return 'column' in error
}

function reportOf(
  plan: Plan,
  { columns, options, profiles }: Pick<ImportRow, 'columns' | 'options' | 'profiles'>,
  faults: (Fault & { line: number })[],
): ColumnReport[] {
  const byColumn = Map.groupBy(faults, ({ column }) => column)
  return columns.map((column, at) => {
    const place = plan.places.get(at)
    const profile = profiles[at] ?? emptyProfile()
    const its = byColumn.get(column) ?? []
    const kind = place && kindOf(place.target)
    const chosen = options.formats[column]
    const order = orderBeside(profile, profiles)
    const choices = kind && !chosen ? choicesOf(profile, kind, order) : []
    return {
      column,
      field: place ? nameOf(plan.importable, place.target) : null,
      format: kind ? formatOf(profile, kind, chosen, order) : null,
      needs_choice: choices.length > 0,
      choices,
      currency: kind === 'number' ? (currencyOf(profile) ?? null) : null,
      filled: profile.filled,
      examples: profile.examples,
      faults: its.length,
      first_faults: its
        .slice(0, shownFaults)
        .map(({ line, value, message }) => ({ line, value, message })),
    }
  })
}

/** Whether the target of a column depends on a format. */
function kindOf(target: Target): 'number' | 'date' | undefined {
  const word =
    target.kind === 'field'
      ? target.field.kind
      : target.kind === 'custom'
        ? target.definition?.type
        : ''
  if (/^(number|integer|currency|percent|rating)$/.test(word ?? '')) return 'number'
  return /^(date|datetime|timestamp)$/.test(word ?? '') ? 'date' : undefined
}

function formatOf(
  profile: Profile,
  kind: 'number' | 'date',
  chosen: Format | undefined,
  order: Format | undefined,
) {
  const words: readonly Format[] = kind === 'number' ? decimalSigns : dateOrders
  const found = kind === 'number' ? decimalOf(profile) : order
  return (chosen && words.includes(chosen) ? chosen : found) ?? null
}

/** The possible formats of a column if its values are ambiguous; none otherwise. */
function choicesOf(
  profile: Profile,
  kind: 'number' | 'date',
  order: Format | undefined,
): ColumnReport['choices'] {
  const example = profile.undecided[kind]
  const found = kind === 'number' ? decimalOf(profile) : order
  if (example === undefined || found) return []
  if (kind === 'number') {
    const reading = readNumber(example)
    if (!reading || 'refused' in reading) return []
    return decimalSigns.map((format) => ({ format, example, becomes: String(reading.by[format]) }))
  }
  const reading = readDate(example)
  return dateOrders.map((format) => ({ format, example, becomes: reading?.by[format] ?? '' }))
}
