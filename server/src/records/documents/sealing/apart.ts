import type { Limits } from '../../../computations/child-process.ts'
import { ComputingProcess } from '../../../computations/child-process.ts'
import { computationOf } from '../../../kit/ground/computation.ts'
import type { SealedFile, ToSeal } from './sealed.ts'

/** The limits for one document: a file of 300 KB may unpack to hundreds of megabytes. */
const usual: Limits = { seconds: 60, megabytes: 1024 }

const sealing = computationOf(
  import.meta.resolve('./pdf.ts'),
  'writeSealedPdf',
  async () => (await import('./pdf.ts')).writeSealedPdf,
)

/**
 * Writes the signed document as a PDF, in a separate process, so that no file can block or end the service.
 * If its content exceeds the limits, the PDF contains only the certificate, which identifies the content by
 * its hash.
 */
export async function sealApart(sealed: ToSeal, limits: Limits = usual): Promise<SealedFile> {
  try {
    return await compute(sealed, limits)
  } catch (error) {
    const { original, document } = sealed
    if (!original && !document.editor_html_content) throw error
    const bare = { ...document, editor_html_content: null }
    return compute({ ...sealed, original: undefined, document: bare }, usual)
  }
}

async function compute(sealed: ToSeal, limits: Limits): Promise<SealedFile> {
  const computing = new ComputingProcess(limits)
  try {
    return await computing.compute(sealing, sealed)
  } finally {
    await computing.end()
  }
}
