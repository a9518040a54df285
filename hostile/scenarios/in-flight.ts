import { callerOf, forever } from '../caller.ts'
import type { Scenario } from '../scenario.ts'

export default {
  name: 'one user with 1,100 requests at once',
  shows: 'A user, an organization and an address have a share of what is worked on.',
  settings: { RATE_LIMIT_APPLICATION: '0' },
  without: {
    // this also turns off the admission of requests
    max_in_flight: 0,
    max_in_flight_caller: 0,
    max_in_flight_organization: 0,
    max_in_flight_address: 0,
    in_flight_refusal_ms: 0,
  },
  async attack(attack) {
    const caller = callerOf(attack, 1100, attack.noisy.users.admin.token)
    const path = '/api/contact/?page=1&items_per_page=500&include_count=true'
    attack.ready()
    await forever(attack, 1100, () => caller.load(path))
  },
} satisfies Scenario
