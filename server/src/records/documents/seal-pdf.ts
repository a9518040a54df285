import { readFile } from 'node:fs/promises'
import type { PDFFont, PDFPage } from 'pdf-lib'
import { PDFDocument, StandardFonts, rgb } from 'pdf-lib'
import { textOf } from '../activity/html.ts'
import type { Body } from './input.ts'
import type { AuditEntry } from './signature-operations.ts'
import type { Recipient, SignatureRequest } from './signatures.ts'
import { acts } from './signatures.ts'

/** What a signed version is made of. */
export type Sealed = {
  document: Body
  request: SignatureRequest
  recipients: Recipient[]
  entries: AuditEntry[]
  organization: string
  /** the file that was signed, where there was one */
  original: Buffer | undefined
}

/**
 * The signed document as a PDF: what was signed, where it is a PDF, a picture or a text, and pages
 * that say who signed it, when and from where. The fonts know alphabets but no Chinese, Japanese or
 * Korean, so the names and the log are enclosed as a JSON file, too.
 */
export async function sealedPdf(sealed: Sealed): Promise<Uint8Array> {
  const { document, original, entries, recipients, request } = sealed
  const pdf = await begun(document, original)
  const paper = { pdf, page: undefined, y: 0, ...(await fontsFor(pdf, sealed)) }
  await drawContent(paper, document, original)
  certificate(paper, sealed)
  const people = recipients.map(({ name, email, role, status, acted_at, address }) => ({
    name,
    email,
    role,
    status,
    acted_at,
    address,
  }))
  const said = { content_hash: request.content_hash, recipients: people, entries }
  await pdf.attach(Buffer.from(JSON.stringify(said, null, 2)), 'signatures.json', {
    mimeType: 'application/json',
    description: 'Who signed, when and from where',
  })
  pdf.setTitle(document.document_name)
  pdf.setProducer('Perennial')
  return pdf.save()
}

/** The signed PDF itself, to add pages to; a new one where it is none or cannot be read. */
async function begun({ file_type }: Body, original: Buffer | undefined): Promise<PDFDocument> {
  if (!original || file_type !== 'application/pdf') return PDFDocument.create()
  try {
    const pdf = await PDFDocument.load(original)
    // a broken tree of pages shows only when somebody walks it
    pdf.getPageCount()
    return pdf
  } catch {
    // encrypted or broken: the certificate names it by its hash
    return PDFDocument.create()
  }
}

const [width, height, edge] = [595, 842, 56]
const ink = rgb(0.09, 0.13, 0.11)
const quiet = rgb(0.33, 0.39, 0.36)

type Paper = {
  pdf: PDFDocument
  font: PDFFont
  bold: PDFFont
  script: PDFFont
  page: PDFPage | undefined
  y: number
}

/**
 * Western European texts need no font in the file. For others those of DejaVu are put into it, cut
 * down to the letters used: Greek, Cyrillic, Vietnamese, Armenian, Georgian, Hebrew, Arabic.
 */
async function fontsFor(pdf: PDFDocument, sealed: Sealed) {
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  const text = JSON.stringify({ ...sealed, original: undefined })
  if (Array.from(text).every(charsOf(font))) {
    return {
      font,
      bold: await pdf.embedFont(StandardFonts.HelveticaBold),
      script: await pdf.embedFont(StandardFonts.TimesRomanItalic),
    }
  }
  const { default: fontkit } = await import('@pdf-lib/fontkit')
  pdf.registerFontkit(fontkit)
  const embedded = async (name: string) => {
    const file = new URL(`${name}.ttf`, import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))
    return pdf.embedFont(await readFile(file), { subset: true })
  }
  return {
    font: await embedded('DejaVuSans'),
    bold: await embedded('DejaVuSans-Bold'),
    script: await embedded('DejaVuSerif-Italic'),
  }
}

/** Says of a character whether a font has it; a text may have 100,000 paragraphs. */
function charsOf(font: PDFFont): (char: string) => boolean {
  const set = sets.get(font) ?? new Set(font.getCharacterSet())
  sets.set(font, set)
  return (char) => set.has(char.codePointAt(0)!)
}

const sets = new WeakMap<PDFFont, Set<number>>()

