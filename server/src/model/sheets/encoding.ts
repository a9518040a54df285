import { isUtf8 } from 'node:buffer'

/** The supported encodings of text files; the first four are detected. */
export const encodings = [
  'utf-8',
  'windows-1252',
  'utf-16le',
  'utf-16be',
  'iso-8859-1',
  'iso-8859-15',
] as const
export type Encoding = (typeof encodings)[number]

/**
 * The encoding of a text file: that of its byte-order mark, else UTF-16 if every second byte of
 * its beginning is zero, else UTF-8 if all its bytes are valid, else Windows-1252, of which Latin-1
 * is a part. Reads the whole file, some milliseconds for 10 MiB.
 */
export async function encodingOf(bytes: AsyncIterable<Buffer>): Promise<Encoding> {
  let carried: Buffer = Buffer.alloc(0)
  let isFirst = true
  for await (const chunk of bytes) {
    if (isFirst) {
      const wide = wideEncoding(chunk)
      if (wide) return wide
      isFirst = false
    }
    const whole = carried.length ? Buffer.concat([carried, chunk]) : chunk
    const end = lastStart(whole)
    if (!isUtf8(whole.subarray(0, end))) return 'windows-1252'
    carried = Buffer.from(whole.subarray(end))
  }
  return isUtf8(carried) ? 'utf-8' : 'windows-1252'
}

function wideEncoding(head: Buffer): Encoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const some = head.subarray(0, 2000)
  let even = 0
  let odd = 0
  for (const [at, byte] of some.entries()) {
    if (byte !== 0) continue
    if (at % 2) odd++
    else even++
  }
  const half = some.length / 2
  if (odd > half * 0.6 && even < half * 0.1) return 'utf-16le'
  return even > half * 0.6 && odd < half * 0.1 ? 'utf-16be' : undefined
}

/** The start of a character that may be cut off at the end: at most three bytes before it. */
function lastStart(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0xc0) return bytes.length - back
    if (byte < 0x80) return bytes.length
  }
  return bytes.length
}
