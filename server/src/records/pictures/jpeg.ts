import type { Picture } from './content.ts'

/**
 * A JPEG (ITU-T T.81, appendix B): segments of a marker, a length and data, and after each SOS the pixels. Of what
 * programs write beside it, the ICC profile and Adobe's color transform stay, and which side is up.
 */
export function readJpeg(bytes: Buffer): Picture | undefined {
  const parts = [bytes.subarray(0, 2)]
  let size: { width: number; height: number } | undefined
  let up: number | undefined
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length) return undefined
    const data = bytes.subarray(at + 4, end)
    if (isFrame(marker) && data.length >= 5) {
      size = { width: data.readUInt16BE(3), height: data.readUInt16BE(1) }
    }
    up ??= marker === 0xe1 ? orientationIn(data) : undefined
    if (staysIn(marker, data)) parts.push(bytes.subarray(at, end))
    at = end
    if (marker !== 0xda) continue
    const next = afterPixels(bytes, end)
    parts.push(bytes.subarray(end, next))
    at = next
    // what follows the end is no part of the picture
    if (bytes[at + 1] === 0xd9) {
      parts.push(bytes.subarray(at, at + 2))
      if (up !== undefined && up !== 1) parts.splice(1, 0, exifOf(up))
      return size && { ...size, content: Buffer.concat(parts) }
    }
  }
  return undefined
}

/** SOF0 to SOF15, which hold the size; DHT, JPG and DAC are among their numbers. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function staysIn(marker: number, data: Buffer): boolean {
  if (marker === 0xfe) return false
  if (marker < 0xe0 || marker > 0xef) return true
  const name = data.toString('latin1', 0, 12)
  return /^(JFIF\0|ICC_PROFILE\0|Adobe)/.test(name)
}

/** Where the marker after the pixels is; those within them are fillings and restarts. */
function afterPixels(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? 0
    if (marker !== 0 && marker !== 0xff && (marker < 0xd0 || marker > 0xd7)) return at
  }
  return bytes.length
}

const exif = Buffer.from('Exif\0\0', 'latin1')
const orientation = 0x0112

/** The orientation, 1 to 8, of an EXIF segment; undefined where it says none. */
function orientationIn(data: Buffer): number | undefined {
  if (!data.subarray(0, 6).equals(exif) || data.length < 14) return undefined
  const tiff = data.subarray(6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (first + 2 > tiff.length) return undefined
  for (let n = 0; n < short(first); n++) {
    const at = first + 2 + 12 * n
    if (at + 12 > tiff.length) return undefined
    if (short(at) !== orientation) continue
    const value = short(at + 8)
    return value >= 1 && value <= 8 ? value : undefined
  }
  return undefined
}

/** An EXIF segment that says the orientation alone. */
function exifOf(up: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('MM\0*', 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(orientation, 10)
  tiff.writeUInt16BE(3, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(up, 18)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(2 + exif.length + tiff.length)
  return Buffer.concat([Buffer.from([0xff, 0xe1]), length, exif, tiff])
}
