import type { PDF } from '@libpdf/core'
import { PdfArray, PdfDict, PdfName, PdfStream } from '@libpdf/core'
import type { Validation } from '../seals/validation.ts'
import { resolverOf } from './seen.ts'

/** Adds the document security store (ISO 32000-2, 12.8.4.3), beside what a file that was signed before has in its own. */
export function addValidation(pdf: PDF, { certificates, responses, lists }: Validation): void {
  const resolve = resolverOf(pdf)
  const catalog = pdf.getCatalog()
  const store = catalog.getDict('DSS', resolve)?.clone() ?? PdfDict.of({ Type: PdfName.of('DSS') })
  const add = (name: string, contents: Uint8Array[]) => {
    if (!contents.length) return
    const before = store.getArray(name, resolve)?.toArray() ?? []
    const streams = contents.map((each) => pdf.register(PdfStream.fromDict({}, each)))
    store.set(name, new PdfArray([...before, ...streams]))
  }
  add('Certs', certificates)
  add('OCSPs', responses)
  add('CRLs', lists)
  catalog.set('DSS', pdf.register(store))
}
