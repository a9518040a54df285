import { readFile, writeFile } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import type { PdfRef } from '@libpdf/core'
import { PDF, PdfDict, PdfName, PdfStream } from '@libpdf/core'
import { textOf } from '../../../kit/ground/html.ts'
import { attachedOf, writeCertificate } from './certificate.ts'
import { Letters } from './letters.ts'
import type { Opened } from './original.ts'
import { openOriginal, pictureSheet } from './original.ts'
import type { Paper, Sheet } from './paper.ts'
import { addSheets } from './paper.ts'
import type { SignaturePlace } from './place-for-signature.ts'
import { addSignature, placeForSignature } from './place-for-signature.ts'
import type { Sealed, SealedFile, ToSeal } from './sealed.ts'
import { stampFields } from './stamp.ts'
import { addValidation } from './validation.ts'
import type { Text } from './written.ts'
import { writeText } from './written.ts'

/** A PDF that is complete except for the value of its signature. */
export type Unsigned = { bytes: Uint8Array; place: SignaturePlace }

/**
 * The signed document as a PDF: what was signed, if it is a PDF, a picture or a text, and pages that state who
 * signed it, when and from where. The untouched file is enclosed, and the names and the log as JSON. A PDF is only
 * appended to, so that nothing of it can get lost, unless it was encrypted or damaged.
 */
export async function sealedPdf(sealed: Sealed): Promise<Unsigned> {
  const { document, original, recipients, organization } = sealed
  const opened = await openOriginal(document, original)
  const { pdf, notes } = opened
  const letters = await Letters.of(pdf, textsOf(sealed, notes))
  // filled in once all is written
  const fonts = new PdfDict()
  const font = pdf.register(fonts)
  const resources = pdf.register(PdfDict.of({ Font: font }))
  const paper: Paper = { letters, sheets: [], sheet: undefined, y: 0 }
  const pages = contentPages(opened, sealed, paper, font)
  stampFields(pdf, pages, { recipients, letters, resources })
  writeCertificate(paper, sealed, notes)
  const added = addSheets(pdf, paper.sheets, resources)
  for (const [name, value] of letters.fonts()) fonts.set(name, value)
  enclose(pdf, sealed)
  const isFirst = !opened.isSigned
  const at = new Date(document.signed_at ?? Date.now())
  const last = added.at(-1)
  if (!last) throw new Error('the certificate has no page')
  if (sealed.validation) addValidation(pdf, sealed.validation)
  addSignature(pdf, last, { name: organization, at, isFirst })
  return finished(opened, document.document_name)
}

/** Writes the signed document as a PDF to its path, with a place for the signature. */
export async function writeSealedPdf({
  original,
  attached: paths,
  path,
  ...sealed
}: ToSeal): Promise<SealedFile> {
  const read = original === undefined ? undefined : await readFile(original)
  const attached: Sealed['attached'] = {}
  for (const [id, file] of Object.entries(paths)) attached[id] = await readFile(file)
  const { bytes, place } = await sealedPdf({ ...sealed, original: read, attached })
  await writeFile(path, bytes, { mode: 0o600 })
  return { size: bytes.length, head: bytes.slice(0, 16), place }
}

/** The pages of what was signed: those of the PDF, or new ones with the picture or text. */
function contentPages(
  { pdf, pages, notes }: Opened,
  { document, original, pictures }: Sealed,
  paper: Paper,
  font: PdfRef,
): PdfDict[] {
  if (pages) return pdf.getPages().map(({ dict }) => dict)
  if (original && document.file_type?.startsWith('image/')) {
    const picture = pictureSheet(pdf, original)
    if (picture) return addSheets(pdf, [picture.sheet], picture.resources)
    if (!notes.length) notes.push('The picture cannot be shown: it is enclosed unchanged.')
  } else if (!original) {
    const { html, document_name: title } = document
    if (html) return textPages(pdf, paper, font, { title, html, pictures })
  }
  return []
}

/** Pages with a text, added to a PDF. */
function textPages(pdf: PDF, paper: Paper, font: PdfRef, text: Text): PdfDict[] {
  const resources = PdfDict.of({ Font: font, XObject: writeText(paper, pdf, text) })
  const sheets: Sheet[] = paper.sheets.splice(0)
  paper.sheet = undefined
  return addSheets(pdf, sheets, pdf.register(resources))
}

