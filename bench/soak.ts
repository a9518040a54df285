import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { Neighbour } from '../hostile/world.ts'
import { makeWorld, publicUrl, secretKey } from '../hostile/world.ts'
import { startEmbedded } from '../server/src/database/embedded.ts'
import { migrate } from '../server/src/database/migrate.ts'
import { password } from '../server/test/support/organization.ts'
import { temporaryFolder } from './folder.ts'
import { contactPage, filteredContactPage } from './lists.ts'

/**
 * Does the work of four organizations at a steady pace for a long time, and fails if what the service or its
 * database uses keeps growing: `node bench/soak.ts --minutes 30`. The first fifth warms up; after it the
 * medians of the first and the last third are compared. Linux only.
 */
const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    every: { type: 'string', default: '10' },
  },
})
const minutes = Number(flags.minutes)
const until = Date.now() + minutes * 60_000
const isOver = () => Date.now() > until

/** The share of requests that may be refused because of overload, since the machine may have other work. */
const mostRefused = 0.01

/** A measured value, its unit, and its allowed growth in the last third: a share, plus a fixed amount. */
const measures = [
  ['resident memory', 'MB', 0.1, 30],
  ['heap in use', 'MB', 0.15, 20],
  ['open files', '', 0.1, 10],
  ['active handles', '', 0.1, 10],
  ['database connections', '', 0.1, 3],
  ['tables of the job library', 'MB', 0.2, 4],
  // the log, events, deliveries and deleted rows remain by design, but the size per write must not grow
  ['own tables and indexes, for each write', 'kB', 0.25, 1],
  ['dead rows, of all', '%', 0.5, 10],
] as const
type Sample = { [name in (typeof measures)[number][0]]: number }

const folder = temporaryFolder('soak')
const embedded = await startEmbedded({ dataDir: folder, log: () => {} })
let child: ChildProcess | undefined
const counts = {
  requests: 0,
  refused: 0,
  writes: 0,
  imports: 0,
  streams: 0,
  events: 0,
  deliveries: 0,
}
const failures: string[] = []
try {
  await migrate(embedded.url)
  const worlds = [await makeWorld(embedded.url), await makeWorld(embedded.url)]
  const organizations = worlds.flatMap(({ noisy, quiet }) => [noisy, quiet])
  const service = await startServer(embedded.url)
  const receiver = createServer((request, response) => {
    counts.deliveries++
    request.resume()
    request.on('end', () => response.end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  const client = new pg.Client({ connectionString: embedded.url })
  client.on('error', (error) => failures.push(String(error)))
  await client.connect()
  const samples: Sample[] = []
  const before = await sizes(client)
  const measuring = (async () => {
    while (!isOver()) {
      await sleep(Number(flags.every) * 1000)
      samples.push(await sample(service.url, client, before))
      if (samples.length % 6 === 0) process.stderr.write(`${JSON.stringify(samples.at(-1))}\n`)
    }
  })()
  await Promise.all([
    ...organizations.flatMap((organization) => work(service.url, organization, port)),
    measuring,
  ])
  // the last ones are still being delivered
  for (let i = 0; i < 300 && counts.deliveries < counts.events; i++) await sleep(100)
  await print(samples)
  await client.end()
  receiver.closeAllConnections()
  receiver.close()
} finally {
  if (child?.exitCode === null) {
    child.kill('SIGTERM')
    await new Promise((resolve) => child!.once('exit', resolve))
  }
  await embedded.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** The continuous work of one organization. */
function work(url: string, { users, contacts, app }: Neighbour, port: number): Promise<void>[] {
  let { token } = users.admin
  const send = async (method: string, path: string, body?: object | FormData) => {
    for (let tries = 0; ; tries++) {
      const isForm = body instanceof FormData
      const reply = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && !isForm && { 'content-type': 'application/json' }),
        },
        body: isForm ? body : body && JSON.stringify(body),
      })
      const text = await reply.text()
      counts.requests++
      if (reply.status === 401 && !tries) {
        token = await signIn(url, users.admin.email)
        continue
      }
      if (reply.status === 503) counts.refused++
      else if (!reply.ok) failures.push(`${method} ${path}: ${reply.status} ${text}`)
      else if (method !== 'GET') counts.writes++
      return { headers: reply.headers, text }
    }
  }
  const repeat = async (ms: number, step: (i: number) => Promise<void>) => {
    for (let i = 0; !isOver(); i++) {
      await step(i).catch((error: Error) => failures.push(String(error)))
      await sleep(Math.min(ms, Math.max(0, until - Date.now())))
    }
  }
  const open: string[] = []
  const reading = repeat(100, async (i) => {
    const paths = [
      contactPage,
      `/api/contact/${contacts[i % contacts.length]}/`,
      filteredContactPage,
      '/api/company/?page=1&items_per_page=50',
    ]
    await send('GET', paths[i % paths.length]!)
  })
  const writing = (async () => {
    const subscription = {
      app_id: app.app.id,
      events: ['company_created'],
      url: `http://127.0.0.1:${port}/`,
    }
    await send('POST', '/api/webhooks/subscriptions/', subscription)
    await repeat(200, async (i) => {
      const created = await send('POST', '/api/company/', { company_name: `Soak ${i}` })
      const id = created.headers.get('x-record-id')
      if (id) {
        counts.events++
        open.push(id)
      }
      const changed = open[Math.floor(open.length / 2)]!
      const about = { company_name: `Soak ${i} again` }
      await send('PUT', `/api/company/${changed}/`, about)
      // as many deletes as creates
      if (open.length > 50) {
        await send('DELETE', `/api/company/${open.shift()}/`)
      }
    })
  })()
  const importing = repeat(60_000, async (i) => {
    const lines = Array.from({ length: 200 }, (_, n) => `Ada ${n},ada.${i}.${n}@import.test`)
    const form = new FormData()
    form.set('module', 'contacts')
    form.set('file', new Blob([['Full name,Email', ...lines].join('\n')]), 'contacts.csv')
    const { import_id } = JSON.parse((await send('POST', '/api/imports/', form)).text) as {
      import_id: string
    }
    for (const step of ['start', 'undo']) {
      await send('POST', `/api/imports/${import_id}/${step}/`)
      for (let status = ''; !['completed', 'undone'].includes(status); await sleep(500)) {
        const found = await send('GET', `/api/imports/${import_id}/`)
        status = (JSON.parse(found.text) as { status: string }).status
        if (['running', 'undoing', 'completed', 'undone'].includes(status)) continue
        throw new Error(`an import is ${status}`)
      }
    }
    counts.imports++
  })
  const streaming = repeat(1000, async () => {
    const signal = AbortSignal.timeout(20_000)
    const headers = { authorization: `Bearer ${token}` }
    const reply = await fetch(`${url}/api/stream/`, { headers, signal })
    if (reply.status === 401) token = await signIn(url, users.admin.email)
    try {
      for await (const _piece of reply.body!) counts.streams++
    } catch (error) {
      if (!signal.aborted) throw error
    }
  })
  return [reading, writing, importing, streaming]
}

