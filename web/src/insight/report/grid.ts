import type { Figure, FigureGroup, Figures, Measured, Unit } from '../../data/figures.ts'
import type { Condition } from '../../data/list.ts'
import { nextOf } from './words.ts'

/** A number of the grid, and what finds the records behind it. */
export type Cell = { figure: Figure | undefined; count: number; filter: Condition[] }

export type Line = { group: FigureGroup; cells: Cell[]; all: Cell; others: Cell[] }

/** The figures as lines and columns of the first measure; the others are of whole lines. */
export type Grid = {
  lines: Line[]
  columns: (FigureGroup & { all: Cell })[]
  all: Cell
  others: Cell[]
  /** the currencies that amounts are in, and the one that is shown */
  currencies: string[]
  currency: string | null
  /** how many records have amounts in other currencies */
  elsewhere: number
}

/** Puts figures in lines and columns, in one currency: that of the question, else the usual one. */
export function gridOf(
  found: Figures,
  { measures }: Measured,
  wanted: string | undefined,
  usual: string,
): Grid {
  const [first = 'count', ...rest] = measures.split(',')
  const currencies = [...new Set(found.figures.flatMap((each) => each.currency_unit ?? []))].sort()
  const currency =
    [wanted, usual, currencies[0]].find((each) => each && currencies.includes(each)) ?? null
  const of = (measure: string, figures: Figure[]) =>
    figures.find(
      (each) =>
        each.measure === measure &&
        (each.currency_unit === null || each.currency_unit === currency),
    )
  const cell = (measure: string, figures: Figure[], count: number, filter: Condition[]): Cell => ({
    figure: of(measure, figures),
    count,
    filter,
  })
  const elsewhere = found.figures
    .filter(({ currency_unit }) => currency_unit !== null && currency_unit !== currency)
    .filter(({ measure }, _, all) => measure === all[0]?.measure)
    .reduce((sum, { count }) => sum + count, 0)
  return {
    lines: found.groups.map((group) => ({
      group,
      cells: found.columns.map((column) => {
        const its = group.cells.find(({ value }) => value === column.value)
        const filter = [...group.filter, ...column.filter]
        return cell(first, its?.figures ?? [], its?.count ?? 0, filter)
      }),
      all: cell(first, group.figures, group.count, group.filter),
      others: rest.map((measure) => cell(measure, group.figures, group.count, group.filter)),
    })),
    columns: found.columns.map((column) => ({
      ...column,
      all: cell(first, column.figures, column.count, column.filter),
    })),
    all: cell(first, found.figures, found.total, []),
    others: rest.map((measure) => cell(measure, found.figures, found.total, [])),
    currencies,
    currency,
    elsewhere,
  }
}

/** At most a year of days, so that a wrong date does not make a chart of centuries. */
const mostFilled = 400

/** The lines with the lengths of time between them that have no records; those without a date last. */
export function filled(lines: Line[], unit: Unit | undefined): Line[] {
  if (!unit) return lines
  const dated = lines.filter(({ group }) => typeof group.value === 'string')
  const byValue = new Map(dated.map((line) => [line.group.value, line]))
  const last = dated.at(-1)?.group.value
  let value = dated[0]?.group.value
  const all: Line[] = []
  while (typeof value === 'string' && typeof last === 'string' && value <= last) {
    all.push(byValue.get(value) ?? emptyLine(value, dated[0]))
    if (all.length > mostFilled) return lines
    value = nextOf(value, unit)
  }
  return [...all, ...lines.filter(({ group }) => typeof group.value !== 'string')]
}

function emptyLine(value: string, like: Line | undefined): Line {
  const none: Cell = { figure: undefined, count: 0, filter: [] }
  const group = { value, label: null, color: null, count: 0, filter: [], figures: [] }
  const of = (cells: Cell[] = []) => cells.map(() => none)
  return { group, cells: of(like?.cells), all: none, others: of(like?.others) }
}
