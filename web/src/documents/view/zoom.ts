import type { Size } from './pdf.ts'

/** The zoom of pages: as wide or as large as the window, or a factor of their printed size. */
export type Zoom = 'width' | 'page' | number

/** CSS pixels of a point at 100 %. */
export const pixels = 96 / 72
/** The space around pages, in pixels. */
export const around = 16

const steps = [0.25, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4]

/** CSS pixels of a point, for the widest of some pages in a window of some size. */
export function scaleOf(zoom: Zoom, page: Size, room: Size): number {
  const wide = Math.max(80, room.width - 2 * around) / page.width
  if (zoom === 'width') return wide
  if (zoom === 'page') return Math.min(wide, Math.max(80, room.height - 2 * around) / page.height)
  return zoom * pixels
}

/** The zoom of a scale, as a factor of the printed size. */
export function zoomAt(scale: number): number {
  return scale / pixels
}

/** The next larger or smaller of the usual zooms. */
export function nextZoom(scale: number, by: 1 | -1): number {
  const now = zoomAt(scale)
  const near = 0.01
  const next =
    by === 1 ? steps.find((each) => each > now + near) : steps.findLast((each) => each < now - near)
  return next ?? now
}

/** The top of each page below the first one's, in pixels, and the height of all. */
export function topsOf(sizes: Size[], scale: number): number[] {
  const tops = [around]
  for (const [at, { height }] of sizes.entries()) {
    tops.push((tops[at] ?? 0) + Math.round(height * scale) + around)
  }
  return tops
}

/** The page, from 0, that a height is in. */
export function pageAt(tops: number[], height: number): number {
  let [low, high] = [0, tops.length - 2]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((tops[middle] ?? 0) <= height) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}
