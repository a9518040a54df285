import { parentPort, workerData } from 'node:worker_threads'
import type { Sealed } from './sealed.ts'
import { sealedPdf } from './pdf.ts'

// The entry point of the worker thread that `in-worker.ts` starts: creates one PDF and ends.

if (parentPort) {
  const { original, ...sealed } = workerData as Sealed
  // structured cloning turns a Buffer into a plain Uint8Array
  const file = original && Buffer.from(original.buffer, original.byteOffset, original.byteLength)
  parentPort.postMessage(await sealedPdf({ ...sealed, original: file }))
}
