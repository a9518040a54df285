import { crc32, deflateSync } from 'node:zlib'

/** Modules of white around a code, which readers need (ISO/IEC 18004). */
const quiet = 4

/** The kinds of picture that a code is drawn as. */
export const codeFormats = ['svg', 'png'] as const
export type CodeFormat = (typeof codeFormats)[number]

/** A QR code of a text as a picture: its bytes, in modules of `size` pixels, and its media type. */
export async function codeOf(
  text: string,
  format: CodeFormat,
  size: number,
): Promise<{ type: string; bytes: Buffer }> {
  // loaded when a code is drawn first
  const { default: encodeQR } = await import('qr')
  const dots = encodeQR(text, 'raw', { border: quiet, ecc: 'medium' })
  return format === 'png'
    ? { type: 'image/png', bytes: pngOf(dots, size) }
    : { type: 'image/svg+xml', bytes: Buffer.from(svgOf(dots, size)) }
}

/** One path of horizontal runs: it stays sharp at any size, and needs no style. */
function svgOf(dots: boolean[][], size: number): string {
  const side = dots.length
  const runs = dots.flatMap((row, y) =>
    [
      ...row
        .map((dot) => (dot ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${side * size}" height="${side * size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${runs.join('')}"/></svg>`
}

/** A picture of one bit a pixel: black and white (PNG 3rd edition, color type 0). */
function pngOf(dots: boolean[][], size: number): Buffer {
  const side = dots.length * size
  const stride = 1 + Math.ceil(side / 8)
  const pixels = Buffer.alloc(stride * side)
  for (const [y, row] of dots.entries()) {
    const line = Buffer.alloc(stride)
    for (let x = 0; x < side; x++) {
      const at = 1 + (x >> 3)
      if (!row[Math.floor(x / size)]) line[at] = (line[at] ?? 0) | (0x80 >> (x & 7))
    }
    for (let copy = 0; copy < size; copy++) line.copy(pixels, (y * size + copy) * stride)
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head[8] = 1
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
