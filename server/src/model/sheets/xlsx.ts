import { closeSync, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { posix } from 'node:path'
import { Failure, badField } from '../../kit/ground/errors.ts'
import type { Cell } from './cell.ts'
import { mostColumns } from './cell.ts'
import { lineWriter } from './line-writer.ts'
import type { Style } from './styles.ts'
import { readStyles, styled } from './styles.ts'
import type { Package } from './zip.ts'
import { openPackage } from './zip.ts'

const mostRows = 1_048_576
/** The maximum number of sheets, and length of their names (31 in Excel), because answers contain all names. */
const mostSheets = 1000
const longestSheet = 255
/** The maximum length of a cell, as in Excel, and of a row. */
const longestCell = 32_767
const longestRow = 1024 * 1024
/** The maximum total length and number of the shared strings, which are all in memory. */
const mostShared = 32 * 1024 * 1024
const mostTexts = 1_000_000
/** The maximum bytes of rows written: many cells with the same long shared string would turn a small file into a huge one. */
const mostWritten = 200 * 1024 * 1024

type Input = {
  /** the file, and where its rows go: a line of JSON each, `[line, cells]` */
  path: string
  to: string
  /** the name of a sheet; the first visible one with data where there is none */
  sheet: string | null
}

/** The sheet that was chosen, and the names of all. */
type Found = { sheet: string; sheets: string[] }

/** The unpacked bytes of sheets besides the chosen one up to which they are read too. */
const mostBeside = 64 * 1024 * 1024

/**
 * Reads the sheets of an `.xlsx` file (ECMA-376) row by row, each below a line with its name, so that another
 * one can be chosen later. Numbers stay numbers; days become ISO 8601; of formulas the last value is read, and
 * nothing is computed. 400 for a file that is damaged or exceeds a limit.
 */
export async function readXlsx({ path, to, sheet: wanted }: Input): Promise<Found> {
  const zip = await openPackage(path)
  try {
    const { sheets, is1904, shared, styles } = await readWorkbook(zip)
    const names = sheets.map(({ name }) => name)
    const chosen = wanted === null ? undefined : named(sheets, wanted)
    if (!sheets.length) throw badField('file', 'is not a spreadsheet: it has no sheet')
    if (wanted !== null && !chosen) {
      throw badField('sheet', `does not exist; sheets are ${names.slice(0, 50).join(', ')}`)
    }
    const texts = await readShared(zip, shared)
    const looks = await readStyles(zip, styles)
    const rank = (sheet: Sheet) => (sheet === chosen ? 0 : sheet.isHidden ? 2 : 1)
    const sorted = sheets.toSorted((a, b) => rank(a) - rank(b))
    const sizes = new Map<Sheet, Size>()
    let found = chosen
    let left = mostBeside
    // appending, also after what was taken away again
    const out = openSync(to, 'a', 0o600)
    try {
      for (const sheet of sorted) {
        // until there is one, each may be the one
        if (found && sheet !== found && (left -= zip.sizeOf(sheet.part)) < 0) continue
        const isBeside = found !== undefined && sheet !== found
        const before = fstatSync(out).size
        try {
          const size = await writeRows(zip, sheet, out, { texts, looks, is1904 })
          sizes.set(sheet, size)
          if (!sheet.isHidden && isTable(size)) found ??= sheet
        } catch (error) {
          // whoever chooses it uploads the file again, and learns what is wrong with it
          if (!isBeside || !(error instanceof Failure)) throw error
          ftruncateSync(out, before)
        }
      }
    } finally {
      closeSync(out)
    }
    const [first] = sorted
    const filled = sorted.find((sheet) => (sizes.get(sheet)?.rows ?? 0) > 1 && !sheet.isHidden)
    return { sheet: (found ?? filled ?? first)?.name ?? '', sheets: names }
  } finally {
    zip.close()
  }
}

type Size = { rows: number; width: number }

/** Whether it has rows below a header, and columns: a cover with some lines of text is none. */
function isTable({ rows, width }: Size): boolean {
  return rows > 1 && width > 1
}

type Sheet = { name: string; part: string; isHidden: boolean }

function named(sheets: Sheet[], wanted: string): Sheet | undefined {
  const folded = wanted.trim().toLowerCase()
  return sheets.find(({ name }) => name.trim().toLowerCase() === folded)
}

/** The sheets in their order, and the parts that they share. */
async function readWorkbook(zip: Package) {
  const top = await relationsOf(zip, '')
  const book = top.find(({ type }) => type === 'officeDocument')?.part ?? 'xl/workbook.xml'
  if (!zip.names.includes(book)) throw badField('file', 'is not an .xlsx spreadsheet')
  const relations = await relationsOf(zip, book)
  const part = (type: string, usual: string) =>
    relations.find((each) => each.type === type)?.part ?? posix.join(posix.dirname(book), usual)
  const sheets: Sheet[] = []
  let is1904 = false
  await zip.read(book, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
      if (name !== 'sheet') return
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]
      const found = relations.find((each) => each.id === id)
      if (found?.type !== 'worksheet') return
      const isHidden = /hidden/i.test(attributes.state ?? '')
      const { name: called = '' } = attributes
      if (called.length > longestSheet) {
        throw badField('file', `has a sheet whose name is longer than ${longestSheet} characters`)
      }
      if (sheets.length >= mostSheets) throw badField('file', `has more than ${mostSheets} sheets`)
      sheets.push({ name: called, part: found.part, isHidden })
    },
  })
  const shared = part('sharedStrings', 'sharedStrings.xml')
  return { sheets, is1904, shared, styles: part('styles', 'styles.xml') }
}