/** A document's own text as a PDF: the pages that are signed, before anybody has. */
export async function textPdf(text: Text): Promise<Uint8Array> {
  const { title, html } = text
  const pdf = PDF.create()
  const letters = await Letters.of(pdf, [title, ...textOf(html).split('\n')])
  const fonts = new PdfDict()
  textPages(pdf, { letters, sheets: [], sheet: undefined, y: 0 }, pdf.register(fonts), text)
  for (const [name, value] of letters.fonts()) fonts.set(name, value)
  return compressed({ pdf, before: undefined }, title)
}

/** Everything that is drawn, by which the fonts are chosen. */
function textsOf(sealed: Sealed, notes: string[]): string[] {
  const { document, entries, recipients, organization } = sealed
  const said = recipients.flatMap(({ name, email, signature_name, fields }) => [
    name,
    email,
    signature_name,
    ...fields.flatMap(({ value, label, file }) => [value, file ? label : null]),
  ])
  const text = document.html
  const log = entries.flatMap(({ title, user_agent }) => [title, user_agent])
  return [...said, ...log, ...notes, organization, document.document_name, text && textOf(text)]
    .filter((each) => typeof each === 'string')
    .flatMap((each) => each.split('\n'))
}

/** Encloses the untouched file, what was attached, and who signed as JSON. */
function enclose(pdf: PDF, { document, original, attached, recipients, entries, request }: Sealed) {
  const people = recipients.map(({ name, email, role, status, acted_at, address, fields }) => {
    return { name, email, role, status, acted_at, address, fields }
  })
  const proof = { content_hash: request.content_hash, recipients: people, entries }
  const taken = new Set(pdf.getAttachments().keys())
  const add = (name: string, bytes: Uint8Array, description: string) => {
    let free = name
    for (let number = 2; taken.has(free); number++)
      free = name.replace(/(\.[^.]*)?$/, ` (${number})$1`)
    taken.add(free)
    pdf.addAttachment(free, bytes, { description })
  }
  add(
    'signatures.json',
    Buffer.from(JSON.stringify(proof, null, 2)),
    'Who signed, when and from where',
  )
  if (original) {
    add(document.file_name ?? 'original', original, 'What was signed, unchanged')
  }
  for (const { name, file, label } of attachedOf(recipients)) {
    const bytes = attached[file.id]
    if (!bytes) throw new Error('a file that was attached is missing')
    add(file.name, bytes, [`Attached by ${name}`, label].filter(Boolean).join(': '))
  }
  // the library escapes the stroke of a media type twice
  for (const [, object] of pdf.context.registry.getNewObjects()) {
    const type = object instanceof PdfStream ? object.getName('Subtype')?.value : undefined
    if (type?.includes('#2F') && object instanceof PdfStream) {
      object.set('Subtype', PdfName.of(type.replace('#2F', '/')))
    }
  }
}

/** The saved file, with the place of its signature. */
async function finished(opened: Opened, title: string): Promise<Unsigned> {
  const bytes = await compressed(opened, title)
  return { bytes, place: placeForSignature(bytes) }
}

/** The saved file. Its own streams are compressed here: of enclosed files that would only take time. */
async function compressed(
  { pdf, before }: Pick<Opened, 'pdf' | 'before'>,
  title: string,
): Promise<Uint8Array> {
  if (!before) pdf.setTitle(title)
  if (!before) pdf.setProducer('Perennial')
  for (const [, object] of pdf.context.registry.getNewObjects()) {
    if (!(object instanceof PdfStream) || object.has('Filter')) continue
    if (object.data.length < 512 || object.data.length > 2 ** 22) continue
    const packed = deflateSync(object.data)
    object.setData(packed)
    object.set('Filter', PdfName.of('FlateDecode'))
  }
  const bytes = await pdf.save({ incremental: Boolean(before), compressStreams: false })
  // byte for byte, whatever was hidden from the library
  if (before) bytes.set(before)
  return bytes
}
