import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import type * as pkijs from 'pkijs'
import { der, digests, nameIn, oids, parsed } from './der.ts'
import { fingerprint } from './fingerprint.ts'
import { checkedSigner, checkedToken, signedData } from './token.ts'

/** One signature of a file. Without a signer it cannot be read, or does not fit what it signs. */
export type CheckedSignature = {
  is_unchanged: boolean
  /** whether it is about the whole file, not only what was there when it was made */
  is_whole: boolean
  signer: string | null
  issuer: string | null
  /** when the signer says it signed, and what a time stamp service confirms */
  signed_at: string | null
  timestamp: { at: string; authority: string } | null
  /** SHA-256 of the signer's certificate, in hex */
  fingerprint: string | null
}

/** What a file is: whether it is a PDF, and its signatures, oldest first. */
export type CheckedFile = { is_pdf: boolean; signatures: CheckedSignature[] }

type Range = { start: number; end: number; from: number; length: number }

/** The most room for a signature in a file, in bytes, and the most signatures that are read. */
const mostRoom = 1_000_000
const most = 50

/**
 * Checks the signatures of a file: what they are about, byte for byte, and whether they fit it and their
 * certificates. Who issued those is not asked.
 */
export async function checkFile({ path }: { path: string }): Promise<CheckedFile> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const head = await bytesOf(file, 0, Math.min(1024, size))
    const is_pdf = head.includes('%PDF-')
    if (!is_pdf) return { is_pdf, signatures: [] }
    const ranges = await rangesIn(path)
    const signatures: CheckedSignature[] = []
    for (const range of ranges.slice(0, most)) {
      const checked = await check(file, path, range, size)
      if (checked) signatures.push(checked)
    }
    // ranges of enclosed files are not of this one, but without any other it has been changed
    if (ranges.length && !signatures.length) signatures.push(unreadable(false))
    return { is_pdf, signatures }
  } finally {
    await file.close()
  }
}

function unreadable(is_whole: boolean): CheckedSignature {
  const nobody = { signer: null, issuer: null, signed_at: null, timestamp: null, fingerprint: null }
  return { is_unchanged: false, is_whole, ...nobody }
}

/** The signature of a range; undefined where the range is not one of this file. */
async function check(
  file: FileHandle,
  path: string,
  { start, end, from, length }: Range,
  size: number,
): Promise<CheckedSignature | undefined> {
  const isPlaced = start === 0 && end > 0 && from > end + 1 && from - end < 2 * mostRoom
  if (!isPlaced || from + length > size) return undefined
  const contents = (await bytesOf(file, end, from - end)).toString('latin1')
  if (!/^<[0-9A-Fa-f]+>$/.test(contents)) return undefined
  const is_whole = from + length === size
  try {
    const bytes = Buffer.from(contents.slice(1, -1), 'hex')
    const { length: used } = parsed(bytes)
    // nothing may be hidden in the room that is left
    if (bytes.subarray(used).some((byte) => byte !== 0)) return unreadable(is_whole)
    const data = signedData(bytes.subarray(0, used))
    const name = digests[data.signerInfos[0]?.digestAlgorithm.algorithmId ?? '']
    const digest = name && (await digestOf(path, name, { start, end, from, length }))
    const checked = checkedSigner(data, (asked) =>
      asked === name ? digest || undefined : undefined,
    )
    if (!checked) return unreadable(is_whole)
    const { certificate } = checked
    return {
      is_unchanged: true,
      is_whole,
      signer: nameIn(certificate.subject),
      issuer: nameIn(certificate.issuer),
      signed_at: await saidTime(file, end, from),
      timestamp: timestampOf(checked.signer),
      fingerprint: fingerprint(checked.der),
    }
  } catch {
    return unreadable(is_whole)
  }
}

function timestampOf(signer: pkijs.SignerInfo): CheckedSignature['timestamp'] {
  const token = signer.unsignedAttrs?.attributes.find(({ type }) => type === oids.timestampToken)
  if (!token) return null
  const value = Buffer.from(signer.signature.getValue())
  const checked = checkedToken(der(token.values[0]), createHash('sha256').update(value).digest())
  return checked ? { at: checked.at, authority: checked.authority } : null
}

/** The signer's own time, which stands beside the signature in its dictionary. */
async function saidTime(file: FileHandle, end: number, from: number): Promise<string | null> {
  const before = await bytesOf(file, Math.max(0, end - 2000), Math.min(2000, end))
  const after = await bytesOf(file, from, 2000)
  const [near = ''] = after.toString('latin1').split('endobj')
  const text = `${before.toString('latin1').split('endobj').at(-1)} ${near}`
  const [, y, mo, d, h, mi, s] =
    /\/M\s*\(D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|\+00'00'?)/.exec(text) ?? []
  return y ? `${y}-${mo}-${d}T${h}:${mi}:${s}.000Z` : null
}

/** The digest of the bytes that a signature is about. */
async function digestOf(path: string, name: string, { start, end, from, length }: Range) {
  const hash = createHash(name)
  for (const [first, last] of [
    [start, end - 1],
    [from, from + length - 1],
  ] as const) {
    if (last < first) continue
    const read = createReadStream(path, { start: first, end: last }) as AsyncIterable<Buffer>
    for await (const chunk of read) hash.update(chunk)
  }
  return hash.digest()
}

/** Every range of bytes that a file says is signed. */
async function rangesIn(path: string): Promise<Range[]> {
  const found = new Map<string, Range>()
  let before = ''
  const read = createReadStream(path, { highWaterMark: 2 ** 20 }) as AsyncIterable<Buffer>
  for await (const chunk of read) {
    const text = before + chunk.toString('latin1')
    const all = text.matchAll(
      /\/ByteRange\s{0,10}\[\s{0,10}(\d{1,12})\s+(\d{1,12})\s+(\d{1,12})\s+(\d{1,12})\s*\]/g,
    )
    for (const [, ...numbers] of all) {
      const [start = 0, end = 0, from = 0, length = 0] = numbers.map(Number)
      found.set(numbers.join(' '), { start, end, from, length })
    }
    // broken ones count too, but only once
    if (text.includes('/ByteRange') && !found.size) {
      found.set('', { start: -1, end: -1, from: -1, length: -1 })
    }
    before = text.slice(-200)
  }
  return [...found.values()].toSorted((a, b) => a.from + a.length - (b.from + b.length))
}

async function bytesOf(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
