import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '../src/database/embedded.ts'
import { changedAmong } from './support/changed.ts'
import { type Engine, mostConnections, startPostgres15 } from './support/engine.ts'
import { processorTimeOf, reportedTimes } from './support/processor-time.ts'
import { type Outcome, repeatFailed, watchOutcome } from './support/outcome.ts'
import { judgeGathered } from './support/statements.ts'

/**
 * Files that run in separate processes: they kill processes, change the environment, measure time,
 * or are long; Zapier's core changes `node:http` for its whole process. The longest first, so that none of them is alone at the end.
 */
const alone = [
  'server/test/every-input.test.ts',
  'server/test/oracle.test.ts',
  'server/test/every-loop.test.ts',
  'server/test/every-route.test.ts',
  'server/test/journeys/first-start.test.ts',
  'server/test/journeys/crash.long.test.ts',
  'server/test/journeys/outsiders.long.test.ts',
  'server/src/database/embedded.long.test.ts',
  'server/test/every-write.test.ts',
  'server/test/written-fields.test.ts',
  'server/test/command-line.test.ts',
  'server/test/journeys/crash-notifications.long.test.ts',
  'server/test/rights-matrix.test.ts',
  'server/test/record-rights.test.ts',
  'server/test/fuzz.test.ts',
  'server/src/computations/pool.test.ts',
  'server/test/journeys/tour.test.ts',
  'server/src/webhooks/deliver.test.ts',
  'server/test/delivery-bytes.test.ts',
  'server/src/webhooks/fairness.test.ts',
  'server/test/journeys/survey-load.long.test.ts',
  'server/src/surfaces/connections.test.ts',
  'server/src/surfaces/monitoring.test.ts',
  'server/src/surfaces/mcp/bounds.test.ts',
  'server/src/surfaces/application/login.test.ts',
  'server/src/webhooks/target.test.ts',
  'connectors/test/zapier.test.ts',
  'server/test/journeys/reference-page.long.test.ts',
]

const gibibyte = 1024 ** 3

/** The number of groups of the other files. */
const groupCount = 5

/**
 * Runs the tests on one database server that all files share: the embedded engine, with
 * `--engine 15` a PostgreSQL 15 of this machine, or with `--engine citus` the coordinator of Citus that
 * TEST_CITUS_URL names, in a database that knows its workers; skipped where there is none. Paths narrow the run;
 * `--long` plays what is long by nature too, `--full` that and everything at its full depth; `--times` prints the
 * processor time of each file; `--changed` plays what this branch could have changed. A file that fails among others is run once more alone.
 */
