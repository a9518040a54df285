import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { Agent } from 'undici'

/** The bytes of a request. */
export type Outgoing = {
  method: string
  url: string
  headers: { [name: string]: string }
  body?: string | Uint8Array
}

/** The answer: of the body its length and its beginning. */
export type Incoming = { status: number; length: number; text: string }

/**
 * Sends requests from a separate thread, so that the client's work does not block the
 * event loop of the service in this one.
 */
export function startSender() {
  const worker = new Worker(new URL(import.meta.url))
  const waiting = new Map<number, (reply: Incoming | string) => void>()
  worker.on('message', ([id, reply]: [number, Incoming | string]) => {
    waiting.get(id)?.(reply)
    waiting.delete(id)
  })
  let last = 0
  return {
    async send(request: Outgoing): Promise<Incoming> {
      const id = ++last
      const reply = await new Promise<Incoming | string>((resolve) => {
        waiting.set(id, resolve)
        worker.postMessage([id, request])
      })
      if (typeof reply === 'string') throw new Error(`${request.method} ${request.url} ${reply}`)
      return reply
    },
    stop: () => worker.terminate(),
  }
}

if (!isMainThread && parentPort) {
  const port = parentPort
  const agent = new Agent({ pipelining: 1 })
  port.on('message', async ([id, { method, url, headers, body }]: [number, Outgoing]) => {
    try {
      const { origin, pathname, search } = new URL(url)
      const path = pathname + search
      const reply = await agent.request({ origin, path, method: method as 'GET', headers, body })
      let length = 0
      let text = ''
      for await (const chunk of reply.body as AsyncIterable<Buffer>) {
        length += chunk.length
        if (text.length < 1000) text += chunk.toString().slice(0, 1000)
      }
      port.postMessage([id, { status: reply.statusCode, length, text }])
    } catch (error) {
      port.postMessage([id, String(error)])
    }
  })
}
