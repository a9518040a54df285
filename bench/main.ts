import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../server/src/database/embedded.ts'
import { migrate } from '../server/src/database/migrate.ts'
import { measureImport } from './import.ts'
import { million } from './million.ts'
import { comparePeers } from './peers/compare.ts'
import { contactPage, filteredContactPage } from './lists.ts'
import type { Target } from './rate.ts'
import { rate as requestsASecond } from './rate.ts'
import { seed } from './seed.ts'
import { tokenOf } from './token.ts'
import { temporaryFolder } from './folder.ts'

/**
 * Compares the service with baselines in the same run and prints ratios: times on one machine say
 * little about another. `npm run bench -- --seconds 5 --rounds 3 --contacts 200000`. With `--peers` it is
 * compared with other products over 10,000 contacts of one organization; `--peers-folder` is where those
 * are installed (`~/.cache/perennial-peers`), `--only PostGraphile` compares those of that name.
 */
const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    contacts: { type: 'string', default: '200000' },
    rows: { type: 'string', default: '100000' },
    connections: { type: 'string', default: '32' },
    url: { type: 'string' },
    only: { type: 'string' },
    layers: { type: 'boolean', default: false },
    million: { type: 'string', default: '1000000' },
    peers: { type: 'boolean', default: false },
    'peers-folder': { type: 'string' },
  },
})
const seconds = Number(flags.seconds)
const secretKey = 'a secret key for measuring only, 32+ characters'

let made = 0
const children: ChildProcess[] = []
const folder = flags.url ? undefined : temporaryFolder('bench')
const embedded = folder ? await startEmbedded({ dataDir: folder, log: () => {} }) : undefined
try {
  const url = flags.url ?? embedded!.url
  if (flags.only === 'million') {
    await million(url, Number(flags.million), secretKey, 5 * Number(flags.rounds))
  } else if (flags.peers) await peers(url)
  else await rates(url)
} finally {
  for (const child of children) child.kill()
  await embedded?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
}

/** The same rows in other products, side by side. */
async function peers(url: string) {
  await migrate(url)
  const { organization, user, ids, companies } = await seed(url, 10_000, 1)
  const token = await tokenOf(url, secretKey, organization, user)
  // the same as in the others
  process.env.NODE_ENV = 'production'
  const { app } = await start('app.ts', url, secretKey)
  await comparePeers(url, { url: app!, ids, companies }, token, {
    seconds,
    rounds: Number(flags.rounds),
    connections: Number(flags.connections),
    folder: flags['peers-folder'],
    only: flags.only,
  })
}

/** The scenarios and their baselines. */
async function rates(url: string) {
  await migrate(url)
  process.stderr.write(`seeding ${flags.contacts} contacts in 20 organizations\n`)
  const { organization, user, ids, companies } = await seed(url, Number(flags.contacts))
  const token = await tokenOf(url, secretKey, organization, user)
  const { floor, fastify } = await start('floor.ts', url, organization)
  const { app } = await start('app.ts', url, secretKey)
  const headers = { authorization: `Bearer ${token}` }
  const create = {
    method: 'POST' as const,
    body: () => contact(companies),
    headers: { ...headers, 'content-type': 'application/json' },
  }
  const list = { url: app + contactPage, headers }
  const read = { url: app!, paths: ids.map((id) => `/api/contact/${id}/`), headers }
  const scenarios: { name: string; target: number; app: Target; floor: Target }[] = [
    { name: 'list 50', target: 1.2, app: list, floor: { url: `${floor}/list` } },
    {
      name: 'read one',
      target: 0.6,
      app: read,
      floor: { url: floor!, paths: ids.map((id) => `/read/${id}`) },
    },
    {
      name: 'create',
      target: 0.45,
      app: { url: `${app}/api/contact/`, ...create },
      floor: { url: `${floor}/create`, ...create },
    },
    {
      name: 'filtered list 50',
      target: 0,
      app: { url: app + filteredContactPage, headers },
      floor: { url: `${floor}/filtered` },
    },
  ]
  console.log(
    `constant answer: node:http ${await rate({ url: `${floor}/constant` })}/s, Fastify ${await rate({ url: `${fastify}/constant` })}/s`,
  )
  for (const scenario of scenarios) {
    if (flags.only && flags.only !== scenario.name) continue
    const ratio = await compare(scenario.app, scenario.floor)
    const target = scenario.target ? ` (target ${scenario.target})` : ''
    console.log(`${scenario.name.padEnd(18)} ${ratio.text}${target}`)
  }
  if (!flags.only || flags.only === 'import') {
    // in a separate process, so that its memory is only that of the import
    const { app: own } = await start('app.ts', url, secretKey)
    const n = await measureImport(own!, headers, { ids, rows: Number(flags.rows) })
    const s = (seconds: number) => `${seconds.toFixed(1)} s`
    console.log(
      `import ${n.rows} contacts: upload ${s(n.upload)}, import ${s(n.seconds)} (target 60), ` +
        `export of all ${s(n.exported)}, undo ${s(n.undo)}; ${Math.round(n.memory)} MiB above idle ` +
        `(target 150); reads beside it p50 ${n.p50.toFixed(0)} ms, p99 ${n.p99.toFixed(0)} ms`,
    )
  }
  if (flags.layers) {
    for (const without of ['row-level security', 'event and log']) {
      const { app: bare } = await start('app.ts', url, secretKey, without)
      const other = (target: Target) => ({ ...target, url: target.url.replace(app!, bare!) })
      const targets =
        without === 'event and log'
          ? ([['create', scenarios[2]!.app]] as const)
          : ([
              ['list 50', list],
              ['read one', read],
            ] as const)
      for (const [name, target] of targets) {
        const ratio = await compare(target, other(target))
        console.log(`${name.padEnd(18)} with / without ${without}: ${ratio.text}`)
      }
    }
  }
}

/** The median of rounds of both, in turns, so that the machine's other work affects both. */
async function compare(ours: Target, theirs: Target) {
  await rate(ours, 1)
  await rate(theirs, 1)
  const pairs: { ratio: number; ours: number; theirs: number }[] = []
  for (let round = 0; round < Number(flags.rounds); round++) {
    const pair = { ours: await rate(ours), theirs: await rate(theirs) }
    pairs.push({ ...pair, ratio: pair.ours / pair.theirs })
  }
  pairs.sort((a, b) => a.ratio - b.ratio)
  const { ratio, ours: a, theirs: b } = pairs[Math.floor(pairs.length / 2)]!
  return { ratio, text: `${ratio.toFixed(2)} × the floor: ${a}/s against ${b}/s` }
}

/** Requests a second, with the flags' connections. */
function rate(target: Target, duration = seconds): Promise<number> {
  return requestsASecond(target, duration, Number(flags.connections))
}

function contact(companies: string[]): string {
  made++
  return JSON.stringify({
    full_name: `Ada Bench ${made}`,
    primary_email: `ada.${process.pid}.${made}.${Math.random().toString(36).slice(2)}@bench.test`,
    job_title: 'Director of Operations',
    company_id: companies[made % companies.length],
    lead_status: 'qualified',
  })
}

function start(file: string, ...args: string[]): Promise<{ [name: string]: string }> {
  const child = fork(new URL(`./servers/${file}`, import.meta.url), args)
  children.push(child)
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as { [name: string]: string }))
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
  })
}
