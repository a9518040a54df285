import { closeSync, createReadStream, openSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { rm } from 'node:fs/promises'
import { badField } from '../../kit/ground/errors.ts'
import { cellOf } from './csv.ts'
import { lineWriter } from './line-writer.ts'

/** A record of a file that is no table: texts by the names of columns. */
export type Record = { line: number; values: { [column: string]: string } }

/** The maximum length of a row, and the maximum bytes of rows, as of a workbook. */
const longestRow = 1024 * 1024
const mostWritten = 200 * 1024 * 1024

/**
 * Writes records as rows that an import reads, a line of JSON each, below a header with those of the columns
 * that have a value. 400 if there is no record, or too many.
 */
export async function writeTable(
  to: string,
  columns: readonly string[],
  records: AsyncIterable<Record>,
  none: string,
): Promise<void> {
  const all = `${to}.all`
  try {
    const used = new Set<string>()
    await write(all, each(records, used))
    if (!used.size) throw badField('file', none)
    const names = columns.filter((name) => used.has(name))
    await write(to, rowsWith(names, all))
  } finally {
    await rm(all, { force: true })
  }
}

async function* each(records: AsyncIterable<Record>, used: Set<string>) {
  for await (const { line, values } of records) {
    const filled = Object.entries(values).filter(([, value]) => value.trim() !== '')
    if (!filled.length) continue
    for (const [name] of filled) used.add(name)
    const text = JSON.stringify([line, Object.fromEntries(filled)])
    if (text.length > longestRow) {
      throw badField('file', `has a record of more than 1 MiB at line ${line}`)
    }
    yield text
  }
}

async function* rowsWith(names: string[], path: string) {
  // the header is no line of the file
  yield JSON.stringify([0, names])
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity })
  for await (const text of lines) {
    const [line, values] = JSON.parse(text) as [number, Record['values']]
    yield JSON.stringify([line, names.map((name) => values[name] ?? '')])
  }
}

async function write(path: string, lines: AsyncIterable<string>) {
  const out = openSync(path, 'w', 0o600)
  try {
    const writer = lineWriter(out, mostWritten, 'texts')
    for await (const line of lines) writer.add(line)
    writer.end()
  } finally {
    closeSync(out)
  }
}

/** Several texts in one cell, each once. */
export function listCell(texts: string[]): string {
  return cellOf([...new Set(texts.filter(Boolean))]) ?? ''
}
