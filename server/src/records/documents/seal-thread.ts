import { parentPort, workerData } from 'node:worker_threads'
import type { Sealed } from './seal-pdf.ts'
import { sealedPdf } from './seal-pdf.ts'

// The thread of `seal-apart.ts`: makes one document and ends.

if (parentPort) {
  const { original, ...sealed } = workerData as Sealed
  // a buffer comes out of the copy as plain bytes
  const file = original && Buffer.from(original.buffer, original.byteOffset, original.byteLength)
  parentPort.postMessage(await sealedPdf({ ...sealed, original: file }))
}
