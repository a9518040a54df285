import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { PDF } from '@libpdf/core'

/** PDFs that become one, and where it is written: local paths. */
export type ToJoin = { paths: string[]; path: string }
/** The file that was written, and how many pages each part has; or which part cannot be joined, and why. */
export type Joined =
  | { size: number; hash: string; head: Uint8Array; pages: number[]; wrong?: undefined }
  | { wrong: number; why: string }

/** Writes the pages of several PDFs, one after the other, as a new one. */
export async function joinPdfs({ paths, path }: ToJoin): Promise<Joined> {
  const parts: Uint8Array[] = []
  const pages: number[] = []
  for (const [at, each] of paths.entries()) {
    const bytes = await readFile(each)
    const why = await problemOf(bytes, pages)
    if (why) return { wrong: at, why }
    parts.push(bytes)
  }
  const pdf = await PDF.merge(parts)
  pdf.setProducer('Perennial')
  const bytes = await pdf.save()
  await writeFile(path, bytes, { mode: 0o600 })
  const hash = createHash('sha256').update(bytes).digest('hex')
  return { size: bytes.length, hash, head: bytes.slice(0, 4096), pages }
}

/** Why a file cannot be a part, whose content would get lost; its pages are counted. */
async function problemOf(bytes: Buffer, pages: number[]): Promise<string | undefined> {
  try {
    const pdf = await PDF.load(bytes)
    if (pdf.isEncrypted) return 'is encrypted: upload a copy that is not'
    if (bytes.includes('/ByteRange')) return 'carries signatures, which would not be valid any more'
    const count = pdf.getPageCount()
    if (!count) return 'has no pages'
    pages.push(count)
    return undefined
  } catch {
    return 'cannot be read'
  }
}
