import type { Picture } from './content.ts'
import { exifName, exifOf, orientationIn } from './exif.ts'

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
    if (marker === 0xe1 && data.subarray(0, 6).equals(exifName)) up ??= orientationIn(data)
    if (staysIn(marker, data)) parts.push(bytes.subarray(at, end))
    at = end
    if (marker !== 0xda) continue
    const next = afterPixels(bytes, end)
    parts.push(bytes.subarray(end, next))
    at = next
    // what follows the end is no part of the picture
    if (bytes[at + 1] === 0xd9) {
      parts.push(bytes.subarray(at, at + 2))
      if (up !== undefined) parts.splice(1, 0, upright(up))
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

/** An EXIF segment that says the orientation alone. */
function upright(up: number): Buffer {
  const data = Buffer.concat([exifName, exifOf(up)])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(2 + data.length)
  return Buffer.concat([Buffer.from([0xff, 0xe1]), length, data])
}
