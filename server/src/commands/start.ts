import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type Demo, readDemos, writeDemos } from '../demo/credentials.ts'
import { makeDemo } from '../demo/make.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { collectGarbage } from '../kit/ground/garbage.ts'
import { sql } from '../kit/ground/sql.ts'
import { type Generated, provision, readProvision } from '../provision.ts'
import type { Runtime } from '../runtime.ts'
import { type Service, type ServiceOptions, createService } from '../service.ts'
import { warmUp } from '../service/warm-up.ts'
import { openTracing } from '../tracing/open.ts'
import { type Workspace, openWorkspace } from '../workspace/workspace.ts'
import { commandLine } from './again.ts'
import { openEngine } from './engine.ts'
import { listenFailure, sentenceOf } from './failure.ts'
import { type Life, lifeUnderParent, stopPatience } from './life.ts'
import { type Opened, open } from './open.ts'
import { joinServers, warningOf } from './servers.ts'
import { measuredByAll, obey, processNumber, report } from './supervised.ts'
import { drainMs, replaceSignal, supervise } from './supervisor.ts'
import { version } from './version.ts'
import type { Ready } from './welcome.ts'

/** Connections at rest stay this long after a signal: a request may be on its way; milliseconds. */
const linger = 500

/** A start that has begun: the port is free. */
export type Start = {
  config: Config
  log: Logger
  life: Life
  /** says something to the operator: on the terminal until the service is up, in the log then */
  note(message: string): void
  isUp: boolean
}

/** One process that does everything. */
export async function startOne(begun: Start): Promise<Ready> {
  const { config, log, life } = begun
  const { opened, workspace, made } = await prepare(begun)
  const service = await listen(config, opened, { log, workspace })
  life.atEnd(() => service.close({ linger, deadline: config.stopTimeout * 1000 }))
  await service.start()
  begun.isUp = true
  return describe(opened.runtime, { ...made, place: opened.place })
}

/** A parent that sets everything up, keeps the embedded database and the port, and starts the others. */
export async function startProcesses(begun: Start): Promise<Ready> {
  const { config, log, life } = begun
  const { opened, workspace, made } = await prepare(begun)
  const ready = await describe(opened.runtime, { ...made, place: opened.place })
  const engine = await openEngine(config, (message) => log.warn({}, message))
  life.atEnd(() => engine.close())
  await opened.close()
  // once, and not by each of them
  await workspace.settled
  const supervisor = supervise(config, log, async () => {
    const screens = screensOf(config, log)
    life.atEnd(() => screens.stop())
    await screens.settled
  })
  life.atEnd(() => supervisor.stop(linger))
  await supervisor.start()
  process.on(replaceSignal, () => {
    supervisor.replaceAll().catch((err: unknown) => log.error({ err }, 'replacing failed'))
  })
  begun.isUp = true
  return { ...ready, seconds: process.uptime() }
}

/** One of several processes: its parent has set everything up. */
export async function startUnderParent(config: Config, log: Logger): Promise<undefined> {
  let rest = linger
  const life = lifeUnderParent(log, drainMs + stopPatience(config))
  const starting = (async () => {
    const workspace = screensOf(config, log)
    life.atEnd(() => workspace.stop())
    const opened = await open(config, { log, note: (message) => log.warn({}, message) })
    life.atEnd(() => opened.close())
    const siblings = { process: processNumber, measured: measuredByAll }
    const service = await listen(config, opened, { log, workspace, siblings })
    life.atEnd(() => service.close({ linger: rest, deadline: rest + config.stopTimeout * 1000 }))
    await service.start()
    return service
  })()
  life.begins(starting)
  obey({
    life,
    linger: (ms) => void (rest = ms),
    refuse: async () => (await starting).refuse(),
    metrics: async () => (await starting).operations.measured(),
  })
  try {
    await starting
    report({ type: 'ready' })
  } catch (error) {
    if (life.isEnding()) return undefined
    const sentence = sentenceOf(error)
    if (sentence === undefined) log.fatal({ err: error }, 'the start failed')
    report({ type: 'failed', sentence: sentence ?? 'its log says why' })
    await life.end()
    process.exit(1)
  }
  return undefined
}

