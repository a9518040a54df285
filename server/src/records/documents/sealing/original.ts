import { PDF, PdfDict } from '@libpdf/core'
import { orientationOf } from './orientation.ts'
import type { Sheet } from './paper.ts'
import { height, width } from './paper.ts'
import { resolverOf } from './seen.ts'
import type { Sealed } from './sealed.ts'

/** A PDF to write on: of what was signed, if that has pages, else without any. */
export type Opened = {
  pdf: PDF
  /** how many pages of what was signed there are */
  pages: number
  /** the file itself, if it has to stay as it is, with only what is new after it */
  before: Uint8Array | undefined
  /** whether it carries signatures, which stay valid */
  isSigned: boolean
  /** sentences for the reader: what of the file is different here */
  notes: string[]
}

/** Opens what was signed; a file that cannot be read as pages is enclosed, and a note says so. */
export async function openOriginal(
  { file_type }: Sealed['document'],
  original: Uint8Array | undefined,
): Promise<Opened> {
  const empty = { pdf: PDF.create(), pages: 0, before: undefined, isSigned: false }
  if (!original) return { ...empty, notes: [] }
  if (file_type === 'image/png' || file_type === 'image/jpeg') return { ...empty, notes: [] }
  const opened = file_type === 'application/pdf' ? await openPdf(original) : undefined
  return opened ?? { ...empty, notes: [enclosedAlone] }
}

const enclosedAlone =
  'What was signed is a file that has no pages to show here: it is enclosed unchanged as an attachment.'

async function openPdf(original: Uint8Array): Promise<Opened | undefined> {
  const pdf = await loaded(original)
  const pages = pdf && countOf(pdf)
  if (!pdf || !pages) return undefined
  const hasSignatures = Buffer.from(original.buffer, original.byteOffset, original.length).includes(
    '/ByteRange',
  )
  const notes: string[] = []
  if (pdf.isEncrypted) {
    // what its empty password opens is written openly, since it could not be changed otherwise
    pdf.context.info.isEncrypted = false
    notes.push('The file was encrypted and is shown decrypted; it is enclosed unchanged.')
  }
  const isWhole = !notes.length && startsAtOnce(original) && pdf.canSaveIncrementally() === null
  const acroForm = pdf.getCatalog().getDict('AcroForm', resolverOf(pdf))
  if (hasSignatures && !isWhole) {
    pdf.context.catalog.removeAcroForm()
    notes.push('The file carries signatures, which only its unchanged copy, enclosed here, shows.')
  } else if (hasSignatures) {
    notes.push('The file carried signatures before. They stay valid for what they were made for.')
  } else if (acroForm?.has('XFA')) {
    // readers that know XFA would show that form instead of the pages
    acroForm.delete('XFA')
    pdf.getCatalog().set('AcroForm', acroForm)
  }
  return {
    pdf,
    pages,
    before: isWhole ? original : undefined,
    isSigned: hasSignatures && isWhole,
    notes,
  }
}

/** The PDF, as far as it can be read with the empty password. */
async function loaded(original: Uint8Array): Promise<PDF | undefined> {
  try {
    const pdf = await PDF.load(withoutLinearization(original))
    return pdf.isEncrypted && !pdf.isAuthenticated ? undefined : pdf
  } catch {
    return undefined
  }
}

/** A broken tree of pages is only noticed when it is read. */
function countOf(pdf: PDF): number {
  try {
    return pdf.getPages().filter(({ dict }) => dict instanceof PdfDict).length
  } catch {
    return 0
  }
}

/** Whether places in a file are counted from its first byte. */
function startsAtOnce(original: Uint8Array): boolean {
  return Buffer.from(original.subarray(0, 5)).toString('latin1') === '%PDF-'
}

/**
 * The file with the mark of its linearization hidden, by a word of the same length: nothing that follows a
 * linearized file is read by it, but the library refuses to append to one.
 */
function withoutLinearization(original: Uint8Array): Uint8Array {
  const head = Buffer.from(original.subarray(0, 2048)).indexOf('/Linearized')
  if (head === -1) return original
  const copy = Uint8Array.from(original)
  copy.set(Buffer.from('/LinearizeX'), head)
  return copy
}

/** A page with a signed picture alone, upright as its camera held it. Undefined if it cannot be read. */
export function pictureSheet(
  pdf: PDF,
  original: Uint8Array,
): { sheet: Sheet; resources: PdfDict } | undefined {
  try {
    const image = pdf.embedImage(original)
    const { matrix, isTurned } = orientationOf(original)
    const [wide, high] = isTurned ? [image.height, image.width] : [image.width, image.height]
    const [most, least] = wide > high ? [height, width] : [width, height]
    const scale = Math.min(most / wide, least / high)
    const size: [number, number] = [wide * scale, high * scale]
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix
    const [w, h] = size
    const placed = [a * w, b * h, c * w, d * h, e * w, f * h].map((value) => value.toFixed(4))
    const operators = [`q\n${placed.join(' ')} cm\n/Picture Do\nQ`]
    return {
      sheet: { operators, size },
      resources: PdfDict.of({ XObject: PdfDict.of({ Picture: image.ref }) }),
    }
  } catch {
    return undefined
  }
}
