import type { Cell } from './cell.ts'
import { serialDate } from './dates.ts'
import type { Package } from './zip.ts'

/** How a style formats a number, as far as that determines its meaning. */
export type Style = 'number' | 'date' | 'time' | 'percent' | { digits: number }

/** The styles of a workbook by their index. */
export async function readStyles(zip: Package, part: string): Promise<Style[]> {
  const codes = new Map<number, string>()
  const styles: Style[] = []
  let isCells = false
  await zip.read(part, {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
      if (name === 'cellXfs') isCells = true
      if (name !== 'xf' || !isCells) return
      const id = Number(attributes.numFmtId ?? 0)
      styles.push(builtIn(id) ?? styleOf(codes.get(id) ?? ''))
    },
    close(name) {
      if (name === 'cellXfs') isCells = false
    },
  })
  return styles
}

/** The value of a cell with this number by its style: a day, a time, per cent, digits with leading zeros. */
export function styled(number: number, style: Style | undefined, is1904: boolean): Cell {
  if (style === 'percent') return Number((number * 100).toPrecision(14))
  if (style === 'date') return serialDate(number, is1904) ?? number
  if (style === 'time') {
    return number >= 0 && number < 1
      ? new Date(Math.round(number * 86_400) * 1000).toISOString().slice(11, 19)
      : number
  }
  if (typeof style === 'object' && Number.isInteger(number) && number >= 0) {
    return String(number).padStart(style.digits, '0')
  }
  return number
}

function builtIn(id: number): Style | undefined {
  if (id === 9 || id === 10) return 'percent'
  if (id >= 18 && id <= 21) return 'time'
  if ((id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'date'
  return id >= 45 && id <= 47 ? 'time' : undefined
}

/** Decides by the letters of a format that are neither quoted nor in brackets. */
function styleOf(code: string): Style {
  const [first = ''] = code
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[[^\]]*\]/g, '')
    .split(';')
  if (/^0{2,}$/.test(first)) return { digits: first.length }
  if (/general|standard/i.test(first)) return 'number'
  if (/[ydj]/i.test(first) || (/m/i.test(first) && !/[hs]/i.test(first))) return 'date'
  if (/[hs]/i.test(first)) return 'time'
  return first.includes('%') ? 'percent' : 'number'
}
