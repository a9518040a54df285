import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { extract, pack } from 'tar-stream'
import { ConfigError } from '../kit/ground/errors.ts'
import { wholeFrames } from './frames.ts'

/**
 * An archive is a tar, compressed by zstd and optionally encrypted by age (age-encryption.org): with these
 * tools `age -d backup | zstd -d | tar -t` lists it. No part is ever completely in memory: parts of
 * unknown length are written in pieces, `name.000001` and so on.
 */

/** How an archive is encrypted: for age recipients, with a passphrase, or not at all. */
export type Lock = { recipients: string[]; passphrase: string | undefined }
/** The keys for an archive: age identities or a passphrase. */
export type Keys = { identities: string[]; passphrase: string | undefined }

/** Whether age can encrypt for it. */
export function isRecipient(text: string): boolean {
  return isTaken(() => new Encrypter().addRecipient(text))
}

/** Whether age can decrypt with it. */
export function isIdentity(text: string): boolean {
  return isTaken(() => new Decrypter().addIdentity(text))
}

function isTaken(add: () => void): boolean {
  try {
    add()
    return true
  } catch {
    return false
  }
}

/** The maximum bytes of a piece. */
const pieceBytes = 4 * 1024 * 1024

/** Bytes of a part at most, whatever its header says: a chunk of a file may be larger than a piece. */
const longestPart = 64 * 1024 * 1024

/** Writes the parts of an archive one after the other. */
export type ArchiveWriter = {
  /** a small part from bytes in memory */
  add(name: string, bytes: Buffer | string): Promise<void>
  /** a part of any length, in pieces, at least one */
  stream(name: string, source: AsyncIterable<Buffer>): Promise<void>
}

/** Writes an archive to `target` and waits for its end; an error of `write` aborts it. */
export async function writeArchive(
  target: Writable,
  lock: Lock,
  write: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const tar = pack()
  const add = (name: string, bytes: Buffer | string) =>
    new Promise<void>((resolve, reject) => {
      const body = Buffer.from(bytes)
      const entry = tar.entry({ name, size: body.length, mode: 0o600 }, (error) =>
        error ? reject(error) : resolve(),
      )
      // if the pipeline fails, its error is thrown
      entry.on('error', reject)
      entry.end(body)
    })
  const compressed = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
  })
  const flowing = pipeline(tar, compressed, (source) => locked(source, lock), target)
  // reported when it is awaited
  flowing.catch(() => {})
  const writing = write({
    add,
    async stream(name, source) {
      let pieces: Buffer[] = []
      let size = 0
      let number = 0
      const flush = async () => {
        await add(`${name}.${String(++number).padStart(6, '0')}`, Buffer.concat(pieces))
        pieces = []
        size = 0
      }
      for await (const bytes of source) {
        pieces.push(bytes)
        size += bytes.length
        if (size >= pieceBytes) await flush()
      }
      if (size || !number) await flush()
    },
  })
  try {
    // a failing target ends the pipeline, and nothing more is read from the writer
    await Promise.race([writing, flowing.then(() => writing)])
    tar.finalize()
  } catch (error) {
    tar.destroy(error as Error)
    await flowing.catch(() => {})
    throw error
  }
  await flowing
}

async function* locked(source: AsyncIterable<Buffer>, { recipients, passphrase }: Lock) {
  if (!recipients.length && passphrase === undefined) return yield* source
  const encrypter = new Encrypter()
  if (passphrase !== undefined) encrypter.setPassphrase(passphrase)
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  const web = Readable.toWeb(Readable.from(source)) as ReadableStream<Uint8Array>
  for await (const bytes of await encrypter.encrypt(web)) yield Buffer.from(bytes)
}

/** A part of an archive, or a piece of one: `number` is 0 for a whole part. */
export type Part = { name: string; number: number; bytes: Buffer }

/** The parts of an archive in their order; ConfigError for any other file, or if it cannot be decrypted. */
export async function* readArchive(source: Readable, keys: Keys): AsyncGenerator<Part, undefined> {
  const tar = extract()
  const flowing = pipeline(
    source,
    (raw) => wholeFrames(opened(raw, keys)),
    createZstdDecompress(),
    tar,
  )
  // the reader below gets the error
  flowing.catch((error: Error) => tar.destroy(error))
  try {
    for await (const entry of tar) {
      if ((entry.header.size ?? 0) > longestPart) throw damaged(new Error('a part is too large'))
      const pieces: Buffer[] = []
      for await (const bytes of entry) pieces.push(bytes as Buffer)
      const [, name, number] = /^(.*?)(?:\.(\d{6}))?$/.exec(entry.header.name) ?? []
      yield { name: name ?? '', number: Number(number ?? 0), bytes: Buffer.concat(pieces) }
    }
    await flowing
  } catch (error) {
    throw explained(error)
  }
  return undefined
}

const ageHeader = Buffer.from('age-encryption.org/v1\n')

async function* opened(source: AsyncIterable<Buffer>, { identities, passphrase }: Keys) {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  let head = Buffer.alloc(0)
  while (head.length < ageHeader.length) {
    const next = await chunks.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  async function* whole() {
    yield head
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
  }
  if (!head.subarray(0, ageHeader.length).equals(ageHeader)) return yield* whole()
  if (!identities.length && passphrase === undefined) {
    throw new ConfigError(
      'The backup is encrypted: name --identity-file or --passphrase-file, whichever it was made for',
    )
  }
  const decrypter = new Decrypter()
  if (passphrase !== undefined) decrypter.addPassphrase(passphrase)
  for (const identity of identities) decrypter.addIdentity(identity)
  const web = Readable.toWeb(Readable.from(whole())) as ReadableStream<Uint8Array>
  try {
    for await (const bytes of await decrypter.decrypt(web)) yield Buffer.from(bytes)
  } catch (error) {
    if (!/no identity matched/i.test((error as Error).message)) throw damaged(error)
    const message = 'The backup cannot be opened with this identity or passphrase'
    throw new ConfigError(message, { cause: error })
  }
}

function damaged(error: unknown): ConfigError {
  const { message } = error as Error
  return new ConfigError(`The backup is damaged, or the file is not a backup: ${message}`, {
    cause: error,
  })
}

function explained(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (error instanceof ConfigError) return error
  const isDamaged =
    /^Z|^ERR_ZSTD/.test(code) || /tar|unexpected end|zstd|frame|header/i.test(message)
  return isDamaged ? damaged(error) : error
}
