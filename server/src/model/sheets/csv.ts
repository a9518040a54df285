import type { Readable } from 'node:stream'
import type { Parser } from 'csv-parse'
import { parse } from 'csv-parse'
import type { Failure } from '../../kit/ground/errors.ts'
import { badField } from '../../kit/ground/errors.ts'
import { paced, turns } from '../../kit/ground/turns.ts'
import type { Line } from './cell.ts'
import { clockTime } from './dates.ts'
import { csvLine, harmless, isMisread } from './csv-text.ts'
import { guessDelimiter } from './delimiter.ts'
import { encodings } from './encoding.ts'

/** A row as the library returns it with `info`. */
type Parsed = { record: string[]; info: { lines: number } }

type Reading = { delimiter: string | null; encoding: string }

/** The maximum number of characters of a row. */
const mostOfRow = 1024 * 1024

/** The number of characters from which the delimiter is guessed. */
const sample = 16 * 1024

/**
 * Reads CSV row by row (RFC 4180; any line ends, quoted line ends, a byte-order mark); empty lines
 * are skipped and the delimiter is guessed unless it is supplied. 400 for bytes that are not
 * text of the encoding, for a quote that is never closed, and for a row of more than 1 MiB.
 */
export async function* readCsv(bytes: Readable, { delimiter, encoding }: Reading) {
  const text = decoded(bytes, encoding)
  let first = ''
  while (first.length < sample) {
    const next = await text.next()
    if (next.done) break
    first += next.value
  }
  const parser = parse({
    bom: true,
    delimiter: delimiter ?? guessDelimiter(first),
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: mostOfRow,
  })
  const feeding = feed(parser, first, text)
  let doubled = 0
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      // the library counts a CRLF inside quotes as two lines
      const inside = record.join('').match(/\r\n|\n|\r/g) ?? []
      doubled += inside.filter((end) => end === '\r\n').length
      yield { line: info.lines - doubled - inside.length, cells: record } satisfies Line
    }
    await feeding
  } catch (error) {
    throw refusal(error)
  } finally {
    parser.destroy()
    bytes.destroy()
    await feeding.catch(() => {})
  }
}

/** A column of a file: its name, and the function that returns its text for a row. */
export type CsvColumn<Row> = { name: string; text(row: Row): string | null }

/** A column whose values may be more than text: `kind` is what a workbook stores them as. */
export type SheetColumn<Row> = CsvColumn<Row> & { kind?: CellKind | undefined }
export type CellKind = 'number' | 'date' | 'timestamp'

/** How the lines of a file are written. */
export type CsvLook = {
  /** begins with a byte-order mark */
  bom: boolean
  /** between cells */
  sep: string
  decimal: 'point' | 'comma'
  /** the zone whose clock times show, without an offset; null for instants as ISO 8601 */
  clock: string | null
}

/** The text of a file, row by row: the names of the columns, then one line per row. */
export async function* csvFile<Row>(
  columns: SheetColumn<Row>[],
  pages: AsyncIterable<Row[]>,
  { bom, sep, decimal, clock }: CsvLook,
) {
  const names = columns.map(({ name }) => harmless(name))
  yield (bom ? '\ufeff' : '') + csvLine(names, sep)
  const shown = ({ kind, text }: SheetColumn<Row>, row: Row) => {
    const cell = text(row)
    if (cell === null) return cell
    if (kind === 'number' && decimal === 'comma') return cell.replace('.', ',')
    return kind === 'timestamp' && clock !== null ? (clockTime(cell, clock) ?? cell) : cell
  }
  const worked = turns()
  for await (const rows of pages) {
    let lines = ''
    for (const row of rows) {
      const line = csvLine(
        columns.map((column) => shown(column, row)),
        sep,
      )
      await worked(line.length)
      lines += line
    }
    yield lines
  }
}

/** Texts unchanged but never a formula, lists of plain words as `a; b`, other values as JSON. */
export function cellOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return harmless(value)
  if (typeof value === 'number') return certainNumber(value)
  if (!Array.isArray(value))
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  const isPlain = value.every(
    (each: unknown) =>
      typeof each === 'string' && /^[^\s;,[\n]([^;,\n]*[^\s;,])?$/.test(each) && !isMisread(each),
  )
  return isPlain ? harmless(value.join('; ')) : JSON.stringify(value)
}

/** A number that can be read in only one way: some would read 8.125 as eight thousand. */
function certainNumber(value: number): string {
  const text = String(value)
  return /^-?[1-9]\d{0,2}\.\d{3}$/.test(text) ? `${text}0` : text
}

async function* decoded(bytes: Readable, encoding: string) {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  let place = 0
  const decode = (chunk?: Buffer) => {
    const near = chunk ? `bytes ${place} to ${place + chunk.length}` : 'the end'
    const others = encodings.filter((each) => each !== encoding).join(' or ')
    const wrong = badField(
      'file',
      `is not text in ${encoding}: see ${near}, or give its encoding, such as ${others}`,
    )
    let text: string
    try {
      text = decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw wrong
    }
    // other encodings and other kinds of files have many of them, and the database cannot store them
    if (text.includes('\0')) throw wrong
    return text
  }
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    const text = decode(chunk)
    place += chunk.length
    for (let at = 0; at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength)
  }
  yield decode()
}

/** The number of characters that are parsed at once, within some ms; the text of a JSON body is one chunk. */
const pieceLength = 1024

/** Yields the text in pieces, as fast as they are read, and lets other requests run in between. */
async function feed(parser: Parser, first: string, rest: AsyncGenerator<string>) {
  const stepDone = paced()
  let rows = 0
  let sinceRow = 0
  try {
    for await (const text of pieces(first, rest)) {
      if (parser.destroyed) return
      if (!parser.write(text)) await takenUp(parser)
      const { records, empty_lines, lines } = parser.info
      // the library counts the characters of cells, but not the delimiters between empty ones
      sinceRow = records + empty_lines === rows ? sinceRow + text.length : 0
      rows = records + empty_lines
      if (sinceRow > mostOfRow) throw tooLong(lines)
      await stepDone()
    }
    parser.end()
  } catch (error) {
    parser.destroy(error as Error)
  }
}

async function* pieces(first: string, rest: AsyncGenerator<string>) {
  for (let at = 0; at < first.length; at += pieceLength) yield first.slice(at, at + pieceLength)
  yield* rest
}

function takenUp(parser: Parser): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      parser.off('drain', done).off('close', done)
      resolve()
    }
    parser.on('drain', done).on('close', done)
  })
}

function tooLong(line: number | undefined): Failure {
  return badField('file', `has a row of more than 1 MiB near line ${line}`)
}

function refusal(error: unknown): unknown {
  const { code, lines } = error as { code?: string; lines?: number }
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return badField('file', 'has a quote that is opened and never closed')
  }
  if (code === 'CSV_MAX_RECORD_SIZE') return tooLong(lines)
  if (code?.startsWith('CSV_') || code === 'INVALID_OPENING_QUOTE') {
    return badField('file', `is not CSV near line ${lines}`)
  }
  return error
}
