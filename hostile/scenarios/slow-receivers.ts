import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { callerOf } from '../caller.ts'
import { subscribe, unsubscribe } from '../deliveries.ts'
import type { Scenario } from '../scenario.ts'

const hosts = 220

export default {
  name: '220 hosts of one organization’s webhooks that do not answer',
  shows: 'Deliveries of one organization wait behind its own slow receivers.',
  settings: { RATE_LIMIT_INTEGRATION: '0', RATE_LIMIT_APPLICATION: '0' },
  without: { webhook_organization_concurrency: 0 },
  async attack({ url, noisy, signal, ready }) {
    let requests = 0
    const server = createServer((request) => {
      requests++
      request.resume()
    })
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
    const { port } = server.address() as AddressInfo
    const agent = new Agent({ connections: 4, headersTimeout: 60_000 })
    // every address in 127.0.0.0/8 is this machine, but counts as a separate host
    const ids: string[] = []
    for (let i = 0; i < hosts; i++) {
      const host = `127.0.${1 + (i >> 7)}.${1 + (i & 127)}`
      ids.push(await subscribe(agent, url, noisy.app, `http://${host}:${port}/`))
    }
    const caller = callerOf({ url, signal }, 4, noisy.users.admin.token)
    const write = () =>
      caller.send('POST', '/api/contact/', { full_name: `Noise ${Math.random()}` })
    // ten for each host fill the process if there is no limit
    for (let i = 0; i < 12; i++) await write()
    // until as many hang as the service allows
    for (let before = -1; before < requests;) {
      before = requests
      await sleep(1000)
    }
    ready()
    try {
      while (!signal.aborted) {
        await write()
        await sleep(500)
      }
    } finally {
      await Promise.all(ids.map((id) => unsubscribe(agent, url, noisy.app, id)))
      server.closeAllConnections()
      server.close()
    }
  },
} satisfies Scenario
