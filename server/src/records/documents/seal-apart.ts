import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Sealed } from './seal-pdf.ts'

/** What one document may take: a file of 300 KB may unpack to hundreds of megabytes. */
export type Limits = { seconds: number; megabytes: number }

const usual: Limits = { seconds: 60, megabytes: 1024 }

/**
 * The signed document as a PDF, made in a thread of its own: whatever is in the file, the service
 * goes on meanwhile. Where its content cannot be shown within the limits, the pages that say who signed
 * stand alone and name it by its hash.
 */
export async function sealedApart(sealed: Sealed, limits: Limits = usual): Promise<Uint8Array> {
  try {
    return await inThread(sealed, limits)
  } catch (error) {
    const { original, document } = sealed
    if (!original && !document.editor_html_content) throw error
    const bare = { ...document, editor_html_content: null }
    return inThread({ ...sealed, original: undefined, document: bare }, usual)
  }
}

async function inThread(sealed: Sealed, { seconds, megabytes }: Limits): Promise<Uint8Array> {
  const thread = new Worker(new URL('seal-thread.ts', import.meta.url), {
    workerData: sealed,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  })
  const done = new AbortController()
  try {
    const made = new Promise<Uint8Array>((resolve, reject) => {
      thread.once('message', resolve).once('error', reject)
      thread.once('exit', () => reject(new Error('The thread ended without a document')))
    })
    return await Promise.race([made, overLimit(seconds, megabytes, done.signal)])
  } finally {
    done.abort()
    await thread.terminate()
  }
}

/** Fails when the time is over or the process has grown by more; buffers are outside of the heap. */
async function overLimit(seconds: number, megabytes: number, done: AbortSignal): Promise<never> {
  const before = process.memoryUsage.rss()
  const begun = performance.now()
  for (;;) {
    await sleep(50, undefined, { signal: done })
    if (performance.now() - begun > seconds * 1000) throw new Error('The file takes too long')
    if (process.memoryUsage.rss() - before > megabytes * 2 ** 20) {
      throw new Error('The file takes too much memory')
    }
  }
}
