import { type ChildProcess, fork } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type Answer, OpenLoop } from './open-loop.ts'
import { makeWorld, publicUrl, secretKey } from '../hostile/world.ts'
import { startEmbedded } from '../server/src/database/embedded.ts'
import { migrate } from '../server/src/database/migrate.ts'
import { password } from '../server/test/support/organization.ts'
import { temporaryFolder } from './folder.ts'
import { parentOf, processorTime, processorTimeUnder } from './processor-time.ts'

// Five times as many requests as the service's capacity, sent without waiting for earlier ones:
// node bench/overload.ts [--seconds 6] [--times 5] [--only lists|creates]. `--power` runs it without
// admission (`max_in_flight` 0), as it was; `--always 32` admits more than by default.

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '6' },
    times: { type: 'string', default: '5' },
    only: { type: 'string' },
    always: { type: 'string', default: '8' },
    power: { type: 'boolean', default: false },
  },
})
const seconds = Number(flags.seconds)

type Request = { method: 'GET' | 'POST'; path: string; token?: string; body?: () => unknown }

let sent = 0
function bytesOf({ method, path, token, body }: Request): string {
  const text = body ? JSON.stringify(body()) : ''
  return [
    `${method} ${path} HTTP/1.1`,
    'host: bench',
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(body ? ['content-type: application/json', `content-length: ${text.length}`] : []),
    // callers from many addresses, because a single address gets only a share
    `x-forwarded-for: 192.0.2.${++sent % 200}`,
    '',
    text,
  ].join('\r\n')
}

/** The capacity with a few requests at a time: requests a second. */
async function capacity(sender: OpenLoop, request: Request): Promise<number> {
  let done = 0
  const until = performance.now() + 3000
  const lane = async () => {
    while (performance.now() < until) {
      if ((await sender.send(bytesOf(request))).status < 400) done++
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  return done / 3
}

function percentile(all: number[], share: number): number {
  const sorted = all.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

async function startServer(databaseUrl: string, folder: string) {
  const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))
  const env = {
    NODE_OPTIONS: process.env.SERVER_OPTIONS,
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    SECRET_KEY: secretKey,
    DATA_DIR: folder,
    PORT: '0',
    PUBLIC_URL: publicUrl,
    TRUST_PROXY: '1',
    WORKSPACE: 'off',
    RATE_LIMIT_APPLICATION: '0',
    RATE_LIMIT_LOGIN: '0',
    CONFIG_FILE: join(folder, 'settings.json'),
  }
  const settings = {
    ...(flags.always ? { in_flight_always: Number(flags.always) } : {}),
    // a few users represent many: the total limit is measured, not theirs
    max_in_flight_caller: 100_000,
    max_in_flight_organization: 100_000,
    ...(flags.power ? { max_in_flight: 0 } : {}),
  }
  writeFileSync(env.CONFIG_FILE, JSON.stringify(settings))
  const child: ChildProcess = fork(main, ['serve', '--json'], { env, stdio: 'pipe' })
  child.stderr!.pipe(process.stderr)
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout!.on('data', (chunk) => {
      text += chunk
      const line = text.split('\n').find((each) => each.startsWith('{"ready"'))
      if (line) resolve((JSON.parse(line) as { url: string }).url)
    })
    child.on('exit', () => reject(new Error(text)))
  })
  return { child, url }
}

/** The process that starts those of the database. */
async function databaseOf(url: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const database = parentOf(rows[0]!.pid)
  await client.end()
  return database
}

/** Measures how much processor time service, database and sender use until the returned function is called. */
function shares(service: number, database: number): () => string {
  const taken = () => [
    processorTime(service),
    processorTimeUnder(database),
    processorTime(process.pid),
  ]
  const [before, since] = [taken(), performance.now()]
  return () => {
    const us = 1000 * (performance.now() - since)
    return taken()
      .map((after, nth) => ((after - before[nth]!) / us).toFixed(2))
      .join(', ')
  }
}

const folder = temporaryFolder('overload')
const embedded = await startEmbedded({ dataDir: folder, log: () => {} })
try {
  await migrate(embedded.url)
  const { noisy, quiet } = await makeWorld(embedded.url)
  const { child, url } = await startServer(embedded.url, folder)
  const database = await databaseOf(embedded.url)
  const { token } = noisy.users.admin
  const sender = new OpenLoop(url)
  let made = 0
  const requests: { [name: string]: Request } = {
    lists: { method: 'GET', path: '/api/contact/?page=1&items_per_page=50', token },
    creates: {
      method: 'POST',
      path: '/api/tags/info/',
      token,
      body: () => ({ tag_name: `Tag ${++made}`, tag_type: 'tasks' }),
    },
  }
  console.log(
    '| requests | capacity | normal p99 | accepted at overload | p99 of accepted | ratio | after the first second | refused p99 | after the first second | with Retry-After | other | livez | sign-ins | processors of service, database, sender |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|---|---|---|---|')
  for (const [name, request] of Object.entries(requests)) {
    if (flags.only && flags.only !== name) continue
    await capacity(sender, request)
    const most = await capacity(sender, request)
    const normal = await sender.atRate(() => bytesOf(request), most / 2, seconds)
    await sleep(1000)
    const probes: Answer[] = []
    const signIns: Answer[] = []
    const over = new AbortController()
    const beside = (async () => {
      while (!over.signal.aborted) {
        probes.push(await sender.send(bytesOf({ method: 'GET', path: '/livez' })))
        const { email } = quiet.users.member
        const body = () => ({ email, password })
        signIns.push(await sender.send(bytesOf({ method: 'POST', path: '/api/login/', body })))
        await sleep(100)
      }
    })()
    const overSince = performance.now()
    const taken = shares(child.pid!, database)
    const all = await sender.atRate(() => bytesOf(request), most * Number(flags.times), seconds)
    const processors = taken()
    over.abort()
    await beside
    const accepted = all.filter(({ status }) => status > 0 && status < 400)
    const refused = all.filter(({ status }) => status === 503)
    const times = (answers: Answer[], share = 0.99) =>
      percentile(
        answers.map(({ ms }) => ms),
        share,
      )
    const usual = times(normal.filter(({ status }) => status < 400))
    const later = ({ due }: Answer) => due > overSince + 1000
    const alive = probes.filter(({ status }) => status === 200)
    const good = signIns.filter(({ status }) => status === 200)
    const row = [
      name,
      `${most.toFixed(0)}/s`,
      `${usual.toFixed(0)} ms`,
      `${(accepted.length / seconds).toFixed(0)}/s of ${(all.length / seconds).toFixed(0)}/s`,
      `${times(accepted).toFixed(0)} ms`,
      `${(times(accepted) / usual).toFixed(1)} ×`,
      `${(times(accepted.filter(later)) / usual).toFixed(1)} ×`,
      `${times(refused).toFixed(0)} ms (half of them ${times(refused, 0.5).toFixed(0)} ms)`,
      `${times(refused.filter(later)).toFixed(0)} ms`,
      `${refused.filter(({ retryAfter }) => retryAfter).length} of ${refused.length}`,
      all.length - accepted.length - refused.length,
      `${alive.length} of ${probes.length}, p99 ${times(alive).toFixed(0)} ms`,
      `${good.length} of ${signIns.length}, p90 ${times(good, 0.9).toFixed(0)} ms`,
      processors,
    ]
    console.log(`| ${row.join(' | ')} |`)
  }
  sender.close()
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
} finally {
  await embedded.stop()
  rmSync(folder, { recursive: true, force: true })
}
