import type { Limits } from '../../../computations/child-process.ts'
import { ComputingProcess } from '../../../computations/child-process.ts'
import { computationOf } from '../../../kit/ground/computation.ts'
import type { Sealed } from './sealed.ts'

/** What one document may cost: a file of 300 KB may unpack to hundreds of megabytes. */
const usual: Limits = { seconds: 60, megabytes: 1024 }

const sealing = computationOf(
  import.meta.resolve('./pdf.ts'),
  'sealedPdf',
  async () => (await import('./pdf.ts')).sealedPdf,
)

/**
 * The signed document as a PDF, created in a process of its own so that no file can stall or end the service.
 * Where its content cannot be shown within the limits, the certificate stands alone and names it by
 * its hash.
 */
export async function sealedApart(sealed: Sealed, limits: Limits = usual): Promise<Uint8Array> {
  try {
    return await compute(sealed, limits)
  } catch (error) {
    const { original, document } = sealed
    if (!original && !document.editor_html_content) throw error
    const bare = { ...document, editor_html_content: null }
    return compute({ ...sealed, original: undefined, document: bare }, usual)
  }
}

async function compute(sealed: Sealed, limits: Limits): Promise<Uint8Array> {
  const computing = new ComputingProcess(limits)
  try {
    return await computing.compute(sealing, sealed)
  } finally {
    await computing.end()
  }
}