async function signIn(url: string, email: string): Promise<string> {
  const reply = await fetch(`${url}/api/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return ((await reply.json()) as { access_token: string }).access_token
}

async function sample(url: string, client: pg.Client, before: Sizes): Promise<Sample> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
  const status = readFileSync(`/proc/${child!.pid}/status`, 'utf8')
  const now = await sizes(client)
  return {
    'resident memory': Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    'heap in use': metric('nodejs_heap_size_used_bytes') / 1024 / 1024,
    'open files': metric('process_open_fds'),
    'active handles': metric('nodejs_active_resources_total'),
    'database connections': now.connections,
    'tables of the job library': now.jobs / 1024 / 1024,
    'own tables and indexes, for each write': (now.own - before.own) / 1024 / counts.writes,
    'dead rows, of all': (100 * now.dead) / (now.dead + now.live),
  }
}

type Sizes = { own: number; jobs: number; dead: number; live: number; connections: number }

/** Bytes of tables with their indexes, rows, and connections of the service. */
async function sizes(client: pg.Client): Promise<Sizes> {
  const { rows } = await client.query<{ [name in keyof Sizes]: string }>(`
    select sum(pg_total_relation_size(relid)) filter (where schemaname = 'perennial') as own,
      sum(pg_total_relation_size(relid)) filter (where schemaname = 'perennial_jobs') as jobs,
      sum(n_dead_tup) as dead, sum(n_live_tup) as live,
      (select count(*) from pg_stat_activity where application_name like 'perennial %') as connections
    from pg_stat_user_tables`)
  const { own, jobs, dead, live, connections } = rows[0]!
  return {
    own: Number(own),
    jobs: Number(jobs),
    dead: Number(dead),
    live: Number(live),
    connections: Number(connections),
  }
}

/** Prints the table; the exit status is 1 if something grew too much. */
async function print(samples: Sample[]) {
  const warm = samples.slice(Math.floor(samples.length / 5))
  const third = Math.floor(warm.length / 3)
  console.log(`${minutes} minutes: ${JSON.stringify(counts)}, ${failures.length} failures`)
  for (const failure of new Set(failures.slice(0, 10))) console.log(failure.slice(0, 300))
  console.log('\n| | first third | last third | at most | holds |\n|---|---|---|---|---|')
  for (const [name, unit, share, least] of measures) {
    const of = (part: Sample[]) => median(part.map((each) => each[name]))
    const [first, last] = [of(warm.slice(0, third)), of(warm.slice(-third))]
    const most = first + Math.max(first * share, least)
    const holds = last <= most
    if (!holds) process.exitCode = 1
    const cells = [first, last, most].map((value) => `${value.toFixed(1)} ${unit}`.trim())
    console.log(`| ${[name, ...cells, holds ? 'yes' : '**no**'].join(' | ')} |`)
  }
  if (failures.length || counts.deliveries < counts.events) process.exitCode = 1
  if (counts.refused > counts.requests * mostRefused) process.exitCode = 1
}

async function startServer(databaseUrl: string): Promise<{ url: string }> {
  const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    SECRET_KEY: secretKey,
    DATA_DIR: join(folder, 'service'),
    PORT: '0',
    PUBLIC_URL: publicUrl,
    WORKSPACE: 'off',
    LOG_LEVEL: 'error',
    RATE_LIMIT_APPLICATION: '0',
    RATE_LIMIT_LOGIN: '0',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
  }
  child = fork(main, ['serve', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child!.stdout!.on('data', (chunk) => {
      text = `${text}${chunk}`.slice(-100_000)
      const line = text.split('\n').find((each) => each.startsWith('{"ready"'))
      if (line) resolve((JSON.parse(line) as { url: string }).url)
    })
    child!.on('exit', () => reject(new Error(text)))
  })
  return { url }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}
