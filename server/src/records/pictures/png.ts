import { crc32 } from 'node:zlib'
import type { Picture } from './content.ts'
import { exifOf, orientationIn } from './exif.ts'

/** Chunks that decide how it looks, besides the critical ones: colors, size of a pixel, animation. */
const shown = /^(tRNS|gAMA|cHRM|sRGB|iCCP|sBIT|bKGD|pHYs|cICP|mDCV|cLLI|acTL|fcTL|fdAT)$/
/** Critical chunks have a capital letter first. */
const critical = /^[A-Z]/
const signature = 8

/**
 * A PNG (PNG 3rd edition, part 5): chunks of a length, a type, data and a checksum. Of its EXIF stays which side is up.
 */
export function readPng(bytes: Buffer): Picture | undefined {
  const parts = [bytes.subarray(0, signature)]
  let size: { width: number; height: number } | undefined
  let up: number | undefined
  let hasPixels = false
  for (let at = signature; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (end > bytes.length || (!size && type !== 'IHDR')) return undefined
    if (type === 'IHDR' && end - at >= 25) {
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
    }
    hasPixels ||= type === 'IDAT'
    if (type === 'eXIf') up ??= orientationIn(bytes.subarray(at + 8, end - 4))
    if (critical.test(type) || shown.test(type)) parts.push(bytes.subarray(at, end))
    // what follows the end is no part of the picture
    if (type === 'IEND') {
      // behind the head: before the pixels, as older readers want it
      if (up !== undefined) parts.splice(2, 0, upright(up))
      return size && hasPixels ? { ...size, content: Buffer.concat(parts) } : undefined
    }
    at = end
  }
  return undefined
}

/** An EXIF chunk that says the orientation alone. */
function upright(up: number): Buffer {
  const named = Buffer.concat([Buffer.from('eXIf', 'latin1'), exifOf(up)])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(named.length - 4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
