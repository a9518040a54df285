import { parseArgs } from 'node:util'
import { applicationRoutes } from '../server/src/surfaces/application/routes.ts'
import { seedAround } from './seed-around.ts'
import { seedWork } from './seed-work.ts'
import { secretKey, withService } from './service.ts'
import { tokenOf } from './token.ts'

/**
 * How long every read of the application surface takes in one large organization, for an administrator, a
 * member, a customer and an observer: the faster of two requests after a first one, in milliseconds with HTTP.
 * Prints those of `--slow` milliseconds and more, and those that were refused, so that nothing is passed over in
 * silence. `node bench/reads.ts --rows 150000 --slow 100 --only users`.
 */
const { values: flags } = parseArgs({
  options: {
    rows: { type: 'string', default: '150000' },
    slow: { type: 'string', default: '100' },
    only: { type: 'string', default: '' },
    url: { type: 'string' },
  },
})
/** What lists are divided by, by the first word of their paths. */
const groupedBy: { [word: string]: string } = {
  company: 'company_owner',
  contact: 'contact_owner',
  account: 'account_owner',
  project: 'status',
  milestones: 'status',
  tasks: 'status',
  surveys: 'status',
  documents: 'document_status',
  users: 'role',
}

await withService(flags.url, async (url, start) => {
  const rows = Number(flags.rows)
  process.stderr.write(`seeding ${rows} of each record\n`)
  const { organization, users, roles } = await seedWork(url, rows, Math.ceil(rows / 10))
  const confined = await seedAround(url, { organization, admin: users.admin!, roles, rows })
  const app = await start()
  const admin = await reader(app, await tokenOf(url, secretKey, organization, users.admin!))
  const paths = await readable(admin)
  for (const [role, user] of Object.entries({ ...users, ...confined })) {
    const read = await reader(app, await tokenOf(url, secretKey, organization, user))
    const times: { path: string; ms: number; status: number }[] = []
    for (const path of paths) {
      const first = await read(path)
      const again = [await read(path), await read(path)]
      const ms = Math.min(...again.map((each) => each.ms))
      times.push({ path, ms, status: first.status })
    }
    const statuses = Map.groupBy(times, ({ status }) => status)
    console.log(
      `${role}: ${[...statuses].map(([status, { length }]) => `${length} × ${status}`).join(', ')}`,
    )
    for (const { path, ms, status } of times.toSorted((a, b) => b.ms - a.ms))
      if (ms >= Number(flags.slow))
        console.log(`  ${ms.toFixed(0).padStart(6)} ms  ${status}  ${path}`)
    for (const { path, status } of times)
      if (role === 'admin' && status >= 400) console.log(`          not read: ${status}  ${path}`)
  }
})

type Reply = { status: number; ms: number; body: unknown }

async function reader(app: string, token: string): Promise<(path: string) => Promise<Reply>> {
  return async (path) => {
    const before = performance.now()
    const response = await fetch(app + path, { headers: { authorization: `Bearer ${token}` } })
    const text = await response.text()
    const ms = performance.now() - before
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, ms, body: isJson ? JSON.parse(text) : text }
  }
}

/** The addresses of all reads, with ids of records that an administrator sees and what they require. */
async function readable(read: (path: string) => Promise<Reply>): Promise<string[]> {
  const paths: string[] = []
  for (const { method, path } of applicationRoutes()) {
    // streams do not end, and exports are files of everything
    if (method !== 'GET' || /stream|export|\/file\/|image/.test(path)) continue
    if (!path.includes(flags.only)) continue
    const filled = await fill(path, read)
    if (!filled) continue
    const required = new URLSearchParams(await queryOf(path, read))
    paths.push(required.size ? `${filled}?${required}` : filled)
    if (/^\/api\/[^{]*\/$/.test(path) && required.has('page'))
      paths.push(`${filled}?${required}&include_count=true`)
  }
  return paths
}

/** A path with the id of the newest record of its list; undefined where the list is empty. */
async function fill(path: string, read: (path: string) => Promise<Reply>) {
  const fixed: { [name: string]: string } = { module: 'projects', module_id: '2' }
  let filled = path
  for (const [whole, name] of path.matchAll(/\{(\w+)\}/g)) {
    const list =
      path.includes('/timeline/') || name === 'reference_id'
        ? '/api/project/info/'
        : filled.slice(0, filled.indexOf(whole))
    const value = fixed[name!] ?? (await newest(list, read))
    if (!value) return undefined
    filled = filled.replace(whole, value)
  }
  return filled
}

async function newest(list: string, read: (path: string) => Promise<Reply>) {
  // deals are in the same list
  const kind = list === '/api/project/info/' ? '&project_type=project' : ''
  const { body } = await read(`${list}?page=1&items_per_page=1${kind}`)
  const records = (
    Array.isArray(body) ? body : ((body as { results?: unknown[] }).results ?? [])
  ) as {
    [field: string]: unknown
  }[]
  const [record = {}] = records
  const [, id] = Object.entries(record).find(([name]) => /^id$|_id$/.test(name)) ?? []
  return id as string | undefined
}

/** What a read requires in its query. */
async function queryOf(
  path: string,
  read: (path: string) => Promise<Reply>,
): Promise<{ [name: string]: string }> {
  const one = async (list: string) => (await newest(list, read)) ?? ''
  if (path.endsWith('/groups/')) return { by: groupedBy[path.split('/')[2]!] ?? 'created_by' }
  if (path === '/api/timeline/') return { account_id: await one('/api/account/info/') }
  if (path === '/api/statuses/') return { module: 'tasks' }
  if (path === '/api/search/') return { q: 'project' }
  if (path === '/api/account/info/journey/') return { account_id: await one('/api/account/info/') }
  if (path.startsWith('/api/interactions/info/summary'))
    return { module_name: 'projects', reference_id: await one('/api/project/info/') }
  if (path === '/api/dashboards/widget/') return { widget_type: 'activities' }
  if (path === '/api/holidays/holinfo/import/') return { country: 'FR' }
  const { operation } = applicationRoutes().find(
    (route) => route.path === path && route.method === 'GET',
  )!
  const { query } = operation.input as { query?: { required?: string[] } }
  return query?.required?.includes('page') ? { page: '1', items_per_page: '25' } : {}
}
