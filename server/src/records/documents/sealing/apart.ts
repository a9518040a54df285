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
 * 400 `too_expensive` if its content exceeds the limits.
 */
export async function sealApart(sealed: ToSeal, limits: Limits = usual): Promise<SealedFile> {
  const computing = new ComputingProcess(limits)
  try {
    return await computing.compute(sealing, sealed)
  } finally {
    await computing.end()
  }
}
