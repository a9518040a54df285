import { Type } from 'typebox'
import type { Picture } from './content.ts'
import { badField } from '../../kit/ground/errors.ts'
import { typeByBytes } from '../../files/media-type.ts'
import { readGif } from './gif.ts'
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

/** By media type: what a file of it holds; undefined where it is damaged. */
const readers: { [type: string]: (bytes: Buffer) => Picture | undefined } = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
  'image/gif': readGif,
}

/** Pixels of a picture at most: who looks at it has each of them in memory, four bytes for each. */
const mostPixels = 25_000_000

/** A body of JSON has at most 1 MiB. */
const inJson = 512 * 1024

/** A picture in a body of JSON, in place of a form with a file. */
export const pictureInJson = Type.Optional(
  Type.String({
    maxLength: Math.ceil((inJson / 3) * 4) + 4,
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
    description: 'the picture in base64, in place of a form: at most 512 KiB',
  }),
)

/**
 * An uploaded picture as it is stored and shown to others: without the place and the time at which it was taken,
 * but the right way up. 400 naming `field` for what is none of these types, damaged or too large to be shown.
 */
export function pictureIn(
  bytes: Buffer,
  types: string[],
  field: string,
): Picture & { type: string } {
  const found = typeByBytes(bytes)
  const type = found === 'riff' ? 'image/webp' : (found ?? '')
  if (!types.includes(type)) {
    const words = types.map((each) => names[each]).join(', ')
    throw badField(field, `must be a ${words.replace(/, (?=[^,]*$)/, ' or ')} picture`)
  }
  const picture = readers[type]?.(bytes)
  if (!picture?.width || !picture.height) throw badField(field, 'is damaged, or breaks off')
  const { width, height, content } = picture
  if (width * height > mostPixels) {
    throw badField(field, `has ${width} × ${height} pixels: at most 25 million are shown`)
  }
  return { type, width, height, content }
}

const names: { [type: string]: string } = {
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/webp': 'WebP',
  'image/gif': 'GIF',
}
