import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ZipFile } from 'yazl'
import { escapeHtml } from '../../kit/ground/html.ts'
import { turns } from '../../kit/ground/turns.ts'
import type { SheetColumn } from './csv.ts'
import { plainText } from './csv-text.ts'
import { serialOf } from './dates.ts'

/** The maximum number of rows of a sheet, and the length of a cell, in Excel. */
const mostRows = 1_048_576
const longestCell = 32_767

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/**
 * The bytes of an `.xlsx` file (ECMA-376), page by page, so that a file of any size takes little memory. Numbers
 * and days are such in every locale, times are those of the zone, and no text is a formula. More rows than a sheet
 * may have go on in the next one; what is longer than a cell may be ends with `…`.
 */
export async function* xlsxFile<Row>(
  columns: SheetColumn<Row>[],
  pages: AsyncIterable<Row[]>,
  { name, timezone }: { name: string; timezone: string },
): AsyncGenerator<Uint8Array> {
  // loaded with the first workbook
  const { default: yazl } = await import('yazl')
  const zip = new yazl.ZipFile()
  const out = zip.outputStream as Readable
  const rows = rowsXml(columns, pages, timezone)
  const leaving = new AbortController()
  zip.on('error', (error: Error) => out.destroy(error))
  const writing = writeParts(zip, { header: header(columns), rows, name }, leaving.signal)
  writing.catch((error: unknown) => out.destroy(error as Error))
  try {
    for await (const chunk of out as AsyncIterable<Buffer>) yield chunk
    await writing
  } finally {
    // the caller may have gone away before the end
    leaving.abort()
    out.destroy()
    await writing.catch(() => {})
    await rows.return()
  }
}

type Sheets = { header: string; rows: AsyncGenerator<string, void>; name: string }

async function writeParts(zip: ZipFile, { header: top, rows, name }: Sheets, signal: AbortSignal) {
  let next = await rows.next()
  let count = 0
  do {
    async function* sheet() {
      yield Buffer.from(`${declaration}<worksheet xmlns="${main}">${view}<sheetData>${top}`)
      for (let line = 2; line <= mostRows && !next.done; line++) {
        yield Buffer.from(`<row r="${line}">${next.value}</row>`)
        next = await rows.next()
      }
      yield Buffer.from('</sheetData></worksheet>')
    }
    const stream = Readable.from(sheet(), { signal })
    zip.addReadStream(stream, `xl/worksheets/sheet${++count}.xml`)
    await finished(stream)
  } while (!next.done)
  const sheets = Array.from({ length: count }, (_, at) => at + 1)
  const parts = partsOf(name, sheets)
  for (const [path, text] of Object.entries(parts)) {
    zip.addBuffer(Buffer.from(declaration + text), path)
  }
  zip.end()
}

/** The first row stays in view. */
const view =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'

function header<Row>(columns: SheetColumn<Row>[]): string {
  return `<row r="1">${columns.map(({ name }, at) => textXml(name, `${letters(at)}1`)).join('')}</row>`
}

async function* rowsXml<Row>(
  columns: SheetColumn<Row>[],
  pages: AsyncIterable<Row[]>,
  timezone: string,
): AsyncGenerator<string, void> {
  const worked = turns()
  const names = columns.map((_, at) => letters(at))
  // a sheet begins with its header
  let line = 1
  for await (const rows of pages) {
    for (const row of rows) {
      line = line < mostRows ? line + 1 : 2
      const at = (column: number) => `${names[column]}${line}`
      const xml = columns.map((column, n) => cellXml(column, row, at(n), timezone)).join('')
      await worked(xml.length)
      yield xml
    }
  }
}

/** The name of a column from 0: A, …, Z, AA. */
function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last
}

function cellXml<Row>(column: SheetColumn<Row>, row: Row, at: string, timezone: string): string {
  const value = plainText(column.text(row) ?? '')
  if (value === '') return ''
  if (column.kind === 'number' && Number.isFinite(Number(value)))
    return `<c r="${at}"><v>${Number(value)}</v></c>`
  const serial =
    column.kind === 'date' || column.kind === 'timestamp' ? serialOf(value, timezone) : undefined
  if (serial === undefined) return textXml(value, at)
  return `<c r="${at}" s="${column.kind === 'date' ? 1 : 2}"><v>${serial}</v></c>`
}

function textXml(text: string, at: string): string {
  const short = text.length > longestCell ? `${text.slice(0, longestCell - 1)}…` : text
  return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(short)}</t></is></c>`
}

/** A text in XML; what XML cannot hold is written as Excel does. */
function escaped(text: string): string {
  return escapeHtml(
    text
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replace(
        /[^\P{Cc}\n\t]|\p{Cs}|[\ufffe\uffff]/gu,
        (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
      ),
  )
}

function partsOf(name: string, sheets: number[]): { [path: string]: string } {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"/>`
  const title = (at: number) => escaped(`${name}${at > 1 ? ` ${at}` : ''}`.slice(0, 31))
  const each = (xml: (at: number) => string) => sheets.map(xml).join('')
  return {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${each((at) => `<sheet name="${title(at)}" sheetId="${at}" r:id="rId${at}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships">${each((at) => relation(`rId${at}`, 'worksheet', `worksheets/sheet${at}.xml`))}${relation('styles', 'styles', 'styles.xml')}</Relationships>`,
    // 14 is a day and 22 a day with its time, as the reader's language writes them
    'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf xfId="0"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/><xf numFmtId="22" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships">${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${each((at) => `<Override PartName="/xl/worksheets/sheet${at}.xml" ContentType="${type}.worksheet+xml"/>`)}</Types>`,
  }
}
