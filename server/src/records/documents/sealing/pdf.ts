import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { PDFDocument } from 'pdf-lib'
import { textOf } from '../../../kit/ground/html.ts'
import { writeCertificate } from './certificate.ts'
import type { Paper } from './paper.ts'
import { edge, fontsFor, height, width, write } from './paper.ts'
import type { Sealed, SealedFile, ToSeal } from './sealed.ts'
import { stampFields } from './stamp.ts'

/**
 * The signed document as a PDF: what was signed, if it is a PDF, a picture or a text, and pages
 * that state who signed it, when and from where. The fonts have no Chinese, Japanese or
 * Korean characters, so the names and the log are also attached as a JSON file.
 */
export async function sealedPdf(sealed: Sealed): Promise<Uint8Array> {
  const { document, original, entries, recipients, request } = sealed
  const pdf = await firstPages(document, original)
  const text = JSON.stringify({ ...sealed, original: undefined })
  const paper: Paper = { pdf, page: undefined, y: 0, ...(await fontsFor(pdf, text)) }
  await drawContent(paper, document, original)
  stampFields(paper, recipients, pdf.getPageCount())
  writeCertificate(paper, sealed)
  const people = recipients.map(({ name, email, role, status, acted_at, address, fields }) => ({
    name,
    email,
    role,
    status,
    acted_at,
    address,
    fields,
  }))
  const proof = { content_hash: request.content_hash, recipients: people, entries }
  await pdf.attach(Buffer.from(JSON.stringify(proof, null, 2)), 'signatures.json', {
    mimeType: 'application/json',
    description: 'Who signed, when and from where',
  })
  pdf.setTitle(document.document_name)
  pdf.setProducer('Perennial')
  return pdf.save()
}

/** Writes the signed document as a PDF to its path. */
export async function writeSealedPdf({ original, path, ...sealed }: ToSeal): Promise<SealedFile> {
  const read = original === undefined ? undefined : await readFile(original)
  const bytes = await sealedPdf({ ...sealed, original: read })
  await writeFile(path, bytes, { mode: 0o600 })
  const hash = createHash('sha256').update(bytes).digest('hex')
  return { size: bytes.length, hash, head: bytes.slice(0, 16) }
}

/** The signed PDF itself, to which pages are added; a new PDF if it is none or cannot be read. */
async function firstPages(
  { file_type }: Sealed['document'],
  original: Uint8Array | undefined,
): Promise<PDFDocument> {
  if (!original || file_type !== 'application/pdf') return PDFDocument.create()
  try {
    const pdf = await PDFDocument.load(original)
    // a broken page tree is only noticed when it is traversed
    pdf.getPageCount()
    return pdf
  } catch {
    // encrypted or broken: the certificate names it by its hash
    return PDFDocument.create()
  }
}

/** Adds a signed picture or text, on pages before the certificate. */
async function drawContent(
  paper: Paper,
  document: Sealed['document'],
  original: Uint8Array | undefined,
) {
  const { file_type, editor_html_content } = document
  if (original && (file_type === 'image/png' || file_type === 'image/jpeg')) {
    const image = await (
      file_type === 'image/png' ? paper.pdf.embedPng(original) : paper.pdf.embedJpg(original)
    ).catch(() => undefined)
    if (!image) return
    const fit = image.scaleToFit(width - 2 * edge, height - 2 * edge)
    const y = height - edge - fit.height
    paper.pdf.addPage([width, height]).drawImage(image, { x: edge, y, ...fit })
  } else if (!original && editor_html_content) {
    write(paper, document.document_name, { font: paper.bold, size: 18 })
    for (const part of textOf(editor_html_content).split('\n')) {
      write(paper, part, { after: 4 })
    }
    paper.page = undefined
  }
}
