import { Agent } from 'undici'
import type { Scenario } from '../scenario.ts'

const hops = Array.from({ length: 50 }, (_, i) => ({
  field: 'company.company_name',
  operator: 'contains',
  value: `y ${i}`,
}))

export default {
  name: '64 lists at once with 50 conditions on linked records and a count',
  shows: 'What one organization filters by waits behind itself.',
  settings: { RATE_LIMIT_APPLICATION: '0' },
  without: {},
  async attack({ url, noisy, signal, ready }) {
    const agent = new Agent({ connections: 64, headersTimeout: 60_000 })
    const filter = encodeURIComponent(JSON.stringify(hops))
    const headers = { authorization: `Bearer ${noisy.users.admin.token}` }
    const one = async () => {
      while (!signal.aborted) {
        const path = `/api/contact/?page=1&items_per_page=500&filter=${filter}`
        const { body } = await agent.request({ origin: url, path, method: 'GET', headers, signal })
        await body.dump()
      }
    }
    const all = Array.from({ length: 64 }, one)
    ready()
    await Promise.all(all)
  },
} satisfies Scenario
