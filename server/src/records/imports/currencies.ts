import { roundedAmount } from '../../model/money/currency.ts'
import type { Cell } from '../../model/sheets/cell.ts'
import { textOf } from '../../model/sheets/cell.ts'
import { currencyIn, currencyNamed, isCurrency } from '../../model/sheets/numbers.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import type { Options } from '../../model/imports/import.ts'
import type { CurrencyWay } from '../../model/imports/shown.ts'
import type { Body, Importable } from './importable.ts'
import type { Target } from './mapping.ts'
import { nameOf } from './mapping.ts'

/** The cell of an amount. */
export type Amount = {
  target: Target
  column: string
  cell: Cell
  /** the currency that the column names most often */
  usual: string | undefined
}

/** How amounts are read: `currency` is the organization's. */
type Reader = { importable: Importable; options: Pick<Options, 'currencies'>; currency: string }
type Fault = FieldError & { column: string; value: string }

/** An amount in another currency than the organization's. */
export type Foreign = { currency: string; column: string }

/** Whether the cells of a target are amounts of money. */
export function isMoney({ record }: Importable, target: Target): boolean {
  // a company counts in no currency of its own: its amounts are of what size it is
  if (record.module === 'companies' && target.kind === 'field') return false
  if (target.kind === 'custom') return target.definition?.type === 'currency'
  return target.kind === 'field' && target.field.isMoney === true
}

/**
 * Does with the amounts of a row that are in another currency than the organization's what was chosen for it: keeps
 * them in it, converts them, or leaves them out; without a choice records that have a currency keep them, and others have
 * a fault. An amount is in the currency of its cell, else of the row, else of its header. Returns these amounts.
 */
export function withoutForeign(
  { importable, options, currency: main }: Reader,
  body: Body,
  amounts: Amount[],
  faults: Fault[],
): Foreign[] {
  const hasOwn = 'currency_unit' in importable.record.fields
  const ofRow = currencyNamed(body.currency_unit, main)
  if (ofRow && hasOwn) body.currency_unit = ofRow
  const foreign: Foreign[] = []
  let kept: string | undefined
  for (const { target, column, cell, usual } of amounts) {
    const text = textOf(cell)
    const currency =
      currencyNamed(currencyIn(text), main) ??
      ofRow ??
      currencyNamed(currencyOfHeader(column), main)
    if (!currency || currency === main) continue
    foreign.push({ currency, column })
    const { as = usualWay(importable, currency, usual), rate } = options.currencies[currency] ?? {}
    const isKept = as === 'keep' && (kept === undefined || kept === currency)
    if (isKept) kept = currency
    else if (as === 'convert' && rate) change(body, target, (n) => roundedAmount(n * rate, main))
    else {
      change(body, target, () => undefined)
      if (options.currencies[currency]?.as === 'leave_out') continue
      const message = `is in ${currency}, and the organization counts in ${main}: say what happens to it`
      faults.push({ field: nameOf(importable, target), message, column, value: text.slice(0, 200) })
    }
  }
  if (kept && hasOwn) body.currency_unit = kept
  else if (ofRow && importable.record.module !== 'accounts') delete body.currency_unit
  return foreign
}

/**
 * What happens to foreign amounts without a choice: they are kept in their currency, by records that have one, unless
 * most of their column is in another.
 */
export function usualWay(
  { record }: Importable,
  currency: string,
  usual: string | undefined,
): CurrencyWay {
  const isOdd = usual !== undefined && usual !== currency
  return 'currency_unit' in record.fields && !isOdd ? 'keep' : 'leave_out'
}

function change(body: Body, target: Target, how: (value: number) => number | undefined) {
  const holder = target.kind === 'custom' ? (body.custom_fields as Body) : body
  const name = target.kind === 'custom' ? target.key : target.kind === 'field' ? target.name : ''
  const before = holder[name]
  const after = typeof before === 'number' ? how(before) : undefined
  if (after === undefined) delete holder[name]
  else holder[name] = after
}

/** The currency that a header names, such as `ARR (EUR)`, `Value in USD` or `Betrag €`; undefined for none. */
export function currencyOfHeader(column: string): string | undefined {
  const found = /(?:^|[\s([_-])(\p{Sc}|[A-Z]{3})[)\]]?\s*$/u.exec(column.slice(-40))?.[1]
  return found && isCurrency(found) ? found : undefined
}
