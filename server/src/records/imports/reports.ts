import type { Context } from '../../kit/ground/context.ts'
import { Failure } from '../../kit/ground/errors.ts'
import { levelOf } from '../../kit/record/scope.ts'
import type { ImportRow, Reports } from '../../model/imports/import.ts'
import { currencyWays } from '../../model/imports/shown.ts'
import type { Line } from '../../model/sheets/cell.ts'
import { isEmpty, textOf } from '../../model/sheets/cell.ts'
import { peopleIn } from '../../model/sheets/email.ts'
import { errorsOf, readRow } from './cells.ts'
import { isMoney, usualWay } from './currencies.ts'
import type { Outcome, Plan } from './outcome.ts'
import { unchanged } from './outcome.ts'
import { nameOf } from './mapping.ts'
import { partsOf } from './values.ts'
import type { ValueColumn } from './value-columns.ts'
import { optionField, peopleNamed } from './value-columns.ts'

type Planned = Pick<ImportRow, 'columns' | 'options' | 'profiles'>
type Report<name extends keyof Reports> = NonNullable<Reports[name]>
type Values = Report<'value_report'>[number]['values'][number]

/** How many examples a report has. */
const most = 20
const mostListed = 200

/** What each value of the columns with several values becomes. */
export async function valueReport(
  ctx: Context,
  { importable, places }: Plan,
  { options, profiles }: Planned,
  lines: Line[],
): Promise<Report<'value_report'>> {
  const report: Report<'value_report'> = []
  const mayAdd = levelOf(ctx.actor, importable.record.module, 'update') !== 'none'
  for (const [at, { target, column, values }] of places) {
    if (!values) continue
    const isList = target.kind === 'custom' && target.definition?.type === 'multi_select'
    const counts = countsOf(profiles[at]?.values ?? valuesIn(lines, at), isList, values.isPerson)
    const texts = [...counts.keys()]
    const ids = texts.flatMap((text) => values.decided(text).becomes ?? [])
    const people =
      values.isPerson && target.kind === 'link'
        ? await peopleNamed(ctx, target, texts, ids)
        : undefined
    const all = [...counts].map(([value, count]): Values => {
      const { becomes: decided, isChosen, isRemembered } = values.decided(value)
      const isSaid = isChosen || isRemembered
      const suggestion = isSaid ? null : (values.known(value).suggestion ?? null)
      const usual = people?.ids.get(value) ?? (values.isOpen ? value : null)
      const isNone = decided === null
      const becomes = decided ?? (isSaid || isNone ? null : usual)
      return {
        value,
        count,
        becomes,
        label: becomes && (people?.names.get(becomes) ?? labelOf(values, becomes)),
        suggestion,
        suggestion_label: suggestion && labelOf(values, suggestion),
        needs_choice: !isSaid && !isNone && becomes === null,
        is_remembered: isRemembered,
        is_new: options.new_options[column]?.includes(value) ?? false,
      }
    })
    all.sort((a, b) => Number(b.needs_choice) - Number(a.needs_choice) || b.count - a.count)
    const { choices } = values
    const more = Math.max(0, all.length - mostListed)
    const field = nameOf(importable, target)
    const may_add = mayAdd && optionField(importable, target) !== undefined
    report.push({ column, field, may_add, more, choices, values: all.slice(0, mostListed) })
  }
  return report
}

function labelOf({ choices }: ValueColumn, value: string): string {
  return choices.find((each) => each.value === value)?.label ?? value
}

