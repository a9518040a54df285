import { callerOf, forever } from '../caller.ts'
import type { Scenario } from '../scenario.ts'

/** Bytes of custom fields: the maximum of a body, and of a record. */
const sizes = [900_000, 60_000]
const count = 120

export default {
  name: '16 lists of 500 at once, of records as large as they may be',
  shows: 'A page is bounded in bytes, and a record in what it holds beside its fields.',
  settings: { RATE_LIMIT_APPLICATION: '0' },
  without: { max_page_bytes: 0, max_result_bytes: 0, max_custom_fields_bytes: 0 },
  async attack(attack) {
    const caller = callerOf(attack, 16, attack.noisy.users.admin.token)
    const make = async (bytes: number, i: number) => {
      const body = { full_name: `Large ${i}`, note: 'x'.repeat(bytes) }
      const { status } = await caller.send('POST', '/api/contact/?allow_duplicate=true', body)
      return status
    }
    const [most = 0, less = 0] = sizes
    const size = (await make(most, 0)) === 200 ? most : less
    for (let i = 1; i < count; i++) await make(size, i)
    attack.ready()
    const list = '/api/contact/?page=1&items_per_page=500'
    await forever(attack, 16, () => caller.load(list))
  },
} satisfies Scenario