/** A picture or a text that was signed, on pages before the certificate. */
async function drawContent(paper: Paper, document: Body, original: Buffer | undefined) {
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
    for (const part of textOf(editor_html_content.replace(/<\/(p|h\d|li|div|tr)>/g, '\n')).split(
      '\n',
    )) {
      write(paper, part, { after: 4 })
    }
    paper.page = undefined
  }
}

function certificate(
  paper: Paper,
  { document, request, recipients, entries, organization }: Sealed,
) {
  const { bold } = paper
  write(paper, 'Signature certificate', { font: bold, size: 20, after: 10 })
  const facts = [
    `Document: ${document.document_name}`,
    `Id: ${document.id}`,
    `Asked for by: ${organization}`,
    `Signed: ${shown(document.signed_at)}`,
    `SHA-256 of what was signed: ${request.content_hash}`,
  ]
  for (const fact of facts) write(paper, fact, { after: 2 })
  write(paper, 'Signatures', { font: bold, size: 14, before: 16, after: 6 })
  for (const person of recipients.filter(acts)) signature(paper, person)
  write(paper, 'What happened', { font: bold, size: 14, before: 16, after: 6 })
  for (const { at, title, address, user_agent } of entries) {
    const where = [address, user_agent].filter(Boolean).join(' · ')
    write(paper, `${shown(at)}  ${title}`, { size: 9, before: 3 })
    if (where) write(paper, where, { size: 8, color: quiet })
  }
}

function signature(paper: Paper, person: Recipient) {
  const { name, email, role, signature_name, signature_path, acted_at, address } = person
  room(paper, 110)
  if (signature_path) {
    const page = paper.page!
    page.drawSvgPath(signature_path, {
      x: edge,
      y: paper.y,
      scale: 0.3,
      borderColor: ink,
      borderWidth: 6,
    })
    paper.y -= 66
  } else {
    write(paper, signature_name ?? name, { font: paper.script, size: 22, after: 4 })
  }
  const did = role === 'approver' ? 'Approved' : 'Signed'
  write(paper, `${signature_name ?? name} (${email})`, { font: paper.bold })
  write(paper, `${did} ${shown(acted_at)}${address ? ` from ${address}` : ''}`, {
    size: 9,
    color: quiet,
    after: 12,
  })
}

type Style = {
  font?: PDFFont
  size?: number
  color?: typeof ink
  before?: number
  after?: number
}

/** A paragraph, broken into lines and pages. */
function write(paper: Paper, text: string, style: Style = {}) {
  const { font = paper.font, size = 10, color = ink, before = 0, after = 0 } = style
  if (paper.page) paper.y -= before
  for (const line of lines(known(font, text), font, size)) {
    room(paper, size * 1.35)
    paper.y -= size * 1.35
    paper.page!.drawText(line, { x: edge, y: paper.y, size, font, color })
  }
  paper.y -= after
}

/** A new page where this much does not fit any more. */
function room(paper: Paper, needed: number) {
  if (paper.page && paper.y - needed > edge) return
  paper.page = paper.pdf.addPage([width, height])
  paper.y = height - edge
}

function lines(text: string, font: PDFFont, size: number): string[] {
  const most = width - 2 * edge
  const widthOf = (line: string) => font.widthOfTextAtSize(line, size)
  // longer ones never fit, and measuring a word of a whole document again and again takes minutes
  const fits = (line: string) => line.length <= 500 && widthOf(line) <= most
  const all: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line) all.push(line)
    line = word
    while (!fits(line)) {
      let length = Math.max(1, Math.min(line.length - 1, 500))
      for (let wide = Infinity; length > 1 && wide > most;) {
        wide = widthOf(line.slice(0, length))
        if (wide > most) length = Math.floor(length * Math.min(0.98, most / wide))
      }
      all.push(line.slice(0, length))
      line = line.slice(length)
    }
  }
  return [...all, line]
}

/** The text in the characters that a font has, accents aside, others as a question mark. */
function known(font: PDFFont, text: string): string {
  const has = charsOf(font)
  const nearest = (char: string) =>
    has(char) ? char : (Array.from(char.normalize('NFKD')).find(has) ?? '?')
  return Array.from(text.replaceAll(/\s+/g, ' '), nearest).join('')
}

function shown(at: string | null | undefined): string {
  return at ? `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC` : ''
}
