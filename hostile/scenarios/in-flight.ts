import { callerOf, forever } from '../caller.ts'
import type { Scenario } from '../scenario.ts'

export default {
  name: 'one user with 1,100 requests at once',
  shows: 'A user, an organization and an address have a share of what is worked on.',
  settings: { RATE_LIMIT_APPLICATION: '0' },
  without: {
    // this also turns off the admission of requests
    MAX_IN_FLIGHT: '0',
    MAX_IN_FLIGHT_CALLER: '0',
    MAX_IN_FLIGHT_ORGANIZATION: '0',
    MAX_IN_FLIGHT_ADDRESS: '0',
    IN_FLIGHT_REFUSAL_MS: '0',
  },
  async attack(attack) {
    const caller = callerOf(attack, 1100, attack.noisy.users.admin.token)
    const path = '/api/contact/?page=1&items_per_page=500&include_count=true'
    attack.ready()
    await forever(attack, 1100, () => caller.load(path))
  },
} satisfies Scenario
