import { parseArgs } from 'node:util'
import { newId } from '../server/src/kit/ground/ids.ts'
import { widgetTypes } from '../server/src/model/dashboards/widget-types.ts'
import { seedWork } from './seed-work.ts'
import { secretKey, withService } from './service.ts'
import { tokenOf } from './token.ts'

/**
 * The time of each widget in one large organization, for its admin and for a member: computed
 * (a dashboard whose `cache_ttl` is 0) and cached. Medians in milliseconds, HTTP included.
 * `node bench/widgets.ts --tasks 1000000 --deals 100000`.
 */
const { values: flags } = parseArgs({
  options: {
    tasks: { type: 'string', default: '1000000' },
    deals: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '7' },
    filter: { type: 'string', default: '30_days' },
    url: { type: 'string' },
    only: { type: 'string' },
  },
})
await withService(flags.url, async (url, start) => {
  process.stderr.write(`seeding ${flags.tasks} tasks and ${flags.deals} deals\n`)
  const { organization, users } = await seedWork(url, Number(flags.tasks), Number(flags.deals))
  const app = await start()
  for (const [role, user] of Object.entries(users)) {
    const token = await tokenOf(url, secretKey, organization, user)
    const uncached = await dashboard(app, token)
    for (const widget_type of widgetTypes) {
      if (flags.only && flags.only !== widget_type) continue
      const at = `${app}/api/dashboards/widget/?widget_type=${widget_type}&time_filter=${flags.filter}`
      const computed = await median(`${at}&dashboard_id=${uncached}`, token)
      const cached = await median(at, token)
      console.log(
        `${role.padEnd(8)} ${widget_type.padEnd(20)} computed ${computed.toFixed(1).padStart(7)} ms   cached ${cached.toFixed(1).padStart(6)} ms`,
      )
    }
  }
})

async function median(url: string, token: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round <= Number(flags.rounds); round++) {
    const before = performance.now()
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text}`)
    // the first request fills the cache
    if (round) times.push(performance.now() - before)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
}

async function dashboard(app: string, token: string): Promise<string> {
  const dashboard_id = newId()
  const response = await fetch(`${app}/api/dashboards/info/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ dashboard_id, dashboard_name: 'Uncached', cache_ttl: 0 }),
  })
  if (response.status !== 201) throw new Error(await response.text())
  return dashboard_id
}
