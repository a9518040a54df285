import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { ConfigError } from '../kit/ground/errors.ts'

/**
 * An archive is gzipped text: one line says what it is, then each line has a kind and its parts,
 * separated by tabs, and the last one has the hash of everything before it.
 */
const format = 'perennial-organization 1'

/** Writes lines to a file, which is complete or does not exist. Throws errors of the disk. */
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
  const part = `${path}.part`
  try {
    const file = createWriteStream(part, { mode: 0o600, flush: true })
    await pipeline(Readable.from(text()), createGzip({ level: 5 }), file)
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** The lines of an archive. ConfigError for any other file, or an incomplete one. */
export async function* readLines(path: string): AsyncGenerator<string[]> {
  const broken = (what: string) => new ConfigError(`"${path}" ${what}`)
  const hash = createHash('sha256')
  const file = createReadStream(path)
  const unzipped = file.pipe(createGunzip())
  file.on('error', (error) => unzipped.destroy(error))
  const lines = createInterface({ input: unzipped, crlfDelay: Infinity })
  // if reading stops before a damaged place, its error would be unhandled
  lines.on('error', () => {})
  let isFirst = true
  let isWhole = false
  try {
    for await (const line of lines) {
      if (isFirst && line !== format) throw broken('is not an archive of an organization')
      if (line.startsWith('end\t')) {
        if (line !== `end\t${hash.digest('hex')}`) throw broken('was changed after it was written')
        isWhole = true
        break
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