function valuesIn(lines: Line[], at: number): { [value: string]: number } {
  const counts = new Map<string, number>()
  for (const { cells } of lines) {
    const cell = cells[at]
    if (!isEmpty(cell)) counts.set(textOf(cell), (counts.get(textOf(cell)) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}

function countsOf(values: { [value: string]: number }, isList: boolean, isPerson: boolean) {
  const counts = new Map<string, number>()
  for (const [text, count] of Object.entries(values)) {
    const parts = isList ? partsOf(text) : [isPerson ? (peopleIn(text)[0] ?? text) : text]
    for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + count)
  }
  return counts
}

const waysOf: {
  [way in (typeof currencyWays)[number]]: (currency: string, main: string) => string
} = {
  keep: (currency) => `Keep them in ${currency}`,
  convert: (_currency, main) => `Convert them to ${main} at a rate`,
  leave_out: () => 'Leave them out',
}

/** The amounts in other currencies than the organization's, and what happens to them. */
export async function currencyReport(
  plan: Plan,
  { columns, options, profiles }: Planned,
  lines: Line[],
): Promise<Report<'currency_report'>> {
  const found = new Map<string, { amounts: number; columns: Set<string> }>()
  const hasMoney = [...plan.places.values()].some(({ target }) => isMoney(plan.importable, target))
  if (!hasMoney) return []
  for (const [at, line] of lines.entries()) {
    // lets other requests run
    if (at % 50 === 49) await new Promise((resolve) => setImmediate(resolve))
    for (const { currency, column } of foreignIn(plan, line)) {
      const its = found.get(currency) ?? { amounts: 0, columns: new Set<string>() }
      its.amounts++
      its.columns.add(column)
      found.set(currency, its)
    }
  }
  return [...found].map(([currency, { amounts, columns: named }]) => {
    // the values of all rows say more than those that were read
    const all = columns.flatMap((column, at) => (named.has(column) ? (profiles[at] ?? []) : []))
    const counted = all.reduce((sum, { currencies }) => sum + (currencies[currency] ?? 0), 0)
    const usual = [...plan.places.values()].find(({ column }) => named.has(column))?.usual
    const way = usualWay(plan.importable, currency, usual)
    const { as, rate = null, rate_date = null } = options.currencies[currency] ?? {}
    return {
      currency,
      amounts: Math.max(amounts, counted),
      columns: [...named],
      as: as ?? way,
      rate,
      rate_date,
      needs_choice: as === undefined || (as === 'convert' && !rate),
      choices: currencyWays.map((way) => ({
        as: way,
        label: waysOf[way](currency, plan.currency),
      })),
      suggestion: way,
    }
  })
}

function foreignIn(plan: Plan, line: Line) {
  try {
    return readRow(plan, line).foreign
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}

/** A sample of the rows about existing records, those that only may be about them first. */
export function matchesOf(outcomes: Outcome[]): Report<'matches'> {
  const all = outcomes.flatMap((each): Report<'matches'> => {
    if (each.is === 'failed' || !each.match) return []
    const { id: record_id, text } = each.match
    return [{ line: each.line, is: matchKind(each), record_id, text }]
  })
  const isPossible = ({ is }: (typeof all)[number]) => is === 'possible_duplicate'
  return all.sort((a, b) => Number(isPossible(b)) - Number(isPossible(a))).slice(0, most)
}

function matchKind(each: Exclude<Outcome, { is: 'failed' }>): Report<'matches'>[number]['is'] {
  if (each.is === 'created') return 'possible_duplicate'
  if (each.is === 'updated') return 'updates'
  return each.because === unchanged ? 'same' : 'skips'
}

/** The rows that several records fit, answered or not. */
export function questionsOf(outcomes: Outcome[]): Report<'questions'> {
  return outcomes
    .flatMap((each): Report<'questions'> => {
      if (!each.question) return []
      const { text, candidates } = each.question
      const named = candidates.map(({ id, text: name }) => ({ record_id: id, text: name }))
      return [{ line: each.line, text, candidates: named }]
    })
    .slice(0, most)
}

/** Why rows cannot be imported, the most frequent reasons first. */
export function refusedOf(outcomes: Outcome[]): Report<'refused'> {
  const reasons = new Map<string, Report<'refused'>[number]>()
  for (const each of outcomes) {
    if (each.is !== 'failed') continue
    const [first] = errorsOf(each.failure)
    const field = first?.field ?? null
    const column = first && 'column' in first ? String(first.column) : null
    const reason = first?.message ?? each.failure.message
    const key = `${field} ${reason}`
    const its = reasons.get(key) ?? { reason, field, column, rows: 0, lines: [] }
    its.rows++
    if (its.lines.length < most) its.lines.push(each.line)
    reasons.set(key, its)
  }
  return [...reasons.values()].sort((a, b) => b.rows - a.rows).slice(0, most)
}
