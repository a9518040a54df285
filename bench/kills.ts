import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
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
import { temporaryFolder } from './folder.ts'

/**
 * Kills API processes, workers and PostgreSQL at random under load, and checks afterwards whether anything
 * is missing or was done twice: `node bench/kills.ts --times 50`, for `--minutes` at most. Two
 * processes answer requests, two run jobs; `--port` is the first of their four ports.
 */
const { values: flags } = parseArgs({
  options: {
    times: { type: 'string', default: '50' },
    minutes: { type: 'string', default: '60' },
    port: { type: 'string', default: '47300' },
  },
})
/** Milliseconds within which the work of a killed process must continue elsewhere. */
const promised = 15_000
/** Milliseconds after which something counts as lost. */
const patience = 120_000

type Role = 'web' | 'worker'
type Server = { role: Role; port: number; child: ChildProcess }

const root = temporaryFolder('kills')
const dataDir = join(root, 'data')
const systemDir = join(root, 'system')
const embedded = await startEmbedded({ dataDir, systemDir, log: () => {} })
const servers: Server[] = []
let isOver = false

/** Ids of companies whose creation was answered with success, and when. */
const acknowledged = new Map<string, number>()
/** Ids of companies whose event arrived and was answered, and when first. */
const delivered = new Map<string, number>()
const open = new Map<string, number>()
const seen = { repeats: 0, atOnce: 0, imports: 0, spans: 0 }
/** When each worker ran a job, by the job. */
const runs = new Map<string, { from: bigint; to: bigint }[]>()
/** When each writer had its last success. */
const writers: number[] = []
const wrong: string[] = []

const receiver = createServer(async (request, response) => {
  const id = String(request.headers['webhook-id'])
  const already = open.get(id) ?? 0
  if (already) seen.atOnce++
  open.set(id, already + 1)
  // a killed process has closed its connection
  response.once('close', () => open.set(id, (open.get(id) ?? 1) - 1))
  const text = Buffer.concat(await request.toArray().catch(() => [])).toString()
  await sleep(20)
  if (response.destroyed || !text) return
  response.end()
  const { data } = JSON.parse(text) as { data: { company_id: string } }
  if (delivered.has(data.company_id)) seen.repeats++
  else delivered.set(data.company_id, Date.now())
})
const collector = createServer(async (request, response) => {
  const text = Buffer.concat(await request.toArray().catch(() => [])).toString()
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  if (text) noteRuns(JSON.parse(text) as Spans)
})

try {
  await migrate(embedded.url)
  const { noisy, quiet } = await makeWorld(embedded.url)
  const ports = [await listening(receiver), await listening(collector)] as const
  const first = Number(flags.port)
  for (const [i, role] of (['web', 'web', 'worker', 'worker'] as const).entries()) {
    const server = { role, port: first + i, child: await start(role, first + i, ports[1]) }
    servers.push(server)
  }
  for (const organization of [noisy, quiet]) await subscribe(organization, ports[0])
  const load = [noisy, quiet].flatMap((organization) => [
    ...Array.from({ length: 3 }, () => write(organization)),
    importing(organization),
  ])
  const figures: { [kind: string]: number[] } = {}
  const end = Date.now() + Number(flags.minutes) * 60_000
  for (let i = 0; i < Number(flags.times) && Date.now() < end; i++) {
    await sleep(500 + Math.random() * 1500)
    const { kind, ms } = await killOne(ports[1])
    ;(figures[kind] ??= []).push(ms)
    process.stderr.write(`${i + 1}: ${kind} ${(ms / 1000).toFixed(1)} s\n`)
  }
  isOver = true
  await Promise.all(load)
  await inspect()
  report(figures)
} finally {
  for (const { child } of servers) child.kill('SIGKILL')
  receiver.closeAllConnections()
  receiver.close()
  collector.closeAllConnections()
  collector.close()
  await embedded.stop()
  rmSync(root, { recursive: true, force: true })
}

