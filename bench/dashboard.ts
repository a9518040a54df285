import { parseArgs } from 'node:util'
import { newId } from '../server/src/kit/ground/ids.ts'
import { widgetTypes } from '../server/src/model/dashboards/widget-types.ts'
import { seedWork } from './seed-work.ts'
import { secretKey, withService } from './service.ts'
import { tokenOf } from './token.ts'

/**
 * A dashboard of 20 widgets in a large organization, HTTP included, for its admin and for a member: computed anew,
 * from the cache, and how long lists of another organization take meanwhile, as a ratio to alone. Medians in
 * milliseconds. `node bench/dashboard.ts --tasks 200000 --deals 60000`.
 */
const { values: flags } = parseArgs({
  options: {
    tasks: { type: 'string', default: '200000' },
    deals: { type: 'string', default: '60000' },
    rounds: { type: 'string', default: '5' },
    url: { type: 'string' },
  },
})
const rounds = Number(flags.rounds)
const ranges = ['30_days', '90_days', 'this_quarter', 'this_year']

await withService(flags.url, async (url, start) => {
  process.stderr.write(`seeding ${flags.tasks} tasks and ${flags.deals} deals\n`)
  const large = await seedWork(url, Number(flags.tasks), Number(flags.deals))
  const other = await seedWork(url, 2000, 500)
  const app = await start()
  const neighbour = await tokenOf(url, secretKey, other.organization, other.users.admin ?? '')
  for (const [role, user] of Object.entries(large.users)) {
    const token = await tokenOf(url, secretKey, large.organization, user)
    const [uncached, cached] = [await dashboard(app, token, 0), await dashboard(app, token, 300)]
    const alone = await lists(app, neighbour, () => Promise.resolve())
    const computed = await median(() => read(app, token, uncached))
    await read(app, token, cached)
    const kept = await median(() => read(app, token, cached))
    const beside = await lists(app, neighbour, () => read(app, token, uncached))
    console.log(
      `${role.padEnd(8)} computed ${computed.toFixed(0)} ms, cached ${kept.toFixed(0)} ms; lists of others ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside it, ${(beside / alone).toFixed(2)} ×`,
    )
  }
})

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = performance.now()
    await work()
    times.push(performance.now() - before)
  }
  return middle(times)
}

function middle(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}

/** The median time of a page of a list while something is computed again and again, at least forty of them. */
async function lists(app: string, token: string, meanwhile: () => Promise<unknown>) {
  let isOver = false
  const busy = (async () => {
    while (!isOver) {
      await meanwhile()
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  })()
  const times: number[] = []
  for (let round = 0; round < 40; round++) {
    const before = performance.now()
    await asked(`${app}/api/tasks/?page=1&items_per_page=50`, token)
    times.push(performance.now() - before)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  isOver = true
  await busy
  return middle(times)
}

/** Reads all widgets; throws for one that was refused, such as for its time, which would be measured as an answer. */
async function read(app: string, token: string, dashboard_id: string): Promise<void> {
  const text = await asked(`${app}/api/dashboards/widgets/`, token, { dashboard_id })
  const { widgets } = JSON.parse(text) as { widgets: { error: unknown }[] }
  for (const { error } of widgets) if (error) throw new Error(JSON.stringify(error))
}

/** A dashboard of 20 widgets: each type, and some of them again over another range. */
async function dashboard(app: string, token: string, cache_ttl: number): Promise<string> {
  const dashboard_id = newId()
  const widgets = Array.from({ length: 20 }, (_, at) => ({
    widget_id: String(at),
    widget_type: widgetTypes[at % widgetTypes.length],
    config: { time_filter: ranges[at % ranges.length] },
  }))
  const body = { dashboard_id, dashboard_name: 'Twenty', cache_ttl, widgets }
  await asked(`${app}/api/dashboards/info/`, token, body)
  return dashboard_id
}

async function asked(url: string, token: string, body?: object): Promise<string> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`)
  return text
}
