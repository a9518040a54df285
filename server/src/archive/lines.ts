import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { ConfigError } from '../kit/ground/errors.ts'
import { draftOf } from '../kit/ground/interruption.ts'

/**
 * An archive is gzipped text: one line says what it is, then each line has a kind and its parts,
 * separated by tabs, and the last one has the hash of everything before it.
 */
const format = 'perennial-organization 1'

/** Bytes that a line may have: a text of the engine holds some more. */
const longest = 500_000_000

/** Writes lines to a file, which is there whole or not at all. Throws what the disk throws. */
export async function writeLines(path: string, lines: AsyncIterable<string[]>): Promise<void> {
  const hash = createHash('sha256')
  async function* text() {
    const line = (parts: string[]) => {
      const whole = `${parts.join('\t')}\n`
      hash.update(whole)
      return whole
    }
    yield line([format])
    for await (const parts of lines) yield line(parts)
    yield `end\t${hash.digest('hex')}\n`
  }
  const draft = draftOf(path)
  try {
    const file = createWriteStream(draft.path, { mode: 0o600, flush: true })
    await pipeline(Readable.from(text()), createGzip({ level: 5 }), file)
    await rename(draft.path, path)
  } finally {
    draft.remove()
  }
}

/** The lines of an archive. ConfigError for any other file, or an incomplete one. */
export async function* readLines(path: string): AsyncGenerator<string[]> {
  const broken = (what: string) => new ConfigError(`"${path}" ${what}`)
  const hash = createHash('sha256')
  const file = createReadStream(path)
  const unzipped = file.pipe(createGunzip())
  file.on('error', (error) => unzipped.destroy(error))
  let isFirst = true
  let isWhole = false
  try {
    for await (const line of linesOf(unzipped, () => broken('has a line that is too long'))) {
      if (isFirst && line !== format) throw broken('is not an archive of an organization')
      if (isWhole) throw broken('was changed after it was written')
      if (line.startsWith('end\t')) {
        if (line !== `end\t${hash.digest('hex')}`) throw broken('was changed after it was written')
        // read on: nothing may follow, and the checksum of gzip does
        isWhole = true
        continue
      }
      hash.update(`${line}\n`)
      if (!isFirst) yield line.split('\t')
      isFirst = false
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw broken('does not exist')
    if (code.startsWith('Z_')) throw broken(isFirst ? 'is not an archive' : 'is incomplete')
    throw error
  } finally {
    file.destroy()
  }
  if (!isWhole) throw broken('is incomplete')
}

/**
 * The lines of a text. A line feed alone ends one: `node:readline` does so at separators of Unicode, too, which
 * people's texts contain.
 */
async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  tooLong: () => Error,
): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      parts.push(chunk.subarray(from, end))
      yield Buffer.concat(parts).toString()
      parts = []
      length = 0
      from = end + 1
    }
    parts.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > longest) throw tooLong()
  }
  if (length) yield Buffer.concat(parts).toString()
}
