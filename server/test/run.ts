import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../src/database/embedded.ts'

/**
 * Runs the tests on one database server that all files share: the embedded engine, or with
 * `--engine 15` a PostgreSQL 15 of this machine, skipped where there is none. Paths narrow the run.
 */
const { values: flags, positionals } = parseArgs({
  options: { engine: { type: 'string', default: 'embedded' } },
  allowPositionals: true,
})
const files = positionals.length
  ? positionals
  : globSync(['server/src/**/*.test.ts', 'server/test/**/*.test.ts']).toSorted()
const folder = mkdtempSync(join(tmpdir(), 'perennial-test-'))
const engine = flags.engine === '15' ? startPostgres15(folder) : await startOwn(folder)
if (!engine) {
  console.log('No PostgreSQL 15 was found on this machine: the second engine is skipped.')
  process.exit(0)
}
// three at a time: on two cores one of them always waits, for a browser, a kill or a database
const args = ['--test', '--test-concurrency=3', '--test-timeout=300000', ...files]
// each file is a process of its own: what one has compiled the next need not
const compiled = join(folder, 'compiled')
const env = { ...process.env, TEST_DATABASE_URL: engine.url, NODE_COMPILE_CACHE: compiled }
const run = spawn(process.execPath, args, { stdio: 'inherit', env })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => run.kill(signal))
const code = await new Promise<number>((resolve) =>
  run.on('exit', (status) => resolve(status ?? 1)),
)
await engine.stop()
rmSync(folder, { recursive: true, force: true })
process.exit(code)

type Engine = { url: string; stop(): Promise<unknown> }

async function startOwn(dataDir: string): Promise<Engine> {
  return startEmbedded({ dataDir, log: () => {} })
}

/** A throw-away cluster from the distribution's binaries, run as another user when we are root. */
function startPostgres15(data: string): Engine | undefined {
  const bin = ['/usr/lib/postgresql/15/bin', '/opt/homebrew/opt/postgresql@15/bin'].find((path) =>
    existsSync(join(path, 'initdb')),
  )
  if (!bin) return undefined
  const isRoot = process.getuid?.() === 0
  const port = 24_000 + (process.pid % 900)
  const as = (command: string) => {
    const [program, ...rest] = isRoot
      ? ['su', 'postgres', '-s', '/bin/sh', '-c', command]
      : ['sh', '-c', command]
    const { status, stderr } = spawnSync(program!, rest, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${command}: ${stderr}`)
  }
  if (isRoot) spawnSync('chown', ['postgres', data])
  as(`${bin}/initdb -D ${data}/15 -U perennial --auth=trust -E UTF8 --no-sync --locale=C.UTF-8`)
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200`
  as(`${bin}/pg_ctl -w -D ${data}/15 -l ${data}/15.log -o '${options}' start`)
  return {
    url: `postgres://perennial@127.0.0.1:${port}/postgres`,
    stop: async () => as(`${bin}/pg_ctl -w -D ${data}/15 -m fast stop`),
  }
}
