import { Agent } from 'undici'
import { callerOf, forever } from '../caller.ts'
import { subscribe, unsubscribe } from '../deliveries.ts'
import type { Scenario } from '../scenario.ts'

/** On as many hosts as the quota of one host makes necessary; this machine answers for all of 127.0.0.0/8. */
const subscriptions = 1000
const ofHost = 100

export default {
  name: '1,000 subscriptions to dead hosts, and 16 writers',
  shows: 'A write with many subscriptions costs others little, and what waits is bounded.',
  settings: {
    RATE_LIMIT_INTEGRATION: '0',
    RATE_LIMIT_APPLICATION: '0',
  },
  limits: { quota_waiting_deliveries: 20_000 },
  without: { quota_waiting_deliveries: 0, writes_per_organization: 0, database_pool_jobs: 0 },
  async attack({ url, noisy, signal, ready }) {
    const agent = new Agent({ connections: 4 })
    const ids: string[] = []
    for (let nth = 0; nth < subscriptions; nth++) {
      const target = `http://127.0.3.${1 + Math.floor(nth / ofHost)}:9/${nth}`
      ids.push(await subscribe(agent, url, noisy.app, target))
    }
    const caller = callerOf({ url, signal }, 16, noisy.users.admin.token)
    const write = () =>
      caller.send('POST', '/api/contact/', { full_name: `Noise ${Math.random()}` })
    ready()
    try {
      await forever({ signal }, 16, write)
    } finally {
      await Promise.all(ids.map((id) => unsubscribe(agent, url, noisy.app, id)))
    }
  },
} satisfies Scenario
