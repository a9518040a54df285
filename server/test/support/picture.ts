import { crc32, deflateSync } from 'node:zlib'

/** A PNG of one color, which is another each time, with more chunks before its pixels. */
export function pngOf(width = 1, height = 1, more: Buffer[] = []): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // 8 bits of red, green and blue
  head.set([8, 2], 8)
  const line = Buffer.concat([Buffer.of(0), Buffer.alloc(3 * Math.min(width, 100), nextColor())])
  const pixels = deflateSync(Buffer.concat(Array(Math.min(height, 100)).fill(line)))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    ...more,
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A chunk of a PNG. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

let last = 0

function nextColor(): Buffer {
  last++
  return Buffer.from([last >> 16, last >> 8, last].map((byte) => byte & 0xff))
}