/** Kills one at random, waits until its work continues, and restarts it. */
async function killOne(collectorPort: number): Promise<{ kind: string; ms: number }> {
  const target = Math.floor(Math.random() * 5)
  const server = servers[target]
  const begun = Date.now()
  if (!server) {
    process.kill(postmaster(), 'SIGKILL')
    const ms = await waitFor(begun, () => writers.every((at) => at > begun))
    return { kind: 'PostgreSQL, until each writer has an answer again', ms }
  }
  const before = [...acknowledged.keys()]
  server.child.kill('SIGKILL')
  const starting = start(server.role, server.port, collectorPort)
  const ms =
    server.role === 'web'
      ? await waitFor(begun, () => writers.every((at) => at > begun))
      : await waitFor(begun, () => before.every((id) => delivered.has(id)))
  server.child = await starting
  const kind =
    server.role === 'web'
      ? 'API process, until each writer has an answer again'
      : 'worker, until all that was acknowledged before is delivered'
  return { kind, ms }
}

async function waitFor(begun: number, holds: () => boolean): Promise<number> {
  while (!holds()) {
    if (Date.now() - begun > patience) {
      wrong.push('something did not go on within two minutes')
      break
    }
    await sleep(10)
  }
  return Date.now() - begun
}

/** Creates companies until the end; requests without an answer are retried at the other process with the same key. */
async function write({ users }: Neighbour) {
  const writer = writers.push(0) - 1
  for (let i = 0; !isOver; i++) {
    const company_name = `Company ${writer} ${i}`
    const key = { 'idempotency-key': `${writer}-${i}` }
    const reply = await insist('POST', '/api/company/', users.admin.token, { company_name }, key)
    writers[writer] = Date.now()
    acknowledged.set(reply.headers.get('x-record-id')!, Date.now())
    await sleep(30)
  }
}

/** Imports contacts repeatedly; each file must result in exactly its lines. */
async function importing({ users }: Neighbour) {
  const { token } = users.admin
  const lines = 300
  for (let i = 0; !isOver; i++) {
    const mark = `${users.admin.user_id}.${i}`
    const rows = Array.from({ length: lines }, (_, n) => `Ada ${n},${mark}.${n}@import.test`)
    const form = new FormData()
    form.set('module', 'contacts')
    form.set('file', new Blob([['Full name,Email', ...rows].join('\n')]), 'contacts.csv')
    const key = (step: string) => ({ 'idempotency-key': `${mark}-${step}` })
    const upload = await insist('POST', '/api/imports/', token, form, key('upload'))
    const { import_id } = JSON.parse(upload.text) as { import_id: string }
    const path = `/api/imports/${import_id}/`
    await insist('POST', `${path}start/`, token, undefined, key('start'))
    const begun = Date.now()
    for (;;) {
      const { text } = await insist('GET', path, token)
      const { status, created } = JSON.parse(text) as { status: string; created: number }
      if (status === 'completed') {
        if (created !== lines) wrong.push(`an import made ${created} of ${lines} contacts`)
        break
      }
      if (status !== 'running' || Date.now() - begun > patience) {
        wrong.push(`an import is ${status} after ${Date.now() - begun} ms`)
        break
      }
      await sleep(200)
    }
    seen.imports++
  }
}

/** Sends a request until it succeeds, to one API process or the other. */
async function insist(
  method: string,
  path: string,
  token: string,
  body?: object | FormData,
  headers: { [name: string]: string } = {},
): Promise<{ headers: Headers; text: string }> {
  const isForm = body instanceof FormData
  const begun = Date.now()
  for (let tries = Math.floor(Math.random() * 2); ; tries++) {
    const to = `http://127.0.0.1:${servers[tries % 2]!.port}`
    const sent = {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: isForm ? body : body && JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    }
    const reply = await fetch(to + path, sent).catch(() => undefined)
    const text = await reply?.text().catch(() => undefined)
    if (reply?.ok && text !== undefined) return { headers: reply.headers, text }
    // 409: another attempt with the same key is still running
    if (reply && !reply.ok && ![409, 503].includes(reply.status)) {
      throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    }
    if (Date.now() - begun > patience) throw new Error(`${method} ${path}: no answer`)
    await sleep(20)
  }
}

async function subscribe({ users, app }: Neighbour, port: number) {
  const url = `http://127.0.0.1:${port}/`
  const body = { app_id: app.app.id, events: ['company_created'], url }
  await insist('POST', '/api/webhooks/subscriptions/', users.admin.token, body)
}

