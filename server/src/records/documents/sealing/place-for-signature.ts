import { createHash } from 'node:crypto'
import type { PDF } from '@libpdf/core'
import { PdfArray, PdfDict, PdfName, PdfNumber, PdfString } from '@libpdf/core'
import { resolverOf } from './seen.ts'

/** Room for a signature with its certificates and time stamp, in bytes. */
const room = 24_576
const unknown = 9_999_999_999

/** Where a signature goes in a file: the place of its hexadecimal digits, and SHA-256 of all the rest. */
export type SignaturePlace = { at: number; digits: number; digest: string }

/**
 * Adds the signature of the organization to a PDF, still without its value. A file without signatures is
 * certified, so that nothing may be changed any more (ISO 32000, 12.8.2.2); one that has some cannot be, and
 * gets one more.
 */
export function addSignature(
  pdf: PDF,
  page: PdfDict,
  { name, at, isFirst }: { name: string; at: Date; isFirst: boolean },
): void {
  const value = PdfDict.of({
    Type: PdfName.of('Sig'),
    Filter: PdfName.of('Adobe.PPKLite'),
    SubFilter: PdfName.of('ETSI.CAdES.detached'),
    ByteRange: new PdfArray([0, unknown, unknown, unknown].map((each) => PdfNumber.of(each))),
    Contents: PdfString.fromHex('00'.repeat(room)),
    Name: PdfString.fromString(name),
    M: PdfString.fromString(`D:${at.toISOString().replaceAll(/[-:T]|\.\d+Z$/g, '')}Z`),
    Reason: PdfString.fromString('Signed by everybody who was asked to'),
  })
  if (isFirst) value.set('Reference', new PdfArray([certification()]))
  const valueRef = pdf.register(value)
  const widget = pdf.register(
    PdfDict.of({
      Type: PdfName.of('Annot'),
      Subtype: PdfName.of('Widget'),
      FT: PdfName.of('Sig'),
      T: PdfString.fromString(freeName(pdf)),
      V: valueRef,
      // printed and locked
      F: PdfNumber.of(132),
      Rect: new PdfArray([0, 0, 0, 0].map((each) => PdfNumber.of(each))),
    }),
  )
  page.set('Annots', new PdfArray([widget]))
  const catalog = pdf.getCatalog()
  const resolve = resolverOf(pdf)
  const form = catalog.getDict('AcroForm', resolve)?.clone() ?? new PdfDict()
  form.set('Fields', new PdfArray([...(form.getArray('Fields', resolve)?.toArray() ?? []), widget]))
  // signatures exist, and the file may only be appended to
  form.set('SigFlags', PdfNumber.of(3))
  catalog.set('AcroForm', form)
  if (isFirst) catalog.set('Perms', PdfDict.of({ DocMDP: valueRef }))
}

function certification(): PdfDict {
  return PdfDict.of({
    Type: PdfName.of('SigRef'),
    TransformMethod: PdfName.of('DocMDP'),
    TransformParams: PdfDict.of({
      Type: PdfName.of('TransformParams'),
      P: PdfNumber.of(1),
      V: PdfName.of('1.2'),
    }),
  })
}

/** A name that no field of the form has yet. */
function freeName(pdf: PDF): string {
  const resolve = resolverOf(pdf)
  const fields = pdf.getCatalog().getDict('AcroForm', resolve)?.getArray('Fields', resolve)
  const taken = new Set(
    Array.from({ length: fields?.length ?? 0 }, (_, i) => fields?.at(i, resolve)).map((field) =>
      field instanceof PdfDict ? field.getString('T', resolve)?.asString() : undefined,
    ),
  )
  let number = 1
  while (taken.has(`Seal ${number}`)) number++
  return `Seal ${number}`
}

/** Writes into a saved file which of its bytes are signed, and returns where the signature goes. */
export function placeForSignature(bytes: Uint8Array): SignaturePlace {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const range = file.lastIndexOf(`${unknown} ${unknown} ${unknown}]`)
  const start = file.lastIndexOf('[', range)
  const end = file.indexOf(']', range) + 1
  const contents = file.lastIndexOf(`<${'00'.repeat(room)}>`)
  if (range === -1 || contents === -1)
    throw new Error('the place of the signature is not in the file')
  const after = contents + 2 * room + 2
  const said = `[0 ${contents} ${after} ${file.length - after}]`
  file.write(said.padEnd(end - start), start, 'latin1')
  const digest = createHash('sha256')
    .update(file.subarray(0, contents))
    .update(file.subarray(after))
    .digest('hex')
  return { at: contents + 1, digits: 2 * room, digest }
}
