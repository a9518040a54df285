import { readFile } from 'node:fs/promises'
import { PDF } from '@libpdf/core'
import { seenPage } from '../sealing/seen.ts'

/** Where a text stands: its box in parts of the page as seen, from its upper left corner, and the size of the page in points. */
export type TextPlace = {
  page: number
  x: number
  y: number
  width: number
  height: number
  pageWidth: number
  pageHeight: number
}

/** How many places of one text are found at most. */
const most = 500

/**
 * Where texts stand in a PDF, in the order of reading, by text; whatever their case and the spaces between their words.
 * Empty for what is not there, and for all of a file that cannot be read as pages.
 */
export async function textPlaces({
  path,
  texts,
}: {
  path: string
  texts: string[]
}): Promise<{ [text: string]: TextPlace[] }> {
  const found = new Map<string, TextPlace[]>(texts.map((text) => [text, []]))
  const pdf = await PDF.load(await readFile(path)).catch(() => undefined)
  for (const [at, page] of (pdf?.getPages() ?? []).entries()) {
    if (!pdf) break
    const { width: pageWidth, height: pageHeight, matrix } = seenPage(pdf, page.dict)
    for (const [text, places] of found) {
      const boxes = page.findText(patternOf(text)).map(({ bbox }) => {
        const corners = [
          seen(matrix, bbox.x, bbox.y),
          seen(matrix, bbox.x + bbox.width, bbox.y + bbox.height),
        ]
        const [left, right] = corners.map(([x]) => x / pageWidth).toSorted(byNumber)
        const [low, high] = corners.map(([, y]) => 1 - y / pageHeight).toSorted(byNumber)
        const [x = 0, y = 0] = [left, low]
        const size = { width: (right ?? x) - x, height: (high ?? y) - y }
        return { page: at + 1, x, y, ...size, pageWidth, pageHeight }
      })
      // what lies outside what is seen is not there for a reader
      const isOn = (from: number, length: number) =>
        from + length / 2 >= 0 && from + length / 2 <= 1
      const visible = boxes.filter(({ x, y, width, height }) => isOn(x, width) && isOn(y, height))
      places.push(...visible.toSorted((one, other) => one.y - other.y || one.x - other.x))
      if (places.length > most) places.length = most
    }
  }
  return Object.fromEntries(found)
}

function byNumber(one: number, other: number): number {
  return one - other
}

function patternOf(text: string): RegExp {
  const words = text.trim().split(/\s+/)
  return new RegExp(
    words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s*'),
    'giu',
  )
}

/** A point of the page's own space, in points from the lower left corner of what is seen. */
function seen([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: number[], x: number, y: number) {
  const [across, up, whole] = [x - e, y - f, a * d - b * c]
  return [(d * across - c * up) / whole, (a * up - b * across) / whole] as const
}
