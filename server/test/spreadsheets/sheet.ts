/** A cell of a workbook: text, a number, a date of a style, a formula with its last value, or none. */
export type XlsxCell =
  | string
  | number
  | null
  | { date: number }
  | { percent: number }
  | { digits: number; of: number }
  | { formula: string; value: number | string }
  | { error: string }

/** A spreadsheet as somebody sent it, and what must become of each of its lines. */
export type Sheet = {
  name: string
  module: string
  /** the text of the file; `\n` becomes `ends` */
  text?: string
  ends?: string
  encoding?: 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'utf-16le-bom'
  /** the rows of a workbook in place of a text */
  xlsx?: XlsxCell[][]
  /** what is chosen beside the file */
  more?: { [option: string]: unknown }
  /** the record of each line, by the fields of a read: what is named must be so to the last character */
  rows: { [line: number]: { [field: string]: unknown } }
  /** cells that are left empty, by line: the column, and a part of the reason */
  cells?: { [line: number]: { [column: string]: RegExp } }
  /** lines that are not imported, and a part of the reason */
  lost?: { [line: number]: RegExp }
}
