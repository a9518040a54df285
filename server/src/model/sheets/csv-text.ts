import { saysEmpty } from './cell.ts'

/** A line of CSV, ended as RFC 4180 says. */
export function csvLine(cells: (string | null)[], sep = ','): string {
  return `${cells.map((cell) => quoted(cell ?? '')).join(sep)}\r\n`
}

/**
 * A text that no spreadsheet interprets as a formula (CWE-1236): one that begins like a formula gets
 * a leading apostrophe. `plainText` removes it again.
 */
export function harmless(text: string): string {
  return isMisread(text) ? `'${text}` : text
}

/** Whether a spreadsheet would run it, or an import read it as an empty cell, with or without apostrophes. */
export function isMisread(text: string): boolean {
  if (telephone.test(text)) return false
  return formula.test(text) || (text.length < 20 && saysEmpty(text.replace(/^'+/, '')))
}

/** The first characters of formulas, also the full-width ones of Chinese and Japanese keyboards (OWASP). */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

/** A number as people write it, which computes nothing: `+380 44 123 45 67`, but not `+1-2`. */
const telephone = /^\+\d[\d \u00a0().]*$/

/** The text before `harmless`. */
export function plainText(text: string): string {
  return text.startsWith("'") && isMisread(text) ? text.slice(1) : text
}

function quoted(cell: string): string {
  return /[",\r\n;\t|]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