/** Checks that everything exists exactly once. */
async function inspect() {
  const client = new pg.Client({
    connectionString: embedded.url,
    options: '-c search_path=perennial,public -c app.organization=*',
  })
  client.on('error', (error) => wrong.push(String(error)))
  await client.connect()
  const { rows } = await client.query<{ id: string; events: string }>(
    `select c.id, (select count(*) from events e where e.organization_id = c.organization_id
       and e.type = 'company_created' and e.reference_id = c.id) as events
     from companies c where c.record_source <> 'seed'`,
  )
  const stored = new Map(rows.map(({ id, events }) => [id, Number(events)]))
  for (const id of acknowledged.keys()) if (!stored.has(id)) wrong.push(`${id} is gone`)
  for (const [id, events] of stored) if (events !== 1) wrong.push(`${id} has ${events} events`)
  const { rows: twice } = await client.query(
    `select from companies where record_source <> 'seed'
     group by organization_id, company_name having count(*) > 1`,
  )
  if (twice.length) wrong.push(`${twice.length} companies were created twice`)
  await waitFor(Date.now(), () => [...stored.keys()].every((id) => delivered.has(id)))
  const lost = [...stored.keys()].filter((id) => !delivered.has(id))
  if (lost.length) wrong.push(`${lost.length} events were not delivered`)
  if (seen.atOnce) wrong.push(`${seen.atOnce} deliveries were sent twice at once`)
  for (const [id, spans] of runs) {
    const sorted = spans.toSorted((a, b) => Number(a.from - b.from))
    if (sorted.some((span, i) => i > 0 && span.from < sorted[i - 1]!.to)) {
      wrong.push(`the job ${id} ran twice at the same time`)
    }
  }
  await client.end()
}

function report(figures: { [kind: string]: number[] }) {
  console.log('| killed | times | median | maximum | within 15 s |\n|---|---|---|---|---|')
  for (const [kind, all] of Object.entries(figures)) {
    const sorted = all.toSorted((a, b) => a - b)
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
    const most = sorted.at(-1)!
    if (most > promised) process.exitCode = 1
    const within = all.filter((ms) => ms <= promised).length
    console.log(
      `| ${kind} | ${all.length} | ${seconds(sorted[Math.floor(all.length / 2)]!)} | ${seconds(most)} | ${within} |`,
    )
  }
  console.log(
    `\n${acknowledged.size} acknowledged companies, ${delivered.size} delivered (${seen.repeats} again, ` +
      `${seen.atOnce} at once), ${seen.imports} imports, ${runs.size} jobs seen in ${seen.spans} runs`,
  )
  if (wrong.length) process.exitCode = 1
  for (const each of wrong.slice(0, 20)) console.log(each)
  console.log(wrong.length ? `${wrong.length} findings` : 'nothing is missing, nothing was doubled')
}

type Spans = {
  resourceSpans: {
    scopeSpans: {
      spans: {
        attributes: { key: string; value: { stringValue?: string } }[]
        startTimeUnixNano: string
        endTimeUnixNano: string
      }[]
    }[]
  }[]
}

function noteRuns({ resourceSpans }: Spans) {
  for (const span of resourceSpans.flatMap((each) => each.scopeSpans.flatMap((s) => s.spans))) {
    const id = span.attributes.find(({ key }) => key === 'perennial.job.id')?.value.stringValue
    if (!id) continue
    seen.spans++
    const run = { from: BigInt(span.startTimeUnixNano), to: BigInt(span.endTimeUnixNano) }
    runs.set(id, [...(runs.get(id) ?? []), run])
  }
}

async function start(role: Role, port: number, collectorPort: number): Promise<ChildProcess> {
  const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: embedded.url,
    SECRET_KEY: secretKey,
    DATA_DIR: join(root, 'service'),
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    WORKSPACE: 'off',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_APPLICATION: '0',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_HOST_RATE: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_BSP_MAX_QUEUE_SIZE: '20000',
  }
  for (let tries = 0; ; tries++) {
    const child = fork(main, ['serve', '--json', '--role', role], {
      env,
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    })
    const isReady = await new Promise<boolean>((resolve) => {
      let text = ''
      child.stdout!.on('data', (chunk) => {
        text = `${text}${chunk}`.slice(-100_000)
        if (text.includes('"ready"')) resolve(true)
      })
      child.once('exit', () => resolve(false))
    })
    // PostgreSQL may be restarting
    if (isReady) return child
    if (tries === 5) throw new Error(`a process of the role ${role} does not start`)
    await sleep(500)
  }
}

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** The process of the database, wherever the embedded engine keeps it. */
function postmaster(): number {
  const file = [dataDir, systemDir]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .find((name) => name.endsWith('postmaster.pid'))
  return Number(readFileSync(file!, 'utf8').split('\n')[0])
}