const { values: flags, positionals } = parseArgs({
  options: {
    changed: { type: 'boolean', default: false },
    engine: { type: 'string', default: 'embedded' },
    full: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    screens: { type: 'boolean', default: false },
    times: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const all = globSync([
  'server/src/**/*.test.ts',
  'server/test/**/*.test.ts',
  'web/src/**/*.test.ts',
  ...(flags.screens ? ['web/test/**/*.test.ts'] : ['web/test/{ui,budgets}.test.ts']),
  'sdk/test/*.test.ts',
  'connectors/test/*.test.ts',
]).toSorted()
const unknown = [
  ...alone.filter((file) => !all.includes(file)),
  ...positionals.filter((pattern) => !globSync(pattern).length),
]
if (unknown.length) throw new Error(`There is no test file ${unknown.join(', ')}`)
const chosen = positionals.length
  ? positionals.flatMap((pattern) => globSync(pattern)).map((path) => relative('.', path))
  : all.filter((file) => flags.full || flags.long || !file.endsWith('.long.test.ts'))
const files = flags.changed ? changedAmong(chosen) : chosen
if (flags.changed)
  console.log(`${files.length} of ${chosen.length} test files import what has changed.`)
if (!files.length) process.exit(0)
const folder = mkdtempSync(join(quickFolder(), 'perennial-test-'))
// as root the server runs as another user, whose data must be elsewhere if it cannot enter the folder
chmodSync(folder, 0o755)
const engine =
  flags.engine === 'citus'
    ? startedElsewhere(process.env.TEST_CITUS_URL)
    : flags.engine === '15'
      ? startPostgres15(folder)
      : await startOwn(folder)
if (!engine) {
  const missing =
    flags.engine === 'citus'
      ? 'TEST_CITUS_URL names no coordinator of Citus'
      : 'No PostgreSQL 15 was found on this machine'
  console.log(`${missing}: this engine is skipped.`)
  process.exit(0)
}
process.env.TEST_DATABASE_URL = engine.url
// what one process has compiled the next need not: the checks before the tests, or a run before this one
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/perennial')
process.env.TEST_SEED ??= commit()
process.env.STATEMENTS_FOLDER = folder
process.env.TIMES_FOLDER = folder
if (flags.engine !== 'citus') await withoutDurability(engine.url)
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
/** The test files of each process, by the path that it is started with. */
const started = new Map<string, string[]>()
/** Seconds by file: of those of groups too, each of which is a test of its group. */
const seconds = new Map<string, number>()
const first = await played(processes(files))
// a file that ran alone, and a run that was stopped, would give nothing new
const isRepeated = files.length > 1 && !stopping.signal.aborted
const { isWell, closing } = await repeatFailed(first, isRepeated, (file) => {
  console.log(`\nRun once more, alone: ${file}`)
  return played([processOf(file, 'again')])
})
const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, 10)
const sum = [...seconds.values()].reduce((total, each) => total + each, 0)
console.log(`\n${seconds.size} files took ${sum.toFixed(0)} s together; the slowest:`)
for (const [file, each] of slowest) console.log(`${each.toFixed(1).padStart(8)} s  ${file}`)
if (flags.times) reportTimes()
await engine.stop()
const breaches = await judgeGathered(folder)
for (const breach of breaches) console.error(`\n${breach}`)
if (breaches.length) {
  console.error(`\n${breaches.length} statements break the rules of docs/scale.md`)
  process.exitCode = 1
}
rmSync(folder, { recursive: true, force: true })
console.log(`\nThe draws of tables follow from TEST_SEED=${process.env.TEST_SEED}`)
if (closing.length) console.log(`\n${closing.join('\n')}`)
if (!isWell) process.exitCode = 1

/** What is checked out, as the seed of the draws. */
function commit(): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], {
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trim() : 'none'
}

/** Runs processes to their end and prints their results. */
async function played(paths: string[]): Promise<Outcome> {
  const results = run({
    files: paths,
    // four at a time: on two cores two of them always wait, for a browser, a kill or a database;
    // of the screens' files, each with a browser that is busy, two
    concurrency: flags.screens ? 2 : 4,
    // at full depth one file may take long: 10,000 random orders take a quarter of an hour
    timeout: flags.full ? 7_200_000 : 600_000,
    argv: flags.full ? ['--full'] : [],
    signal: stopping.signal,
  })
  const took = (file: string, milliseconds: number) =>
    seconds.set(relative('.', file), milliseconds / 1000)
  for (const event of ['test:pass', 'test:fail'] as const)
    results.on(event, ({ nesting, name, details }) => {
      if (!nesting && files.includes(name)) took(name, details.duration_ms)
    })
  results.on('test:summary', ({ file, duration_ms }) => {
    const own = file === undefined ? undefined : started.get(file)
    if (own?.length === 1) took(own[0]!, duration_ms)
  })
  const outcome = watchOutcome(results, new Map(paths.map((path) => [path, started.get(path)!])))
  await pipeline(results, new spec(), process.stdout, { end: false })
  return outcome
}

/**
 * Prints the processor time by file, with that of child processes that have ended, and the database
 * server's for all of them.
 */
function reportTimes() {
  const times = reportedTimes(folder)
  const sum = [...times.values()].reduce((total, each) => total + each, 0)
  console.log(`\n${sum.toFixed(0)} s of processor time were the test processes', by file:`)
  for (const [path, each] of [...times].sort(([, a], [, b]) => b - a))
    console.log(`${each.toFixed(1).padStart(8)} s  ${path}`)
  const postmaster = globSync(join(folder, '**/postmaster.pid'))[0]
  if (!postmaster) return
  const [pid] = readFileSync(postmaster, 'utf8').split('\n')
  console.log(`${processorTimeOf(Number(pid)).toFixed(1).padStart(8)} s  PostgreSQL, for all`)
}

/** Whether a file runs in a separate process: those of `alone`, and those that show screens. */
function isAlone(file: string): boolean {
  return alone.includes(file) || (flags.screens && file.startsWith('web/test/'))
}

/**
 * The files that the runner starts as processes: those of `alone` as they are, the others dealt to
 * groups that each import theirs one after the other, which saves them most of their start.
 */
function processes(chosen: string[]): string[] {
  const [separate, others] = [
    [...alone, ...chosen.filter((file) => !alone.includes(file) && isAlone(file))].filter((file) =>
      chosen.includes(file),
    ),
    chosen.filter((file) => !isAlone(file)),
  ]
  const groups = Array.from({ length: Math.min(groupCount, others.length) }, (_, i) => {
    const own = others.filter((_, n) => n % groupCount === i)
    return written(`group-${i + 1}`, own, `runGroup(${JSON.stringify(own)})`)
  })
  const own = separate.map((file) => processOf(file, 'alone'))
  // groups take several times as long as the longest of the others
  return [...groups, ...own]
}

/** The file that a process is started with to run one test file. */
function processOf(file: string, word: string): string {
  return written(`${word}-${started.size}`, [file], `await runAlone(${JSON.stringify(file)})`)
}

/** A file that a process is started with, which imports the tests. */
function written(name: string, own: string[], statement: string): string {
  const path = resolve(folder, `${name}.test.ts`)
  const support = new URL('support/group.ts', import.meta.url)
  const imported = statement.match(/run\w+/)![0]
  writeFileSync(path, `import { ${imported} } from '${support}'\n${statement}\n`)
  started.set(path, own)
  return path
}

/**
 * The data folder of the database server: in memory if there is room. Each test file has a database of
 * 2,000 files, and to make and drop one takes a file system on a disk 200 to 700 ms of processor time
 * and one in memory 50.
 */
function quickFolder(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, freemem()) > 6 * gibibyte ? memory : tmpdir()
}

/** What is tested here may be lost with the machine: nothing waits for a disk. */
async function withoutDurability(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // short-lived databases need no vacuuming, and queries of a few rows no JIT
  const off = ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum', 'jit']
  for (const name of off) await client.query(`alter system set ${name} = off`)
  // each statement is planned once on a connection and not for its first five parameters: a third of all processor time
  await client.query(`alter system set plan_cache_mode = force_generic_plan`)
  await client.query(`alter system set checkpoint_timeout = '1h'`)
  await client.query(`alter system set max_wal_size = '1GB'`)
  await client.query(`select pg_reload_conf()`)
  await client.end()
}

function startedElsewhere(url: string | undefined): Engine | undefined {
  return url ? { url, stop: async () => {} } : undefined
}

async function startOwn(dataDir: string): Promise<Engine> {
  const engine = await startEmbedded({ dataDir, log: () => {} })
  const client = new pg.Client({ connectionString: engine.url })
  await client.connect()
  await client.query(`alter system set max_connections = ${mostConnections}`)
  await client.end()
  // only a start reads it
  await engine.stop()
  return startEmbedded({ dataDir, log: () => {} })
}
