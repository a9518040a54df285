import type { PDF, PdfDict, PdfObject } from '@libpdf/core'
import { PdfArray, PdfNumber } from '@libpdf/core'

/** A page as a reader shows it: its size in points, and the matrix from there into the page's own space. */
export type SeenPage = { width: number; height: number; matrix: number[] }

/**
 * How a page is seen: the crop box within the sheet, turned by the page's rotation, in its unit (ISO 32000,
 * 7.7.3.3 and 14.11.2). The origin is the lower left corner of what is seen.
 */
export function seenPage(pdf: PDF, page: PdfDict): SeenPage {
  const media = boxOf(inherited(pdf, page, 'MediaBox')) ?? [0, 0, 612, 792]
  const crop = boxOf(inherited(pdf, page, 'CropBox'))
  const [x0, y0, x1, y1] = crop ? within(crop, media) : media
  const unit = numberOf(page.get('UserUnit', resolverOf(pdf))) || 1
  const turned = numberOf(inherited(pdf, page, 'Rotate')) ?? 0
  const rotation = ((Math.round(turned / 90) % 4) + 4) % 4
  const s = 1 / unit
  const [wide, high] = [(x1 - x0) * unit, (y1 - y0) * unit]
  const upright = [s, 0, 0, s, x0, y0]
  const turns = [upright, [0, s, -s, 0, x1, y0], [-s, 0, 0, -s, x1, y1], [0, -s, s, 0, x0, y1]]
  const matrix = turns[rotation] ?? upright
  const [width, height] = rotation % 2 ? [high, wide] : [wide, high]
  return { width, height, matrix }
}

/** An entry of a page, or the one that it inherits from the nodes above it. */
export function inherited(pdf: PDF, page: PdfDict, name: string): PdfObject | undefined {
  const resolve = resolverOf(pdf)
  // a broken tree may lead back to itself
  for (let node: PdfDict | undefined = page, depth = 0; node && depth < 50; depth++) {
    const found = node.get(name, resolve)
    if (found) return found
    node = node.getDict('Parent', resolve)
  }
  return undefined
}

/** Follows references of a PDF. */
export function resolverOf(pdf: PDF) {
  return pdf.context.resolve.bind(pdf.context)
}

type Box = [x0: number, y0: number, x1: number, y1: number]

function boxOf(value: PdfObject | undefined): Box | undefined {
  if (!(value instanceof PdfArray) || value.length < 4) return undefined
  const [a, b, c, d] = value.toArray().map(numberOf)
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined
  const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
  return box[2] > box[0] && box[3] > box[1] ? box : undefined
}

function within(crop: Box, media: Box): Box {
  const box: Box = [
    Math.max(crop[0], media[0]),
    Math.max(crop[1], media[1]),
    Math.min(crop[2], media[2]),
    Math.min(crop[3], media[3]),
  ]
  return box[2] > box[0] && box[3] > box[1] ? box : media
}

function numberOf(value: PdfObject | undefined): number | undefined {
  return value instanceof PdfNumber ? value.value : undefined
}
