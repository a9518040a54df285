import type { Picture } from './content.ts'
import { exifOf, orientationIn } from './exif.ts'

/** Chunks that decide how it looks; others are of EXIF, XMP or unknown. */
const shown = ['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']

type Size = { width: number; height: number }

/** A WebP (RFC 9649): a RIFF container of chunks of a name, a length and data. Of its EXIF stays which side is up. */
export function readWebp(bytes: Buffer): Picture | undefined {
  if (bytes.length < 20 || bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4))
  const parts: Buffer[] = []
  let size: Size | undefined
  let extended: Buffer | undefined
  let up: number | undefined
  for (let at = 12; at + 8 <= end;) {
    const name = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    if (at + 8 + length > end) return undefined
    // chunks begin at even places
    const chunk = Buffer.from(bytes.subarray(at, Math.min(end, at + 8 + length + (length % 2))))
    const data = chunk.subarray(8, 8 + length)
    size ??= sizeIn(name, data)
    if (name === 'VP8X' && data.length) {
      extended = data
      data[0] = (data[0] ?? 0) & ~besideFlags
    }
    if (name === 'EXIF') up ??= orientationIn(data)
    if (shown.includes(name)) parts.push(chunk)
    at += 8 + length + (length % 2)
  }
  // only an extended file has EXIF, which comes after the pixels
  if (extended && up !== undefined) {
    extended[0] = (extended[0] ?? 0) | exifFlag
    parts.push(upright(up))
  }
  const head = Buffer.from(bytes.subarray(0, 12))
  const content = Buffer.concat([head, ...parts])
  content.writeUInt32LE(content.length - 8, 4)
  return size && { ...size, content }
}

/** The flags of VP8X that say that there is EXIF, and XMP. */
const exifFlag = 0x08
const besideFlags = exifFlag | 0x04

/** An EXIF chunk that says the orientation alone. */
function upright(up: number): Buffer {
  const exif = exifOf(up)
  const head = Buffer.alloc(8)
  head.write('EXIF', 'latin1')
  head.writeUInt32LE(exif.length, 4)
  return Buffer.concat([head, exif])
}

function sizeIn(name: string, data: Buffer): Size | undefined {
  if (name === 'VP8X' && data.length >= 10) {
    return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
  }
  if (name === 'VP8 ' && data.length >= 10) {
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
  }
  if (name === 'VP8L' && data.length >= 5) {
    const bits = data.readUInt32LE(1)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  return undefined
}
