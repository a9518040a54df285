import { crc32, deflateRawSync } from 'node:zlib'
import type { XlsxCell } from './sheet.ts'

type Sheet = { name: string; rows: XlsxCell[][]; isHidden?: boolean }

/** The bytes of a workbook with these rows in its first visible sheet, as spreadsheet programs write one. */
export function workbookOf(rows: XlsxCell[][], name = 'Tabelle1'): Buffer {
  return workbookOfSheets([
    { name: 'Hidden', rows: [[1]], isHidden: true },
    { name, rows },
  ])
}

/** The bytes of a workbook with these sheets. */
export function workbookOfSheets(sheets: Sheet[]): Buffer {
  const shared: string[] = []
  const xmlOf = ({ rows }: Sheet) =>
    rows
      .map((cells, at) => {
        const inside = cells.map((cell, column) =>
          cellXml(cell, `${letter(column)}${at + 1}`, shared),
        )
        return inside.length ? `<row r="${at + 1}">${inside.join('')}</row>` : ''
      })
      .join('')
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
  const relations = (...all: string[]) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`
  const named = sheets.map(
    ({ name, isHidden }, at) =>
      `<sheet name="${escaped(name).replaceAll('"', '&quot;')}" sheetId="${at + 1}"${isHidden ? ' state="hidden"' : ''} r:id="sheet${at}"/>`,
  )
  const parts = sheets.map((sheet, at): [string, string] => [
    `xl/worksheets/sheet${at}.xml`,
    `<worksheet xmlns="${main}"><sheetData>${xmlOf(sheet)}</sheetData></worksheet>`,
  ])
  return zipOf({
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${named.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ...sheets.map((_, at) => relation(`sheet${at}`, 'worksheet', `worksheets/sheet${at}.xml`)),
      relation('rId2', 'sharedStrings', 'sharedStrings.xml'),
      relation('rId3', 'styles', 'styles.xml'),
    ),
    ...Object.fromEntries(parts),
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${shared.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="00000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="9"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
  })
}

function cellXml(cell: XlsxCell, at: string, shared: string[]): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`
  if (typeof cell === 'string') return `<c r="${at}" t="s"><v>${shared.push(cell) - 1}</v></c>`
  if ('date' in cell) return `<c r="${at}" s="1"><v>${cell.date}</v></c>`
  if ('percent' in cell) return `<c r="${at}" s="2"><v>${cell.percent}</v></c>`
  if ('digits' in cell) return `<c r="${at}" s="3"><v>${cell.of}</v></c>`
  if ('error' in cell) return `<c r="${at}" t="e"><v>${cell.error}</v></c>`
  const { formula, value } = cell
  const type = typeof value === 'string' ? ' t="str"' : ''
  return `<c r="${at}"${type}><f>${escaped(formula)}</f><v>${escaped(String(value))}</v></c>`
}

function letter(column: number): string {
  return String.fromCharCode(65 + column)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** A zip file with these texts; `claimed` is the size that an entry declares, where that is not its own. */
export function zipOf(files: { [name: string]: string | Buffer }, claimed?: number): Buffer {
  const parts: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc32(bytes), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(claimed ?? bytes.length, 18)
    head.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    entries.push(
      Buffer.concat([
        Buffer.from('PK\x01\x02'),
        Buffer.from([20, 0]),
        head,
        tail,
        Buffer.from(name),
      ]),
    )
    parts.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, directory, Buffer.from('PK\x05\x06'), end])
}
