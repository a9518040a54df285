import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { once } from 'node:events'
import { atEnd } from './finally.ts'

/** A proxy between the service and PostgreSQL that can behave like a bad network. */
export type Gate = {
  /** the database's URL through the proxy */
  url: string
  /** packets of the connections that are open vanish from here on, both ways */
  swallow(): void
  /** those of new connections, too, until they are let through again */
  swallowNew(isSwallowed: boolean): void
  open(): number
}

type Options = {
  /** takes the settings out of what a connection begins with, as a pooler may */
  dropsSettings?: boolean
}

/** Listens before a database until the test file ends. */
export async function gateBefore(target: string, { dropsSettings = false }: Options = {}) {
  const { hostname, port } = new URL(target)
  const pairs = new Set<{ isSwallowed: boolean; ends: Socket[] }>()
  let swallowsNew = false
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    const pair = { isSwallowed: swallowsNew, ends: [near, far] }
    pairs.add(pair)
    let isFirst = true
    near.on('data', (bytes) => {
      const sent = isFirst && dropsSettings ? withoutOptions(bytes) : bytes
      isFirst = false
      if (!pair.isSwallowed) far.write(sent)
    })
    far.on('data', (bytes) => {
      if (!pair.isSwallowed) near.write(bytes)
    })
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      end.on('error', () => {})
      // if packets vanish, the end of the connection is not noticed
      end.on('close', () => {
        if (!pair.isSwallowed || end === near) other.destroy()
        if (end === near) pairs.delete(pair)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    for (const { ends } of pairs) for (const end of ends) end.destroy()
    server.close()
  })
  const through = new URL(target)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as AddressInfo).port)
  const gate: Gate = {
    url: through.href,
    swallow: () => pairs.forEach((pair) => (pair.isSwallowed = true)),
    swallowNew: (isSwallowed) => (swallowsNew = isSwallowed),
    open: () => pairs.size,
  }
  return gate
}

/** A startup packet (PostgreSQL's protocol 3) less its parameter `options`. */
function withoutOptions(packet: Buffer): Buffer {
  const texts = packet.subarray(8).toString().split('\0')
  const at = texts.indexOf('options')
  if (at >= 0) texts.splice(at, 2)
  const rest = Buffer.from(texts.join('\0'))
  const head = Buffer.alloc(8)
  head.writeInt32BE(8 + rest.length)
  packet.copy(head, 4, 4, 8)
  return Buffer.concat([head, rest])
}
