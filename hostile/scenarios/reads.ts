import { callerOf, forever } from '../caller.ts'
import type { Scenario } from '../scenario.ts'

/** Conditions on linked records, each with another text, so that no answer can be reused. */
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
    max_filter_cost: 0,
    heavy_readers: 0,
    reads_per_organization: 0,
    read_timeout: 0,
  },
  async attack(attack) {
    const caller = callerOf(attack, 64, attack.noisy.users.admin.token)
    let turn = 0
    attack.ready()
    await forever(attack, 64, () => {
      // the maximum allowed, and sometimes more
      const filter = encodeURIComponent(JSON.stringify(hops(turn % 8 ? 20 : 50, turn++)))
      const list = '/api/contact/?page=1&items_per_page=500&include_count=true&sort=job_title'
      return caller.load(`${list}&filter=${filter}`)
    })
  },
} satisfies Scenario