/**
 * Opens the database and the screens, and makes what the provision file declares, or the demonstration of a
 * first start.
 */
async function prepare({ config, log, life, note }: Start) {
  const declared = config.provisionFile ? readProvision(config.provisionFile) : undefined
  // a folder that is yet to be made has no servers, and PostgreSQL's own user must be able to enter it
  const isNew = !existsSync(config.dataDir)
  if (!isNew) warnOfOthers(config, note, life)
  // while the database starts
  const workspace = screensOf(config, log)
  life.atEnd(() => workspace.stop())
  const opened = await open(config, { log, note })
  life.atEnd(() => opened.close())
  if (isNew) warnOfOthers(config, note, life)
  const { runtime } = opened
  const generated = declared ? await provision(runtime, config.provisionFile!, declared) : []
  const isFirst = !declared && !config.databaseUrl
  const demo = isFirst ? await firstDemo(runtime) : undefined
  return { opened, workspace, made: { generated, demo } }
}

function screensOf(config: Config, log: Logger): Workspace {
  return openWorkspace(config.role === 'worker' ? 'off' : config.workspace, log)
}

async function listen(
  config: Config,
  { runtime, secretKey }: Opened,
  parts: Pick<ServiceOptions, 'log' | 'workspace' | 'siblings'>,
): Promise<Service> {
  const { database, secrets } = runtime
  const tracing = await openTracing(config, version(), parts.log)
  const service = await createService({ config, database, secretKey, secrets, tracing, ...parts })
  const { host, port } = config
  await service.app.ready()
  // what a start leaves behind, about 100 MB, V8 holds for as long as little happens
  collectGarbage()
  await service.listen({ host, port }).catch((error: unknown) => {
    throw listenFailure(error, host, port)
  })
  if (config.role !== 'worker') void warmUp(service.routes)
  return service
}

/**
 * Tells the operator of the other servers on this folder, before anything is migrated or written. With a
 * database of the operator's own many servers are usual, and nothing is said.
 */
function warnOfOthers(config: Config, note: (message: string) => void, life: Life) {
  if (config.databaseUrl) return
  const own = { url: localUrl(config), version: version() }
  const { others, leave } = joinServers(config.dataDir, own)
  life.atEnd(async () => leave())
  const warning = warningOf(others, config.dataDir, own.version)
  if (warning) note(warning)
}

/** The demonstration of a first start; undefined when there is an organization already. */
function firstDemo(runtime: Runtime): Promise<Demo | undefined> {
  const { dataDir } = runtime.config
  return makeDemo(runtime, {
    onlyFirst: true,
    // whatever an older file says belongs to a database that is gone
    keep: (demo) => writeDemos(dataDir, { url: null, demos: [demo] }),
  })
}

type Made = { generated: Generated[]; demo: Demo | undefined; place: string }

async function describe(
  { config, database }: Runtime,
  { generated, demo, place }: Made,
): Promise<Ready> {
  const rows = await database
    .reads(allOrganizations)
    .all<{ id: string }>(
      sql`select organization_id as id from organizations order by organization_id limit 10000`,
    )
  const there = new Set(rows.map(({ id }) => id))
  const stored = readDemos(config.dataDir)
  const demos = stored.demos.filter(({ organization_id }) => there.has(organization_id))
  const url = localUrl(config)
  if (demos.length && stored.url !== url) writeDemos(config.dataDir, { url, demos: stored.demos })
  // since the process began, with all that it had to load
  const seconds = process.uptime()
  return {
    config,
    url,
    seconds,
    place,
    generated,
    demo,
    demos,
    isEmpty: !rows.length,
    again: commandLine(config.dataDir),
  }
}

/** The address at which this machine reaches the service. */
function localUrl({ host, port }: Config): string {
  const isAll = host === '0.0.0.0' || host === '::'
  const shown = isAll ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${shown}:${port}`
}
