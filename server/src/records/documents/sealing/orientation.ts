/** How a picture is turned to stand upright: its matrix on a unit square, and whether its sides change places. */
export type Orientation = { matrix: number[]; isTurned: boolean }

const upright = [1, 0, 0, 1, 0, 0]
/** The matrices of the eight orientations (Exif 2.3, tag 0x0112), from the first. */
const matrices = [
  upright,
  [-1, 0, 0, 1, 1, 0],
  [-1, 0, 0, -1, 1, 1],
  [1, 0, 0, -1, 0, 1],
  [0, -1, -1, 0, 1, 1],
  [0, -1, 1, 0, 0, 1],
  [0, 1, 1, 0, 0, 0],
  [0, 1, -1, 0, 1, 0],
]

/** The orientation that a camera wrote into a JPEG; that of other pictures is the first. */
export function orientationOf(bytes: Uint8Array): Orientation {
  const tag = exifOrientation(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)) ?? 1
  return { matrix: matrices[tag - 1] ?? upright, isTurned: tag >= 5 && tag <= 8 }
}

function exifOrientation(bytes: Buffer): number | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]
    const length = bytes.readUInt16BE(at + 2)
    // the picture itself begins
    if (marker === 0xda || length < 2) return undefined
    const part = bytes.subarray(at + 4, at + 2 + length)
    if (marker === 0xe1 && part.toString('latin1', 0, 6) === 'Exif\0\0')
      return tiff(part.subarray(6))
    at += 2 + length
  }
  return undefined
}

function tiff(part: Buffer): number | undefined {
  const isLittle = part.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? part.readUInt16LE(at) : part.readUInt16BE(at))
  const long = (at: number) => (isLittle ? part.readUInt32LE(at) : part.readUInt32BE(at))
  try {
    const directory = long(4)
    for (let i = 0; i < short(directory); i++) {
      const entry = directory + 2 + 12 * i
      if (short(entry) === 0x0112) return short(entry + 8)
    }
  } catch {
    // broken beyond its end
  }
  return undefined
}
