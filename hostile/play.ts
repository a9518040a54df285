import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Seen } from './bystander.ts'
import { percentile, watch } from './bystander.ts'
import type { Reading } from './measure.ts'
import type { Scenario } from './scenario.ts'
import type { Neighbour } from './world.ts'
import { publicUrl, secretKey } from './world.ts'

/** The limits that must hold during an attack. */
const bounds = {
  /** the bystander's p99, as a multiple of the one without an attack */
  slower: 3,
  /** quiet times below this count as this, in ms, because a busy machine alone adds as much */
  floorMs: 25,
  /** the heap that the process gets, in MiB */
  heapMiB: 1024,
  /** for how long the event loop may be blocked, in ms */
  heldMs: 50,
}

type Play = {
  name: string
  path: string
  settings: { [name: string]: string }
  limits: Scenario['without']
  seconds: number
  world: { noisy: Neighbour; quiet: Neighbour }
  databaseUrl: string
  folder: string
  /** the folder for CPU profiles of the service's processes */
  profile: string | undefined
}

/** Runs one scenario against a new service process; returns the row of the table, and what did not hold. */
export async function play(scene: Play): Promise<{ row: string; failures: string[] }> {
  const server = await startServer(scene)
  const failures: string[] = []
  try {
    // a new process is slow at first
    await during(2, (signal) => watch(server.url, scene.world.quiet, signal))
    server.reset()
    const quiet = await during(scene.seconds, (s) => watch(server.url, scene.world.quiet, s))
    const atRest = server.reset()
    const attacker = await startAttacker(scene, server.url)
    const attacked = await during(scene.seconds, (s) => watch(server.url, scene.world.quiet, s))
    const under = server.reset()
    failures.push(...(await attacker.stop()))
    if (server.child.exitCode !== null || server.child.signalCode) {
      failures.push(`the service ended: ${server.output().slice(-300)}`)
    }
    failures.push(...judged(quiet, attacked, under))
    const row = [
      scene.name,
      `${shown(quiet.requests, 99)} → ${shown(attacked.requests, 99)} ms`,
      `${shown(quiet.signIns, 90)} → ${shown(attacked.signIns, 90)} ms`,
      `${shown(quiet.deliveries, 90)} → ${shown(attacked.deliveries, 90)} ms`,
      `${attacked.failures.length} of ${attacked.requests.length + attacked.signIns.length}`,
      `${mebibytes(under.heapUsed)} MiB (at rest ${mebibytes(atRest.heapUsed)})`,
      `${under.held.toFixed(0)} ms (at rest ${atRest.held.toFixed(0)})`,
      failures.length ? 'no' : 'yes',
    ]
    return { row: `| ${row.join(' | ')} |`, failures }
  } finally {
    await server.stop()
  }
}

function judged(quiet: Seen, attacked: Seen, under: Reading): string[] {
  // the request_id makes each failure message different
  const kinds = [...quiet.failures, ...attacked.failures].map((text) => text.slice(0, 90))
  const failures = [...new Set(kinds)].slice(0, 5)
  const pairs = [
    ['requests', percentile(quiet.requests, 99), percentile(attacked.requests, 99)],
    ['sign-ins', percentile(quiet.signIns, 90), percentile(attacked.signIns, 90)],
    ['deliveries', percentile(quiet.deliveries, 90), percentile(attacked.deliveries, 90)],
  ] as const
  for (const [name, before, after] of pairs) {
    const limit = bounds.slower * Math.max(before, bounds.floorMs)
    if (after > limit)
      failures.push(`${name} took ${after.toFixed(0)} ms, above ${limit.toFixed(0)}`)
  }
  // one request that never ends would leave few others
  if (attacked.requests.length < quiet.requests.length / bounds.slower / 3) {
    failures.push(`only ${attacked.requests.length} requests instead of ${quiet.requests.length}`)
  }
  if (under.held > bounds.heldMs)
    failures.push(`the event loop was held ${under.held.toFixed(0)} ms`)
  return failures
}

async function startServer({ settings, limits, databaseUrl, folder, profile }: Play) {
  const CONFIG_FILE = join(folder, 'settings.json')
  writeFileSync(CONFIG_FILE, JSON.stringify(limits))
  const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  const child = fork(file('../server/src/main.ts'), ['serve'], {
    execArgv: [
      `--max-old-space-size=${bounds.heapMiB}`,
      '--import',
      file('measure.ts'),
      ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []),
    ],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      PUBLIC_URL: publicUrl,
      // the bystander has another address than the attacker
      TRUST_PROXY: '1',
      DATABASE_URL: databaseUrl,
      SECRET_KEY: secretKey,
      DATA_DIR: join(folder, 'service'),
      LOG_LEVEL: 'fatal',
      CONFIG_FILE,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  let peak: Reading = { heapUsed: 0, held: 0 }
  child.on('message', (reading: Reading) => {
    for (const name of Object.keys(peak) as (keyof Reading)[]) {
      peak[name] = Math.max(peak[name], reading[name])
    }
  })
  const url = await new Promise<string>((found, failed) => {
    const look = (chunk: Buffer) => {
      output += chunk.toString()
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
      if (address && output.includes('is ready after')) found(address)
    }
    child.stdout!.on('data', look)
    child.stderr!.on('data', look)
    child.once('exit', (code) => failed(new Error(`the service ended with ${code}: ${output}`)))
  })
  return {
    url,
    child,
    output: () => output,
    /** the maximum readings since the last call */
    reset() {
      const before = peak
      peak = { heapUsed: 0, held: 0 }
      return before
    },
    stop: () => ended(child, () => child.kill('SIGTERM')),
  }
}

async function startAttacker({ path, world }: Play, url: string) {
  const child = fork(new URL('./attacker.ts', import.meta.url))
  const failures: string[] = []
  const ready = new Promise<void>((resolve) => {
    child.on('message', (message: 'ready' | 'done' | { failed: string }) => {
      if (typeof message === 'object') failures.push(`the attack failed: ${message.failed}`)
      resolve()
    })
    child.once('exit', () => resolve())
  })
  child.send({ file: path, setting: { url, noisy: world.noisy } })
  await ready
  return {
    async stop() {
      await ended(child, () => child.connected && child.send('stop'))
      return failures
    },
  }
}

/** Ends a process; kills it after ten seconds. */
async function ended(child: ChildProcess, end: () => unknown) {
  if (child.exitCode !== null || child.signalCode) return
  const exit = once(child, 'exit')
  child.on('message', (message) => message === 'done' && child.kill())
  end()
  const force = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await exit
  clearTimeout(force)
}

async function during<T>(seconds: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), seconds * 1000)
  try {
    return await run(over.signal)
  } finally {
    clearTimeout(timer)
  }
}

const shown = (times: number[], part: number) => percentile(times, part).toFixed(0)
const mebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024)