async function relationsOf(zip: Package, of: string) {
  const folder = posix.dirname(of)
  const found: { id: string; type: string; part: string }[] = []
  await zip.read(posix.join(folder, '_rels', `${posix.basename(of)}.rels`), {
    open(name, { Id: id = '', Type: type = '', Target: target = '' }) {
      if (name !== 'Relationship') return
      const part = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
      found.push({ id, type: type.slice(type.lastIndexOf('/') + 1), part })
    },
  })
  return found
}

/** The shared strings of cells, without Japanese phonetic hints. */
async function readShared(zip: Package, part: string): Promise<string[]> {
  const texts: string[] = []
  let current: string | undefined
  let isText = false
  let isSpoken = false
  let size = 0
  await zip.read(part, {
    open(name) {
      if (name === 'si') current = ''
      if (name === 'rPh') isSpoken = true
      isText = name === 't' && !isSpoken
    },
    text(text) {
      if (!isText || current === undefined) return
      current += text
      size += text.length
      if (size > mostShared) throw tooManyTexts()
      if (current.length > 2 * longestCell) throw badField('file', tooLong)
    },
    close(name) {
      if (name === 't') isText = false
      if (name === 'rPh') isSpoken = false
      if (name !== 'si') return
      if (texts.length >= mostTexts) throw tooManyTexts()
      texts.push(unescaped(current ?? ''))
      current = undefined
    },
  })
  return texts
}

function tooManyTexts() {
  return badField('file', 'has too many texts: split it')
}

const tooLong = `has a cell of more than ${longestCell} characters`

type Look = { texts: string[]; looks: Style[]; is1904: boolean }

/** Writes the name of a sheet, and its rows below. */
async function writeRows(
  zip: Package,
  { name: called, part }: Sheet,
  out: number,
  look: Look,
): Promise<Size> {
  const size = { rows: 0, width: 0 }
  let line = 0
  let cells: Cell[] = []
  let at = -1
  let type = 'n'
  let style: Style | undefined
  let value = ''
  let formula = ''
  let into: 'value' | 'formula' | undefined
  let width = 0
  const lines = lineWriter(out, mostWritten, 'cells')
  lines.add(JSON.stringify(called))
  await zip.read(part, {
    open(name, attributes) {
      into = undefined
      if (name === 'row') {
        line = Number(attributes.r) || line + 1
        if (line > mostRows) throw badField('file', `has more than ${mostRows} rows`)
        cells = []
        width = 0
        at = -1
      } else if (name === 'c') {
        at = columnOf(attributes.r) ?? at + 1
        type = attributes.t ?? 'n'
        style = look.looks[Number(attributes.s ?? -1)]
        value = ''
        formula = ''
      } else if (name === 'v' || name === 't') into = 'value'
      else if (name === 'f') into = 'formula'
    },
    text(text) {
      if (into === 'value') value += text
      else if (into === 'formula') formula += text
      else return
      if (value.length + formula.length > 2 * longestCell) throw badField('file', tooLong)
    },
    close(name) {
      if (name === 'v' || name === 't' || name === 'f') into = undefined
      if (name === 'c') {
        const cell = cellOf({ type, value, formula, style }, look)
        if (cell === '') return
        if (at >= mostColumns) {
          throw badField('file', `has a cell in column ${at + 1}; at most ${mostColumns} are taken`)
        }
        while (cells.length < at) cells.push('')
        cells[at] = cell
        width += typeof cell === 'string' ? cell.length : 8
        if (width > longestRow)
          throw badField('file', `has a row of more than 1 MiB at line ${line}`)
      }
      if (name !== 'row' || !cells.length) return
      size.rows++
      size.width = Math.max(size.width, cells.filter((cell) => cell !== '').length)
      lines.add(JSON.stringify([line, cells]))
    },
  })
  lines.end()
  return size
}

type Raw = { type: string; value: string; formula: string; style: Style | undefined }

function cellOf({ type, value, formula, style }: Raw, { texts, is1904 }: Look): Cell {
  // a formula that was never computed: its text is better than nothing
  if (value === '') return formula ? `=${formula}` : ''
  switch (type) {
    case 's':
      return texts[Number(value)] ?? ''
    case 'b':
      return value === '1' ? 'true' : 'false'
    case 'str':
    case 'inlineStr':
      return unescaped(value)
    case 'e':
    case 'd':
      return value
    default: {
      const number = Number(value)
      return Number.isFinite(number) ? styled(number, style, is1904) : value
    }
  }
}

/** `B12` is column 1. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (!letters) return undefined
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/** Excel writes what XML cannot hold as `_x000D_`. */
function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => {
        const character = String.fromCharCode(Number.parseInt(code, 16))
        return character === '\0' ? '' : character
      })
    : text
}
