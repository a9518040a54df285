import type { Picture } from './content.ts'

/** Extensions that belong to the pictures: of text drawn on them, and of their times. */
const drawn = [0x01, 0xf9]
/** Application extensions that say how often an animation runs; others, such as XMP, are dropped. */
const looping = /^(NETSCAPE2\.0|ANIMEXTS1\.0)$/

/** A GIF (version 89a): blocks of pictures and of extensions, without comments and what programs write beside them. */
export function readGif(bytes: Buffer): Picture | undefined {
  if (bytes.length < 14) return undefined
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  let at = 13 + tableBytes(bytes[10])
  const parts = [bytes.subarray(0, at)]
  let hasPixels = false
  while (at < bytes.length) {
    const kind = bytes[at]
    if (kind === 0x3b) {
      // what follows the end is no part of the picture
      parts.push(bytes.subarray(at, at + 1))
      return hasPixels ? { ...size, content: Buffer.concat(parts) } : undefined
    }
    const isImage = kind === 0x2c
    if (!isImage && kind !== 0x21) return undefined
    const head = isImage ? 11 + tableBytes(bytes[at + 9]) : 2
    const end = afterBlocks(bytes, at + head)
    if (end === undefined) return undefined
    if (isImage || stays(bytes, at)) parts.push(bytes.subarray(at, end))
    hasPixels ||= isImage
    at = end
  }
  return undefined
}

/** The bytes of a table of colors, by the flags of what it belongs to. */
function tableBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Where the data blocks that begin at a place end; undefined where they break off. */
function afterBlocks(bytes: Buffer, from: number): number | undefined {
  for (let at = from; at < bytes.length;) {
    const length = bytes[at] ?? 0
    at += 1 + length
    if (length === 0) return at
  }
  return undefined
}

function stays(bytes: Buffer, at: number): boolean {
  const label = bytes[at + 1] ?? 0
  if (label === 0xff) return looping.test(bytes.toString('latin1', at + 3, at + 14))
  return drawn.includes(label)
}
