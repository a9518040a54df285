import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PDF } from '@libpdf/core'
import type { StoredField } from '../../src/model/documents/requests/placed-fields.ts'
import type { Recipient } from '../../src/records/documents/requests/request.ts'
import { sealedPdf } from '../../src/records/documents/sealing/pdf.ts'
import type { Sealed } from '../../src/records/documents/sealing/sealed.ts'
import { signature } from '../../src/records/documents/seals/cms.ts'
import type { Identity } from '../../src/records/documents/seals/made-certificate.ts'
import { madeIdentity } from '../../src/records/documents/seals/made-certificate.ts'

const run = promisify(execFile)

/** A reason to skip tests that need these programs, such as `pdfsig`; false if they are there. */
export function lacks(...programs: string[]): string | false {
  const folders = (process.env.PATH ?? '').split(':')
  const missing = programs.filter((each) => !folders.some((path) => existsSync(join(path, each))))
  return missing.length > 0 && `${missing.join(', ')} is not installed`
}

/** What a program says about files, by the names that its arguments use, and the files that it writes. */
export async function told(
  program: string,
  args: string[],
  files: { [name: string]: Uint8Array },
): Promise<{ text: string; read(name: string): Promise<Buffer> }> {
  const folder = await mkdtemp(join(tmpdir(), 'perennial-pdf-'))
  try {
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
    // qpdf and pdfsig say by their status what they say in words, too
    const { stdout, stderr } = await run(program, args, { cwd: folder, maxBuffer: 2 ** 27 }).catch(
      (error: { stdout: string; stderr: string }) => error,
    )
    const outputs = new Map<string, Buffer>()
    for (const name of await readdir(folder)) {
      outputs.set(name, await readFile(join(folder, name)))
    }
    const read = async (name: string) => {
      const found = outputs.get(name)
      assert.ok(found, `${program} wrote no ${name}: ${stderr}`)
      return found
    }
    return { text: `${stdout}${stderr}`, read }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A PDF changed by a program that reads `in.pdf` and writes `out.pdf`. */
export async function changedBy(
  program: string,
  args: string[],
  bytes: Uint8Array,
): Promise<Buffer> {
  const { read } = await told(program, args, { 'in.pdf': bytes })
  return read('out.pdf')
}

type Page = {
  media?: string
  crop?: string
  rotate?: number
  unit?: number
  content?: string
}

/**
 * A PDF whose pages have these boxes and contents; a `rotate` is inherited from the tree if it is the same for all.
 * With `each`, so many pages are below one node of the tree, as programs write it.
 */
export function plainPdf(pages: Page[], each = pages.length): Buffer {
  const refs = pages.map((_, i) => `${4 + 2 * i} 0 R`)
  const first = 4 + 2 * pages.length
  const nodes = each < pages.length ? Math.ceil(pages.length / each) : 0
  const nodeOf = (page: number) => (nodes ? first + Math.floor(page / each) : 2)
  const below = nodes ? Array.from({ length: nodes }, (_, at) => `${first + at} 0 R`) : refs
  const kids = below.join(' ')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}/Resources<</Font<</F1 3 0 R>>>>>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  for (const [i, { media = '0 0 595 842', crop, rotate, unit, content }] of pages.entries()) {
    const text = content ?? `BT /F1 24 Tf 100 100 Td (Page ${i + 1} of the text) Tj ET`
    const more = [
      crop ? `/CropBox[${crop}]` : '',
      rotate ? `/Rotate ${rotate}` : '',
      unit ? `/UserUnit ${unit}` : '',
    ].join('')
    objects.push(
      `<</Type/Page/Parent ${nodeOf(i)} 0 R/MediaBox[${media}]${more}/Contents ${5 + 2 * i} 0 R>>`,
      `<</Length ${text.length}>>stream\n${text}\nendstream`,
    )
  }
  for (let at = 0; at < nodes; at++) {
    const own = refs.slice(at * each, (at + 1) * each)
    objects.push(`<</Type/Pages/Parent 2 0 R/Kids[${own.join(' ')}]/Count ${own.length}>>`)
  }
  let file = '%PDF-1.7\n'
  const starts = objects.map((object, i) => {
    const start = file.length
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(start).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  file += `xref\n0 ${size}\n0000000000 65535 f \n${starts.join('')}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** A field as a request stores it. */
export function field(more: Partial<StoredField>): StoredField {
  const place = { page: 1, x: 0.1, y: 0.1, width: 0.4, height: 0.05 }
  return { kind: 'text', ...place, label: null, required: true, value: null, ...more }
}

/** What a signed version is made of: an original, and people with what they filled in. */
export function sealedOf(
  original: Uint8Array | undefined,
  {
    file_type = 'application/pdf',
    people = [{}],
    html = null,
  }: {
    file_type?: string | null
    people?: Partial<Recipient>[]
    html?: string | null
  } = {},
): Sealed {
  const at = '2026-03-01T10:00:00.000Z'
  return {
    document: {
      id: 'one',
      document_name: 'Agreement',
      file_name: original ? 'agreement.pdf' : null,
      file_type: original ? file_type : null,
      html,
      signed_at: at,
    },
    request: { content_hash: 'c0ffee' },
    recipients: people.map((each, position) => ({
      id: `r${position}`,
      request_id: 'q',
      position,
      name: 'Ada Lovelace',
      email: `signer${position}@signers.test`,
      role: 'signer',
      turn: 1,
      status: 'signed',
      token_sealed: Buffer.alloc(0),
      sent_at: at,
      viewed_at: at,
      acted_at: at,
      reason: null,
      signature_name: each.name ?? 'Ada Lovelace',
      signature_path: null,
      address: '127.0.0.1',
      user_agent: null,
      fields: [],
      ...each,
    })),
    entries: [{ at, title: 'Document signed by Ada', address: '127.0.0.1', user_agent: null }],
    organization: 'Acme',
    original,
    attached: {},
    pictures: {},
  } as unknown as Sealed
}

let identity: Promise<Identity> | undefined

/** A sealed PDF with its signature, as a document has it. */
export async function sealedAndSigned(
  sealed: Sealed,
  stamp?: (hash: Buffer) => Promise<Buffer>,
): Promise<Buffer> {
  identity ??= madeIdentity('Acme', new Date())
  const { bytes, place } = await sealedPdf(sealed)
  const file = Buffer.from(bytes)
  const value = await signature(Buffer.from(place.digest, 'hex'), await identity, stamp)
  file.write(value.toString('hex'), place.at, 'latin1')
  return file
}

/** The number of pages of a PDF. */
export async function pagesOf(bytes: Uint8Array): Promise<number> {
  return (await PDF.load(bytes)).getPageCount()
}
