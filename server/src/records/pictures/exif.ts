const orientation = 0x0112

/** What precedes EXIF in a JPEG, and what some programs write before it elsewhere too. */
export const exifName = Buffer.from('Exif\0\0', 'latin1')

/**
 * Which side of a picture is up, by EXIF (a TIFF header, with or without its name): 2 to 8; undefined where it is
 * upright, or says nothing.
 */
export function orientationIn(data: Buffer): number | undefined {
  const isNamed = data.subarray(0, exifName.length).equals(exifName)
  const tiff = isNamed ? data.subarray(exifName.length) : data
  if (tiff.length < 8) return undefined
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (first + 2 > tiff.length) return undefined
  for (let n = 0; n < short(first); n++) {
    const at = first + 2 + 12 * n
    if (at + 12 > tiff.length) return undefined
    if (short(at) !== orientation) continue
    const value = short(at + 8)
    return value >= 2 && value <= 8 ? value : undefined
  }
  return undefined
}

/** EXIF that says the orientation alone, without its name. */
export function exifOf(up: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('MM\0*', 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(orientation, 10)
  tiff.writeUInt16BE(3, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(up, 18)
  return tiff
}
