import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Sealed } from './sealed.ts'

/** What one document may cost: a file of 300 KB may unpack to hundreds of megabytes. */
export type Limits = { seconds: number; megabytes: number }

const usual: Limits = { seconds: 60, megabytes: 1024 }

/**
 * The signed document as a PDF, created in a worker thread so that no file can stall the service.
 * Where its content cannot be shown within the limits, the certificate stands alone and names it by
 * its hash.
 */
export async function sealedInWorker(sealed: Sealed, limits: Limits = usual): Promise<Uint8Array> {
  try {
    return await runWorker(sealed, limits)
  } catch (error) {
    const { original, document } = sealed
    if (!original && !document.editor_html_content) throw error
    const bare = { ...document, editor_html_content: null }
    return runWorker({ ...sealed, original: undefined, document: bare }, usual)
  }
}

async function runWorker(sealed: Sealed, { seconds, megabytes }: Limits): Promise<Uint8Array> {
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: sealed,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  })
  const done = new AbortController()
  try {
    const sealedFile = new Promise<Uint8Array>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject)
      worker.once('exit', () => reject(new Error('The worker ended without a document')))
    })
    return await Promise.race([sealedFile, overLimit(seconds, megabytes, done.signal)])
  } finally {
    done.abort()
    await worker.terminate()
  }
}

/** Rejects when the limit is exceeded, by the process's memory, as buffers lie outside the heap. */
async function overLimit(seconds: number, megabytes: number, done: AbortSignal): Promise<never> {
  const before = process.memoryUsage.rss()
  const start = performance.now()
  for (;;) {
    await sleep(50, undefined, { signal: done })
    if (performance.now() - start > seconds * 1000) throw new Error('The file takes too long')
    if (process.memoryUsage.rss() - before > megabytes * 2 ** 20) {
      throw new Error('The file takes too much memory')
    }
  }
}
