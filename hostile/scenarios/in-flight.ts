import { Agent } from 'undici'
import type { Scenario } from '../scenario.ts'

export default {
  name: 'one user with 1,100 requests at once',
  shows: 'A user, an organization and an address have a share of what is worked on.',
  settings: { RATE_LIMIT_APPLICATION: '0' },
  without: {
    MAX_IN_FLIGHT_CALLER: '0',
    MAX_IN_FLIGHT_ORGANIZATION: '0',
    MAX_IN_FLIGHT_ADDRESS: '0',
  },
  async attack({ url, noisy, signal, ready }) {
    const agent = new Agent({ connections: 1100, headersTimeout: 60_000 })
    const headers = { authorization: `Bearer ${noisy.users.admin.token}` }
    const path = '/api/contact/?page=1&items_per_page=500&include_count=true'
    const one = async () => {
      while (!signal.aborted) {
        const { body } = await agent.request({ origin: url, path, method: 'GET', headers, signal })
        await body.dump()
      }
    }
    const all = Array.from({ length: 1100 }, one)
    ready()
    await Promise.all(all)
  },
} satisfies Scenario
