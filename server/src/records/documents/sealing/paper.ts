import type { PDF, PdfObject, PdfRef } from '@libpdf/core'
import { PdfArray, PdfDict, PdfName, PdfNumber, PdfStream } from '@libpdf/core'
import type { Hand } from './fonts.ts'
import type { Letters } from './letters.ts'
import { resolverOf } from './seen.ts'

/** An A4 page and its margin, in points. */
export const [width, height, edge] = [595, 842, 56]
/** Colours as operators for letters and for lines. */
export const ink = '0.09 0.13 0.11 rg 0.09 0.13 0.11 RG'
export const quiet = '0.33 0.39 0.36 rg'
export const accent = '0.05 0.37 0.25 rg'
export const ground = '0.95 0.96 0.955 rg'
export const rule = '0.78 0.81 0.8 RG'

/** Where somebody signs on a page, from its lower left corner, in points. */
export type Place = { whose: string; x: number; y: number; width: number; height: number }

/** A page that is being written: its operators, its size where it is not that of the paper, and who signs where. */
export type Sheet = {
  operators: string[]
  size: [width: number, height: number]
  places?: Place[]
}

/** Pages that are written from top to bottom: the current one and the remaining height. */
export type Paper = {
  letters: Letters
  sheets: Sheet[]
  sheet: Sheet | undefined
  y: number
}

type Style = {
  hand?: Hand
  size?: number
  color?: string
  before?: number
  after?: number
}

/** Writes a paragraph, broken into lines and pages. */
export function write(paper: Paper, text: string, style: Style = {}) {
  const { hand = 'plain', size = 10, color = ink, before = 0, after = 0 } = style
  if (paper.sheet) paper.y -= before
  for (const line of lines(paper.letters, text.replaceAll(/\s+/g, ' '), hand, size)) {
    const { operators } = sheetWithRoom(paper, size * 1.35)
    paper.y -= size * 1.35
    operators.push(color, paper.letters.draw(line, hand, { x: edge, y: paper.y, size }))
  }
  paper.y -= after
}

/** The current page, or a new one where the points needed do not fit any more. */
export function sheetWithRoom(paper: Paper, needed: number): Sheet {
  if (paper.sheet && paper.y - needed > edge) return paper.sheet
  paper.y = height - edge
  const sheet: Sheet = { operators: [], size: [width, height] }
  paper.sheets.push(sheet)
  return (paper.sheet = sheet)
}

/**
 * Adds pages to the end of a PDF, and returns them. They have everything that pages may inherit themselves,
 * and of the tree only its root changes.
 */
export function addSheets(pdf: PDF, sheets: Sheet[], resources: PdfObject): PdfDict[] {
  const resolve = resolverOf(pdf)
  const rootRef = pdf.getCatalog().getRef('Pages')
  const root = pdf.getCatalog().getDict('Pages', resolve)
  if (!root || !rootRef) throw new Error('the PDF has no tree of pages')
  const kids = root.getArray('Kids', resolve)?.toArray() ?? []
  const pages = sheets.map(({ operators, size }) => {
    const box = new PdfArray([0, 0, ...size].map((value) => PdfNumber.of(value)))
    return PdfDict.of({
      Type: PdfName.of('Page'),
      Parent: rootRef,
      MediaBox: box,
      CropBox: box,
      Rotate: PdfNumber.of(0),
      Resources: resources,
      Contents: pdf.register(new PdfStream([], Buffer.from(operators.join('\n')))),
    })
  })
  const added = pages.map((page) => pdf.register(page))
  root.set('Kids', new PdfArray([...kids, ...added]))
  addPlaces(pdf, sheets, added)
  const count = root.getNumber('Count', resolve)?.value ?? kids.length
  root.set('Count', PdfNumber.of(count + pages.length))
  return pages
}

/**
 * Names the places for signatures as destinations (ISO 32000, 12.3.2.4), by which fields are placed on them:
 * `place.<number>.<whose>`, the last in the characters of addresses.
 */
function addPlaces(pdf: PDF, sheets: Sheet[], pages: PdfRef[]) {
  const places = sheets.flatMap(({ places: its = [] }, at) =>
    its.map((place) => ({ ...place, page: pages[at] })),
  )
  const named = new PdfDict()
  for (const [at, { whose, page, x, y, width: wide, height: high }] of places.entries()) {
    if (!page) continue
    const corners = [x, y, x + wide, y + high].map((value) => PdfNumber.of(value))
    const fit = new PdfArray([page, PdfName.of('FitR'), ...corners])
    named.set(`place.${at}.${encodeURIComponent(whose)}`, fit)
  }
  if (places.length) pdf.getCatalog().set('Dests', named)
}

/** Breaks a paragraph into lines at spaces, and words that are too long anywhere. */
function lines(letters: Letters, text: string, hand: Hand, size: number): string[] {
  const most = width - 2 * edge
  const widthOf = (line: string) => letters.width(line, hand, size)
  // longer ones never fit, and measuring a word as long as a document again and again takes minutes
  const fits = (line: string) => line.length <= 500 && widthOf(line) <= most
  const all: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line) all.push(line)
    line = word
    while (!fits(line)) {
      let length = Math.max(1, Math.min(line.length - 1, 500))
      for (let wide = Infinity; length > 1 && wide > most;) {
        wide = widthOf(line.slice(0, length))
        if (wide > most) length = Math.floor(length * Math.min(0.98, most / wide))
      }
      all.push(line.slice(0, length))
      line = line.slice(length)
    }
  }
  return [...all, line]
}
