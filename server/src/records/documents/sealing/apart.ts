import type { Limits } from '../../../computations/child-process.ts'
import { ComputingProcess } from '../../../computations/child-process.ts'
import { computationOf } from '../../../kit/ground/computation.ts'
import type { SealedFile, ToSeal } from './sealed.ts'

/** What one document may cost: a file of 300 KB may unpack to hundreds of megabytes. */
const usual: Limits = { seconds: 60, megabytes: 1024 }

const sealing = computationOf(
  import.meta.resolve('./pdf.ts'),
  'writeSealedPdf',
  async () => (await import('./pdf.ts')).writeSealedPdf,
)

/**
 * Writes the signed document as a PDF, in a process of its own so that no file can stall or end the service.
 * Where its content cannot be shown within the limits, the certificate stands alone and names it by
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
