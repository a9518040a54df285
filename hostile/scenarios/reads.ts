import { Agent } from 'undici'
import type { Scenario } from '../scenario.ts'

/** Conditions on linked records; each names another text, so that no answer is that of another one. */
const hops = (count: number, turn: number) =>
  Array.from({ length: count }, (_, i) => ({
    field: 'company.company_name',
    operator: 'not_contains',
    value: `y ${turn}x${i}`,
  }))

export default {
  name: '64 lists at once with conditions on linked records, sorted, with a count',
  shows:
    'What one organization filters, sorts and counts waits behind itself, and what costs too much is refused.',
  settings: { RATE_LIMIT_APPLICATION: '0' },
  without: {
    MAX_FILTER_COST: '0',
    HEAVY_READERS: '0',
    READS_PER_ORGANIZATION: '0',
    READ_TIMEOUT: '0',
  },
  async attack({ url, noisy, signal, ready }) {
    const agent = new Agent({ connections: 64, headersTimeout: 60_000 })
    const headers = { authorization: `Bearer ${noisy.users.admin.token}` }
    const one = async (_: unknown, turn: number) => {
      while (!signal.aborted) {
        // the most that is allowed, and once in a while more than that
        const filter = encodeURIComponent(JSON.stringify(hops(turn % 8 ? 20 : 50, turn++)))
        const path =
          `/api/contact/?page=1&items_per_page=500&include_count=true&sort=job_title` +
          `&filter=${filter}`
        const { body } = await agent.request({ origin: url, path, method: 'GET', headers, signal })
        await body.dump()
      }
    }
    const all = Array.from({ length: 64 }, one)
    ready()
    await Promise.all(all)
  },
} satisfies Scenario
