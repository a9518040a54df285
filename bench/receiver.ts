import { createServer } from 'node:http'

// A receiver of webhooks in a separate process: `/hang…` never answers, `/fail…` answers 500,
// everything else 200. On request it sends its parent the number of deliveries per path.

const arrived = new Map<string, number>()
const times: { path: string; event: string; at: number; sent: number }[] = []
let isTiming = false

const server = createServer((request, response) => {
  const { url: path = '/' } = request
  arrived.set(path, (arrived.get(path) ?? 0) + 1)
  if (isTiming) {
    const at = Date.now()
    void request.toArray().then((chunks) => {
      const { event_id: event, timestamp } = JSON.parse(
        Buffer.concat(chunks as Buffer[]).toString(),
      ) as { event_id: string; timestamp: string }
      times.push({ path, event, at, sent: Date.parse(timestamp) })
    })
  } else request.resume()
  if (path.startsWith('/hang')) return
  response.writeHead(path.startsWith('/fail') ? 500 : 200).end()
})
server.keepAliveTimeout = 60_000
server.listen(0, '0.0.0.0', () => {
  process.send?.({ port: (server.address() as { port: number }).port })
})
process.on('message', (message: { reset?: boolean; timing?: boolean; paths?: boolean }) => {
  if (message.reset) {
    arrived.clear()
    times.length = 0
  }
  if (message.timing !== undefined) isTiming = message.timing
  const total = [...arrived.values()].reduce((sum, count) => sum + count, 0)
  process.send?.({
    total,
    ...(message.paths ? { paths: Object.fromEntries(arrived), times } : {}),
  })
})
process.on('disconnect', () => process.exit())
