import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { readCsv } from './csv.ts'
import type { Cell, Line } from './cell.ts'
import { isEmpty, mostColumns, textOf } from './cell.ts'
import { folded } from './header.ts'

/** How a file is read, once that is known. */
export type Reading = {
  type?: 'csv' | 'xlsx' | 'vcard' | 'icalendar'
  encoding?: string | null
  delimiter?: string | null
  sheet?: string | null
  sheets?: string[]
  header_line?: number
}

/** Milliseconds of reading after which other requests may run. */
const slice = 5
/** The number of rows in which the header is searched: exports often begin with a title and a date. */
const searched = 20

/** The rows of a sheet are not in the file with those of the others. */
export class NoSuchSheet extends Error {}

/**
 * The non-empty rows of a file; lets other requests run in between. `isNamed` says that the sheet was chosen later: throws
 * `NoSuchSheet` if the file does not have it by its name.
 */
export async function* rowsOf(
  bytes: Readable,
  { type = 'csv', encoding, delimiter, sheet }: Reading,
  isNamed = false,
) {
  let since = performance.now()
  let isFirst = true
  const how = { encoding: encoding ?? 'utf-8', delimiter: delimiter ?? null }
  for await (const row of type === 'csv' ? readCsv(bytes, how) : stored(bytes, sheet, isNamed)) {
    const isDirective = isFirst && /^\ufeff?sep=/i.test(textOf(row.cells[0]))
    isFirst = false
    if (!isDirective && row.cells.some((cell) => !isBlank(cell))) yield row
    if (performance.now() - since < slice) continue
    await turn()
    since = performance.now()
  }
}

/**
 * The header and the rows below it. The header is the first row, unless it contains no field that `knows`
 * accepts and one of the next rows contains two or more: then everything above that row is a title.
 */
export async function* rowsBelow(
  bytes: Readable,
  reading: Reading,
  knows: (cells: string[]) => number,
  isNamed?: boolean,
): AsyncGenerator<Line> {
  let first: Line[] | undefined = []
  for await (const row of rowsOf(bytes, reading, isNamed)) {
    if (!first) {
      yield row
      continue
    }
    first.push(row)
    if (first.length < searched) continue
    yield* first.slice(headerAmong(first, knows))
    first = undefined
  }
  if (first) yield* first.slice(headerAmong(first, knows))
}

/** Whether a row has the same cells as the header. */
export function repeatsHeader(header: Cell[], cells: Cell[]): boolean {
  return header.every((name, at) => folded(textOf(cells[at])) === folded(textOf(name)))
}

/** The rows from a header on, without the titles of groups that have the header once more below them. */
export async function* withoutTitles(rows: AsyncIterable<Line>): AsyncGenerator<Line> {
  let header: Line | undefined
  let title: Line | undefined
  for await (const row of rows) {
    if (!header) {
      header = row
      yield row
      continue
    }
    if (title && !repeatsHeader(header.cells, row.cells)) yield title
    title = undefined
    const [first, ...rest] = row.cells
    if (header.cells.length > 1 && !isEmpty(first) && rest.every(isEmpty)) title = row
    else yield row
  }
  if (title) yield title
}

function headerAmong(rows: Line[], knows: (cells: string[]) => number): number {
  const known = rows.map(({ cells }) => {
    const some = cells.slice(0, mostColumns)
    return knows(some.filter((cell) => !isEmpty(cell)).map(textOf))
  })
  if (known[0]) return 0
  const most = Math.max(...known)
  return most >= 2 ? known.indexOf(most) : 0
}

function isBlank(cell: Cell): boolean {
  return typeof cell === 'string' && !cell.trim()
}

/**
 * The converted rows of a file: one line of JSON each, and the name of its sheet above those of each sheet of
 * a workbook. Workbooks of earlier versions have the rows of one sheet alone.
 */
async function* stored(
  bytes: Readable,
  sheet: string | null | undefined,
  isNamed: boolean,
): AsyncGenerator<Line> {
  let isWanted = !isNamed
  let isFound = !isNamed
  try {
    for await (const text of createInterface({ input: bytes, crlfDelay: Infinity })) {
      if (!isWanted && !text.startsWith('"')) continue
      const row = JSON.parse(text) as string | [number, Cell[]]
      if (typeof row !== 'string') yield { line: row[0], cells: row[1] }
      else if ((isWanted = row === sheet)) isFound = true
    }
  } finally {
    bytes.destroy()
  }
  if (!isFound) throw new NoSuchSheet()
}
