import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from '../../server/test/support/finally.ts'
import { call } from '../../server/test/support/service.ts'

type Seen = { path: string; headers: IncomingMessage['headers'] }

/** Stands before a service; `faults` change what clients see, and `target` may be set later. */
export type Relay = { url: string; target: string; seen: Seen[] }

/** `refuse` answers a request itself where it returns true; `isLost` drops an answer of the service. */
export type Faults = {
  refuse?: (response: ServerResponse) => boolean
  isLost?: () => boolean
}

/** Starts one on a free port; it goes when the test file is done. */
export async function startRelay(
  target: string,
  { refuse = () => false, isLost = () => false }: Faults = {},
): Promise<Relay> {
  const relay: Relay = { url: '', target, seen: [] }
  relay.url = await listen(async (request, response) => {
    const { method = '', url: path = '' } = request
    relay.seen.push({ path, headers: request.headers })
    const body = Buffer.concat(await request.toArray()).toString() || undefined
    if (refuse(response)) return
    const answer = await call(relay.target, method, path, { headers: passed(request), body })
    if (isLost()) return void response.destroy()
    const headers = Object.fromEntries(answer.headers)
    for (const name of ofTheHop) delete headers[name]
    response.writeHead(answer.status, headers).end(answer.text)
  })
  return relay
}

// answers are read as text here, so they are not to be compressed
const ofTheHop = [
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
]

function passed({ headers }: IncomingMessage): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value !== 'string' || ofTheHop.includes(name) ? [] : [[name, value]],
    ),
  )
}

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
