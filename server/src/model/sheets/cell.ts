/** A cell as stored in the file: text, or a number if the file itself says so. */
export type Cell = string | number

/** A row with the line of the file where it begins, from 1. */
export type Line = { line: number; cells: Cell[] }

/** The maximum number of columns. */
export const mostColumns = 500

/** Texts that people and programs write into cells without a value, such as `n/a`, or the days `0.0.00` of Outlook. */
const nothing =
  /^(-{1,3}|[–—]|#?n\/a|#n\/v|#nv|n\.\s?a\.|n\.\s?v\.(\s?t\.)?|k\.\s?a\.|s\.\s?o\.|\(?(leer|blank|empty|vide|vacío)\)|NULL|0{1,4}([./-])0{1,2}\4(?:0{1,4})( 0{1,2}:0{2}(:0{2})?)?)$/i

/** Whether a cell has no value: it is blank, or a text such as `n/a`, `-` or `#N/A`. */
export function isEmpty(cell: Cell | undefined): boolean {
  if (cell === undefined) return true
  if (typeof cell === 'number') return false
  const text = cell.trim()
  return text === '' || (text.length <= 19 && saysEmpty(text))
}

/** Whether a text would be read as an empty cell, such as `n/a`. */
export function saysEmpty(text: string): boolean {
  return nothing.test(text)
}

/** A cell as text, without the blanks around it. */
export function textOf(cell: Cell | undefined): string {
  if (cell === undefined) return ''
  return typeof cell === 'number' ? String(cell) : cell.trim()
}

/** The error that a spreadsheet shows in place of a value, such as `#REF!`; undefined for any other text. */
export function sheetError(text: string): string | undefined {
  return /^#(REF|VALUE|DIV\/0|NAME|NUM|NULL|BEZUG|WERT|ZAHL|VALEUR|NOMBRE|NOM|VALOR|SPILL|CALC)[!?]$/i.test(
    text,
  )
    ? `${text} is an error of the spreadsheet`
    : undefined
}
