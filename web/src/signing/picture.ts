const [width, height] = [600, 200]
/** The rows of the box that are drawn: a pen is wide enough for those between them. */
const rowStep = 4
/** How far the pen reaches beyond the ends of a line. */
const pen = 2
const longest = 19_000

/**
 * The dark parts of a picture of a signature as path data in a box of 600 × 200, without its paper: lines of the pen
 * from left to right. Undefined if nothing can be told from the paper.
 */
export async function tracedPicture(file: Blob): Promise<string | undefined> {
  const picture = await createImageBitmap(file)
  const { data, columns, rows } = lightnessOf(picture)
  picture.close()
  const limit = limitOf(data)
  if (limit === undefined) return undefined
  const box = boxOf(data, columns, rows, limit)
  const scale = Math.min(560 / box.width, 160 / box.height)
  const left = (width - box.width * scale) / 2
  const top = (height - box.height * scale) / 2
  const isInk = (x: number, y: number) => {
    const column = Math.round(box.left + (x - left) / scale)
    const row = Math.round(box.top + (y - top) / scale)
    const isInside = column >= 0 && column < columns && row >= 0 && row < rows
    return isInside && (data[row * columns + column] ?? 255) < limit
  }
  for (const step of [rowStep, 2 * rowStep]) {
    const path = linesOf(isInk, step)
    if (path && path.length <= longest) return path
  }
  return undefined
}

/** How light each point of a picture is, on white, at most 1200 wide. */
function lightnessOf(picture: ImageBitmap) {
  const shrink = Math.min(1, 1200 / picture.width, 800 / picture.height)
  const columns = Math.max(1, Math.round(picture.width * shrink))
  const rows = Math.max(1, Math.round(picture.height * shrink))
  const canvas = document.createElement('canvas')
  canvas.width = columns
  canvas.height = rows
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This browser draws no pictures')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, columns, rows)
  context.drawImage(picture, 0, 0, columns, rows)
  const points = context.getImageData(0, 0, columns, rows).data
  const data = new Uint8Array(columns * rows)
  for (let i = 0; i < data.length; i++) {
    const [red = 0, green = 0, blue = 0] = points.subarray(4 * i, 4 * i + 3)
    data[i] = (red * 3 + green * 6 + blue) / 10
  }
  return { data, columns, rows }
}

/** The lightness between ink and paper, that tells them apart best (Otsu); undefined if all is one. */
function limitOf(data: Uint8Array): number | undefined {
  const counts = new Float64Array(256)
  for (const each of data) counts[each] = (counts[each] ?? 0) + 1
  const sum = counts.reduce((total, count, value) => total + count * value, 0)
  let best: { apart: number; limit: number; dark: number } | undefined
  let [dark, darkSum] = [0, 0]
  for (let limit = 1; limit < 256; limit++) {
    const count = counts[limit - 1] ?? 0
    dark += count
    darkSum += count * (limit - 1)
    const light = data.length - dark
    if (!dark || !light) continue
    const between = darkSum / dark - (sum - darkSum) / light
    const apart = dark * light * between ** 2
    if (between < -40 && (!best || apart > best.apart)) best = { apart, limit, dark }
  }
  // mostly dark: no ink on paper
  return best && best.dark < data.length / 2 ? best.limit : undefined
}

function boxOf(data: Uint8Array, columns: number, rows: number, limit: number) {
  let [left, top, right, bottom] = [columns, rows, 0, 0]
  for (let i = 0; i < data.length; i++) {
    if ((data[i] ?? 255) >= limit) continue
    const [x, y] = [i % columns, Math.floor(i / columns)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return { left, top, width: right - left + 1, height: bottom - top + 1 }
}

function linesOf(isInk: (x: number, y: number) => boolean, step: number): string {
  const lines: string[] = []
  for (let y = step / 2; y < height; y += step) {
    let start: number | undefined
    for (let x = 0; x <= width; x++) {
      const ink = x < width && isInk(x, y)
      if (ink) start ??= x
      else if (start !== undefined) {
        const [from, to] = [start + pen, x - pen]
        const middle = Math.round((start + x) / 2)
        lines.push(from < to ? `M${from} ${y}L${to} ${y}` : `M${middle} ${y}L${middle} ${y}`)
        start = undefined
      }
    }
  }
  return lines.join('')
}
