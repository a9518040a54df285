import type { Cell } from './cell.ts'
import { isEmpty, textOf } from './cell.ts'
import { readNumber } from './numbers.ts'

const words =
  /^(grand |sub)?-?totals?:?$|^(gesamt|summe|zwischensumme|gesamtsumme|gesamtergebnis|total général|somme|sous-total|suma|total general|totale|totale complessivo|somma|soma|total geral|totaal|eindtotaal|sum|count|anzahl|average|durchschnitt|moyenne|promedio|media|média|gemiddelde)( .{0,20})?:?$/i

/** Whether a row is a line of totals below the records: a word such as `Summe`, and otherwise only numbers. */
export function isTotal(cells: Cell[]): boolean {
  const filled = cells.filter((cell) => !isEmpty(cell))
  const [first, ...rest] = filled
  if (typeof first !== 'string' || !words.test(first.trim()) || !rest.length) return false
  return rest.every((cell) => typeof cell === 'number' || isNumber(textOf(cell)))
}

function isNumber(text: string): boolean {
  const reading = readNumber(text)
  return reading !== undefined && 'by' in reading
}
