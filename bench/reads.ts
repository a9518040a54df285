import { parseArgs } from 'node:util'
import { applicationRoutes } from '../server/src/surfaces/application/routes.ts'
import { readers, seedOrganization } from './seed-organization.ts'
import { secretKey, withService } from './service.ts'
import { tokenOf } from './token.ts'

/**
 * How long every read of the application surface takes in a large organization and in one of a fifteenth of its
 * size, for each of `readers`, in milliseconds with HTTP: the median of seven requests after a first one. The large one
 * is `--size` times `whole` of `seed-organization.ts`. Prints those of `--slow` milliseconds and more and those that
 * were refused. `node bench/reads.ts --size 1 --slow 100 --only users`.
 */
const { values: flags } = parseArgs({
  options: {
    size: { type: 'string', default: '1' },
    slow: { type: 'string', default: '100' },
    only: { type: 'string', default: '' },
    url: { type: 'string' },
  },
})
const rounds = 7

await withService(flags.url, async (url, start) => {
  const size = Number(flags.size)
  process.stderr.write(`seeding organizations of size ${size} and ${(size / 15).toFixed(3)}\n`)
  const [large, small] = [await seedOrganization(url, size), await seedOrganization(url, size / 15)]
  const app = await start()
  const as = async ({ organization, users }: typeof large, reader: (typeof readers)[number]) =>
    reading(app, await tokenOf(url, secretKey, organization, users[reader]))
  const paths = await readable(await as(large, 'admin'))
  const smallPaths = await readable(await as(small, 'admin'))
  for (const reader of readers) {
    const [inLarge, inSmall] = [await as(large, reader), await as(small, reader)]
    const times: { what: string; ms: number; status: number; beside: number }[] = []
    for (const [what, path] of paths) {
      const { status, ms } = await median(inLarge, path)
      const like = smallPaths.get(what)
      const isSlow = ms >= Number(flags.slow) && like !== undefined
      times.push({ what, ms, status, beside: isSlow ? (await median(inSmall, like)).ms : NaN })
    }
    const statuses = Map.groupBy(times, ({ status }) => status)
    console.log(
      `${reader}: ${[...statuses].map(([status, { length }]) => `${length} × ${status}`).join(', ')}`,
    )
    for (const { what, ms, status, beside } of times.toSorted((a, b) => b.ms - a.ms))
      if (ms >= Number(flags.slow))
        console.log(
          `  ${ms.toFixed(0).padStart(6)} ms  × ${(ms / beside).toFixed(1).padStart(4)}  ${status}  ${what}`,
        )
    for (const { what, status } of times)
      if (reader === 'admin' && status >= 400) console.log(`          not read: ${status}  ${what}`)
  }
})

async function median(read: (path: string) => Promise<Reply>, path: string) {
  const { status } = await read(path)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push((await read(path)).ms)
  return { status, ms: times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]! }
}

type Reply = { status: number; ms: number; body: unknown }

async function reading(app: string, token: string): Promise<(path: string) => Promise<Reply>> {
  return async (path) => {
    const before = performance.now()
    const response = await fetch(app + path, { headers: { authorization: `Bearer ${token}` } })
    const text = await response.text()
    const ms = performance.now() - before
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, ms, body: isJson ? JSON.parse(text) : text }
  }
}

/**
 * The addresses of all reads by their names, with ids of records that an administrator sees and required parameters;
 * lists also sorted and grouped by each of their fields.
 */
async function readable(read: (path: string) => Promise<Reply>): Promise<Map<string, string>> {
  const paths = new Map<string, string>()
  const fields = await fieldsOf(read)
  for (const { method, path } of applicationRoutes()) {
    // streams do not end, and exports are files of everything
    if (method !== 'GET' || /stream|export|\/file\/|image/.test(path)) continue
    if (!path.includes(flags.only)) continue
    const filled = await fill(path, read)
    if (!filled) continue
    const required = await queryOf(path, read)
    const add = (more: { [name: string]: string }) => {
      const query = String(new URLSearchParams({ ...required, ...more }))
      const shown = String(new URLSearchParams(more))
      paths.set([path, shown].filter(Boolean).join(' '), [filled, query].filter(Boolean).join('?'))
    }
    const known = fields.get(path.replace(/groups\/$/, '')) ?? []
    if (!path.endsWith('/groups/') || !known.length) add({})
    if (path.endsWith('/groups/')) {
      for (const { name, is_groupable } of known)
        for (const items of is_groupable ? ['0', '10'] : []) add({ by: name, items })
    } else if (known.length) {
      add({ include_count: 'true' })
      for (const q of ['number', '12345', 'xqzz']) add({ q })
      for (const { name, is_sortable } of known) if (is_sortable) add({ sort: name })
    }
  }
  return paths
}

type Shown = { name: string; is_sortable: boolean; is_groupable: boolean }

/** The fields of the modules with a list, by its address. */
async function fieldsOf(read: (path: string) => Promise<Reply>): Promise<Map<string, Shown[]>> {
  const found = new Map<string, Shown[]>()
  const { body: modules } = await read('/api/modules/')
  for (const { module, path } of modules as { module: string; path: string }[]) {
    // of deals and projects, which are in one list, the latter
    const { body } = await read(`/api/modules/${module}/`)
    found.set(path, (body as { fields: Shown[] }).fields)
  }
  return found
}

/** A path with the id of the newest record of its list; undefined if the list is empty. */
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

/** The required query parameters of a read. */
async function queryOf(
  path: string,
  read: (path: string) => Promise<Reply>,
): Promise<{ [name: string]: string }> {
  const one = async (list: string) => (await newest(list, read)) ?? ''
  if (path.endsWith('/groups/')) return { by: 'status' }
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
