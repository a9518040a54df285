import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { subscribe, unsubscribe } from '../deliveries.ts'
import type { Scenario } from '../scenario.ts'

const hosts = 220

export default {
  name: '220 hosts of one organization’s webhooks that do not answer',
  shows: 'Deliveries of one organization wait behind its own slow receivers.',
  settings: { RATE_LIMIT_INTEGRATION: '0', RATE_LIMIT_APPLICATION: '0' },
  without: { WEBHOOK_ORGANIZATION_CONCURRENCY: '0' },
  async attack({ url, noisy, signal, ready }) {
    let requests = 0
    const server = createServer((request) => {
      requests++
      request.resume()
    })
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
    const { port } = server.address() as AddressInfo
    const agent = new Agent({ connections: 4, headersTimeout: 60_000 })
    // every address of 127.0.0.0/8 is this machine, and each a host of its own
    const ids: string[] = []
    for (let i = 0; i < hosts; i++) {
      const host = `127.0.${1 + (i >> 7)}.${1 + (i & 127)}`
      ids.push(await subscribe(agent, url, noisy.app, `http://${host}:${port}/`))
    }
    const headers = {
      authorization: `Bearer ${noisy.users.admin.token}`,
      'content-type': 'application/json',
    }
    const write = async () => {
      const full_name = `Noise ${Math.random()}`
      const body = JSON.stringify({ full_name })
      const { body: answer } = await agent.request({
        origin: url,
        path: '/api/contact/',
        method: 'POST',
        headers,
        body,
        signal,
      })
      await answer.dump()
    }
    // ten for each host fill the process without a bound
    for (let i = 0; i < 12; i++) await write()
    // until as many hang as the service lets
    for (let before = -1; before < requests;) {
      before = requests
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
    ready()
    try {
      while (!signal.aborted) {
        await write()
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
    } finally {
      await Promise.all(ids.map((id) => unsubscribe(agent, url, noisy.app, id)))
      server.closeAllConnections()
      server.close()
    }
  },
} satisfies Scenario
