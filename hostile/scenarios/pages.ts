import { Agent } from 'undici'
import type { Scenario } from '../scenario.ts'

/** Bytes of the records' own fields: the most that a body takes, and the most that a record takes. */
const sizes = [900_000, 60_000]
const count = 120

export default {
  name: '16 lists of 500 at once, of records as large as they may be',
  shows: 'A page is bounded in bytes, and a record in what it holds beside its fields.',
  settings: { RATE_LIMIT_APPLICATION: '0' },
  without: { MAX_PAGE_BYTES: '0', MAX_RESULT_BYTES: '0', MAX_CUSTOM_FIELDS_BYTES: '0' },
  async attack({ url, noisy, signal, ready }) {
    const agent = new Agent({ connections: 16, headersTimeout: 60_000 })
    const headers = {
      authorization: `Bearer ${noisy.users.admin.token}`,
      'content-type': 'application/json',
    }
    const make = async (bytes: number, i: number) => {
      const body = JSON.stringify({ full_name: `Large ${i}`, note: 'x'.repeat(bytes) })
      const path = '/api/contact/?allow_duplicate=true'
      const request = { origin: url, path, method: 'POST' as const, headers, body, signal }
      const response = await agent.request(request)
      await response.body.dump()
      return response.statusCode
    }
    const [most = 0, less = 0] = sizes
    const size = (await make(most, 0)) === 200 ? most : less
    for (let i = 1; i < count; i++) await make(size, i)
    const list = async () => {
      while (!signal.aborted) {
        const path = '/api/contact/?page=1&items_per_page=500'
        const request = { origin: url, path, method: 'GET' as const, headers, signal }
        const { body } = await agent.request(request)
        await body.dump({ limit: Infinity })
      }
    }
    const all = Array.from({ length: 16 }, list)
    ready()
    await Promise.all(all)
  },
} satisfies Scenario
